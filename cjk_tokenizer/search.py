"""search(): the best rows of an FTS5 table, best first, over the SQL function `cjk_search`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import private
from .errors import ArgumentError

_TRAIL_BYTES = bytes(range(0x80, 0xC0))


class Highlight(NamedTuple):
    """A stretch of a column's text that matches: `text[start:end]`."""

    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Hit:
    """A row that was found. Higher scores are better; they compare within one search only.

    `snippet` is None and `highlights` empty where they were not asked for, or where the table keeps
    no text.
    """

    rowid: int
    score: float
    snippet: str | None
    highlights: tuple[Highlight, ...]


def search(
    conn: Any,
    table: str,
    text: str,
    *,
    mode: str = "auto",
    limit: int = 20,
    offset: int = 0,
    weights: Sequence[float] | None = None,
    columns: str | Sequence[str] | None = None,
    schema: str | None = None,
    snippet: int = 0,
    highlight: bool = False,
    utf16: bool = False,
    open: str = "[",
    close: str = "]",
    ellipsis: str = "…",
) -> Iterator[Hit]:
    """Yield the rows of an FTS5 table that answer `text`, best first.

    `conn` is a connection of sqlite3, apsw or a module like them that the tokenizer was loaded
    into; `table` uses it (`tokenize='cjk'` or around it). Modes: auto (rows with the whole text,
    then with all of its words, then with some of it), any, all, phrase, prefix, web. `weights` are
    of the columns in their order. `columns` limits the search to these; a str is one of them, or
    several with commas between, as in SQL. `snippet` is its length in characters, marked with
    `open` and `close`. Highlights count characters (code points), UTF-16 units with `utf16`. Rows
    are ranked when the first one is asked for; snippets and highlights are made one by one.

    Raises TypeError when `table` or `text` is no str or an option is of another type, ArgumentError
    for names and options that are wrong.

    >>> import sqlite3, cjk_tokenizer
    >>> conn = cjk_tokenizer.connect(":memory:")
    >>> _ = conn.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')")
    >>> _ = conn.execute("INSERT INTO notes VALUES ('今天天气很好'), ('机器学习的方法有很多种')")
    >>> [(hit.rowid, hit.snippet) for hit in search(conn, "notes", "学习方法有哪些？", snippet=20)]
    [(2, '机器[学习]的[方法有]很多种')]
    """
    for name, value in (("table", table), ("text", text)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    for name, flag in (("highlight", highlight), ("utf16", utf16)):
        if flag not in (False, True):
            raise TypeError(f"{name} must be True or False, not {flag!r}")
    private.refuse_nul(table=table, schema=schema, mode=mode)
    options: dict[str, Any] = {
        "mode": mode,
        "limit": limit,
        "offset": offset,
        "snippet": snippet,
        "highlight": int(highlight),
        "open": open,
        "close": close,
        "ellipsis": ellipsis,
    }
    if weights is not None:
        options["weights"] = _join_weights(weights)
    if columns is not None:
        options["columns"] = _join_columns(columns)
    if schema is not None:
        options["schema"] = schema
    return _search(conn, table, text, schema, options, utf16)


def _join_weights(weights: Sequence[float]) -> str:
    if isinstance(weights, (str, bytes)):
        raise TypeError(f"weights are numbers, one for each column, not {weights!r}")
    numbers = [float(weight) for weight in weights]
    for number in numbers:
        if not math.isfinite(number):
            raise ArgumentError(f"a weight is a number from 0 on, not {number!r}")
    return ", ".join(map(repr, numbers))


def _join_columns(columns: str | Sequence[str]) -> str:
    joined = columns if isinstance(columns, str) else ", ".join(columns)
    private.refuse_nul(columns=joined)
    return joined


def _search(
    conn: Any, table: str, text: str, schema: str | None, options: dict[str, Any], utf16: bool
) -> Iterator[Hit]:
    sql = "SELECT rowid, score, snippet, highlights FROM cjk_search(?, CAST(? AS TEXT), ?)"
    encoded = text.encode("utf-8", "surrogatepass")
    given = json.dumps(options, ensure_ascii=False)
    try:
        for rowid, score, snippet, spans in conn.execute(sql, (table, encoded, given)):
            found = json.loads(spans) if spans else []
            highlights = _count_offsets(conn, table, schema, rowid, found, utf16) if found else ()
            yield Hit(rowid, score, snippet, highlights)
    except Exception as error:
        if type(error).__name__ in ("OperationalError", "SQLError") and "cjk_search()" in str(
            error
        ):
            raise ArgumentError(str(error)) from error
        raise


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _count_offsets(
    conn: Any, table: str, schema: str | None, rowid: int, spans: list[list[int]], utf16: bool
) -> tuple[Highlight, ...]:
    """Turn byte offsets of a row's columns into those that Python or JavaScript counts."""
    name = (_quoted(schema) + "." if schema is not None else "") + _quoted(table)
    texts = next(iter(conn.execute(f"SELECT * FROM {name} WHERE rowid = ?", (rowid,))))
    found = []
    for column, start, end in spans:
        encoded = texts[column].encode("utf-8", "surrogatepass")
        first = _length(encoded[:start], utf16)
        found.append(Highlight(column, first, first + _length(encoded[start:end], utf16)))
    return tuple(found)


def _length(encoded: bytes, utf16: bool) -> int:
    characters = len(encoded.translate(None, _TRAIL_BYTES))
    if not utf16:
        return characters
    return characters + sum(byte >= 0xF0 for byte in encoded)
