"""The library gets into every kind of connection, and leaves it as it found it.

What concerns a whole process (two copies of SQLite, audit hooks, forks, temporary files) runs in
fresh interpreters. Hosts that are not installed are skipped, with the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cjk_tokenizer
from cjk_tokenizer import errors, loadable, stdlib_sqlite
from cjk_tokenizer.connect import auto_load, connect, diagnose, load, loadable_path

HOSTS = ["sqlite3", "apsw", "pysqlite3", "sqlean"]
PAIRS = [(a, b) for a in HOSTS for b in HOSTS if a != b and "sqlite3" in (a, b)]

pytestmark = pytest.mark.usefixtures("library")


# --- Helpers -------------------------------------------------------------------------------------


class Host:
    """One module that opens SQLite connections."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(name)

    def open(self, path: str | Path = ":memory:") -> Any:
        return (self.module.Connection if self.name == "apsw" else self.module.connect)(str(path))

    def define_function(self, conn: Any, name: str, arity: int) -> None:
        define = conn.create_scalar_function if self.name == "apsw" else conn.create_function
        args = (
            (name, lambda *_: None, arity) if self.name == "apsw" else (name, arity, lambda *_: 0)
        )
        define(*args)


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return Host(request.param)


@pytest.fixture
def conn(host: Host) -> Iterator[Any]:
    conn = host.open()
    yield conn
    conn.close()


def rows(conn: Any, sql: str) -> list[Any]:
    return [row[0] for row in conn.execute(sql)]


def assert_searches(conn: Any, table: str = "notes") -> None:
    """An index made over this connection finds what is there, and nothing else."""
    conn.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(body, tokenize='cjk')")
    conn.execute(f"INSERT INTO {table} VALUES ('今天天气很好'), ('東京都'), ('plain words')")
    for query, expected in [("天气", [1]), ("京", [2]), ("words", [3]), ("气天", [])]:
        found = rows(conn, f"SELECT rowid FROM {table} WHERE {table} MATCH '{query}'")
        assert found == expected, query


def run_python(code: str, *args: str, env: dict[str, str] | None = None) -> str:
    """Run a program in a fresh interpreter; it must end well, and within two minutes."""
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *args],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **(env or {})},
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


# Precedes the programs below: `opened(name)` is a new connection of a module, by its name.
PRELUDE = """
import importlib, os, sqlite3, sys, threading
from cjk_tokenizer.connect import auto_load, connect, load

def opened(name, path=":memory:"):
    module = importlib.import_module(name)
    return (module.Connection if name == "apsw" else module.connect)(path)

def rows(conn, sql):
    return [row[0] for row in conn.execute(sql)]

def search(conn, table="notes", schema="main"):
    conn.execute(f"CREATE VIRTUAL TABLE {schema}.{table} USING fts5(body, tokenize='cjk')")
    conn.execute(f"INSERT INTO {schema}.{table} VALUES ('今天天气很好'), ('東京都')")
    assert rows(conn, f"SELECT rowid FROM {schema}.{table}('天气')") == [1]
    assert rows(conn, f"SELECT rowid FROM {schema}.{table}('京')") == [2]
"""


def run_program(code: str, *args: str, env: dict[str, str] | None = None) -> str:
    return run_python(PRELUDE + textwrap.dedent(code), *args, env=env)


# --- One connection ------------------------------------------------------------------------------


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
    conn = connect(uri, 1.5, isolation_level=None, factory=Mine, uri=True)
    assert type(conn) is Mine
    assert conn.isolation_level is None
    assert_searches(conn)
    conn.close()


# --- Errors --------------------------------------------------------------------------------------


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


def test_a_function_that_hides_fts5_is_named(host: Host, conn: Any) -> None:
    host.define_function(conn, "fts5", 1)
    with pytest.raises(errors.LoadError, match="function named fts5 hides") as caught:
        load(conn)
    assert type(caught.value) is errors.LoadError
    assert rows(conn, "SELECT 1") == [1]


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


# --- Without a compiled library ------------------------------------------------------------------


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


# --- sqlite3 without load_extension --------------------------------------------------------------


@pytest.fixture
def functions() -> stdlib_sqlite.StdlibSQLite:
    """The C API, where it can be reached: also on Pythons that would not need it."""
    return stdlib_sqlite.stdlib_sqlite()


def test_the_c_api_serves_any_connection(functions: stdlib_sqlite.StdlibSQLite) -> None:
    conn = sqlite3.connect(":memory:")
    path = loadable.path_for("sqlite3")
    functions.load_extension(conn, path)
    functions.load_extension(conn, path)
    assert_searches(conn)
    conn.close()
    with pytest.raises(errors.UnsupportedConnectionError, match="closed"):
        functions.load_extension(conn, path)


@pytest.mark.parametrize("times", [0, 2])
def test_an_unknown_layout_is_refused(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The pointer must be found exactly once: not never, not twice."""
    real = stdlib_sqlite._read_pointer
    first = object.__basicsize__

    def read(conn: sqlite3.Connection, offset: int) -> int | None:
        pointer = real(conn, first)
        return pointer if (offset - first) // stdlib_sqlite._POINTER_SIZE < times else None

    monkeypatch.setattr(stdlib_sqlite, "_read_pointer", read)
    with pytest.raises(errors.UnsupportedSQLiteError, match="layout that is not known; use apsw"):
        stdlib_sqlite.StdlibSQLite()
    sqlite3.connect(":memory:").close()


def test_the_c_functions_of_another_sqlite_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = pytest.importorskip("pysqlite3", reason="pysqlite3 is not installed: no other SQLite")
    with monkeypatch.context() as patch:
        patch.setattr("_sqlite3.__file__", other._sqlite3.__file__)
        with pytest.raises(errors.UnsupportedSQLiteError, match="belong to another SQLite"):
            stdlib_sqlite.StdlibSQLite()


def test_audit_events_are_raised_and_obeyed() -> None:
    """Where Python lacks load_extension, security hooks still see the load and can forbid it."""
    run_program("""
        seen = []
        forbidden = []
        def hook(event, args):
            if event == "sqlite3.load_extension":
                seen.append(args)
            if event in forbidden:
                raise PermissionError(event)
        sys.addaudithook(hook)

        conn = sqlite3.connect(":memory:")
        load(conn)
        if seen or not hasattr(conn, "load_extension"):
            assert seen[-1][0] is conn and "cjk" in seen[-1][1], seen
            forbidden.append("sqlite3.load_extension")
        else:
            forbidden.append("sqlite3.enable_load_extension")  # before 3.10
        conn = sqlite3.connect(":memory:")
        try:
            load(conn)
        except Exception as error:
            assert "sqlite3." in str(error), error
        else:
            raise AssertionError("loaded all the same")
        try:
            rows(conn, "SELECT cjk_version()")
        except sqlite3.OperationalError:
            pass
        else:
            raise AssertionError("loaded all the same")
    """)


# --- Every connection ----------------------------------------------------------------------------


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


def test_auto_load_raises_an_audit_event() -> None:
    run_program("""
        seen = []
        sys.addaudithook(lambda *event: event[0].startswith("cjk_") and seen.append(event))
        with auto_load():
            pass
        (event, (path,)), = seen
        assert event == "cjk_tokenizer.auto_load" and os.path.isfile(path), seen
    """)


# --- Two copies of SQLite in one process ---------------------------------------------------------


def skip_unless_installed(*names: str) -> None:
    for name in names:
        pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_sqlites_in_one_process(pair: tuple[str, str], tmp_path: Path) -> None:
    """In both orders, side by side, in turns, again after that, and on one file."""
    skip_unless_installed(*pair)
    run_program(
        """
        first, second = opened(sys.argv[1]), opened(sys.argv[2])
        load(first)
        search(first)
        load(second)
        search(second)
        for conn in first, second, opened(sys.argv[1]), opened(sys.argv[2]):
            load(conn)
            load(conn)
            search(conn, "more")

        # A file that both write to and read from.
        a, b = opened(sys.argv[1], sys.argv[3]), opened(sys.argv[2], sys.argv[3])
        load(a)
        load(b)
        search(a)
        getattr(a, "commit", int)()
        for turn in range(20):
            for conn in a, b:
                conn.execute("INSERT INTO notes VALUES ('春眠不覚暁')")
                getattr(conn, "commit", int)()
        for conn in a, b:
            assert len(rows(conn, "SELECT rowid FROM notes('不覚')")) == 40
            conn.execute("INSERT INTO notes(notes) VALUES ('integrity-check')")
            getattr(conn, "commit", int)()

        # Every new connection of the standard library, though the other one may own the original.
        with auto_load():
            search(sqlite3.connect(":memory:"))
            load(opened("apsw" if "apsw" in sys.argv else sys.argv[1]))
        """,
        *pair,
        str(tmp_path / "both.db"),
    )


def test_all_sqlites_in_one_process_from_many_threads() -> None:
    names = [name for name in HOSTS if importlib.util.find_spec(name)]
    if len(names) == 1:
        pytest.skip("no host but sqlite3 is installed")
    run_program(
        """
        import faulthandler
        faulthandler.dump_traceback_later(90, exit=True)
        start = threading.Barrier(16)
        failures = []

        def work(name):
            try:
                start.wait()
                for turn in range(25):
                    conn = opened(name)
                    load(conn)
                    search(conn)
                    conn.close()
            except BaseException as error:
                failures.append((name, repr(error)))

        names = sys.argv[1:]
        threads = [threading.Thread(target=work, args=[names[n % len(names)]]) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
        """,
        *names,
    )


def test_many_threads_share_the_ways_in() -> None:
    """load, connect and auto_load at once, from 16 threads."""
    run_program("""
        import faulthandler
        faulthandler.dump_traceback_later(90, exit=True)
        start = threading.Barrier(16)
        failures = []

        def work(number):
            try:
                start.wait()
                for turn in range(25):
                    if number % 3 == 0:
                        conn = connect(":memory:")
                    elif number % 3 == 1:
                        conn = sqlite3.connect(":memory:")
                        load(conn)
                    else:
                        with auto_load():
                            conn = sqlite3.connect(":memory:")
                    search(conn)
                    conn.close()
            except BaseException as error:
                failures.append(repr(error))

        threads = [threading.Thread(target=work, args=[number]) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
        try:
            rows(sqlite3.connect(":memory:"), "SELECT cjk_version()")
        except sqlite3.OperationalError:
            pass
        else:
            raise AssertionError("still loaded automatically")
    """)


# --- Temporary copies, forks ---------------------------------------------------------------------

needs_apsw = pytest.mark.skipif(
    importlib.util.find_spec("apsw") is None, reason="apsw is not installed"
)
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def copies_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.glob("*/*"))


@needs_apsw
def test_copies_are_removed_at_exit(tmp_path: Path) -> None:
    said = run_program(
        """
        for name in "sqlite3", "apsw", "apsw":
            load(opened(name))
        print(len(os.listdir(os.environ["TMPDIR"])))
        """,
        env={"TMPDIR": str(tmp_path)},
    )
    assert said.split() == ["1"]
    assert list(tmp_path.iterdir()) == []


@needs_apsw
@needs_fork
def test_copies_of_a_killed_process_are_removed_by_the_next(tmp_path: Path) -> None:
    program = PRELUDE + textwrap.dedent("""
        for name in "sqlite3", "apsw":
            load(opened(name))
        print("ready", flush=True)
        input()
        conn = opened("apsw")
        load(conn)
        search(conn)
    """)
    env = {**os.environ, "TMPDIR": str(tmp_path)}

    def start() -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    with start() as killed, start() as living:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert len(copies_in(tmp_path)) == 2
        with start() as third:
            # The dead one's is gone, those of the living are there.
            assert len(copies_in(tmp_path)) == 2
            for process in living, third:
                process.communicate("\n", timeout=60)
                assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []


@needs_apsw
@needs_fork
def test_a_forked_child_loads_and_leaves_the_parents_copy(tmp_path: Path) -> None:
    run_program(
        """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads, from 3.12
        for name in "sqlite3", "apsw":
            load(opened(name))
        # A thread that is inside our lock for most of the time. (Not inside SQLite or dlopen:
        # their own locks do not survive a fork.)
        from cjk_tokenizer import loadable
        import time
        stop = threading.Event()

        def keep_locking():
            while not stop.is_set():
                with loadable.lock:
                    time.sleep(0.005)

        thread = threading.Thread(target=keep_locking)
        thread.start()
        for turn in range(10):
            child = os.fork()
            if child == 0:
                import atexit, signal
                signal.alarm(30)
                for name in "sqlite3", "apsw":
                    conn = opened(name)
                    load(conn)
                    search(conn)
                with auto_load():
                    search(sqlite3.connect(":memory:"))
                atexit._run_exitfuncs()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        stop.set()
        thread.join()
        assert len(os.listdir(os.environ["TMPDIR"])) == 1
        conn = opened("apsw")
        load(conn)
        search(conn)
        """,
        env={"TMPDIR": str(tmp_path)},
    )
    assert list(tmp_path.iterdir()) == []


@needs_apsw
def test_a_copy_that_was_removed_is_made_again() -> None:
    run_program("""
        import shutil
        from cjk_tokenizer import loadable
        for name in "sqlite3", "apsw":
            load(opened(name))
        (copy,) = loadable._copies.values()
        shutil.rmtree(os.path.dirname(copy))
        for name in "apsw", "sqlite3", "apsw":
            conn = opened(name)
            load(conn)
            search(conn)
    """)


# --- What works here -----------------------------------------------------------------------------


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


# --- The entry points themselves -----------------------------------------------------------------


def test_a_sqlite_without_a_table_of_calls_is_refused() -> None:
    """SQLITE_OMIT_LOAD_EXTENSION passes NULL to automatic extensions."""
    run_program("""
        import ctypes
        from cjk_tokenizer import loadable
        library = ctypes.CDLL(loadable.loadable_path())
        for name in loadable.ENTRY_POINT, loadable.AUTO_ENTRY_POINT:
            message = ctypes.c_void_p()
            assert getattr(library, name)(None, ctypes.byref(message), None) == 1
            assert message.value is None
        conn = connect(":memory:")
        search(conn)
    """)


def test_the_library_stays_when_its_connections_close() -> None:
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("reads /proc/self/maps")
    run_program("""
        connect(":memory:").close()
        from cjk_tokenizer import loadable
        assert os.path.realpath(loadable.loadable_path()) in open("/proc/self/maps").read()
    """)


def test_the_library_stays_when_loading_fails_half_way() -> None:
    """Else what is registered already would point into nothing."""
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("reads /proc/self/maps")
    run_program("""
        from cjk_tokenizer import loadable
        from cjk_tokenizer.errors import LoadError
        conn = sqlite3.connect(":memory:")
        conn.create_function("fts5", 1, lambda _: None)
        try:
            load(conn)
        except LoadError:
            pass
        assert os.path.realpath(loadable.loadable_path()) in open("/proc/self/maps").read()
    """)
