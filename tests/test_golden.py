"""The token stream, version 1, is what the golden files say: the library's and the reference's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fts
import golden_files
import pytest

from cjk_tokenizer import reference

FILES = sorted(golden_files.DIRECTORY.glob("*.stream"))


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    return fts.open_host(request.param)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_library(path: Path, conn: Any) -> None:
    for case in golden_files.read(path):
        assert case.tokens, f"{case.text!r} has no tokens yet: run tests/golden_files.py"
        assert golden_files.tokens(conn, case) == case.tokens, (case.arguments, case.text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reference(path: Path) -> None:
    for case in golden_files.read(path):
        if not case.arguments.startswith("cjk") or "jieba" in case.arguments:
            continue  # a wrapper of the connection's; a dictionary, which the reference has not
        tokens = reference.tokenize(case.text, case.arguments[3:], query=case.mode == "query")
        lines = [
            f"{'+' if t.colocated else t.position} {t.token} {t.start}-{t.end}" for t in tokens
        ]
        assert (lines or [golden_files.NOTHING]) == case.tokens, (case.arguments, case.text)


def test_every_option_has_a_golden_file(conn: Any) -> None:
    seen = {word for path in FILES for case in golden_files.read(path)
            for word in case.arguments.split()}  # fmt: skip
    options = {name for (name,) in conn.execute("SELECT name FROM cjk_options()")}
    assert options - {"version"} <= seen
