"""What becomes of an exception in a segmenter, with SQLite between it and whoever is to see it.

SQLite knows error codes only. So a segmenter's exception is kept until the statement has failed:

    connections of connect()   raise it in place of the sqlite3 error, which it is chained from
    apsw                       finds it set in its thread and raises it itself
    any other connection       raises its own error ("interrupted", "SQL logic error"); the
                               exception goes to sys.unraisablehook, and a KeyboardInterrupt to
                               the main thread

`last_segmenter_error()` returns it in the last case. Cost: none until something fails, but a Python
call around each fetch of connections of connect(), once a segmenter is registered.
"""

from __future__ import annotations

import ctypes
import functools
import sqlite3
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

# What is to become of an exception (csrc/core/interpreter.h).
_IS_KEPT, _IS_RAISED, _IS_REPORTED, _IS_INTERRUPTED = range(4)
_MESSAGE_SIZE = 512


class _Running(NamedTuple):
    """A connection in the middle of a statement, and those that wait for it."""

    connection: Any
    outer: _Running | None


class _Thread(threading.local):
    running: _Running | None = None
    """The statements of our cursors that this thread is inside of."""
    pending: BaseException | None = None
    """What failed inside the innermost of them."""
    last: BaseException | None = None
    """What nobody could raise."""


_thread = _Thread()


def last_segmenter_error() -> BaseException | None:
    """Return what a segmenter raised in this thread last, when nobody could raise it; else None.

    With its traceback. For connections that can raise SQLite's own error only: those that were not
    opened by `connect` and are not apsw's.
    """
    return _thread.last


def take_exception(error: BaseException, is_apsw: bool, message: int) -> int:
    """Keep what a segmenter raised, and say what is to become of it: a number for C.

    `message` is the address of the CjkError to fill.
    """
    _write_message(error, message)
    if _thread.pending is not None and error.__context__ is None:
        error.__context__ = _thread.pending
    _thread.last = None
    if is_apsw:
        return _IS_RAISED
    if _thread.running is not None:
        _thread.pending = error
        return _IS_KEPT
    _thread.last = error
    is_main = threading.current_thread() is threading.main_thread()
    return _IS_INTERRUPTED if is_main and isinstance(error, KeyboardInterrupt) else _IS_REPORTED


def _write_message(error: BaseException, address: int) -> None:
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    encoded = text.encode("utf-8", "backslashreplace").replace(b"\0", b" ")[: _MESSAGE_SIZE - 1]
    ctypes.memmove(address, encoded + b"\0", len(encoded) + 1)


# --- Connections that raise it --------------------------------------------------------------------

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _guarded(method: _Method) -> _Method:
    """The method of sqlite3.Cursor, raising what a segmenter raised inside it."""

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        before, outer = _thread.pending, _thread.running
        _thread.pending = None
        _thread.running = _Running(args[0].connection, outer)
        try:
            return method(*args, **kwargs)
        except sqlite3.Error as error:
            failure = _thread.pending
            if failure is None:
                raise
            raise failure from (failure.__cause__ or error)
        finally:
            _thread.pending, _thread.running = before, outer
            failure = None  # no reference cycle through this frame

    return call  # type: ignore[return-value]


class Cursor(sqlite3.Cursor):
    """A cursor that raises what a segmenter raised, chained from SQLite's error."""

    execute = _guarded(sqlite3.Cursor.execute)
    executemany = _guarded(sqlite3.Cursor.executemany)
    executescript = _guarded(sqlite3.Cursor.executescript)
    fetchone = _guarded(sqlite3.Cursor.fetchone)
    fetchmany = _guarded(sqlite3.Cursor.fetchmany)
    fetchall = _guarded(sqlite3.Cursor.fetchall)
    __next__ = _guarded(sqlite3.Cursor.__next__)


class Connection(sqlite3.Connection):
    """A connection of connect(): its statements raise what a segmenter raised."""

    guards = False
    """Whether a segmenter is registered; until then cursors are the plain ones."""

    def cursor(self, factory: Any = None) -> Any:
        """Return a cursor, as sqlite3.Connection.cursor does."""
        if factory is None:
            factory = Cursor if Connection.guards else sqlite3.Cursor
        return super().cursor(factory)

    def close(self) -> None:
        """Close the connection, but not in the middle of a statement: sqlite3 crashes then."""
        self._check_idle("closed")
        super().close()

    def rollback(self) -> None:
        """Roll back, but not in the middle of a statement."""
        self._check_idle("rolled back")
        super().rollback()

    def _check_idle(self, done: str) -> None:
        running = _thread.running
        while running is not None:
            if running.connection is self:
                raise sqlite3.ProgrammingError(
                    f"a connection cannot be {done} by a segmenter that it is using"
                )
            running = running.outer

    # sqlite3's own make a plain cursor.

    def execute(self, *args: Any) -> sqlite3.Cursor:
        """Execute a statement on a new cursor and return it."""
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.execute(*args)

    def executemany(self, *args: Any) -> sqlite3.Cursor:
        """Execute a statement once for each row of parameters."""
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.executemany(*args)

    def executescript(self, *args: Any) -> sqlite3.Cursor:
        """Execute several statements."""
        cursor: sqlite3.Cursor = self.cursor()
        return cursor.executescript(*args)
