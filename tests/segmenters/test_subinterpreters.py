"""Several Python interpreters in one process: a segmenter belongs to the one that registered it.

Each test runs a program in a fresh process, and beside it another one in an interpreter of its own.
"""

from __future__ import annotations

import textwrap

import pytest
from connections import run_program

pytestmark = pytest.mark.usefixtures("library")

MAIN = """
import sqlite3, sys, threading
import cjk_tokenizer
from cjk_tokenizer import register_segmenter
from cjk_tokenizer.errors import ArgumentError

def run_beside(kind="legacy", meanwhile=lambda: None):
    # The other program, then meanwhile(); then its interpreter ends.
    try:
        import _interpreters as module
        interpreter = module.create(kind)
        error = module.exec(interpreter, sys.argv[1])
        assert not error, error.errdisplay
    except ImportError:
        import _xxsubinterpreters as module  # up to Python 3.12
        interpreter = module.create(isolated=False)
        module.run_string(interpreter, sys.argv[1])
    meanwhile()
    module.destroy(interpreter)

def pairs(text):
    return [text[i : i + 2] for i in range(0, len(text), 2)]

def made(segmenter):
    conn = cjk_tokenizer.connect(":memory:")
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment {segmenter}')")
    return conn

def words(text, segmenter):
    return [token.text for token in cjk_tokenizer.tokenize(text, f"segment {segmenter}")]

def fails(function, *args):
    try:
        function(*args)
    except (ArgumentError, sqlite3.OperationalError) as error:
        return str(error)
    raise AssertionError("no error")
"""

# Up to Python 3.11 a thread is that of the interpreter that started it, whatever it runs.
BESIDE = (
    MAIN
    + """
def run_in_a_thread(function):
    failures = []
    def work():
        try:
            function()
        except BaseException as error:
            failures.append(error)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
"""
)


def run(program: str, beside: str) -> None:
    run_program(MAIN + textwrap.dedent(program), BESIDE + textwrap.dedent(beside))


@pytest.mark.parametrize(
    "beside",
    [
        "cjk_tokenizer.tokenize('一')",
        "cjk_tokenizer.connect(':memory:')",
        "cjk_tokenizer.add_words('physics', ['量子点'])",
        "register_segmenter('own', list)",
    ],
)
def test_an_interpreter_that_ends_closes_no_other(beside: str) -> None:
    run(
        """
        register_segmenter("pairs", pairs)
        conn = made("pairs")
        conn.execute("INSERT INTO t VALUES ('一二三四')")
        run_beside()
        conn.execute("INSERT INTO t VALUES ('五六三四')")
        assert words("七八九", "pairs") == ["七八", "九"]
        """,
        beside,
    )


def test_a_segmenter_is_called_by_its_own_interpreter_alone() -> None:
    run(
        """
        register_segmenter("pairs", pairs)
        run_beside()
        assert words("七八九", "pairs") == ["七八", "九"]
        """,
        """
        @run_in_a_thread
        def _():
            expected = 'segmenter pairs, text "七八": it belongs to another interpreter of this'
            said = fails(words, "七八", "pairs")
            assert expected in said, said
            conn = made("pairs")
            fails(conn.execute, "INSERT INTO t VALUES ('七八')")
            ((said,),) = conn.execute("SELECT cjk_error()").fetchall()
            assert expected in said, said
            assert conn.execute("SELECT * FROM t").fetchall() == []
        """,
    )


def test_an_interpreter_cannot_take_the_name_of_another() -> None:
    run(
        """
        register_segmenter("pairs", pairs)
        run_beside()
        assert words("七八九", "pairs") == ["七八", "九"]
        register_segmenter("pairs", list)
        assert words("七八九", "pairs") == ["七", "八", "九"]
        """,
        """
        said = fails(register_segmenter, "pairs", list)
        assert "pairs belongs to another interpreter of this process" in said, said
        """,
    )


def test_a_segmenter_goes_with_its_interpreter() -> None:
    run(
        """
        before = words("一二三", "auto")
        run_beside()
        assert 'there is no segmenter "own"' in fails(words, "一", "own")
        assert words("一二三", "auto") == before
        register_segmenter("own", list)
        assert words("一二三", "own") == ["一", "二", "三"]
        """,
        """
        register_segmenter("own", lambda text: [text], languages="zh")
        @run_in_a_thread
        def _():
            assert words("一二三", "own") == words("一二三", "auto") == ["一二三"]
        """,
    )


def test_a_table_that_outlives_the_interpreter_of_its_segmenter() -> None:
    run(
        """
        def insert():
            fails(conn.execute, "INSERT INTO t VALUES ('一二')")
            return conn.execute("SELECT cjk_error()").fetchone()[0]
        def meanwhile():
            global conn
            conn = made("own")
            conn.execute("INSERT INTO t VALUES ('latin')")
            conn.commit()
            assert "belongs to another interpreter" in insert()
        run_beside(meanwhile=meanwhile)
        assert "the interpreter that registered it has ended" in insert()
        assert conn.execute("SELECT x FROM t").fetchall() == [("latin",)]
        """,
        "register_segmenter('own', list)",
    )


def test_interpreters_at_work_at_the_same_time() -> None:
    """With a lock of its own each, from Python 3.13 on."""
    pytest.importorskip("_interpreters", reason="from Python 3.13 on")
    run(
        """
        register_segmenter("pairs", pairs)
        thread = threading.Thread(target=run_beside, args=["isolated"])
        thread.start()
        number = 0
        while thread.is_alive() or number < 100:
            number += 1
            text = chr(0x4E00 + number % 20000) + "二"
            assert words(text, "pairs") == [text]
        """,
        """
        for number in range(2000):
            said = fails(words, chr(0x4E00 + number) + "一", "pairs")
            assert "another interpreter" in said, said
        """,
    )
