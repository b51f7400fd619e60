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
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any, TypeVar

# What is to become of an exception (csrc/core/interpreter.h).
_IS_KEPT, _IS_RAISED, _IS_REPORTED, _IS_INTERRUPTED = range(4)
_MESSAGE_SIZE = 512


class _Thread(threading.local):
    pending: tuple[FrameType, BaseException] | None = None
    """The guarded call that is to raise an exception, and this."""
    last: BaseException | None = None
    """What nobody could raise."""


_thread = _Thread()


def last_segmenter_error() -> BaseException | None:
    """Return what a segmenter raised in this thread last, when nobody could raise it; else None.

    With its traceback. It is that of the last failure, not of the last statement: success does not
    reset it, a failure that was raised to its caller does. Another thread has its own. For
    connections that can raise SQLite's own error only: those that were not opened by `connect` and
    are not apsw's.
    """
    return _thread.last


def take_exception(
    error: BaseException, caller: FrameType | None, is_apsw: bool, message: int
) -> int:
    """Keep what a segmenter raised, and say what is to become of it: a number for C.

    `caller` is the frame that called SQLite, `message` the address of the CjkError to fill.
    """
    _write_message(error, message)
    if is_apsw:
        _thread.last = None
        return _IS_RAISED
    if keep_exception(error, caller):
        return _IS_KEPT
    is_main = threading.current_thread() is threading.main_thread()
    return _IS_INTERRUPTED if is_main and isinstance(error, KeyboardInterrupt) else _IS_REPORTED


def keep_exception(error: BaseException, caller: FrameType | None) -> bool:
    """Keep it for the guarded call that is to raise it, or else for last_segmenter_error().

    Returns whether `caller`, the frame that called SQLite, is such a call.
    """
    if caller is not None and caller.f_code in _GUARDS:
        _thread.last = None
        _thread.pending = caller, error
        return True
    _thread.last = error
    return False


def _write_message(error: BaseException, address: int) -> None:
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    encoded = text.encode("utf-8", "backslashreplace").replace(b"\0", b" ")[: _MESSAGE_SIZE - 1]
    ctypes.memmove(address, encoded + b"\0", len(encoded) + 1)


# --- Connections that raise it --------------------------------------------------------------------
#
# A call is guarded when it is one of the functions below that calls SQLite: a segmenter that fails
# finds it as the frame below its own. So nothing has to be noted before each fetch.

_SQLITE_INTERRUPT = 9
_GUARDED = ("execute", "executemany", "executescript", "fetchone", "fetchmany", "fetchall")
_GUARDS: set[CodeType] = set()

_Method = TypeVar("_Method", bound=Callable[..., Any])


class Cursor(sqlite3.Cursor):
    """A cursor of connect(): the plain one, until `guard_cursors` is called."""

    __slots__ = ()


def guard_cursors() -> None:
    """Have the cursors of connect(), those that exist too, raise what a segmenter raises."""
    if _GUARDS:
        return
    for name in _GUARDED:
        setattr(Cursor, name, _guarded(getattr(sqlite3.Cursor, name)))
    next_row = sqlite3.Cursor.__next__

    def __next__(self: sqlite3.Cursor) -> Any:  # as _guarded() makes it, but quicker
        try:
            return next_row(self)
        except sqlite3.Error as error:
            _raise_failure(self, sys._getframe(), error)
            raise

    _GUARDS.add(__next__.__code__)
    Cursor.__next__ = __next__  # type: ignore[method-assign]


def _guarded(method: _Method) -> _Method:
    """The method of sqlite3.Cursor, raising what a segmenter raised inside it."""

    @functools.wraps(method)
    def call(self: sqlite3.Cursor, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except sqlite3.Error as error:
            _raise_failure(self, sys._getframe(), error)
            raise

    guarded: Any = call
    _GUARDS.add(guarded.__code__)
    return guarded  # type: ignore[no-any-return]


def _raise_failure(cursor: sqlite3.Cursor, frame: FrameType, error: sqlite3.Error) -> None:
    """Raise what a segmenter raised inside a guarded call, if one did."""
    if getattr(error, "sqlite_errorcode", None) == _SQLITE_INTERRUPT:
        _begin_again(cursor.connection)
    pending, _thread.pending = _thread.pending, None
    if pending is not None and pending[0] is frame:
        failure = pending[1]
        pending = None  # it holds the frame
        raise failure from (failure.__cause__ or error)


def _begin_again(conn: sqlite3.Connection) -> None:
    """Give a connection with `autocommit=False` (Python 3.12) a transaction for the lost one.

    It always has one, and sqlite3 does not notice that SQLite rolled it back: what is written next
    would be there for good.
    """
    if getattr(conn, "autocommit", None) is False and not conn.in_transaction:
        with suppress(sqlite3.Error):
            conn.cursor(sqlite3.Cursor).execute("BEGIN")


class Connection(sqlite3.Connection):
    """A connection of connect(): its statements raise what a segmenter raised."""

    def cursor(self, factory: Any = None) -> Any:
        """Return a cursor, as sqlite3.Connection.cursor does."""
        return super().cursor(Cursor if factory is None else factory)

    def close(self) -> None:
        """Close the connection, but not in the middle of a statement: sqlite3 crashes then."""
        self._check_idle("closed")
        super().close()

    def rollback(self) -> None:
        """Roll back, but not in the middle of a statement."""
        self._check_idle("rolled back")
        super().rollback()

    def _check_idle(self, done: str) -> None:
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            if frame.f_code in _GUARDS and frame.f_locals["self"].connection is self:
                raise sqlite3.ProgrammingError(
                    f"a connection cannot be {done} by a segmenter that it is using"
                )
            frame = frame.f_back

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
