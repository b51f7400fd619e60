"""The table-valued functions as tables: row numbers, hidden columns, arguments in every order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import apsw
import pytest
from fts import HOSTS, make_table, open_host, rows, value

pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


def test_rows_are_numbered(conn: Any) -> None:
    make_table(conn, ["学习", "天气", "学习天气"])
    assert rows(conn, "SELECT rowid FROM cjk_tokens('学习')") == [(0,), (1,), (2,)]
    assert rows(conn, "SELECT rowid FROM cjk_chunks('学习')") == [(0,)]
    numbers = [row for (row,) in rows(conn, "SELECT rowid FROM cjk_options()")]
    assert numbers == list(range(len(numbers)))
    assert sorted(rows(conn, "SELECT rowid FROM cjk_search('t', '天气')")) == [(1,), (2,)]


def test_hidden_columns_are_null(conn: Any) -> None:
    make_table(conn, ["学习"])
    sql = "SELECT text, arguments, mode FROM cjk_tokens('学', '', 'query')"
    assert rows(conn, sql) == [(None, None, None)]
    assert rows(conn, "SELECT source, options FROM cjk_chunks('学')") == [(None, None)]
    sql = "SELECT \"table\", query, options FROM cjk_search('t', '学习')"
    assert rows(conn, sql) == [(None, None, None)]


def test_arguments_that_are_missing_or_null(conn: Any) -> None:
    make_table(conn, ["学习"])
    for sql, said in [
        ("SELECT * FROM cjk_tokens", "needs a text"),
        ("SELECT * FROM cjk_chunks", "needs a text"),
        ("SELECT * FROM cjk_search", "needs a table's name and a query"),
        ("SELECT * FROM cjk_search('t')", "needs a table's name and a query"),
        ("SELECT * FROM cjk_search(NULL, '学习')", "needs a table's name and a query"),
    ]:
        with pytest.raises((sqlite3.Error, apsw.Error), match=said):
            rows(conn, sql)
    assert rows(conn, "SELECT * FROM cjk_search('t', NULL)") == []
    assert rows(conn, "SELECT * FROM cjk_tokens(NULL)") == []
    assert rows(conn, "SELECT * FROM cjk_chunks(NULL)") == []
    assert value(conn, "SELECT count(*) FROM cjk_tokens('学习', NULL, NULL)") == 3
    assert value(conn, "SELECT count(*) FROM cjk_search('t', '学习', NULL)") == 1
    assert value(conn, "SELECT cjk_check(NULL)") is None
    assert value(conn, "SELECT cjk_detect(NULL)") is None
    assert value(conn, "SELECT cjk_query(NULL)") is None
    assert value(conn, "SELECT cjk_relevance(NULL, 'a')") is None
    assert value(conn, "SELECT cjk_relevance('a', NULL)") is None


def test_arguments_come_from_other_tables_and_conditions(conn: Any) -> None:
    """In any order of the join, also where a column of the function is compared with something."""
    make_table(conn, ["学习", "天气"])
    conn.execute("CREATE TABLE asked(name, query)")
    conn.execute("INSERT INTO asked VALUES ('t', '学习'), ('t', '天气')")
    sql = "SELECT asked.query, hit.rowid FROM asked, cjk_search(asked.name, asked.query) AS hit"
    assert rows(conn, sql) == [("学习", 0), ("天气", 1)]
    sql = "SELECT asked.query, hit.rowid FROM cjk_search(asked.name, asked.query) AS hit, asked"
    assert sorted(rows(conn, sql)) == [("天气", 1), ("学习", 0)]
    sql = "SELECT token FROM asked, cjk_tokens(query) WHERE colocated = 1 AND start < 3"
    assert rows(conn, sql) == [("学",), ("天",)]
    sql = "SELECT count(*) FROM cjk_tokens AS a, cjk_tokens AS b WHERE a.text = b.token"
    with pytest.raises((sqlite3.Error, apsw.Error)):  # neither of the two can be the first
        rows(conn, sql + " AND b.text = a.token")
