"""The library gets into every kind of connection, and leaves it as it found it.

Hosts that are not installed are skipped, with the reason. test_connect_processes.py has what
concerns a whole process.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from connections import HOSTS, Host, assert_searches, rows

import cjk_tokenizer
from cjk_tokenizer import errors, loadable
from cjk_tokenizer.connect import auto_load, connect, diagnose, load, loadable_path

pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return Host(request.param)


@pytest.fixture
def conn(host: Host) -> Iterator[Any]:
    conn = host.open()
    yield conn
    conn.close()


# --- One connection -------------------------------------------------------------------------------


def test_load_makes_the_tokenizer_known(conn: Any) -> None:
    load(conn)
    assert_searches(conn)


def test_load_finds_the_library_that_loadable_path_names(conn: Any) -> None:
    load(conn)
    assert Path(loadable_path()).is_file()
    assert rows(conn, "SELECT cjk_version()") == [diagnose().version]


def test_load_twice_keeps_tables_working(conn: Any) -> None:
    load(conn)
    assert_searches(conn)
    load(conn)
    load(conn)
    assert rows(conn, "SELECT rowid FROM notes('天气')") == [1]
    assert_searches(conn, "more")


@pytest.mark.parametrize("times", [1, 2])
def test_load_inside_an_active_select(conn: Any, times: int) -> None:
    cursor = iter(conn.execute("SELECT value FROM json_each('[1, 2, 3]')"))
    seen = [next(cursor)[0]]
    for _ in range(times):
        load(conn)
    seen += [row[0] for row in cursor]
    assert seen == [1, 2, 3]
    assert_searches(conn)


def test_load_inside_a_statement_that_uses_the_tokenizer(conn: Any) -> None:
    load(conn)
    assert_searches(conn)
    cursor = iter(conn.execute("SELECT rowid, cjk_version() FROM notes('天气')"))
    assert next(cursor)[0] == 1
    load(conn)
    assert list(cursor) == []


def test_load_leaves_a_transaction_alone(host: Host, conn: Any) -> None:
    conn.execute("CREATE TABLE plain (x)")
    conn.execute("BEGIN")
    conn.execute("INSERT INTO plain VALUES (1)")
    load(conn)
    assert rows(conn, "SELECT x FROM plain") == [1]
    conn.execute("ROLLBACK")
    assert rows(conn, "SELECT x FROM plain") == []


def test_load_leaves_extension_loading_as_it_was(host: Host, conn: Any) -> None:
    def state() -> tuple[bool, bool]:
        """Does the connection refuse to load, by its method and by the SQL function?"""
        attempts: list[Callable[[], object]] = [
            lambda: conn.load_extension("/no/such/file"),
            lambda: list(conn.execute("SELECT load_extension('/no/such/file')")),
        ]
        messages = []
        for attempt in attempts:
            with pytest.raises(Exception) as caught:
                attempt()
            messages.append(str(caught.value))
        return "not authorized" in messages[0], "not authorized" in messages[1]

    before = state()
    load(conn)
    assert state() == before
    if not hasattr(conn, "enable_load_extension"):
        return
    for enabled in True, False, True:
        conn.enable_load_extension(enabled)
        load(conn)
        assert state() == (not enabled, not enabled)


def test_load_into_subclasses(host: Host) -> None:
    conn = host.open()
    base: Any = type(conn)
    conn.close()

    class Mixin:
        pass

    class Mine(Mixin, base):  # type: ignore[misc]
        __slots__ = ("extra",)

    class Younger(Mine):
        pass

    conn = Younger(":memory:")
    load(conn)
    assert_searches(conn)
    conn.close()


def test_load_after_the_only_connection_was_closed(host: Host) -> None:
    for _ in range(3):
        conn = host.open()
        load(conn)
        assert_searches(conn)
        conn.close()


def test_load_into_files(host: Host, tmp_path: Path) -> None:
    path = tmp_path / "表 table's.db"
    conn = host.open(path)
    load(conn)
    assert_searches(conn)
    with contextlib.suppress(AttributeError):
        conn.commit()
    conn.close()
    again = host.open(path)
    with pytest.raises(Exception, match="no such tokenizer"):
        rows(again, "SELECT * FROM notes('天气')")
    load(again)
    assert rows(again, "SELECT rowid FROM notes('天气')") == [1]
    again.close()


def test_connect_passes_arguments_on(tmp_path: Path) -> None:
    class Mine(sqlite3.Connection):
        pass

    uri = (tmp_path / "x.db").as_uri() + "?mode=rwc"
    conn = connect(uri, timeout=1.5, isolation_level=None, factory=Mine, uri=True)
    assert type(conn) is Mine
    assert conn.isolation_level is None
    assert_searches(conn)
    conn.close()


# --- Errors ---------------------------------------------------------------------------------------


def test_closed_connections_are_refused(host: Host) -> None:
    conn = host.open()
    conn.close()
    with pytest.raises(errors.UnsupportedConnectionError, match="closed"):
        load(conn)


def test_connections_of_another_thread(host: Host, conn: Any) -> None:
    """Refused where the module refuses them; apsw lets threads share a connection."""
    caught: list[BaseException] = []

    def use() -> None:
        try:
            load(conn)
        except Exception as error:
            caught.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    if host.name != "apsw":
        assert [type(error) for error in caught] == [errors.UnsupportedConnectionError]
        assert "thread" in str(caught.pop())
        load(conn)
    assert caught == []
    assert_searches(conn)


class AsyncConnection:
    """Like aiosqlite's."""

    async def enable_load_extension(self, value: bool) -> None: ...
    async def load_extension(self, path: str) -> None: ...


@pytest.mark.parametrize("thing", [None, "notes.db", AsyncConnection(), object()])
def test_other_objects_are_refused_with_advice(thing: object) -> None:
    with pytest.raises(errors.UnsupportedConnectionError, match="pass the connection underneath"):
        load(thing)


def test_asynchronous_connections_load_in_their_own_thread() -> None:
    apsw = pytest.importorskip("apsw", reason="apsw is not installed")
    if not hasattr(apsw.Connection, "as_async"):
        pytest.skip("this apsw has no asynchronous connections")

    async def use() -> None:
        apsw.async_controller.set(importlib.import_module("apsw.aio").AsyncIO)
        conn = await apsw.Connection.as_async(":memory:")
        try:
            with pytest.raises(errors.UnsupportedConnectionError, match=r"conn.async_run\("):
                load(conn)
            await conn.async_run(load, conn)
            await conn.async_run(assert_searches, conn)
        finally:
            await conn.aclose()

    asyncio.run(use())


def test_an_unfinished_connection_is_refused() -> None:
    with pytest.raises(errors.UnsupportedConnectionError):
        load(sqlite3.Connection.__new__(sqlite3.Connection))


def test_a_hidden_fts5_is_named(host: Host, conn: Any) -> None:
    host.define_function(conn, "fts5", lambda _: 0)
    with pytest.raises(errors.LoadError, match="function named fts5 hides") as caught:
        load(conn)
    assert type(caught.value) is errors.LoadError  # hence no falling back
    assert rows(conn, "SELECT 1") == [1]


def test_a_missing_fts5_is_named() -> None:
    """apsw can take the function away by which FTS5 is found."""
    pytest.importorskip("apsw", reason="apsw is not installed")
    host = Host("apsw")
    conn = host.open()
    host.define_function(conn, "fts5", None)
    with pytest.raises(errors.LoadError, match="no FTS5 in this SQLite"):
        load(conn)
    conn.close()


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, conn: Any, tmp_path: Path
) -> None:
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(tmp_path / "cjk.so"))
    with pytest.raises(errors.MissingLibraryError, match="no file: correct it or unset it"):
        load(conn, fallback=False)
    with pytest.raises(errors.MissingLibraryError, match="no file: correct it or unset it"):
        auto_load()


def test_a_library_of_a_wrong_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in "other.so", "cjkx.so", "extension":
        path = tmp_path / name
        path.write_bytes(b"")
        monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(path))
        with pytest.raises(errors.MissingLibraryError, match="call the file cjk"):
            loadable_path()


def test_a_broken_library_is_an_error(
    monkeypatch: pytest.MonkeyPatch, host: Host, tmp_path: Path
) -> None:
    path = tmp_path / Path(loadable_path()).name
    path.write_bytes(b"\x7fELF but no more")
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(path))
    conn = host.open()
    with pytest.raises(errors.LoadError) as caught:
        load(conn)
    assert str(path) in str(caught.value)
    assert rows(conn, "SELECT 1") == [1]
    conn.close()


def test_connect_closes_what_it_cannot_load_into(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[sqlite3.Connection] = []

    class Mine(sqlite3.Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            made.append(self)

    path = tmp_path / Path(loadable_path()).name
    path.write_bytes(b"nothing")
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(path))
    with pytest.raises(errors.LoadError):
        connect(":memory:", factory=Mine)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        made[0].execute("SELECT 1")


def test_errors_are_of_one_family() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    for kind in kinds:
        assert issubclass(kind, (errors.Error, Warning)), kind
    assert cjk_tokenizer.Error is errors.Error


# --- Without a compiled library -------------------------------------------------------------------


def test_falling_back_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("apsw", reason="apsw is not installed: the fallback needs it here")
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(tmp_path / "cjk.so"))
    conn = Host("apsw").open()
    with pytest.warns(errors.FallbackWarning, match="no file") as caught:
        load(conn)
    assert [warning.filename for warning in caught] == [__file__]
    assert_searches(conn)
    conn.close()


def test_when_falling_back_fails_both_reasons_are_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(tmp_path / "cjk.so"))
    monkeypatch.setitem(sys.modules, "sqlitefts", None)
    conn = sqlite3.connect(":memory:")
    with pytest.raises(errors.MissingLibraryError, match=r"no file.*plain Python.*sqlitefts"):
        load(conn)
    conn.close()


def test_a_connection_that_has_the_library_needs_no_file(
    conn: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is linked into that SQLite (where nothing can be loaded), or came in another way."""
    load(conn)
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(tmp_path / "cjk.so"))
    load(conn)
    load(conn, fallback=False)
    assert_searches(conn)


# --- Every connection -----------------------------------------------------------------------------


def test_auto_load_reaches_new_connections_until_cancelled() -> None:
    before = sqlite3.connect(":memory:")
    with auto_load() as first:
        conn = sqlite3.connect(":memory:")
        assert_searches(conn)
        load(conn)  # both ways at once
        second = auto_load()
        first.cancel()
        first.cancel()
        assert rows(sqlite3.connect(":memory:"), "SELECT cjk_version()")
        second.cancel()
        for plain in before, sqlite3.connect(":memory:"):
            with pytest.raises(sqlite3.OperationalError, match="no such function"):
                rows(plain, "SELECT cjk_version()")
        assert_searches(conn, "later")


# --- What works here ------------------------------------------------------------------------------


def test_diagnose_tells_how_it_works_and_touches_nothing(host: Host, conn: Any) -> None:
    found = diagnose(conn)
    assert found.host == type(conn).__module__
    assert found.sqlite_version == rows(conn, "SELECT sqlite_version()")[0]
    assert found.fts5
    assert found.library == loadable_path()
    assert found.problem is None
    assert found.version
    with pytest.raises(Exception, match="no such function"):
        rows(conn, "SELECT cjk_version()")


def test_diagnose_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(loadable.LIBRARY_VARIABLE, str(tmp_path / "cjk.so"))
    found = diagnose()
    assert found.version is None
    assert found.library is None
    assert found.problem is not None
    assert "correct it or unset it" in found.problem
