"""Cases of what a search must find or must not: documents, what a person types, what is expected.

`form` says how the typed text becomes a query: `plain` puts each blank-separated term into quotes,
`fts5` leaves it as it is, `raw` goes through cjk_query, `any` through its mode of that name.
`expect` is hit, miss, hit:[rows], hit>=[rows], rank:[rows], highlight:TEXT with [marks], no-error.
With an `option` the case holds when that option is on, and must not hold without it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fts import all_terms, column, hits, make_table, rows, value, version


@dataclass(frozen=True)
class Case:
    name: str
    documents: tuple[str, ...]
    query: str
    expect: str = "hit"
    form: str = "plain"
    option: str = ""


def case(
    name: str, documents: str | list[str], query: str, expect: str = "hit", **more: str
) -> Case:
    several = (documents,) if isinstance(documents, str) else tuple(documents)
    return Case(name, several, query, expect, **more)


def expression(conn: Any, case: Case, tokenize: str = "cjk") -> str:
    """What is given to MATCH."""
    if case.form == "plain":
        return all_terms(case.query)
    if case.form == "fts5":
        return case.query
    mode = {"raw": "all", "any": "any"}[case.form]
    options = json.dumps({"tokenize": tokenize})
    return str(value(conn, "SELECT cjk_query(?, ?, ?)", case.query, mode, options))


def assert_holds(conn: Any, case: Case) -> None:
    assert_expected(conn, case, f"cjk {case.option} 1" if case.option else "cjk")
    if case.option:
        # Off by default: without it there is no hit.
        make_table(conn, case.documents)
        assert hits(conn, expression(conn, case)) == []


def assert_expected(conn: Any, case: Case, tokenize: str) -> None:
    make_table(conn, case.documents, tokenize)
    match = expression(conn, case, tokenize)
    found = hits(conn, match)
    kind, _, wanted = case.expect.partition(":")
    every = list(range(len(case.documents)))
    if case.expect.startswith("hit>="):
        assert set(json.loads(case.expect[5:])) <= set(found)
    elif kind == "hit":
        assert found == (json.loads(wanted) if wanted else every)
    elif kind == "miss":
        assert found == []
    elif kind == "rank":
        ranked = column(conn, "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank", match)
        assert ranked == json.loads(wanted)
    elif kind == "highlight":
        assert found == every
        assert_marked(conn, match, wanted)
    else:
        assert kind == "no-error", f"unknown expectation {case.expect}"


def assert_marked(conn: Any, match: str, marked: str) -> None:
    """By cjk_highlight() everywhere, and by FTS5's own where it can mark overlapping tokens."""
    names = ["cjk_highlight"] + (["highlight"] if version(conn) >= (3, 44) else [])
    for name in names:
        sql = f"SELECT {name}(t, 0, '[', ']') FROM t WHERE t MATCH ?"
        assert rows(conn, sql, match) == [(marked,)], name
