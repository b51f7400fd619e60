"""The C calls of the very SQLite that Python's `sqlite3` module uses, through ctypes.

Many Pythons are built without `Connection.enable_load_extension`. Their SQLite can load libraries
all the same; what is missing is the way to it. Two things are needed: the C functions, which the
handle of the module's own shared object reaches (never another libsqlite3: two copies of SQLite on
one file lose each other's locks), and the `sqlite3 *` of an open connection.

That pointer is a field of the connection object. Where it is gets measured, not assumed: a probe
connection is opened while an SQLite callback is told its pointer, and the object is searched for
it. Unless it is found exactly once, nothing is done and UnsupportedSQLiteError says so.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
import sys
import threading
from typing import Any

from . import loadable
from .errors import LoadError, UnsupportedConnectionError, UnsupportedSQLiteError

_DBCONFIG_ENABLE_LOAD_EXTENSION = 1005
_POINTER_SIZE = ctypes.sizeof(ctypes.c_void_p)
_AutoExtension = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p
)

ADVICE = (
    "use apsw or pysqlite3-binary from PyPI instead of sqlite3, or a Python built with "
    "--enable-loadable-sqlite-extensions"
)

_instance: StdlibSQLite | None = None


def stdlib_sqlite() -> StdlibSQLite:
    """Return the one StdlibSQLite of this process; the first call measures (below 1 ms).

    Raises UnsupportedSQLiteError.
    """
    global _instance
    if _instance is None:
        with loadable.lock:
            if _instance is None:
                _instance = StdlibSQLite()
    return _instance


class StdlibSQLite:
    """The C functions, and the place of the `sqlite3 *` in connection objects."""

    def __init__(self) -> None:
        if sys.implementation.name != "cpython":
            raise _unsupported(f"this is {sys.implementation.name}, not CPython")
        self._functions = _find_functions()
        self._offset = self._measure_offset()

    def _measure_offset(self) -> int:
        seen: list[tuple[int, bool]] = []
        thread = threading.get_ident()

        def remember(database: int, _message: Any, api: int | None) -> int:
            if threading.get_ident() == thread:  # other threads may be opening theirs
                seen.append((database, api is not None))
            return 0

        # Kept for ever: another thread may still be inside it.
        self._callback = _AutoExtension(remember)
        self._functions.sqlite3_auto_extension(self._callback)
        try:
            probe = sqlite3.Connection(":memory:")
        finally:
            self._functions.sqlite3_cancel_auto_extension(self._callback)
        try:
            if len(seen) != 1:
                raise _unsupported("the C functions found belong to another SQLite")
            database, can_load = seen[0]
            if not can_load:
                raise _unsupported("SQLite was built with SQLITE_OMIT_LOAD_EXTENSION")
            offsets = range(object.__basicsize__, sqlite3.Connection.__basicsize__, _POINTER_SIZE)
            found = [offset for offset in offsets if _read_pointer(probe, offset) == database]
            if len(found) != 1:
                raise _unsupported("connection objects have a layout that is not known")
            return found[0]
        finally:
            probe.close()

    def load_extension(
        self, conn: sqlite3.Connection, path: str, entry_point: str | None = loadable.ENTRY_POINT
    ) -> None:
        """Load the library at `path`; whether loading is enabled stays as it was.

        `entry_point` None lets SQLite derive its name from that of the file. Raises the audit
        events of the methods that this Python lacks. Raises LoadError.
        """
        sys.audit("sqlite3.enable_load_extension", conn, True)
        sys.audit("sqlite3.load_extension", conn, path)
        database = _read_pointer(conn, self._offset)
        if not database:
            raise UnsupportedConnectionError("the connection is closed: open it again")

        was_enabled = ctypes.c_int()
        self._configure_loading(database, -1, was_enabled)
        self._configure_loading(database, 1)
        message = ctypes.c_void_p()
        try:
            rc = self._functions.sqlite3_load_extension(
                database,
                _encode(path),
                None if entry_point is None else entry_point.encode(),
                ctypes.byref(message),
            )
        finally:
            self._configure_loading(database, was_enabled.value)
        if rc != 0:
            text = ctypes.string_at(message.value).decode() if message.value else f"code {rc}"
            self._functions.sqlite3_free(message)
            raise LoadError(text)

    def _configure_loading(
        self, database: int, value: int, state: ctypes.c_int | None = None
    ) -> None:
        # The last two are variadic arguments: beyond argtypes, as ctypes wants it.
        pointer = ctypes.byref(state) if state is not None else ctypes.c_void_p()
        self._functions.sqlite3_db_config(
            database, _DBCONFIG_ENABLE_LOAD_EXTENSION, ctypes.c_int(value), pointer
        )

    def auto_extension(self, function: int) -> None:
        """Have SQLite call the C function at this address for every connection it opens."""
        rc = self._functions.sqlite3_auto_extension(ctypes.cast(function, _AutoExtension))
        if rc != 0:
            raise LoadError(f"sqlite3_auto_extension failed with code {rc}: out of memory")

    def cancel_auto_extension(self, function: int) -> None:
        """Undo `auto_extension`."""
        self._functions.sqlite3_cancel_auto_extension(ctypes.cast(function, _AutoExtension))


def _find_functions() -> ctypes.CDLL:
    """Open the module's shared object; with None, the program that the module is part of."""
    import _sqlite3

    try:
        library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        library.sqlite3_auto_extension.argtypes = [_AutoExtension]
        library.sqlite3_cancel_auto_extension.argtypes = [_AutoExtension]
        library.sqlite3_db_config.argtypes = [ctypes.c_void_p, ctypes.c_int]
        library.sqlite3_load_extension.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_void_p),
        ]
        library.sqlite3_free.argtypes = [ctypes.c_void_p]
        library.sqlite3_free.restype = None
    except (OSError, TypeError, AttributeError) as error:
        raise _unsupported(f"its C functions cannot be reached ({error})") from error
    return library


def _read_pointer(conn: sqlite3.Connection, offset: int) -> int | None:
    return ctypes.c_void_p.from_address(id(conn) + offset).value


def _encode(path: str) -> bytes:
    return path.encode() if os.name == "nt" else os.fsencode(path)


def _unsupported(why: str) -> UnsupportedSQLiteError:
    return UnsupportedSQLiteError(
        f"Python's sqlite3 module (SQLite {sqlite3.sqlite_version}) offers no way to load a "
        f"library: it has no enable_load_extension, and {why}; {ADVICE}"
    )
