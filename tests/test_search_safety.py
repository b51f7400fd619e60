"""cjk_search in odd company: a hostile schema, a caller who has had enough, odd tokenizers."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import apsw
import fts
import pytest

import cjk_tokenizer

VIEW = "CREATE {}VIEW v AS SELECT * FROM cjk_search('secrets', '密码', '{{\"snippet\": 99}}')"
TRIGGER = """CREATE TRIGGER leak AFTER INSERT ON public BEGIN
    INSERT INTO copied SELECT snippet FROM cjk_search('secrets', new.x, '{"snippet": 99}');
END"""


@pytest.fixture(params=fts.HOSTS)
def victim(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A connection to a hostile database file, with a table of secrets attached."""
    hostile = sqlite3.connect(tmp_path / "hostile.db")
    hostile.execute("CREATE TABLE public(x)")
    hostile.execute("CREATE TABLE copied(x)")
    hostile.execute(VIEW.format(""))
    hostile.execute(TRIGGER)
    hostile.commit()
    hostile.close()
    conn = fts.open_host(request.param, str(tmp_path / "hostile.db"))
    conn.execute("ATTACH ':memory:' AS mine")
    conn.execute("CREATE VIRTUAL TABLE mine.secrets USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO mine.secrets VALUES ('密码是1234')")
    return conn


def test_views_and_triggers_of_a_file_read_nothing_by_cjk_search(victim: Any) -> None:
    assert fts.value(victim, "SELECT count(*) FROM cjk_search('secrets', '密码')") == 1
    for statement in ("SELECT * FROM v", "INSERT INTO public VALUES ('密码')"):
        with pytest.raises(Exception, match="unsafe use of virtual table"):
            fts.rows(victim, statement)
    assert fts.rows(victim, "SELECT * FROM copied") == []


def test_other_functions_may_stand_in_a_schema_that_is_not_trusted(victim: Any) -> None:
    victim.execute("PRAGMA trusted_schema = OFF")
    victim.execute("CREATE VIEW tokens AS SELECT token FROM cjk_tokens('学习')")
    victim.execute("CREATE VIEW chunks AS SELECT text FROM cjk_chunks('学习')")
    victim.execute("CREATE VIEW options AS SELECT name FROM cjk_options()")
    victim.execute("CREATE VIEW words AS SELECT cjk_query('学习', 'any') AS expression")
    assert fts.column(victim, "SELECT token FROM tokens")[0] == "学习"
    for view in ("chunks", "options", "words"):
        assert fts.rows(victim, f"SELECT * FROM {view}")


def big_table(conn: Any) -> None:
    conn.execute("CREATE VIRTUAL TABLE big USING fts5(x, tokenize='cjk')")
    conn.execute(
        "INSERT INTO big WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
        " SELECT '机器学习的方法' || i FROM n"
    )


SLOW = "SELECT count(*) FROM cjk_search('big', ?, '{\"limit\": 100000, \"budget\": 1000000000}')"


def test_an_interrupt_ends_a_search() -> None:
    conn = apsw.Connection(":memory:")
    cjk_tokenizer.load(conn, fallback=False)
    big_table(conn)
    text = "".join(chr(0x4E00 + i) for i in range(200)) + "机器学习的方法"
    start = time.process_time()
    assert fts.value(conn, SLOW, text) == 60000
    whole = time.process_time() - start
    assert whole > 0.02, "too quick to be stopped in the middle"
    timer = threading.Timer(0.005, conn.interrupt)
    timer.start()
    start = time.process_time()
    with pytest.raises(apsw.InterruptError):
        for _ in range(1000):  # whenever the timer comes
            fts.value(conn, SLOW, text)
    timer.join()
    assert time.process_time() - start < whole + 1
    assert fts.value(conn, SLOW, text) == 60000, "and the next search is a whole one"


@pytest.mark.parametrize("host", fts.HOSTS)
def test_a_progress_handler_ends_a_search_where_it_stands(host: str) -> None:
    """Searches run statements of their own, and each of them asks the handler."""
    conn = fts.open_host(host)
    big_table(conn)
    calls = 0

    def count() -> bool:
        nonlocal calls
        calls += 1
        return calls >= limit

    limit = 1_000_000
    conn.set_progress_handler(count, 1000)
    assert fts.value(conn, SLOW, "机器学习的方法") == 60000
    whole = calls
    assert whole > 100
    for limit in (1, whole // 2, whole - 1):
        calls = 0
        with pytest.raises(Exception, match=r"(?i)interrupt"):
            fts.value(conn, SLOW, "机器学习的方法")
        assert calls == limit, "nothing goes on after it"
    conn.set_progress_handler(None, 1000)
    assert fts.value(conn, SLOW, "机器学习的方法") == 60000


@pytest.mark.parametrize(
    ("tokenize", "text", "mode"),
    [
        ("trigram", "數據庫 天氣", "all"),
        ("trigram", "天氣", "all"),
        ("trigram", "天", "any"),
        ("trigram", "ab", "phrase"),
        ("trigram", "數據庫 天", "prefix"),
        ("trigram", "數據庫 -天氣", "web"),
        ("trigram", "ﾃﾞ", "grams"),
        ("trigram case_sensitive 1", "🍐", "words"),
        ("cjk trigram", "go 学习", "all"),
    ],
)
def test_trigram_drops_no_word_in_silence(tokenize: str, text: str, mode: str) -> None:
    with pytest.raises(cjk_tokenizer.Error, match="trigram has no term for"):
        cjk_tokenizer.query(text, mode, tokenize=tokenize)


@pytest.mark.parametrize(
    ("tokenize", "text", "mode", "expression"),
    [
        ("trigram", "數據庫 ？", "all", '"數據庫"'),
        ("trigram", "？", "all", '""'),
        ("trigram", "數據庫天氣", "any", '"數據庫" OR "據庫天" OR "庫天氣"'),
        ("unicode61", "C++ ?", "all", '"C++"'),
        ("unicode61", "学习 机器", "prefix", '"学习" AND "机器"*'),
        ("porter", "running", "any", '"running"'),
        ("cjk trigram", "学习 rust", "all", '"学习" AND "rust"'),
    ],
)
def test_queries_for_other_tokenizers(tokenize: str, text: str, mode: str, expression: str) -> None:
    assert cjk_tokenizer.query(text, mode, tokenize=tokenize) == expression


def test_auto_finds_what_trigram_can_find() -> None:
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk trigram')")
    conn.execute("INSERT INTO t VALUES ('学习go语言'), ('学习rust')")
    sql = "SELECT rowid FROM cjk_search('t', 'go 学习', ?)"
    assert set(fts.column(conn, sql, None)) == {1, 2}
    with pytest.raises(sqlite3.OperationalError, match="trigram has no term for"):
        fts.rows(conn, sql, '{"mode": "all"}')


def test_what_is_marked_is_said() -> None:
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES ('机器学习', '天气'), ('天气', '机器')")
    for options, marked in ((None, {"[机器]学习", "天气"}), ('{"columns": "a"}', {"[机器]学习"})):
        expression = fts.value(conn, "SELECT expression FROM cjk_search('t', '机器', ?)", options)
        sql = "SELECT cjk_highlight(t, 0, '[', ']') FROM t WHERE t MATCH ?"
        assert set(fts.column(conn, sql, expression)) == marked
