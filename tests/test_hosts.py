"""One library, every host that we can reach (hosts.py): all give the same tokens."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any

import fts
import hosts
import pytest
from nasty import NASTY

from cjk_tokenizer import load

TEXTS = [*(text.encode() for text in hosts.PLAIN_TEXTS), *NASTY]

# Hosts are programs of their own: a sanitizer preloaded here would be preloaded there.
pytestmark = pytest.mark.no_sanitizer


@lru_cache(maxsize=1)
def script() -> tuple[str, ...]:
    return tuple(hosts.make_script(TEXTS))


@lru_cache(maxsize=1)
def expected() -> dict[str, Any]:
    """What the connections of this very process give."""
    conn = sqlite3.connect(":memory:")
    load(conn, fallback=False)
    *statements, last = script()
    for statement in statements:
        conn.execute(statement)
    ((value,),) = conn.execute(last)
    conn.close()
    return json.loads(value)  # type: ignore[no-any-return]


def test_the_script_tells_streams_apart(library: Path) -> None:
    """There are tokens in all parts of it, and each tokenizer's are its own."""
    value = expected()
    term = "学习".encode().hex().upper()
    first = value["stored"][0]
    assert [0, 2, term] in first, first[:10]
    assert {token[0] for token in first} > set(range(len(hosts.PLAIN_TEXTS)))
    streams = [json.dumps(part) for part in value["stored"] + value["made"]]
    assert len(set(streams)) > len(hosts.ARGUMENTS)
    assert [0] in value["found"][hosts.QUERIES.index("天气")]


def hosts_as_parameters() -> list[Any]:
    # Fetching takes its time, once.
    return [
        pytest.param(
            host,
            id=host.name,
            marks=[pytest.mark.slow] if host.kind in ("apsw", "node") else [],
        )
        for host in hosts.all_hosts()
    ]


@pytest.mark.parametrize("host", hosts_as_parameters())
def test_same_tokens_in_every_host(host: hosts.Host, library: Path) -> None:
    programs = fts.programs_of(host)
    assert programs
    for program in programs:
        _, value = program.run(library, list(script()))
        got = json.loads(value)
        for part, wanted in expected().items():
            assert got[part] == wanted, (program.name, part)


def test_apsw_wheels_are_of_the_version_that_they_say(library: Path) -> None:
    """Else the matrix would be many times the same."""
    versions = {}
    for name in hosts.APSW_DEFAULT:
        if (hosts.apsw_folder(name)).is_dir():
            (program,) = hosts.find_apsw(name)
            versions[name], _ = program.run(library, ["SELECT 1"])
    if not versions:
        pytest.skip("no wheel has been fetched yet")
    for name, version in versions.items():
        assert name.startswith(version + "."), versions


def test_what_cannot_be_fetched_is_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hosts, "CACHE", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(hosts.Absent, match=r"apsw==3\.40\.1\.0 failed: .+"):
        hosts.find_apsw("3.40.1.0")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(hosts.Absent, match="install nodejs and npm"):
        hosts.find_node()
    with pytest.raises(hosts.Absent, match="install sqlite3"):
        hosts.find_shell()


@pytest.mark.parametrize(
    ("required", "kinds"),
    [("", set()), ("1", {"shell", "python", "apsw", "node"}), ("apsw,shell", {"apsw", "shell"})],
)
def test_hosts_can_be_required(
    monkeypatch: pytest.MonkeyPatch, required: str, kinds: set[str]
) -> None:
    monkeypatch.setenv("CJK_REQUIRE_HOSTS", required)
    assert {host.kind for host in hosts.all_hosts() if host.is_required} == kinds
