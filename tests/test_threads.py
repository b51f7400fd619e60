"""Sixteen threads at once, forks, and exits with everything open: each in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from connections import LIMIT, PRELUDE, run_program, run_python

pytestmark = pytest.mark.usefixtures("library")

# What a thread does with connections of its own: everything that the library offers.
WORK = """
import cjk_tokenizer

def cell(conn, sql, *parameters):
    return next(iter(conn.execute(sql, parameters)))[0]

TEXTS = ["今天天气很好，我们学习自然语言处理", "東京都のサーバーを再起動", "한국어 검색", "ภาษาไทย"]
TOKENIZERS = ["cjk", "cjk segment jieba", "cjk fold_han 1 fold_kana 1", "porter cjk unigrams 0"]

def pairs(text):
    return [text[n : n + 2] for n in range(0, len(text), 2)]

def register_and_search(name, segmenter):
    cjk_tokenizer.register_segmenter(segmenter, pairs)
    conn = opened(name)
    load(conn)
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment {segmenter}')")
    conn.execute("INSERT INTO t VALUES ('今天天气很好'), ('東京都')")
    assert rows(conn, "SELECT rowid FROM t('今天')") == [1]
    assert rows(conn, "SELECT rowid FROM t('天天')") == []
    cjk_tokenizer.unregister_segmenter(segmenter)
    assert rows(conn, "SELECT rowid FROM t('天气')") == [1]  # the table keeps what it has
    conn.close()

def work(name, path, turns):
    for turn in range(turns):
        conn = opened(name, path)
        load(conn)
        tokenize = TOKENIZERS[turn % len(TOKENIZERS)]
        conn.execute("DROP TABLE IF EXISTS t")
        conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{tokenize}')")
        conn.executemany("INSERT INTO t VALUES (?)", [(text,) for text in TEXTS * 5])
        found = rows(conn, "SELECT rowid FROM t WHERE t MATCH cjk_query('天气')")
        assert found == [1, 5, 9, 13, 17], found
        marked = cell(conn, "SELECT cjk_highlight(t, 0, '[', ']') FROM t('サーバー')")
        assert "[サーバー]" in marked, marked
        options = '{"snippet": 20, "limit": 3}'
        hits = rows(conn, f"SELECT snippet FROM cjk_search('t', '学习自然语言', '{options}')")
        assert len(hits) == 3 and all("[" in hit for hit in hits), hits
        assert cell(conn, "SELECT count(*) FROM cjk_tokens('学习语言', 'segment jieba')") == 2
        assert cell(conn, "SELECT cjk_detect('今天天气很好')") == "zh"
        assert cell(conn, "SELECT cjk_check('nonsense')") != "ok"
        conn.execute("DELETE FROM t WHERE rowid % 3 = 0")
        conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
        getattr(conn, "commit", int)()
        conn.close()
"""


def run(code: str, *args: str) -> None:
    run_program(WORK + textwrap.dedent(code), *args)


def test_sixteen_threads_load_register_index_and_search(tmp_path: Path) -> None:
    """Two copies of SQLite, files and memory; beside them a file that all read."""
    pytest.importorskip("apsw")
    run(
        """
        shared = os.path.join(sys.argv[1], "shared.db")
        work("sqlite3", shared, 1)
        start, failures = threading.Barrier(16), []

        def run(number):
            name = ["sqlite3", "apsw"][number % 2]
            path = ":memory:" if number % 4 < 2 else os.path.join(sys.argv[1], f"{number}.db")
            try:
                start.wait()
                for turn in range(6):
                    work(name, path, 4)
                    register_and_search(name, f"pairs{number}")
                    conn = opened(name, shared)
                    load(conn)
                    assert len(rows(conn, "SELECT rowid FROM t('天气')")) == 4
                    conn.close()
            except BaseException as error:
                failures.append((number, repr(error)))

        threads = [threading.Thread(target=run, args=[number]) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
        """,
        str(tmp_path),
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_after_loading(tmp_path: Path) -> None:
    """The child has the library already and opens a connection of its own; the parent goes on."""
    pytest.importorskip("apsw")
    run(
        """
        kept = {name: opened(name) for name in ("sqlite3", "apsw")}
        for conn in kept.values():
            load(conn)
            search(conn)
            conn.execute("SELECT count(*) FROM cjk_tokens('学习语言', 'segment jieba')")
        children = []
        for number in range(4):
            child = os.fork()
            if child == 0:
                for name in kept:
                    register_and_search(name, "pairs")
                    work(name, os.path.join(sys.argv[1], f"{number}-{name}.db"), 4)
                os._exit(0)
            children.append(child)
            for name, conn in kept.items():
                work(name, ":memory:", 1)
                assert rows(conn, "SELECT rowid FROM notes('天气')") == [1]
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        for conn in kept.values():
            search(conn, "more")
        """,
        str(tmp_path),
    )


@pytest.mark.parametrize("name", ["sqlite3", "apsw"])
def test_an_exit_with_everything_open(name: str, tmp_path: Path) -> None:
    """Connections with statements half read, and daemon threads inside the library: exit code 0,
    and nothing said."""
    pytest.importorskip(name)
    program = (
        PRELUDE
        + WORK
        + textwrap.dedent("""
        name = sys.argv[1]
        conn = opened(name)
        load(conn)
        search(conn)
        reading = iter(conn.execute("SELECT * FROM cjk_search('notes', '天气')"))
        next(reading)
        tokens = iter(conn.execute("SELECT * FROM cjk_tokens('今天天气很好')"))
        next(tokens)
        other = opened(name, os.path.join(sys.argv[2], "open.db"))
        load(other)
        other.execute("BEGIN")
        search(other)
        started = threading.Barrier(5)

        def run():
            work(name, ":memory:", 1)
            started.wait()
            while True:
                work(name, ":memory:", 4)

        for number in range(4):
            threading.Thread(target=run, daemon=True).start()
        started.wait()
    """)
    )
    for _ in range(5):
        run = subprocess.run(
            [sys.executable, "-c", program, name, str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.slow
def test_a_program_that_hangs_is_ended_and_says_where() -> None:
    """The tests above lean on it, and so do all that run programs."""
    program = """
        import os, threading, time
        def wait_for_ever():
            time.sleep(1000)
        if hasattr(os, "fork"):
            os.fork()
        threading.Thread(target=wait_for_ever).start()
    """
    with pytest.raises(AssertionError, match="did not end within 20 seconds") as caught:
        run_python(program, limit=20)
    assert "wait_for_ever" in str(caught.value)
