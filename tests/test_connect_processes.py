"""What concerns a whole process: two copies of SQLite, threads, forks, temporary files, exits.

Each test runs a program in a fresh interpreter.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from connections import HOSTS, LIMIT, PRELUDE, run_program

PAIRS = [(a, b) for a in HOSTS for b in HOSTS if a != b and "sqlite3" in (a, b)]

pytestmark = pytest.mark.usefixtures("library")

# --- Two copies of SQLite in one process ----------------------------------------------------------


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


def test_auto_load_raises_an_audit_event() -> None:
    run_program("""
        seen = []
        sys.addaudithook(lambda *event: event[0].startswith("cjk_") and seen.append(event))
        with auto_load():
            pass
        (event, (path,)), = seen
        assert event == "cjk_tokenizer.auto_load" and os.path.isfile(path), seen
    """)


# --- Temporary copies, forks ----------------------------------------------------------------------

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
                process.communicate("\n", timeout=LIMIT)
                assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []


@needs_apsw
@needs_fork
def test_a_copy_that_goes_while_another_process_looks_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cjk_tokenizer-gone").mkdir()
    run_program(
        """
        from cjk_tokenizer import loadable
        found = loadable._is_mine
        def is_mine(entry):
            answer = found(entry)
            os.rmdir(entry.path)  # its owner exits just now
            return answer
        loadable._is_mine = is_mine
        for name in "sqlite3", "apsw":
            conn = opened(name)
            load(conn)
            search(conn)
        assert not os.path.exists(os.path.join(os.environ["TMPDIR"], "cjk_tokenizer-gone"))
        """,
        env={"TMPDIR": str(tmp_path)},
    )


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
        try:
            for turn in range(10):
                child = os.fork()
                if child == 0:
                    import atexit
                    for name in "sqlite3", "apsw":
                        conn = opened(name)
                        load(conn)
                        search(conn)
                    with auto_load():
                        search(sqlite3.connect(":memory:"))
                    atexit._run_exitfuncs()
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
        finally:
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


# --- The entry points themselves ------------------------------------------------------------------


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


def test_a_sqlite_that_is_too_old_is_refused() -> None:
    """Its table of calls is the real one, but for the version that it says."""
    run_program("""
        import ctypes
        from cjk_tokenizer import loadable
        from cjk_tokenizer.stdlib_sqlite import _AutoExtension, stdlib_sqlite
        sqlite = stdlib_sqlite()._functions
        seen = []
        remember = _AutoExtension(lambda database, _, api: seen.append((database, api)) or 0)
        sqlite.sqlite3_auto_extension(remember)
        conn = sqlite3.connect(":memory:")
        sqlite.sqlite3_cancel_auto_extension(remember)
        ((database, api),) = seen

        calls = (ctypes.c_void_p * 250).from_buffer_copy(ctypes.string_at(api, 250 * 8))
        old = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3_019_003)
        asked = ctypes.cast(sqlite.sqlite3_libversion_number, ctypes.c_void_p).value
        calls[list(calls).index(asked)] = ctypes.cast(old, ctypes.c_void_p).value
        message = ctypes.c_void_p()
        init = getattr(ctypes.CDLL(loadable.loadable_path()), loadable.ENTRY_POINT)
        assert init(ctypes.c_void_p(database), ctypes.byref(message), calls) == 1
        said = ctypes.string_at(message.value).decode()
        assert "too old, 3.20 or later is needed" in said, said
        assert init(ctypes.c_void_p(database), None, calls) == 1
        search(connect(":memory:"))  # it serves the right one afterwards
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
        stays = os.path.realpath(loadable.loadable_path()) in open("/proc/self/maps").read()
        assert stays, "unmapped: link the library with -Wl,-z,nodelete"
    """)
