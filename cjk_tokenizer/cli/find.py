"""From what a person typed to rows with marks: the questions `cjk-tokenizer search` asks.

Rows come from cjk_search(), best first, where the library is in and the table is of its tokenizer;
else from an FTS5 expression and FTS5's own ranking: from cjk_query(), or made here where the
tokenizer in plain Python serves. Marks come from cjk_highlight() and cjk_snippet(), without the
library from token offsets, for tables of other tokenizers from FTS5's highlight().

Offsets are in characters.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections import defaultdict
from typing import NamedTuple

from cjk_tokenizer import tokenize

from .console import CommandError
from .store import path_from_sql, quote_name, table_tokenizer

MODES = ("auto", "all", "any", "phrase", "prefix", "web", "words", "grams")
RANKED_MODES = ("auto", "all", "any", "phrase", "prefix", "web")  # of cjk_search()
MODES_WITHOUT_LIBRARY = ("auto", "all", "any", "phrase", "prefix")


class Marked(NamedTuple):
    """A text, and the [start, end) of what matched in it: rising, not touching."""

    text: str
    marks: list[tuple[int, int]]


class Hit(NamedTuple):
    """One row. `score`: the higher, the better."""

    rowid: int
    score: float
    source: str | None  # path of the file
    line: int | None
    id: str | None
    title: Marked
    column: str  # the one with the most marked characters, the title excepted
    text: Marked  # the part of it that is asked for


class Answer(NamedTuple):
    """The hits of a query, best first."""

    expression: str
    hits: list[Hit]
    milliseconds: float  # of SQLite's work for the ranked rows, marks excepted


class Table(NamedTuple):
    """An FTS5 table to search."""

    name: str
    tokenizer: str
    columns: list[str]  # those that are text to show
    details: list[str]  # those of source, line, id that it has

    @property
    def is_cjk(self) -> bool:
        """Whether its tokenizer is ours, or wraps it."""
        return "cjk" in self.tokenizer.replace("'", " ").split()

    @property
    def cjk_arguments(self) -> str | None:
        """The arguments of a `cjk` table; None for another tokenizer."""
        name, _, arguments = self.tokenizer.strip().partition(" ")
        return arguments.strip() if name == "cjk" else None


def find_table(connection: sqlite3.Connection, name: str | None) -> Table:
    """The table of that name; without one `docs`, or the only FTS5 table there is."""
    names = [
        found
        for (found,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'create virtual table%using fts5%' "
            "ORDER BY name"
        )
    ]
    if name is None and ("docs" in names or len(names) == 1):
        name = "docs" if "docs" in names else names[0]
    tokenizer = None if name is None else table_tokenizer(connection, name)
    if name is None or tokenizer is None:
        raise CommandError(
            f"no table {name or 'docs'}; name one with --table (FTS5 tables here: "
            f"{', '.join(names) or 'none'})"
        )
    cursor = connection.execute(f"SELECT * FROM {quote_name(name)} LIMIT 0")
    columns = [column[0] for column in cursor.description]
    details = [column for column in columns if column in ("source", "line", "id")]
    return Table(name, tokenizer, [c for c in columns if c not in details] or columns, details)


class _Ranked(NamedTuple):
    """Rows as they were found, best first: (rowid, score, the higher the better)."""

    expression: str
    rows: list[tuple[int, float]]
    milliseconds: float


def find(
    connection: sqlite3.Connection, table: Table, text: str, mode: str, limit: int, width: int = 0
) -> Answer:
    """The best rows for a text that a person typed; any text, no syntax errors. Of each row about
    `width` characters, 0 for all."""
    if table.is_cjk and mode in RANKED_MODES and _has_search(connection):
        ranked = _search(connection, table, text, mode, limit)
    else:
        ranked = _match(connection, table, text, mode, limit)
    marker = _make_marker(connection, table, text, mode, ranked.expression)
    paths = _paths(connection, table)
    hits = [
        _make_hit(connection, table, marker, paths, rowid, score, width)
        for rowid, score in ranked.rows
    ]
    return Answer(ranked.expression, hits, ranked.milliseconds)


def _search(
    connection: sqlite3.Connection, table: Table, text: str, mode: str, limit: int
) -> _Ranked:
    options = json.dumps({"mode": mode, "limit": limit})
    started = time.perf_counter()
    rows = connection.execute(
        "SELECT rowid, score, expression FROM cjk_search(?, ?, ?)", [table.name, text, options]
    ).fetchall()
    milliseconds = (time.perf_counter() - started) * 1000
    if rows and mode in ("auto", "any"):  # in other modes a row may have one of its own
        expression = rows[0][2]
    else:
        expression = _library_expression(connection, table, text, "any" if mode == "auto" else mode)
    return _Ranked(expression, [(rowid, score) for rowid, score, _ in rows], milliseconds)


def _match(
    connection: sqlite3.Connection, table: Table, text: str, mode: str, limit: int
) -> _Ranked:
    if mode == "auto":  # every word, or any where no row has them all
        ranked = _match(connection, table, text, "all", limit)
        return ranked if ranked.rows else _match(connection, table, text, "any", limit)
    if _has_function(connection, "cjk_query"):
        expression = _library_expression(connection, table, text, mode)
    else:
        expression = make_expression(text, mode)
    name = quote_name(table.name)
    started = time.perf_counter()
    rows = connection.execute(
        f"SELECT rowid, -rank FROM {name} WHERE {name} MATCH ? ORDER BY rank LIMIT ?",
        [expression, limit],
    ).fetchall()
    return _Ranked(expression, rows, (time.perf_counter() - started) * 1000)


def _make_hit(
    connection: sqlite3.Connection,
    table: Table,
    marker: _Marker | _TokenMarker,
    paths: dict[object, str],
    rowid: int,
    score: float,
    width: int,
) -> Hit:
    columns = table.columns + table.details
    sql = f"SELECT {', '.join(map(quote_name, columns))} FROM {quote_name(table.name)}"
    values = connection.execute(f"{sql} WHERE rowid = ?", [rowid]).fetchone()
    row = dict(zip(columns, values or [None] * len(columns)))
    texts = {name: "" if row[name] is None else str(row[name]) for name in table.columns}
    marked = {name: marker.mark(rowid, name, text) for name, text in texts.items()}
    best = _best_column(marked)
    part = marked[best]
    if 0 < width < len(part.text):
        part = marker.shorten(rowid, best, part, width)
    source = row.get("source")
    return Hit(
        rowid,
        score,
        paths.get(source, None if source is None else str(source)),
        row.get("line"),
        row.get("id"),
        marked.get("title", Marked("", [])),
        best,
        part,
    )


def _best_column(columns: dict[str, Marked]) -> str:
    others = [name for name in columns if name != "title"] or list(columns)
    return max(others, key=lambda name: sum(end - start for start, end in columns[name].marks))


def _has_function(connection: sqlite3.Connection, name: str) -> bool:
    found = connection.execute("SELECT 1 FROM pragma_function_list WHERE name = ?", [name])
    return found.fetchone() is not None


def _has_search(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'cjk_search'")
    return found.fetchone() is not None


def _paths(connection: sqlite3.Connection, table: Table) -> dict[object, str]:
    """The paths of the files that `cjk-tokenizer index` read, by their ids."""
    try:
        found = connection.execute(
            "SELECT id, path FROM cjk_sources WHERE table_name = ?", [table.name]
        ).fetchall()
    except sqlite3.OperationalError:  # not a table of `index`
        return {}
    return {source: path_from_sql(path) for source, path in found}


# ---------------------------------------------------------------- expressions


def _library_expression(connection: sqlite3.Connection, table: Table, text: str, mode: str) -> str:
    options = json.dumps({"tokenize": table.tokenizer})
    found = connection.execute("SELECT cjk_query(?, ?, ?)", [text, mode, options])
    return str(found.fetchone()[0])


def words_of(text: str) -> list[str]:
    """The blank-separated words of a text; U+3000 is a blank."""
    return text.replace("\0", " ").split()


def make_expression(text: str, mode: str) -> str:
    """An FTS5 expression for the modes that need no library. Words are joined without AND: then
    FTS5 leaves out those that have no token, instead of finding nothing."""
    if mode not in MODES_WITHOUT_LIBRARY:
        raise CommandError(
            f"--mode {mode} needs the compiled library; without it there are: "
            f"{', '.join(MODES_WITHOUT_LIBRARY)}"
        )
    words = [text.replace("\0", " ").strip()] if mode == "phrase" else words_of(text)
    quoted = ['"' + word.replace('"', '""') + '"' for word in words] or ['""']
    if mode == "prefix":
        quoted[-1] += " *"
    return (" OR " if mode == "any" else " ").join(quoted)


# ---------------------------------------------------------------- marks


class _Marker:
    """Marks matches by auxiliary functions of FTS5, which are run on one row at a time."""

    def __init__(
        self, connection: sqlite3.Connection, table: Table, expression: str, exact: bool
    ) -> None:
        self._connection = connection
        self._table = quote_name(table.name)
        self._expression = expression
        self._exact = exact  # cjk_highlight() and cjk_snippet() are there
        cursor = connection.execute(f"SELECT * FROM {self._table} LIMIT 0")
        self._names = [column[0] for column in cursor.description]
        # No text holds these by chance.
        key = secrets.token_hex(8)
        self._open, self._close = f"\x02{key}\x02", f"\x03{key}\x03"

    def mark(self, rowid: int, name: str, text: str) -> Marked:
        if not text:
            return Marked(text, [])
        function = "cjk_highlight" if self._exact else "highlight"
        found = self._call(function, rowid, name)
        # highlight() repeats text where tokens overlap, in SQLite before 3.44: then no marks.
        return found if found and found.text == text else Marked(text, [])

    def shorten(self, rowid: int, name: str, marked: Marked, width: int) -> Marked:
        found = self._call("cjk_snippet", rowid, name, "…", width) if self._exact else None
        return found or shorten(marked, width)

    def _call(self, function: str, rowid: int, name: str, *arguments: object) -> Marked | None:
        """None where the row does not match the expression (but another of the same query)."""
        row = self._connection.execute(
            f"SELECT {function}({self._table}, ?, ?, ?{', ?' * len(arguments)}) "
            f"FROM {self._table} WHERE {self._table} MATCH ? AND rowid = ?",
            [
                self._names.index(name),
                self._open,
                self._close,
                *arguments,
                self._expression,
                rowid,
            ],
        ).fetchone()
        if row is None:
            return None
        text, *pieces = str(row[0]).split(self._open)
        marks = []
        for piece in pieces:
            inside, _, outside = piece.partition(self._close)
            marks.append((len(text), len(text) + len(inside)))
            text += inside + outside
        return Marked(text, merge(marks))


class _TokenMarker:
    """Marks matches by comparing the tokens of the words with those of the text."""

    def __init__(self, words: list[str], arguments: str, prefix: bool) -> None:
        self._arguments = arguments
        self._terms = [
            [token.text for token in tokenize(word, arguments, query=True)] for word in words
        ]
        self._prefix = prefix

    def mark(self, rowid: int, name: str, text: str) -> Marked:
        return Marked(text, self._marks(text))

    def shorten(self, rowid: int, name: str, marked: Marked, width: int) -> Marked:
        return shorten(marked, width)

    def _marks(self, text: str) -> list[tuple[int, int]]:
        places: list[dict[str, tuple[int, int]]] = []  # by position: token -> its range
        where: defaultdict[str, list[int]] = defaultdict(list)  # token -> its positions
        for token in tokenize(text, self._arguments):
            while len(places) <= token.position:
                places.append({})
            places[token.position][token.text] = (token.start, token.end)
            where[token.text].append(token.position)
        marks = []
        for number, term in enumerate(self._terms):
            loose = self._prefix and number == len(self._terms) - 1
            for position in self._starts(term, where, loose):
                ranges = _follow(term, places[position : position + len(term)], loose)
                if ranges:
                    marks.append((ranges[0][0], max(end for _, end in ranges)))
        return merge(marks)

    @staticmethod
    def _starts(term: list[str], where: dict[str, list[int]], loose: bool) -> list[int]:
        if not term:
            return []
        if loose and len(term) == 1:
            return [p for token, found in where.items() if token.startswith(term[0]) for p in found]
        return where.get(term[0], [])


def _follow(
    term: list[str], places: list[dict[str, tuple[int, int]]], loose: bool
) -> list[tuple[int, int]]:
    """The ranges of a term's tokens at the places given; none when they are not all there. With
    `loose` the last one may be longer than asked for."""
    if len(places) < len(term):
        return []
    ranges = []
    for number, (token, place) in enumerate(zip(term, places)):
        if token in place:
            ranges.append(place[token])
        elif loose and number == len(term) - 1:
            longer = [found for text, found in place.items() if text.startswith(token)]
            ranges += longer[:1]
    return ranges if len(ranges) == len(term) else []


def _make_marker(
    connection: sqlite3.Connection, table: Table, text: str, mode: str, expression: str
) -> _Marker | _TokenMarker:
    exact = _has_function(connection, "cjk_highlight")
    if exact or table.cjk_arguments is None:
        return _Marker(connection, table, expression, exact)
    words = [text] if mode == "phrase" else words_of(text)
    return _TokenMarker(words, table.cjk_arguments, mode == "prefix")


def merge(marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, those that overlap or touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def shorten(marked: Marked, width: int) -> Marked:
    """A part of `width` characters and two ellipses, which holds the most marked characters."""
    text, marks = marked
    if len(text) <= width:
        return marked
    before = width // 4
    starts = [max(0, min(start - before, len(text) - width)) for start, _ in marks] or [0]

    def weight(start: int) -> int:
        return sum(max(0, min(e, start + width) - max(s, start)) for s, e in marks)

    start = max(starts, key=weight)
    end = start + width
    left, right = "…" if start else "", "…" if end < len(text) else ""
    shift = len(left) - start
    inside = [
        (max(s, start) + shift, min(e, end) + shift) for s, e in marks if s < end and e > start
    ]
    return Marked(left + text[start:end] + right, inside)
