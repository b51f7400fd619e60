"""Getting the tokenizer into a connection, whatever module opened it.

    load(conn)         one open connection: sqlite3 (also where Python was built without
                       load_extension), apsw, pysqlite3, sqlean, and what resembles them
    connect(...)       sqlite3.connect() and load()
    auto_load()        every connection that this process opens through sqlite3 from now on
    diagnose()         which of these ways works here, and why not

All may be called from any thread and any number of times, also while a statement is active. Cost:
well under a millisecond a connection. Where a process holds a second copy of SQLite, that one gets
a copy of the library (see loadable.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import sqlite3
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from . import loadable, segmenting
from .errors import (
    Error,
    FallbackWarning,
    LoadError,
    MissingLibraryError,
    UnsupportedConnectionError,
    UnsupportedSQLiteError,
)
from .failures import Connection
from .loadable import loadable_path
from .stdlib_sqlite import stdlib_sqlite

__all__ = ["AutoLoad", "Diagnosis", "auto_load", "connect", "diagnose", "load", "loadable_path"]

# A part of the message with which the library refuses a second SQLite (csrc/sqlite/extension.c).
_REFUSES_SECOND_SQLITE = "another copy of SQLite"
# sqlite3.connect() takes its factory as this argument, when not by name.
_FACTORY_ARGUMENT = 6
# SQLite's own words for a connection that has loading disabled.
_LOADING_IS_DISABLED = "not authorized"


# --- One connection ------------------------------------------------------------------------------


def load(conn: Any, *, fallback: bool = True) -> None:
    """Make `tokenize='cjk'` and the cjk_ functions known to an open connection.

    Whether the connection may load extensions stays as it was.

    Where no compiled library can get in, the tokenizer in plain Python serves the connection (same
    tokens, many times slower, no cjk_ functions) and a FallbackWarning says so; with
    `fallback=False` that is an error instead.

    Raises UnsupportedConnectionError for an object that is no open connection of a known kind,
    MissingLibraryError and UnsupportedSQLiteError when falling back was not possible or not
    wanted, LoadError with SQLite's message for everything else (a SQLite without FTS5, say).

        >>> conn = sqlite3.connect(":memory:")
        >>> load(conn)
        >>> _ = conn.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')")
    """
    _load(conn, fallback, stacklevel=3)


def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    """Open a database as `sqlite3.connect` does, with the same arguments, and load into it.

    Without a `factory` the connection is of a subclass whose statements raise what a registered
    segmenter raised inside them, where any other can only raise SQLite's error.

    Raises what `sqlite3.connect` and `load` raise.

        >>> connect(":memory:", timeout=1.0).execute("SELECT 1").fetchone()
        (1,)
    """
    if len(args) < _FACTORY_ARGUMENT:
        kwargs.setdefault("factory", Connection)
    conn: sqlite3.Connection = sqlite3.connect(*args, **kwargs)
    try:
        _load(conn, fallback=True, stacklevel=3)
    except BaseException:
        conn.close()
        raise
    return conn


def _load(conn: Any, fallback: bool, stacklevel: int) -> None:
    host = _host_of(type(conn))
    _check_is_open(conn)
    try:
        _load_library(host, conn)
    except (MissingLibraryError, UnsupportedSQLiteError) as error:
        if _succeeds(conn, "SELECT cjk_version()"):
            return  # linked into this SQLite, or loaded by somebody else
        if not fallback:
            raise
        _load_reference(conn, error, stacklevel + 1)


def _load_library(host: _Host, conn: Any) -> None:
    path = loadable.path_for(host.name)
    try:
        try:
            host.load(conn, path)
        except Exception as error:
            if _REFUSES_SECOND_SQLITE not in str(error):
                raise
            path = loadable.copy_for(host.name)
            host.load(conn, path)
        segmenting.install(path, host.name)
    except (UnsupportedSQLiteError, UnsupportedConnectionError):
        raise
    except Exception as error:
        raise LoadError(f"{host.name} could not load {path}: {error}") from error


def _load_reference(conn: Any, reason: Error, stacklevel: int) -> None:
    try:
        from .reference import register_reference

        register_reference(conn)
    except (Error, ImportError) as error:
        raise type(reason)(f"{reason}. The tokenizer in plain Python: {error}") from error
    warnings.warn(
        f"the tokenizer in plain Python serves this connection (same tokens, many times slower, no "
        f"cjk_ functions): {reason}",
        FallbackWarning,
        stacklevel=stacklevel,
    )


# --- Kinds of connections ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Host:
    """How the library gets into one kind of connection."""

    name: str  # the module of its connections: which copy of SQLite it is
    opens: Callable[[str], Any]  # its plain connection class
    load: Callable[[Any, str], None]
    way: str


def _host_of(kind: type) -> _Host:
    """Say how the library gets into connections of this class."""
    if issubclass(kind, sqlite3.Connection):
        if hasattr(kind, "enable_load_extension"):
            return _Host("sqlite3", sqlite3.Connection, _load_by_method, "its load_extension()")
        return _Host("sqlite3", sqlite3.Connection, _load_by_ctypes, "SQLite's C API, by ctypes")
    apsw = sys.modules.get("apsw")
    if apsw is not None and issubclass(kind, apsw.Connection):
        return _Host("apsw", apsw.Connection, _load_into_apsw, "its load_extension()")
    if _has_method(kind, "load_extension") and _has_method(kind, "enable_load_extension"):
        owner = next(c for c in kind.__mro__ if "load_extension" in vars(c))
        return _Host(owner.__module__, owner, _load_by_method, "its load_extension()")
    raise UnsupportedConnectionError(
        f"a {kind.__module__}.{kind.__qualname__} is no connection of sqlite3, apsw or a module "
        f"like them: pass the connection underneath (sqlite_utils: db.conn; SQLAlchemy: "
        f"connection.connection.dbapi_connection; Django: connection.connection), or call "
        f"auto_load() before it is opened (aiosqlite)"
    )


def _has_method(kind: type, name: str) -> bool:
    method = getattr(kind, name, None)
    return callable(method) and not inspect.iscoroutinefunction(method)


def _check_is_open(conn: Any) -> None:
    """Closed, or of another thread: asking for a cursor tells, in the module's own words."""
    try:
        conn.cursor()
    except Exception as error:
        raise UnsupportedConnectionError(f"this connection cannot be used here: {error}") from error


def _load_by_method(conn: Any, path: str) -> None:
    try:
        conn.load_extension(path)
    except Exception as error:
        if _LOADING_IS_DISABLED not in str(error):
            raise
        conn.enable_load_extension(True)
        try:
            conn.load_extension(path)
        finally:
            conn.enable_load_extension(False)


def _load_by_ctypes(conn: Any, path: str) -> None:
    stdlib_sqlite().load_extension(conn, path)


def _load_into_apsw(conn: Any, path: str) -> None:
    import apsw

    # Called loadextension up to apsw 3.41.
    load_extension = getattr(conn, "load_extension", getattr(conn, "loadextension", None))
    if load_extension is None:
        raise UnsupportedSQLiteError(
            "this apsw is built without load_extension: install the wheel from PyPI "
            "(pip install --only-binary apsw apsw)"
        )
    option = apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION
    was_enabled = conn.config(option, -1)
    if inspect.iscoroutine(was_enabled):
        was_enabled.close()
        raise UnsupportedConnectionError(
            "this apsw connection is asynchronous: load in its own thread, "
            "`await conn.async_run(cjk_tokenizer.load, conn)`"
        )
    conn.config(option, 1)
    try:
        load_extension(path)
    finally:
        conn.config(option, was_enabled)


# --- Every connection ----------------------------------------------------------------------------


class AutoLoad:
    """What `auto_load` started; `cancel` ends it, and so does leaving a `with` block."""

    def __init__(self, function: int) -> None:
        self._function: int | None = function

    def cancel(self) -> None:
        """Let new connections be plain ones again; those that are open keep what they have.

        Does nothing the second time.
        """
        with loadable.lock:
            function, self._function = self._function, None
            if function is None:
                return
            _auto_loads.remove(function)
            if function not in _auto_loads:
                stdlib_sqlite().cancel_auto_extension(function)

    def __enter__(self) -> AutoLoad:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()


# The entry points that are in force, once for each AutoLoad.
_auto_loads: list[int] = []


def auto_load() -> AutoLoad:
    """Load into every connection that this process opens through `sqlite3` from now on.

    Whoever opens them: another package, or C code that uses the same libsqlite3. For programs
    whose connections are out of reach (aiosqlite, an ORM). It stays in force until every AutoLoad
    that was returned is cancelled. Raises the audit event `cjk_tokenizer.auto_load` with the path.

    From SQLite 3.48 on a database that cannot be read (damaged, encrypted, none at all) then fails
    when it is opened, not at its first statement: preparing any statement reads the schema there,
    and FTS5's interface is got by one.

    Raises MissingLibraryError, UnsupportedSQLiteError, LoadError; it never falls back.

        >>> with auto_load():
        ...     conn = sqlite3.connect(":memory:")
        >>> _ = conn.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')")
    """
    with loadable.lock:
        # A trial first: a library that fails would keep every connection from opening. It also
        # finds out which file this SQLite needs.
        trial = sqlite3.Connection(":memory:")
        try:
            _load(trial, fallback=False, stacklevel=3)
        finally:
            trial.close()
        path = loadable.path_for("sqlite3")
        sys.audit("cjk_tokenizer.auto_load", path)
        entry_point = getattr(ctypes.CDLL(path), loadable.AUTO_ENTRY_POINT)
        function = ctypes.cast(entry_point, ctypes.c_void_p).value
        assert function is not None
        stdlib_sqlite().auto_extension(function)
        _auto_loads.append(function)
        return AutoLoad(function)


# --- What works here -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found. `problem` is None when all is well; else it says what to do."""

    host: str
    """The module that opens the connections."""
    sqlite_version: str
    fts5: bool
    """Is FTS5 compiled in?"""
    way: str
    """How the library gets in, in words."""
    library: str | None
    """The path of the compiled library."""
    version: str | None
    """The version that the loaded library gives of itself; None when it did not load."""
    problem: str | None


def diagnose(conn: Any = None) -> Diagnosis:
    """Try to load into a new connection of the kind of `conn` (`sqlite3` by default).

    `conn` itself is not touched. Raises UnsupportedConnectionError.

        >>> diagnose().host
        'sqlite3'
    """
    host = _host_of(sqlite3.Connection if conn is None else type(conn))
    trial = host.opens(":memory:")
    library, version, problem = None, None, None
    try:
        fts5 = _succeeds(trial, "CREATE VIRTUAL TABLE trial USING fts5(body)")
        sqlite_version = _first_value(trial, "SELECT sqlite_version()")
        try:
            library = loadable_path()
            _load_library(host, trial)
            version = _first_value(trial, "SELECT cjk_version()")
        except Error as error:
            problem = str(error)
    finally:
        trial.close()
    if not fts5:
        problem = (
            f"this SQLite ({sqlite_version}) is built without FTS5: use apsw or pysqlite3-binary "
            f"from PyPI, or install SQLite from your system's packages"
        )
    return Diagnosis(host.name, sqlite_version, fts5, host.way, library, version, problem)


def _succeeds(conn: Any, sql: str) -> bool:
    with contextlib.suppress(Exception):
        conn.execute(sql)
        return True
    return False


def _first_value(conn: Any, sql: str) -> str:
    (value,) = next(iter(conn.execute(sql)))
    return str(value)
