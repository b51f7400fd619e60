"""Every kind of FTS5 table and query, over CJK text, in an old SQLite and a new one."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from fts import HOSTS, add_rows, column, hits, make_table, open_host, quoted, rows, value, version

pytestmark = pytest.mark.usefixtures("library")

DOCUMENTS = [
    "机器学习很有趣",
    "我们学习机器翻译",
    "東京都の天気は晴れ",
    "京都は雨、東京は晴れ",
    "한국어 문서를 검색합니다",
    "ภาษาไทยไม่เว้นวรรค",
    "The machine 学习 course 2024",
    "学",
    "",
]


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


def check(conn: Any, name: str = "t") -> None:
    """FTS5's own integrity check: the index is what the text tokenizes to, now."""
    conn.execute(f"INSERT INTO {name}({name}, rank) VALUES ('integrity-check', 1)")


def search(conn: Any, sql: str, *parameters: Any) -> list[int]:
    return sorted(column(conn, sql, *parameters))


def assert_found(conn: Any, name: str = "t") -> None:
    """The words that make the point, in a table of DOCUMENTS."""
    expected: dict[str, list[int]] = {
        "学习": [0, 1, 6],
        "学": [0, 1, 6, 7],
        "器学": [0],
        "机器学习": [0],
        "東京": [2, 3],
        "京都": [2, 3],
        "都の天": [2],
        "국어": [4],
        "검": [4],
        "ไทย": [5],
        "machine 学习": [6],
        "2024": [6],
        "习学": [],
    }
    for query, found in expected.items():
        assert hits(conn, quoted(query), name) == found, query


# --- Queries -------------------------------------------------------------------------------------


@pytest.fixture
def library_table(conn: Any) -> Any:
    conn.execute("CREATE VIRTUAL TABLE b USING fts5(title, author, body, tokenize='cjk')")
    conn.executemany(
        "INSERT INTO b(rowid, title, author, body) VALUES (?, ?, ?, ?)",
        [
            (1, "機械学習入門", "山田太郎", "学習の基礎から応用まで"),
            (2, "山田の料理", "鈴木花子", "機械は使わない。学習も要らない"),
            (3, "응용 기계 학습", "김철수", "기계 학습의 기초"),
        ],
    )
    return conn


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        # Column filters.
        ("title : 学習", [1]),
        ("body : 学習", [1, 2]),
        ("{title author} : 山田", [1, 2]),
        ("- title : 山田", [1]),
        ("author : 山田 AND body : 基礎", [1]),
        ("author : ( 山田 OR 鈴木 )", [1, 2]),
        ("title : 계", [3]),
        # The start of a column.
        ("^ 機械", [1, 2]),
        ("body : ^ 機械", [2]),
        ("title : ^ 学習", []),
        ("^ 응용", [3]),
        ("^ 山", [1, 2]),
        # Operators.
        ("機械 NOT 入門", [2]),
        ("学習 AND 入門", [1]),
        ("入門 OR 料理 OR 기초", [1, 2, 3]),
        ("学習 応用", [1]),
        ("(学習 OR 학습) NOT 山田", [3]),
        # A phrase made of two strings.
        ('"機械" + "学習"', []),
        ('"機械学習"', [1]),
        # Prefixes.
        ("機械学*", [1]),
        ("機*", [1, 2]),
        ("기*", [3]),
        ('"学習入" *', [1]),
        ("title : 山*", [2]),
        ("^ 機械学*", [1]),
        # NEAR counts positions: each character is one.
        ("NEAR(機械 入門, 10)", [1]),
        ("NEAR(基礎 応用, 3)", [1]),
        ("NEAR(基礎 応用, 1)", []),
        ("NEAR(機械 要ら, 50)", [2]),
        ("NEAR(学習 山田)", []),
    ],
)
def test_query_syntax(library_table: Any, match: str, expected: list[int]) -> None:
    assert hits(library_table, match, "b") == expected


def test_the_functional_and_the_equals_form(library_table: Any) -> None:
    assert search(library_table, "SELECT rowid FROM b('学習')") == [1, 2]
    assert search(library_table, "SELECT rowid FROM b WHERE b = '学習'") == [1, 2]
    assert search(library_table, "SELECT rowid FROM b WHERE title MATCH '学習'") == [1]


def test_rank_prefers_more_and_shorter(conn: Any) -> None:
    make_table(conn, ["学习", "学习" + "好" * 200, "学习学习学习", "无"])
    found = column(conn, "SELECT rowid FROM t WHERE t MATCH '学习' ORDER BY rank")
    assert sorted(found) == [0, 1, 2]
    assert found[-1] == 1


# --- Tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("detail", ["full", "column", "none"])
@pytest.mark.parametrize("more", ["", "prefix='1 2 3'", "columnsize=0", "content=''"])
def test_details(conn: Any, detail: str, more: str) -> None:
    make_table(conn, DOCUMENTS, options=f"detail={detail}" + (f", {more}" if more else ""))
    if detail == "full":
        assert_found(conn)
        return
    # Without positions there are no phrases: two characters at most, AND for more.
    assert hits(conn, "学习") == [0, 1, 6]
    assert hits(conn, "学") == [0, 1, 6, 7]
    assert hits(conn, "机器 AND 器学 AND 学习") == [0]
    assert hits(conn, "学*") == [0, 1, 6, 7]
    with pytest.raises(Exception, match="phrase queries"):
        hits(conn, "机器学习")


def test_columns_without_positions(conn: Any) -> None:
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(a, b, detail=column, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES ('学习', '天气'), ('天气', '学习')")
    assert hits(conn, "a : 学习") == [1]
    assert hits(conn, "b : 气") == [1]


@pytest.mark.parametrize("sizes", ["1", "2", "3", "1 2 3 6"])
def test_prefix_indexes_change_no_answer(conn: Any, sizes: str) -> None:
    """FTS5 counts prefixes in characters: one to three of a bigram, a cluster, a word."""
    make_table(conn, DOCUMENTS)
    make_table(conn, DOCUMENTS, options=f"prefix='{sizes}'", name="p")
    for query in ["学", "学习", "机器学", "東", "東京", "국", "ภ", "ภา", "m", "ma", "machi", "2"]:
        match = quoted(query) + "*"
        assert hits(conn, match, "p") == hits(conn, match), query
        assert hits(conn, match, "p")
    assert_found(conn, "p")
    check(conn, "p")


def test_an_index_without_unigrams_finds_characters_by_prefix(conn: Any) -> None:
    make_table(conn, DOCUMENTS, "cjk unigrams 0", "prefix='1 2'")
    assert hits(conn, "学*") == [0, 1, 6, 7]
    assert hits(conn, "学习") == [0, 1, 6]
    assert hits(conn, "机器学习") == [0]
    check(conn)


@pytest.mark.parametrize("columnsize", [0, 1])
def test_columnsize(conn: Any, columnsize: int) -> None:
    make_table(conn, DOCUMENTS, options=f"columnsize={columnsize}")
    assert_found(conn)
    assert column(conn, "SELECT rowid FROM t WHERE t MATCH '学' ORDER BY rank")
    conn.execute("DELETE FROM t WHERE rowid = 0")
    assert hits(conn, "机器学习") == []
    check(conn)


def test_external_content(conn: Any) -> None:
    conn.execute("CREATE TABLE c(id INTEGER PRIMARY KEY, body TEXT)")
    conn.executemany("INSERT INTO c VALUES (?, ?)", list(enumerate(DOCUMENTS)))
    conn.execute(
        "CREATE VIRTUAL TABLE t USING fts5(body, content=c, content_rowid=id, tokenize='cjk')"
    )
    conn.execute("INSERT INTO t(t) VALUES ('rebuild')")
    assert_found(conn)
    for sql in [
        "CREATE TRIGGER ai AFTER INSERT ON c BEGIN"
        " INSERT INTO t(rowid, body) VALUES (new.id, new.body); END",
        "CREATE TRIGGER ad AFTER DELETE ON c BEGIN"
        " INSERT INTO t(t, rowid, body) VALUES ('delete', old.id, old.body); END",
        "CREATE TRIGGER au AFTER UPDATE ON c BEGIN"
        " INSERT INTO t(t, rowid, body) VALUES ('delete', old.id, old.body);"
        " INSERT INTO t(rowid, body) VALUES (new.id, new.body); END",
    ]:
        conn.execute(sql)
    conn.execute("UPDATE c SET body = '今天学习日本語' WHERE id = 2")
    conn.execute("INSERT INTO c VALUES (20, '中国学习')")
    conn.execute("DELETE FROM c WHERE id = 0")
    assert hits(conn, "学习") == [1, 2, 6, 20]
    assert hits(conn, "天気") == []
    check(conn)
    # UPSERT fires the same triggers.
    conn.execute(
        "INSERT INTO c VALUES (20, '料理') ON CONFLICT(id) DO UPDATE SET body = excluded.body"
    )
    assert hits(conn, "料") == [20]
    assert hits(conn, "中国") == []
    check(conn)


def test_an_index_that_disagrees_is_noticed(conn: Any) -> None:
    conn.execute("CREATE TABLE c(id INTEGER PRIMARY KEY, body TEXT)")
    conn.execute("INSERT INTO c VALUES (1, '学习')")
    conn.execute(
        "CREATE VIRTUAL TABLE t USING fts5(body, content=c, content_rowid=id, tokenize='cjk')"
    )
    conn.execute("INSERT INTO t(t) VALUES ('rebuild')")
    check(conn)
    conn.execute("UPDATE c SET body = '学校'")
    with pytest.raises(Exception, match=r"malformed|checksum"):
        check(conn)


def test_contentless(conn: Any) -> None:
    make_table(conn, DOCUMENTS, options="content=''")
    assert_found(conn)
    assert rows(conn, "SELECT body FROM t WHERE t MATCH '学习'") == [(None,)] * 3
    conn.execute("INSERT INTO t(t, rowid, body) VALUES ('delete', 0, ?)", (DOCUMENTS[0],))
    assert hits(conn, "学习") == [1, 6]


def test_contentless_delete(conn: Any) -> None:
    if version(conn) < (3, 43):
        with pytest.raises(Exception, match="contentless_delete"):
            make_table(conn, DOCUMENTS, options="content='', contentless_delete=1")
        return
    make_table(conn, DOCUMENTS, options="content='', contentless_delete=1")
    assert_found(conn)
    conn.execute("DELETE FROM t WHERE rowid = 0")
    conn.execute("UPDATE t SET body = '日本語' WHERE rowid = 1")
    conn.execute("INSERT OR REPLACE INTO t(rowid, body) VALUES (6, '学习')")
    assert hits(conn, "学习") == [6]
    assert hits(conn, "本") == [1]
    conn.execute("INSERT INTO t(t) VALUES ('optimize')")
    assert hits(conn, "学习") == [6]


def test_unindexed_columns(conn: Any) -> None:
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(body, path UNINDEXED, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES ('学习', '学校/天气.md')")
    assert hits(conn, "学习") == [1]
    assert hits(conn, "天气") == []


def test_update_delete_replace_and_upsert(conn: Any) -> None:
    make_table(conn, DOCUMENTS)
    conn.execute("UPDATE t SET body = body || '学习' WHERE rowid = 2")
    conn.execute("DELETE FROM t WHERE t MATCH '机器'")
    conn.execute("REPLACE INTO t(rowid, body) VALUES (7, '全部学习')")
    assert hits(conn, "学习") == [2, 6, 7]
    check(conn)
    with pytest.raises(Exception, match="UPSERT not implemented"):
        conn.execute("INSERT INTO t(rowid, body) VALUES (7, '') ON CONFLICT DO NOTHING")
    check(conn)


def test_commands(conn: Any) -> None:
    make_table(conn, DOCUMENTS)
    conn.execute("INSERT INTO t(t, rank) VALUES ('pgsz', 64)")
    for at in range(20):
        conn.execute("INSERT INTO t(rowid, body) VALUES (?, '追加の文書')", (100 + at,))
    conn.execute("INSERT INTO t(t, rank) VALUES ('merge', 16)")
    check(conn)
    conn.execute("INSERT INTO t(t) VALUES ('optimize')")
    check(conn)
    conn.execute("INSERT INTO t(t) VALUES ('rebuild')")
    check(conn)
    assert len(hits(conn, "文書")) == 20
    assert_found(conn)
    conn.execute("DELETE FROM t")
    assert hits(conn, "学*") == []
    check(conn)


def test_a_transaction_that_is_rolled_back_leaves_nothing(conn: Any) -> None:
    make_table(conn, DOCUMENTS)
    conn.execute("BEGIN")
    conn.execute("INSERT INTO t(body) VALUES ('取消學習')")
    conn.execute("SAVEPOINT s")
    conn.execute("DELETE FROM t WHERE rowid = 0")
    conn.execute("ROLLBACK TO s")
    assert hits(conn, "學習") == [9]
    conn.execute("ROLLBACK")
    assert_found(conn)
    check(conn)


def test_vocabulary(conn: Any) -> None:
    make_table(conn, ["学习 abc", "学习学"])
    conn.execute("CREATE VIRTUAL TABLE r USING fts5vocab(t, row)")
    assert rows(conn, "SELECT term, doc, cnt FROM r ORDER BY term") == [
        ("abc", 1, 1),
        ("习", 2, 2),
        ("习学", 1, 1),
        ("学", 2, 3),
        ("学习", 2, 2),
    ]
    conn.execute("CREATE VIRTUAL TABLE i USING fts5vocab(t, instance)")
    assert rows(conn, 'SELECT term, "offset" FROM i WHERE doc = 1 ORDER BY "offset", term') == [
        ("学", 0),
        ("学习", 0),
        ("习", 1),
        ("习学", 1),
        ("学", 2),
    ]
    conn.execute("CREATE VIRTUAL TABLE k USING fts5vocab(t, col)")
    assert value(conn, "SELECT cnt FROM k WHERE term = '学习' AND col = 'body'") == 2


def test_ten_columns(conn: Any) -> None:
    names = [f"c{i}" for i in range(10)]
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5({', '.join(names)}, tokenize='cjk')")
    rng = random.Random(10)
    letters = "学習日本語中国天気"
    texts = [["".join(rng.choices(letters, k=8)) for _ in names] for _ in range(50)]
    marks = ", ".join("?" * 10)
    conn.executemany(f"INSERT INTO t VALUES ({marks})", texts)
    for query in ["学習", "日本語", "天", "国天"]:
        expected = [i for i, text in enumerate(texts, 1) if any(query in each for each in text)]
        assert hits(conn, query) == expected
        for at, name in enumerate(names):
            expected = [i for i, text in enumerate(texts, 1) if query in text[at]]
            assert hits(conn, f"{name} : {query}") == expected
    check(conn)


def test_values_that_are_no_text(conn: Any) -> None:
    documents = [None, 12345, 3.25, "学习".encode(), b"\xff\xfe", "文字", 0, -7]
    make_table(conn, documents)
    assert column(conn, "SELECT body FROM t ORDER BY rowid") == documents
    assert hits(conn, "12345") == [1]
    assert hits(conn, '"3.25"') == [2]
    assert hits(conn, "学习") == [3]
    assert hits(conn, "7") == [7]
    check(conn)
    conn.execute("UPDATE t SET body = 12346 WHERE rowid = 1")
    conn.execute("DELETE FROM t WHERE rowid IN (0, 3, 4)")
    assert hits(conn, "12345 OR 学习") == []
    check(conn)
    # A query may be a number as well.
    assert search(conn, "SELECT rowid FROM t WHERE t MATCH 12346") == [1]


def test_a_table_is_copied_renamed_and_dropped(conn: Any) -> None:
    make_table(conn, DOCUMENTS)
    conn.execute("ALTER TABLE t RENAME TO renamed")
    assert_found(conn, "renamed")
    make_table(conn, [], name="copy")
    conn.execute("INSERT INTO copy(rowid, body) SELECT rowid, body FROM renamed")
    assert_found(conn, "copy")
    conn.execute("DROP TABLE renamed")
    assert_found(conn, "copy")


def test_a_file_is_opened_again(tmp_path: Any) -> None:
    """Written with one SQLite, searched and changed with the other, checked with the first."""
    path = str(tmp_path / "notes.db")
    with open_file("sqlite3", path) as conn:
        make_table(conn, DOCUMENTS)
    with open_file("apsw", path) as conn:
        assert_found(conn)
        check(conn)
        conn.execute("INSERT INTO t(rowid, body) VALUES (50, '追加')")
        conn.execute("DELETE FROM t WHERE rowid = 0")
    with open_file("sqlite3", path) as conn:
        assert hits(conn, "学习") == [1, 6]
        assert hits(conn, "追") == [50]
        check(conn)


def open_file(host: str, path: str) -> contextlib.closing[Any]:
    return contextlib.closing(open_host(host, path))


def test_a_large_index_of_many_segments(conn: Any) -> None:
    """Small pages and many transactions: terms and positions cross every border there is."""
    rng = random.Random(7)
    make_table(conn, [])
    conn.execute("INSERT INTO t(t, rank) VALUES ('pgsz', 32)")
    documents = ["".join(rng.choices("学習日本語", k=rng.randint(0, 300))) for _ in range(300)]
    for first in range(0, 300, 30):
        some = documents[first : first + 30]
        conn.execute("BEGIN")
        conn.executemany("INSERT INTO t VALUES (?)", [(document,) for document in some])
        conn.execute("COMMIT")
    for query in ["学", "学習", "日本語", "学学学学", "語学習日"]:
        expected = [i for i, document in enumerate(documents, 1) if query in document]
        assert hits(conn, query) == expected
    check(conn)


def test_locale_changes_nothing_for_bigrams(conn: Any) -> None:
    if version(conn) < (3, 47):
        with pytest.raises(Exception, match="no such function"):
            value(conn, "SELECT fts5_locale('ja', '学習')")
        return
    make_table(conn, [], options="locale=1")
    add_rows(conn, ["東京都の天気"])
    conn.execute("INSERT INTO t(rowid, body) VALUES (1, fts5_locale('ja_JP', '東京都の天気'))")
    conn.execute("INSERT INTO t(rowid, body) VALUES (2, fts5_locale('zh', '天気 weather'))")
    assert hits(conn, "天気") == [0, 1, 2]
    assert search(conn, "SELECT rowid FROM t WHERE t MATCH fts5_locale('en', '京都')") == [0, 1]
    assert hits(conn, "weather") == [2]
    check(conn)
