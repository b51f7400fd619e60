"""FTS5 tables for tests that search: opened in either SQLite, filled, asked.

`hosts()` are the modules with an SQLite of their own that is loaded into: the standard library's
(old here) and apsw's (new). Rows are counted from 0, as the documents they were made of.

CJK_TEST_HOSTS names the modules to test with, commas between (default: both); CJK_TEST_SQLITE is
the version that their SQLite must have. tools/matrix.py sets both, and runs one SQLite after the
other by what PYTHONPATH and LD_LIBRARY_PATH find first.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from typing import Any

import apsw
import hosts
import pytest

import cjk_tokenizer

HOSTS = os.environ.get("CJK_TEST_HOSTS", "sqlite3,apsw").split(",")
WANTED_SQLITE = os.environ.get("CJK_TEST_SQLITE")


def open_host(name: str, path: str = ":memory:") -> Any:
    """A connection with the library in it and without transactions of its own."""
    if name == "apsw":
        conn: Any = apsw.Connection(path)
    else:
        conn = sqlite3.connect(path, isolation_level=None)
    cjk_tokenizer.load(conn, fallback=False)
    if WANTED_SQLITE and name in HOSTS:
        assert value(conn, "SELECT sqlite_version()") == WANTED_SQLITE
    return conn


def need(thing: Any, *names: str) -> None:
    """Skip the test where this apsw, as old as its SQLite, does not have these functions."""
    for name in names:
        if not hasattr(thing, name):
            pytest.skip(f"this apsw has no {name}")


def version(conn: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in value(conn, "SELECT sqlite_version()").split("."))


def rows(conn: Any, sql: str, *parameters: Any) -> list[Any]:
    return list(conn.execute(sql, parameters))


def column(conn: Any, sql: str, *parameters: Any) -> list[Any]:
    return [row[0] for row in conn.execute(sql, parameters)]


def value(conn: Any, sql: str, *parameters: Any) -> Any:
    return rows(conn, sql, *parameters)[0][0]


def literal(text: str) -> str:
    """`text` as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


def quoted(text: str) -> str:
    """`text` as a string of FTS5's query language."""
    return '"' + text.replace('"', '""') + '"'


def all_terms(text: str) -> str:
    """Each blank-separated term of `text` as a string; FTS5 wants them all."""
    return " ".join(quoted(term) for term in text.split())


def make_table(
    conn: Any, documents: Iterable[Any], tokenize: str = "cjk", options: str = "", name: str = "t"
) -> None:
    """A table with one column `body`; `tokenize` and `options` as in CREATE VIRTUAL TABLE."""
    conn.execute(f"DROP TABLE IF EXISTS {name}")
    more = f", {options}" if options else ""
    conn.execute(
        f"CREATE VIRTUAL TABLE {name} USING fts5(body, tokenize={literal(tokenize)}{more})"
    )
    add_rows(conn, documents, name)


def add_rows(conn: Any, documents: Iterable[Any], name: str = "t") -> None:
    """The documents become the rows 0, 1, ... of the table, in one transaction."""
    conn.execute("BEGIN")
    sql = f"INSERT INTO {name}(rowid, body) VALUES (?, ?)"
    conn.executemany(sql, list(enumerate(documents)))
    conn.execute("COMMIT")


def hits(conn: Any, match: str, name: str = "t") -> list[int]:
    """The rows that MATCH finds, in their order."""
    return column(conn, f"SELECT rowid FROM {name} WHERE {name} MATCH ? ORDER BY rowid", match)


def tokens(
    conn: Any, text: str | bytes, tokenize: str = "cjk", mode: str = "document"
) -> list[Any]:
    """(token, start, end, position, colocated) of each token; offsets in bytes."""
    encoded = text.encode() if isinstance(text, str) else text
    sql = (
        'SELECT CAST(token AS BLOB), start, "end", position, colocated'
        " FROM cjk_tokens(CAST(? AS TEXT), ?, ?)"
    )
    found = rows(conn, sql, encoded, tokenize, mode)
    return [(bytes(token).decode("utf-8", "backslashreplace"), *rest) for token, *rest in found]


def programs_of(host: hosts.Host) -> list[hosts.Program]:
    """The programs of a host; without one the test is skipped, or fails where hosts are wanted."""
    try:
        return host.find()
    except hosts.Absent as reason:
        if host.is_required:
            pytest.fail(f"CJK_REQUIRE_HOSTS wants {host.name}: {reason}")
        pytest.skip(f"{host.name}: {reason}")
