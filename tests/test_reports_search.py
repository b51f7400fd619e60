"""The reported cases once more, through cjk_search and what stands on it: found, ranked, marked.

test_reports.py asks MATCH. Here each case whose query is what a person types goes through
cjk_search; highlights and snippets are looked at where the report is about them.
"""

from __future__ import annotations

import json
from typing import Any

import fts
import pytest
from cases import Case
from test_reports import ABSENT, RULINGS, is_about_tokens, read_reports, to_case

import cjk_tokenizer

pytestmark = pytest.mark.usefixtures("library")

# FTS5's own syntax is nothing that cjk_search takes, and some reports are about an API: see below.
TYPED = [
    report
    for report in read_reports()
    if is_about_tokens(report)
    and report["form"] != "fts5"
    and not report["expect"].startswith("other")
]
CASES = [pytest.param(to_case(report), id=report["id"]) for report in TYPED] or [
    pytest.param(None, marks=ABSENT)
]


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    return fts.open_host(request.param)


def found(conn: Any, text: str, mode: str, column: str = "rowid", **options: Any) -> list[Any]:
    given = json.dumps({"mode": mode, **options})
    return fts.column(conn, f"SELECT {column} FROM cjk_search('t', ?, ?)", text, given)


@pytest.mark.parametrize("case", CASES)
def test_reported(conn: Any, case: Case) -> None:
    fts.make_table(conn, case.documents, f"cjk {case.option} 1" if case.option else "cjk")
    kind, _, wanted = case.expect.partition(":")
    every = list(range(len(case.documents)))
    rows = found(conn, case.query, "any" if case.form == "any" else "all")
    if case.expect.startswith("hit>="):
        assert set(json.loads(case.expect[5:])) <= set(rows)
    elif kind == "hit":
        assert sorted(rows) == (json.loads(wanted) if wanted else every)
        assert set(rows) <= set(found(conn, case.query, "auto"))
    elif kind == "miss":
        assert rows == []
    elif kind == "rank":
        assert rows == json.loads(wanted)
        assert found(conn, case.query, "auto") == json.loads(wanted)
    elif kind == "highlight":
        for mode in ("all", "auto"):
            assert found(conn, case.query, mode, "snippet", snippet=1000) == [wanted], mode
    else:
        assert kind == "no-error"
        assert rows == found(conn, case.query, "auto") == []


def test_offsets_are_of_the_unit_that_is_said(conn: Any) -> None:
    """C099: bytes in SQL; characters in Python, UTF-16 units when they are wanted."""
    fts.make_table(conn, ["𠮷今天天气不错"])
    assert found(conn, "天气", "auto", "highlights", highlight=1) == ["[[0,10,16]]"]
    [hit] = cjk_tokenizer.search(conn, "t", "天气", highlight=True)
    assert hit.highlights == ((0, 3, 5),)
    [hit] = cjk_tokenizer.search(conn, "t", "天气", highlight=True, utf16=True)
    assert hit.highlights == ((0, 4, 6),)


def test_a_snippet_is_measured_in_characters(conn: Any) -> None:
    """C100: FTS5's snippet() counts tokens, and ten bigrams are eleven characters."""
    text = "これは本文がとても長い行です。" * 20 + "全文検索の結果" + "と続く文章" * 20
    fts.make_table(conn, [text])
    [snippet] = found(conn, "検索", "auto", "snippet", snippet=40)
    assert "[検索]" in snippet
    plain = snippet.replace("[", "").replace("]", "")
    assert plain.strip("…") in text
    assert 30 < len(plain.strip("…")) <= 40


def test_every_report_of_these_kinds_is_here() -> None:
    reports = read_reports()
    if not reports:
        pytest.skip("the reported cases are absent: no ../shared/cases")
    kinds = ("missed/", "wrong-hit", "highlight", "ranking", "query-syntax", "normalize/", "korean")
    wanted = {report["id"] for report in reports if report["kind"].startswith(kinds)}
    here = {report["id"] for report in TYPED} | {"C099", "C100"}
    elsewhere = wanted - here  # FTS5's syntax, and rulings
    syntax = {report["id"] for report in reports if report["form"] == "fts5"}
    assert elsewhere <= syntax | set(RULINGS)
