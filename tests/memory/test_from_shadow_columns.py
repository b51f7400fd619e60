"""docs/from-shadow-columns.md, carried out on databases that were built the old ways."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import cjk_tokenizer
from cjk_tokenizer.memory import index_text, query_expr, tokenize_indexing, tokenize_query
from cjk_tokenizer.memory.segmenters import load_segmenter

PAGE = Path(__file__).resolve().parents[2] / "docs" / "from-shadow-columns.md"
BODIES = [
    "数据库每天凌晨两点自动备份到另一台机器",
    "我的项目偏好写在设计文档里",
    "东京都的天气很好，东京塔也很高",
    "項目　偏好",
    "学习SQLite全文搜索",
    "",
    "plain words",
]
TYPED = ["备份", "项目偏好", "东京", "天气很好", "SQLite", "学", "塔也很", "猫", "", '"', "*"]


class Way(NamedTuple):
    """How an application wrote its shadow column and its queries."""

    store: Callable[[str], str]
    ask: Callable[[str], str]


WAYS = {
    "bigrams": Way(index_text, query_expr),
    "words": Way(tokenize_indexing, tokenize_query),
}


def steps() -> dict[str, str]:
    """The SQL of each section, by its number; that of the introduction is 0."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    sql = ["\n".join(re.findall(r"^```sql\n(.*?)^```", text, re.M | re.S)) for text in sections]
    numbers = ["0", *(section[0] for section in sections[1:])]
    return {number: text for number, text in zip(numbers, sql) if text}


@pytest.fixture(params=sorted(WAYS))
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


@pytest.fixture
def path(way: Way, tmp_path: Path) -> Path:
    """A database as such an application has it, made without the tokenizer."""
    path = tmp_path / "notes.db"
    conn = sqlite3.connect(path)
    conn.executescript(steps()["0"])
    rows = [(body, way.store(body)) for body in BODIES]
    conn.executemany("INSERT INTO notes(body, shadow) VALUES (?, ?)", rows)
    conn.commit()
    conn.close()
    return path


def found(conn: sqlite3.Connection, table: str, expression: str) -> set[int]:
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ?"
    return {row[0] for row in conn.execute(sql, (expression,))}


def holding(conn: sqlite3.Connection, typed: str) -> set[int]:
    sql = "SELECT id FROM notes WHERE body LIKE '%' || ? || '%'"
    return {row[0] for row in conn.execute(sql, (typed,))}


def check(conn: sqlite3.Connection, table: str) -> None:
    conn.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")


def assert_finds_what_the_text_holds(conn: sqlite3.Connection) -> None:
    for typed in TYPED:
        expected = holding(conn, typed) if any(c.isalnum() for c in typed) else set()
        assert found(conn, "notes_cjk", cjk_tokenizer.query(typed)) == expected, typed


def test_the_page_has_the_steps() -> None:
    assert list(steps()) == ["0", "2", "3", "4", "6"]


def test_the_whole_move(way: Way, path: Path) -> None:
    conn = sqlite3.connect(path, isolation_level=None)
    cjk_tokenizer.load(conn, fallback=False)
    before = {typed: found(conn, "notes_fts", way.ask(typed) or '""') for typed in TYPED}
    assert before["备份"] == {1} and before["项目偏好"] >= {2}

    conn.executescript(steps()["2"] + steps()["3"])
    assert_finds_what_the_text_holds(conn)

    # Both follow the table, while programs go on writing the column.
    added = "新的备份在云端"
    insert = "INSERT INTO notes(id, body, shadow) VALUES (?, ?, ?)"
    conn.execute(insert, (100, added, way.store(added)))
    conn.execute("UPDATE notes SET body = ?, shadow = ? WHERE id = 3", ("塔", way.store("塔")))
    conn.execute("UPDATE notes SET id = 50 WHERE id = 5")
    conn.execute("DELETE FROM notes WHERE id = 4")
    conn.executescript(steps()["4"])
    check(conn, "notes_fts")
    assert_finds_what_the_text_holds(conn)
    assert found(conn, "notes_cjk", cjk_tokenizer.query("备份")) == {1, 100}
    assert found(conn, "notes_fts", way.ask("备份")) == {1, 100}

    pages = conn.execute("PRAGMA page_count").fetchone()
    conn.executescript(steps()["6"])
    assert conn.execute("PRAGMA page_count").fetchone() < pages
    assert [row[1] for row in conn.execute("PRAGMA table_info(notes)")] == ["id", "body"]
    conn.execute("INSERT INTO notes(body) VALUES ('再次备份')")
    check(conn, "notes_cjk")
    assert_finds_what_the_text_holds(conn)
    conn.close()

    # What is left needs the tokenizer, and says so.
    conn = sqlite3.connect(path)
    with pytest.raises(sqlite3.OperationalError, match="no such tokenizer: cjk"):
        conn.execute("INSERT INTO notes(body) VALUES ('x')")
    conn.close()


def test_what_the_table_of_differences_says() -> None:
    conn = cjk_tokenizer.connect(":memory:")
    conn.executescript(steps()["0"] + steps()["2"] + steps()["3"])

    def ids(way: str, body: str, typed: str) -> tuple[bool, bool]:
        """Whether the old and the new index find a body."""
        conn.execute("DELETE FROM notes")
        insert = "INSERT INTO notes(id, body, shadow) VALUES (1, ?, ?)"
        conn.execute(insert, (body, WAYS[way].store(body)))
        old = found(conn, "notes_fts", WAYS[way].ask(typed) or '""')
        return bool(old), bool(found(conn, "notes_cjk", cjk_tokenizer.query(typed)))

    assert ids("bigrams", "学习SQLite", "SQLite") == (False, True)
    assert ids("bigrams", "ガス", "ｶﾞｽ") == (False, True)
    assert ids("bigrams", "天气预报", "天气很好") == (True, False)
    assert found(conn, "notes_cjk", cjk_tokenizer.query("天气很好", "any")) == {1}
    if load_segmenter("zh") is None:
        pytest.skip("no dictionary of words")
    assert ids("words", "項目名", "目名") == (False, True)
    assert ids("words", "项目的偏好", "项目偏好") == (True, False)
    assert found(conn, "notes_cjk", cjk_tokenizer.query("项目 偏好")) == {1}
