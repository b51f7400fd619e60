"""The thread's private connection: the SQL functions as Python functions.

One implementation serves SQL and Python: `tokenize()`, `query()` and their kin call the SQL
functions of the compiled library on a connection in memory that belongs to the calling thread.
"""

from __future__ import annotations

import sqlite3
import threading
import warnings
from collections.abc import Sequence
from typing import Any

from .connect import load
from .errors import ArgumentError, FallbackWarning, MissingLibraryError, UnsupportedSQLiteError
from .failures import Connection

_thread = threading.local()


def connection() -> sqlite3.Connection | None:
    """Return the thread's connection; None where no compiled library can be loaded."""
    if not hasattr(_thread, "connection"):
        conn: sqlite3.Connection | None = sqlite3.connect(
            ":memory:", isolation_level=None, factory=Connection
        )
        try:
            load(conn, fallback=False)
        except (MissingLibraryError, UnsupportedSQLiteError) as error:
            conn = None
            warnings.warn(
                f"the tokenizer in plain Python serves this thread: {error}",
                FallbackWarning,
                stacklevel=4,
            )
        _thread.connection = conn
    found: sqlite3.Connection | None = _thread.connection
    return found


def required_connection(name: str) -> sqlite3.Connection:
    """Return the thread's connection, or raise MissingLibraryError: `name` needs the library."""
    conn = connection()
    if conn is None:
        raise MissingLibraryError(
            f"{name}() needs the compiled library, and none can be loaded here; "
            "`cjk-tokenizer doctor` says why"
        )
    return conn


def refuse_nul(**arguments: object) -> None:
    """Raise ArgumentError when a str has a NUL: to C it would end there."""
    for name, value in arguments.items():
        if isinstance(value, str) and "\0" in value:
            raise ArgumentError(f"{name} has a NUL character in it: {value!r}")


def rows(conn: sqlite3.Connection, sql: str, parameters: Sequence[Any]) -> list[Any]:
    """Run a query; what SQLite says of bad arguments becomes an ArgumentError."""
    try:
        return conn.execute(sql, parameters).fetchall()
    except sqlite3.OperationalError as error:
        raise ArgumentError(str(error)) from error
