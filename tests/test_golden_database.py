"""Indexes of released versions: searched, changed, and whole after it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fts
import golden_database
import pytest

import cjk_tokenizer

DATABASES = sorted(golden_database.DIRECTORY.glob("index-*.db"))
# What is typed -> the rows of TEXTS (from 1) that hold it, in every table.
FOUND = {
    "学习": [1], "TypeScript": [1], "データ": [2], "株式会社": [2], "검색": [3], "문화": [3],
    "เชียงใหม่": [4], "東京": [5], "纪要": [], "🍐": [5], "方針": [6], "葛城": [6],
}  # fmt: skip


@pytest.fixture(params=DATABASES, ids=lambda path: path.stem)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(shutil.copy(request.param, tmp_path / "copy.db"))


@pytest.fixture(params=fts.HOSTS)
def conn(request: pytest.FixtureRequest, database: str) -> Iterator[Any]:
    conn = fts.open_host(request.param, database)
    yield conn
    conn.close()


def rows(conn: Any, table: str, expression: str) -> list[int]:
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"
    return [row for (row,) in conn.execute(sql, (expression,))]


def expression(table: str, text: str) -> str:
    """A phrase; single terms where the table keeps no positions."""
    mode = "grams" if table == "unigrams" else "phrase"
    arguments = golden_database.TABLES[table].split("'")[1]
    return cjk_tokenizer.query(text, mode, tokenize=arguments)


def check(conn: Any, table: str) -> None:
    if table != "bare":  # contentless: there is nothing to compare with
        conn.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")


def test_there_is_one_of_this_version() -> None:
    assert golden_database.path() in DATABASES


@pytest.mark.parametrize("table", golden_database.TABLES)
def test_it_is_found_and_whole(conn: Any, table: str) -> None:
    check(conn, table)
    for text, expected in FOUND.items():
        if table == "folds" and text == "纪要":
            expected = [5]  # 紀要 in the text
        assert rows(conn, table, expression(table, text)) == expected, text


@pytest.mark.parametrize(
    "table", [t for t in golden_database.TABLES if t not in ("bare", "beside")]
)
def test_rows_are_changed_and_deleted(conn: Any, table: str) -> None:
    conn.execute(f"UPDATE {table} SET x = '猫' WHERE rowid = 1")
    conn.execute(f"DELETE FROM {table} WHERE rowid IN (2, 4)")
    conn.execute(f"INSERT INTO {table}(rowid, x) VALUES (7, ?)", (golden_database.TEXTS[0],))
    check(conn, table)
    assert rows(conn, table, expression(table, "学习")) == [7]
    assert rows(conn, table, expression(table, "데이터")) == []


def test_old_text_is_deleted_by_its_old_tokens(conn: Any) -> None:
    """FTS5 tokenizes the old text again: another stream would leave its tokens behind."""
    old = "INSERT INTO beside(beside, rowid, x) SELECT 'delete', id, x FROM texts"
    conn.execute(old)
    conn.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, beside, row)")
    assert conn.execute("SELECT count(*) FROM temp.v").fetchone() == (0,)
