"""cjk_query, cjk_search, cjk_highlight, cjk_snippet: the same in every host, old or new."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import fts
import hosts
import pytest
from nasty import NASTY

pytestmark = pytest.mark.no_sanitizer  # hosts are programs of their own

TABLES = {
    "t0": "cjk",
    "t1": "cjk unigrams 0",
    "t2": "porter cjk fold_kana 1",
    "t3": "cjk segment unigram",
}
QUERIES = [
    *(
        "学",
        "机器学习",
        "天气 学习",
        "学习的方法是什么？",
        "東京都は何人",
        "京",
        "ﾃﾞｰﾀ",
        "데이터",
        "국",
    ),
    *(
        "ภาษาไทย",
        "running cafe",
        "C++",
        "don't",
        "葛城",
        '"天气" -机器',
        "👩‍👩‍👧",
        "？！",
        "''; --",
    ),
]
MODES = ["all", "any", "phrase", "prefix", "web", "words", "grams"]
SEARCH_MODES = ["auto", "any", "all", "phrase", "prefix", "web"]
TEXTS = [
    *(text.encode() for text in hosts.PLAIN_TEXTS),
    *(text.encode() for text in ("机器学习的方法有很多种", "今天天气很好，适合学习", "C++ 机器")),
    *(text.encode() for text in ("東京都の人口は何人", "葛\U000e0100城市のﾃﾞｰﾀ", "한국의 데이터")),
    *NASTY,
]


@lru_cache(maxsize=1)
def script() -> tuple[str, ...]:
    """Its last statement gives one row for each hit, marked and cut, in the order of the hits."""
    made = ["CREATE TABLE results (kind, name, query, mode, id, value)"]
    for name, tokenize in TABLES.items():
        made.append(f'CREATE VIRTUAL TABLE {name} USING fts5(body, tokenize="{tokenize}")')
        made += [
            f"INSERT INTO {name}(rowid, body) VALUES ({n}, CAST(x'{text.hex()}' AS TEXT))"
            for n, text in enumerate(TEXTS)
        ]
        for query in map(fts.literal, QUERIES):
            for mode in map(fts.literal, MODES):
                expression = f"cjk_query({query}, {mode}, json_object('tokenize', '{tokenize}'))"
                into = f"INSERT INTO results SELECT 'match', '{name}', {query}, {mode}, "
                made.append(
                    f"{into} rowid, hex(cjk_highlight({name}, 0, '[', ']')) || ' ' ||"
                    f" hex(cjk_snippet({name}, -1, '[', ']', '~', 8))"
                    f" FROM {name} WHERE {name} MATCH {expression}"
                )
                made.append(f"{into} 0, {expression}")
            for mode in map(fts.literal, SEARCH_MODES):
                options = f"json_object('mode', {mode}, 'snippet', 9, 'highlight', 1)"
                made.append(
                    f"INSERT INTO results SELECT 'search', '{name}', {query}, {mode}, rowid,"
                    f" highlights || ' ' || hex(snippet) || printf(' %.9f', score)"
                    f" FROM cjk_search('{name}', {query}, {options})"
                )
    made.append(
        "SELECT json_group_array(json_array(kind, name, query, mode, id, value))"
        " FROM (SELECT * FROM results ORDER BY rowid)"
    )
    return tuple(made)


@lru_cache(maxsize=1)
def expected() -> Any:
    conn = fts.open_host("sqlite3")
    *statements, last = script()
    for statement in statements:
        conn.execute(statement)
    return json.loads(fts.value(conn, last))


def test_the_script_finds_and_marks() -> None:
    rows = expected()
    assert len({(row[1], row[2]) for row in rows if row[0] == "search"}) > 50
    assert {row[3] for row in rows if row[0] == "match" and row[4]} == set(MODES)
    marked = [row[5] for row in rows if row[:4] == ["match", "t0", "葛城", "all"] and row[4]]
    assert "[葛\U000e0100城]市".encode().hex().upper() in "".join(marked)


@pytest.mark.parametrize(
    "host",
    [
        pytest.param(host, id=host.name, marks=[pytest.mark.slow] * (host.kind != "shell"))
        for host in hosts.all_hosts()
    ],
)
def test_same_answers_in_every_host(host: hosts.Host, library: Path) -> None:
    programs = fts.programs_of(host)
    for program in programs:
        _, value = program.run(library, list(script()))
        got = json.loads(value)
        different = [pair for pair in zip(got, expected()) if pair[0] != pair[1]]
        assert different == [], program.name
        assert len(got) == len(expected()), program.name
