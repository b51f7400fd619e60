"""Registered segmenters and what concerns a whole process: both copies of SQLite, threads, forks,
Ctrl-C, the interpreter's exit.

Each test runs a program in a fresh interpreter.
"""

from __future__ import annotations

import os
import textwrap

import pytest
from connections import run_program

pytestmark = pytest.mark.usefixtures("library")

# Precedes the programs: a segmenter of pairs, and a table that uses one.
PAIRS = """
import atexit, signal, time
import apsw
import cjk_tokenizer
from cjk_tokenizer import register_segmenter

def pairs(text):
    return [text[i : i + 2] for i in range(0, len(text), 2)]

def made(name, segmenter="pairs", connect=opened):
    conn = connect(name)
    if connect is opened:
        load(conn)
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment {segmenter}')")
    return conn

def check(conn, text="一二三四"):
    conn.execute("INSERT INTO t VALUES (?)", (text,))
    assert rows(conn, "SELECT count(*) FROM t('三四')") == [1]
    assert rows(conn, "SELECT count(*) FROM t('二三')") == [0]
"""


def run(program: str, *args: str) -> str:
    return run_program(PAIRS + textwrap.dedent(program), *args)


@pytest.mark.parametrize("order", [("sqlite3", "apsw"), ("apsw", "sqlite3")], ids="-".join)
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_one_call_serves_every_copy_of_sqlite(order: tuple[str, str], when: str) -> None:
    run(
        """
        first, second, when = sys.argv[1:]
        words = ["量子点"]
        def register():
            register_segmenter("pairs", pairs)
            cjk_tokenizer.add_words("physics", words)
        if when == "before":
            register()
        load(opened(first))
        if when == "between":
            register()
        load(opened(second))
        if when == "after":
            register()
        found = set()
        for name in first, second, first:
            check(made(name))
            conn = made(name, "physics")
            conn.execute("INSERT INTO t VALUES ('石墨烯量子点')")
            assert rows(conn, "SELECT rowid FROM t('量子点')") == [1]
            found.add(rows(conn, "SELECT cjk_dictionary('physics')")[0])
        assert len(found) == 1, found
        with auto_load():
            check(made(":memory:", connect=sqlite3.connect))
        cjk_tokenizer.unregister_segmenter("pairs")
        for name in first, second:
            try:
                made(name)
            except Exception as error:
                assert "tokenizer" in str(error), error
            else:
                raise AssertionError("still registered")
        """,
        *order,
        when,
    )


def test_many_threads_with_connections_of_their_own() -> None:
    run("""
        def slow(text):
            time.sleep(0)
            return pairs(text)
        register_segmenter("pairs", slow)
        register_segmenter("other", list)
        start = threading.Barrier(12)
        failures = []

        def work(number):
            try:
                start.wait()
                for turn in range(20):
                    conn = made("apsw" if number % 2 else "sqlite3")
                    conn.execute("INSERT INTO t VALUES ('东西南北')")
                    check(conn, "一二三四、" + chr(0x4E00 + number) * 5 + chr(0x5000 + turn))
                    if number < 3:
                        register_segmenter("other", [list, pairs][turn % 2])
                    rows(conn, "SELECT token FROM cjk_tokens('东西南北', 'segment other')")
                    conn.close()
            except BaseException as error:
                failures.append((number, repr(error)))

        threads = [threading.Thread(target=work, args=[number]) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
    """)


def test_exceptions_stay_in_their_threads() -> None:
    run("""
        def fail(text):
            raise ValueError(threading.current_thread().name)
        register_segmenter("fail", fail)
        failures = []

        def work():
            for kind in connect, opened:
                for turn in range(20):
                    name = "apsw" if kind is opened else ":memory:"
                    conn = made(name, "fail", kind)
                    try:
                        conn.execute("INSERT INTO t VALUES ('一')")
                    except ValueError as error:
                        if str(error) != threading.current_thread().name:
                            failures.append(error)
                    else:
                        failures.append("no error")

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
    """)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_children_have_them() -> None:
    run("""
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads, from 3.12
        register_segmenter("pairs", pairs)
        for name in "sqlite3", "apsw":
            check(made(name))
        # (A thread inside SQLite would leave its locks locked in the child.)
        stop = threading.Event()
        def churn():
            while not stop.is_set():
                register_segmenter("churned", list)
        thread = threading.Thread(target=churn)
        thread.start()
        try:
            for turn in range(10):
                child = os.fork()
                if child == 0:
                    register_segmenter("more", list)
                    for name in "sqlite3", "apsw":
                        check(made(name))
                    sys.exit(0) if turn % 2 else os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
        finally:
            stop.set()
            thread.join()
    """)


def test_cursors_from_before_the_first_registration_raise_what_it_raises() -> None:
    run("""
        conn = connect(":memory:")
        cursor = conn.cursor()
        assert cursor.execute("SELECT 1").fetchall() == [(1,)]
        steps = conn.execute("SELECT value FROM json_each('[1, 2]')")
        assert next(steps) == (1,)
        def fail(text):
            raise LookupError(text)
        register_segmenter("fail", fail)
        assert next(steps) == (2,)
        made(":memory:", "fail", lambda _: conn)
        later = "SELECT iif(value = 1, 1, (SELECT 1 FROM t('坏'))) FROM json_each('[1, 2]')"
        for way in (
            lambda: cursor.execute("INSERT INTO t VALUES ('坏')"),
            lambda: cursor.executemany("INSERT INTO t VALUES (?)", [("坏",)]),
            lambda: cursor.execute(later).fetchall(),
            lambda: list(cursor.execute(later)),
        ):
            try:
                way()
            except LookupError as error:
                assert str(error) == "坏"
            else:
                raise AssertionError("no error")
    """)


# --- Ctrl-C ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["connect", "sqlite3", "apsw"])
@pytest.mark.parametrize("hanging", ["time.sleep(1000)", "pass"])
def test_ctrl_c_ends_a_hanging_segmenter(kind: str, hanging: str) -> None:
    run(
        f"""
        def hang(text):
            if text == "好":
                return [text]
            threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
            while True:
                {hanging}
        register_segmenter("hang", hang)
        sys.unraisablehook = lambda args: None
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background has none
        kind = sys.argv[1]
        conn = made(":memory:", "hang", connect) if kind == "connect" else made(kind, "hang")
        try:
            try:
                conn.execute("INSERT INTO t VALUES ('一')")
            except Exception as error:
                for _ in range(1000):  # a signal comes at the next chance
                    pass
                raise AssertionError("no KeyboardInterrupt") from error
        except KeyboardInterrupt:
            pass
        assert rows(conn, "SELECT * FROM t") == []
        conn.execute("INSERT INTO t VALUES ('好')")
        assert rows(conn, "SELECT rowid FROM t('好')") == [1]
        """,
        kind,
    )


# --- The interpreter's exit -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sqlite3", "apsw"])
def test_open_connections_at_exit(name: str) -> None:
    run(
        """
        register_segmenter("pairs", pairs)
        conn = made(sys.argv[1])
        check(conn)
        cursor = iter(conn.execute("SELECT rowid FROM t('三四')"))
        next(cursor)
        """,
        name,
    )


@pytest.mark.parametrize("name", ["sqlite3", "apsw"])
def test_daemon_threads_at_exit(name: str) -> None:
    for _ in range(3):
        run(
            """
            register_segmenter("pairs", pairs)
            def work():
                number = 0
                conn = made(sys.argv[1])
                while True:
                    number += 1
                    text = "一" * (number % 50) + chr(0x4E00 + number % 9999)
                    conn.execute("INSERT INTO t VALUES (?)", (text,))
            for _ in range(4):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.3)
            """,
            name,
        )


def test_a_hanging_daemon_thread_does_not_keep_the_process() -> None:
    run("""
        register_segmenter("hang", lambda text: time.sleep(1000))
        def work():
            made("sqlite3", "hang").execute("INSERT INTO t VALUES ('一')")
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """)


def test_a_call_during_the_exit_is_refused() -> None:
    said = run("""
        def late():
            try:
                conn.execute("INSERT INTO t VALUES ('一')")
            except Exception as error:
                print(type(error).__name__, rows(conn, "SELECT cjk_error()")[0])
        atexit.register(late)
        register_segmenter("pairs", pairs)
        conn = made("sqlite3")
    """)
    assert said == (
        'OperationalError segmenter pairs, text "一": the Python interpreter is exiting\n'
    )
