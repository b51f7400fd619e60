"""Rows into the database, so that a run may be killed at any point and another one goes on.

The FTS5 table has the columns title, body, source, line, id (the last three UNINDEXED). `source` is
the id of the file in `cjk_sources`, the table of what has been read: a file's record there says how
many of its rows are in, and changes in the same transaction as the rows. So after a kill SQLite
rolls back to a state in which record and rows agree, and the next run skips that many rows.

Two runs at once cannot add a row twice either: a record is changed only if it still says what this
run believes, under the write lock.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from .console import CommandError, with_advice
from .sources import Fingerprint, Row

COLUMNS = ("title", "body", "source", "line", "id")
BATCH_ROWS = 2_000
BATCH_CHARACTERS = 300_000
CHARACTERS_A_FILE = 1_000  # what a file's record counts as
TRANSACTION_CHARACTERS = 300_000  # lost at most when a run is killed

_SOURCES_SCHEMA = """
CREATE TABLE IF NOT EXISTS cjk_sources(
  id INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL COLLATE NOCASE,
  path NOT NULL,              -- absolute; text, or a blob where it is not UTF-8
  size INTEGER NOT NULL,      -- bytes
  modified INTEGER NOT NULL,  -- nanoseconds since 1970
  digest TEXT NOT NULL,       -- SHA-256 of the bytes
  reader TEXT NOT NULL,       -- how the file was cut into rows
  row_count INTEGER NOT NULL, -- rows of the file that are in the table
  first_rowid INTEGER,        -- they lie between these two
  last_rowid INTEGER,
  complete INTEGER NOT NULL,  -- 1 when that is all of them
  UNIQUE(table_name, path)
)
"""


class Source(NamedTuple):
    """The record of one file."""

    id: int
    fingerprint: Fingerprint
    reader: str
    row_count: int
    first_rowid: int | None
    last_rowid: int | None
    complete: bool


def quote_name(name: str) -> str:
    """A name as an SQL identifier, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """A text as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def path_to_sql(path: str) -> str | bytes:
    """A path as SQLite keeps it: text, or its bytes when they are not UTF-8."""
    raw = os.fsencode(path)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def path_from_sql(value: str | bytes) -> str:
    """The path that path_to_sql() was given."""
    return os.fsdecode(value)


_TOKENIZE = re.compile(
    r"""[(,]\s*tokenize\s*=\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|\[([^\]]*)\]|`([^`]*)`|(\w+))""",
    re.IGNORECASE,
)


def table_tokenizer(connection: sqlite3.Connection, table: str) -> str | None:
    """The tokenizer arguments of an FTS5 table ("unicode61" where it names none); None if there is
    no such table; CommandError if it is something else than an FTS5 table."""
    found = connection.execute(
        "SELECT sql FROM sqlite_master WHERE lower(name) = lower(?) AND type IN ('table', 'view')",
        [table],
    ).fetchone()
    if found is None:
        return None
    sql = found[0] or ""
    if not re.match(r"CREATE\s+VIRTUAL\s+TABLE\b.*?\bUSING\s+fts5\b", sql, re.I | re.S):
        raise CommandError(f"{table} is no FTS5 table; choose another name with --table")
    match = _TOKENIZE.search(sql)
    if match is None:
        return "unicode61"
    single, double, *others = match.groups()
    if single is not None:
        return str(single.replace("''", "'"))
    if double is not None:
        return str(double.replace('""', '"'))
    return next(other for other in others if other is not None)


class Store:
    """One table of one database, open for adding rows. Raises sqlite3.Error and CommandError."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        connection.isolation_level = None  # transactions begin and end here, nowhere else
        self._connection = connection
        self._table = table
        self._sql_table = quote_name(table)
        self._open = False
        self._pending = 0  # characters in the open transaction
        self._next_rowid = 0

    # ------------------------------------------------------------ schema

    def create(self, tokenize: str | None) -> None:
        """Makes the two tables where they are missing. `tokenize` None means the arguments of the
        existing table, `cjk` for a new one."""
        if self._table.lower() in ("", "cjk_sources", *COLUMNS):
            raise CommandError(f"a table cannot have the name {self._table!r}; choose another one")
        with self._transaction():
            existing = table_tokenizer(self._connection, self._table)
            self._connection.execute(_SOURCES_SCHEMA)
            if existing is None:
                self._create_table("cjk" if tokenize is None else tokenize)
                # Records of a table of that name that was dropped.
                self._connection.execute(
                    "DELETE FROM cjk_sources WHERE table_name = ?", [self._table]
                )
            else:
                self._check_table(existing, tokenize)

    def _create_table(self, tokenize: str) -> None:
        if not tokenize.strip():
            raise CommandError("--tokenize '' names no tokenizer; leave it out for cjk")
        try:
            self._connection.execute(
                f"CREATE VIRTUAL TABLE {self._sql_table} USING fts5("
                "title, body, source UNINDEXED, line UNINDEXED, id UNINDEXED, "
                f"tokenize={quote_text(tokenize)})"
            )
        except sqlite3.OperationalError as error:
            if "tokeniz" not in str(error):
                raise
            reason = self._why_refused(tokenize) or str(error)
            said = f"--tokenize {quote_text(tokenize)}: {with_advice(reason)}"
            raise CommandError(said) from error

    def _why_refused(self, tokenize: str) -> str | None:
        name, _, arguments = tokenize.strip().partition(" ")
        if name != "cjk":
            return None
        try:
            return str(self._connection.execute("SELECT cjk_check(?)", [arguments]).fetchone()[0])
        except sqlite3.Error:
            return None

    def _check_table(self, existing: str, tokenize: str | None) -> None:
        if tokenize is not None and existing.split() != tokenize.split():
            raise CommandError(
                f"table {self._table} exists with tokenize={quote_text(existing)}, not "
                f"{quote_text(tokenize)}: choose another --table, or leave --tokenize out"
            )
        cursor = self._connection.execute(f"SELECT * FROM {self._sql_table} LIMIT 0")
        columns = tuple(column[0] for column in cursor.description)
        if columns != COLUMNS:
            raise CommandError(
                f"table {self._table} exists with the columns {', '.join(columns)}; `index` fills "
                f"tables with {', '.join(COLUMNS)}: choose another --table"
            )

    # ------------------------------------------------------------ records

    def source(self, path: str) -> Source | None:
        """The record of a file, if it has one."""
        found = self._connection.execute(
            "SELECT id, size, modified, digest, reader, row_count, first_rowid, last_rowid, "
            "complete FROM cjk_sources WHERE table_name = ? AND path = ?",
            [self._table, path_to_sql(path)],
        ).fetchone()
        if found is None:
            return None
        source, size, modified, digest, reader, row_count, first, last, complete = found
        fingerprint = Fingerprint(size, modified, digest)
        return Source(source, fingerprint, reader, row_count, first, last, bool(complete))

    def paths(self) -> list[str]:
        """The paths of all files with a record."""
        return [
            path_from_sql(path)
            for (path,) in self._connection.execute(
                "SELECT path FROM cjk_sources WHERE table_name = ? ORDER BY id", [self._table]
            )
        ]

    def start(self, path: str, fingerprint: Fingerprint, reader: str) -> Source:
        """A new record without rows. An old one of that path goes, with its rows."""
        self._begin()
        old = self.source(path)
        if old is not None:
            self.remove(old)
        cursor = self._connection.execute(
            "INSERT INTO cjk_sources(table_name, path, size, modified, digest, reader, row_count, "
            "complete) VALUES (?, ?, ?, ?, ?, ?, 0, 0)",
            [self._table, path_to_sql(path), *fingerprint, reader],
        )
        self._pending += CHARACTERS_A_FILE
        assert cursor.lastrowid is not None
        return Source(cursor.lastrowid, fingerprint, reader, 0, None, None, False)

    def remove(self, source: Source) -> None:
        """Deletes a file's rows and its record."""
        self._begin()
        self._connection.execute(
            f"DELETE FROM {self._sql_table} WHERE rowid BETWEEN ? AND ? AND source = ?",
            [source.first_rowid, source.last_rowid, source.id],
        )
        self._change(source, "DELETE FROM cjk_sources WHERE", [])

    def add(self, source: Source, rows: Sequence[Row]) -> Source:
        """Adds a file's next rows; gives its new record. Commits when enough has come together."""
        self._begin()
        rowid = self._next_rowid
        self._connection.executemany(
            f"INSERT INTO {self._sql_table}(rowid, title, body, source, line, id) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [
                (number, row.title, row.body, source.id, row.line, row.id)
                for number, row in enumerate(rows, rowid)
            ],
        )
        self._next_rowid += len(rows)
        first = rowid if source.first_rowid is None else source.first_rowid
        changed = source._replace(
            row_count=source.row_count + len(rows),
            first_rowid=first,
            last_rowid=self._next_rowid - 1,
        )
        self._change(
            source,
            "UPDATE cjk_sources SET row_count = ?, first_rowid = ?, last_rowid = ? WHERE",
            [changed.row_count, first, changed.last_rowid],
        )
        self._pending += sum(len(row.title) + len(row.body) for row in rows)
        self._commit_when_full()
        return changed

    def finish(self, source: Source) -> None:
        """Notes that all of a file's rows are in."""
        self._begin()
        self._change(source, "UPDATE cjk_sources SET complete = 1 WHERE", [])
        self._commit_when_full()

    def touch(self, source: Source, modified: int) -> None:
        """Notes that a file has another time and the same content."""
        self._begin()
        self._change(source, "UPDATE cjk_sources SET modified = ? WHERE", [modified])

    def _change(self, source: Source, statement: str, values: list[object]) -> None:
        """Runs a statement on a record that must still say what `source` says."""
        done = self._connection.execute(
            f"{statement} id = ? AND row_count = ? AND digest = ? AND complete = ?",
            [*values, source.id, source.row_count, source.fingerprint.digest, source.complete],
        )
        if done.rowcount != 1:
            raise CommandError(
                "another `cjk-tokenizer index` is adding the same files to this table: "
                "let it end, then run this one again"
            )

    # ------------------------------------------------------------ transactions

    def _begin(self) -> None:
        if self._open:
            return
        self._connection.execute("BEGIN IMMEDIATE")
        self._open = True
        self._pending = 0
        last = self._connection.execute(
            f"SELECT rowid FROM {self._sql_table} ORDER BY rowid DESC LIMIT 1"
        ).fetchone()
        self._next_rowid = last[0] + 1 if last else 1

    def commit(self) -> None:
        """Writes what has been added to the disk."""
        if self._open:
            self._connection.execute("COMMIT")
            self._open = False

    def _commit_when_full(self) -> None:
        if self._pending >= TRANSACTION_CHARACTERS:
            self.commit()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
