"""What people reported: texts that other tokenizers missed, hit wrongly, marked wrongly.

The cases are in ../shared/cases beside the repository. Each is tested here, by its expectation or
by what the project decided where people disagree (RULINGS), or is listed as no matter of tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import Case, assert_holds
from fts import HOSTS, hits, make_table, open_host, tokens

from cjk_tokenizer import tokenize

pytestmark = pytest.mark.usefixtures("library")

REPORTS = Path(__file__).resolve().parent.parent.parent / "shared" / "cases" / "reports.jsonl"

# Where users disagree: a document's queries, and whether they find it.
RULINGS = {
    # iPhone15 is one word, as in unicode61; its beginning is found by prefix.
    "C029": [('"iPhone"', False), ("iphone*", True), ('"iPhone15"', True), ('"15"', False)],
    # No gram goes over punctuation, but a phrase of two words does.
    "C077": [
        ('"你好世界"', False),
        ('"你好 世界"', True),
        ('"你好" "世界"', True),
        ('"好世"', False),
    ],
    # Thai is made of clusters: a consonant alone is another one than with its vowel.
    "C093": [('"จ"', False), ('"จั"', True), ('"จ"*', True), ('"จัง"', True), ('"หวัด"', True)],
    # No dictionary, no words that are missing in it.
    "C116": [('"云原生"', True), ('"原生网"', True), ('"生网关"', True)],
    # Spaces count in Korean.
    "C122": [('"데이터베이스"', False), ('"데이터 베이스"', True), ('"데이터" "베이스"', True)],
}
# Loading, upgrading, sizes, speed and snippets have tests of their own.
NO_MATTER_OF_TOKENS = {"C100", "C119", "C120"}


def read_reports() -> list[dict[str, Any]]:
    if not REPORTS.is_file():
        return []
    return [json.loads(line) for line in REPORTS.read_text("utf-8").splitlines()]


def is_about_tokens(report: dict[str, Any]) -> bool:
    return report["id"] not in NO_MATTER_OF_TOKENS and not report["kind"].startswith("operations/")


def to_case(report: dict[str, Any]) -> Case:
    several = report["doc"] if isinstance(report["doc"], list) else [report["doc"]]
    form = report["form"].rpartition(":")[2]
    expect = "hit" if report["expect"] == "hit-any" else report["expect"]
    option = report["option"] or ""
    return Case(report["id"], tuple(several), report["query"], expect, form, option)


ABSENT = pytest.mark.skip(reason="the reported cases are absent: no ../shared/cases")
CASES = [
    pytest.param(to_case(report), id=report["id"])
    for report in read_reports()
    if is_about_tokens(report) and not report["expect"].startswith("other")
] or [pytest.param(None, marks=ABSENT)]


@pytest.fixture(scope="module", params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


@pytest.mark.parametrize("case", CASES)
def test_reported(conn: Any, case: Case) -> None:
    assert_holds(conn, case)


@pytest.mark.parametrize("name", sorted(RULINGS))
def test_ruled(conn: Any, name: str) -> None:
    documents = [report["doc"] for report in read_reports() if report["id"] == name]
    if not documents:
        pytest.skip("the reported cases are absent: no ../shared/cases")
    make_table(conn, documents)
    for query, is_hit in RULINGS[name]:
        assert hits(conn, query) == ([0] if is_hit else []), query


def test_offsets_have_a_unit_that_is_said(conn: Any) -> None:
    """Reported: byte offsets that people took for characters. Python says characters, SQL bytes."""
    text = "今天天气不错"
    python = {token.text: (token.start, token.end) for token in tokenize(text)}
    sql = {token: (start, end) for token, start, end, _, _ in tokens(conn, text)}
    assert python["天气"] == (2, 4)
    assert text[2:4] == "天气"
    assert sql["天气"] == (6, 12)
    assert text.encode()[6:12].decode() == "天气"


def test_every_report_is_tested_or_named() -> None:
    reports = read_reports()
    if not reports:
        pytest.skip("the reported cases are absent: no ../shared/cases")
    left = [
        report["id"]
        for report in reports
        if is_about_tokens(report)
        and report["expect"].startswith("other")
        and report["id"] not in RULINGS
    ]
    assert left == ["C099"]  # test_offsets_have_a_unit_that_is_said
