"""Whatever a segmenter does wrong is said, takes the statement back and leaves the connection
usable.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
import sys
from typing import Any, Callable

import pytest
from callables import TEXT, Failure, fail, make_table, pairs, raises_itself
from fts import column, hits, open_host, rows, value

import cjk_tokenizer
from cjk_tokenizer import (
    register_segmenter,
    tokenize,
)
from cjk_tokenizer.errors import SegmenterError

pytestmark = pytest.mark.usefixtures("library")


WRONG: list[tuple[str, Callable[[str], Any], str]] = [
    ("gap", lambda text: [(0, 1), (2, len(text))], "is a gap .* at character 2, .* ends at 1"),
    ("overlap", lambda text: [(0, 2), (1, len(text))], "is an overlap .* at character 1"),
    ("short", lambda text: [(0, len(text) - 1)], "end at character 8 of the 9"),
    ("too long", lambda text: [(0, len(text) + 1)], "from character 0 to 10 of the 9"),
    ("backwards", lambda text: [(0, 0), (0, len(text))], "from character 0 to 0"),
    ("negative", lambda text: [(-1, len(text))], "overlap"),
    ("missing word", lambda text: [text[:2], text[3:]], "not those of the text"),
    ("missing end", lambda text: [text[:2]], "end at character 2 of the 9"),
    ("changed", lambda text: [text.replace("北", "南")], "'我来到南京清华大学' is not what"),
    ("more", lambda text: [text, "。"], "'。' is not what stands at character 9"),
    ("blanks", lambda text: [word + " " for word in pairs(text)], "not those of the text"),
    ("nothing", lambda text: [], "no words"),
    ("empty word", lambda text: [""], "no words"),
    ("None", lambda text: None, "it gave NoneType"),
    ("a str", lambda text: text, "it gave str"),
    ("bytes", lambda text: text.encode(), "it gave bytes"),
    ("numbers", lambda text: [1, 2], "it gave 1, which is neither"),
    ("triples", lambda text: [(0, 1, 2)], "which is neither"),
    ("mixed", lambda text: [text[:1], (1, len(text))], r"it mixes .* '我' and \(1, 9\)"),
    ("mixed later", lambda text: [(0, 1), text[1:]], r"it mixes .* '来.*' and \(0, 1\)"),
    ("words and a number", lambda text: [text[:1], 3], "it gave 3, which is neither"),
    ("halves of numbers", lambda text: [(0, len(text) / 2)], "which is neither"),
    ("an end of no number", lambda text: [(0, "9")], "which is neither"),
    (
        "words without end",
        lambda text: itertools.repeat(text[0]),
        "is not what stands at character 1",
    ),
    (
        "words after the end",
        lambda text: itertools.cycle([text]),
        "is not what stands at character 9",
    ),
    ("pairs without end", lambda text: itertools.repeat((0, 1)), "is an overlap"),
    ("rising pairs without end", lambda text: ((n, n + 1) for n in itertools.count()), "9 to 10"),
    ("nothing without end", lambda text: itertools.repeat(""), "it gave 1019 words"),
    (
        "all, then nothing without end",
        lambda text: itertools.chain([text], itertools.repeat("")),
        "words",
    ),
    ("a surrogate", lambda text: [text[:-1], "\ud800"], "surrogates not allowed"),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong[0])
def test_words_that_are_not_the_text(conn: Any, wrong: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    _, function, pattern = wrong
    register_segmenter("wrong", lambda text: function(text) if text == TEXT else [text])
    make_table(conn, "segment wrong")
    for statement in f"INSERT INTO t VALUES ('{TEXT}')", f"SELECT * FROM t('{TEXT}')":
        with pytest.raises(Exception) as caught:
            rows(conn, statement)
        if raises_itself(conn):
            assert isinstance(caught.value, (SegmenterError, UnicodeEncodeError))
            caught.match(pattern)
        else:
            assert isinstance(caught.value, sqlite3.OperationalError)
            error = cjk_tokenizer.last_segmenter_error()
            assert isinstance(error, (SegmenterError, UnicodeEncodeError))
        said = value(conn, "SELECT cjk_error()")
        assert "segmenter wrong" in said and TEXT in said
    assert rows(conn, "SELECT * FROM t") == []
    conn.execute("INSERT INTO t VALUES ('好')")
    assert hits(conn, "好") == [1]


_SQLITES_OWN = re.compile("interrupted|SQL logic error|segmenter")


def run(conn: Any, sql: str, *parameters: Any) -> None:
    """Expect what a failing segmenter makes of a statement on this connection."""
    if raises_itself(conn):
        with pytest.raises(Failure) as caught:
            rows(conn, sql, *parameters)
        assert any(entry.name == "fail" for entry in caught.traceback)
        if isinstance(conn, sqlite3.Connection):
            assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
    else:
        with pytest.raises(sqlite3.OperationalError, match=_SQLITES_OWN):
            rows(conn, sql, *parameters)


@pytest.mark.parametrize("columns", ["x", "x, y"])
@pytest.mark.parametrize("is_inside", [False, True], ids=["alone", "in a transaction"])
def test_no_row_is_stored_without_its_index(
    conn: Any, columns: str, is_inside: bool, reports: list[Any]
) -> None:
    """The transaction goes with it: SQLite cannot take a single row back from a virtual table."""
    register_segmenter("fail", fail)
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5({columns}, tokenize='cjk segment fail')")
    conn.execute("CREATE TABLE plain (x)")
    conn.execute("INSERT INTO t(x) VALUES ('一二三四')")
    if is_inside:
        conn.execute("BEGIN")
        conn.execute("INSERT INTO plain VALUES (1)")
    run(conn, "INSERT INTO t(x) VALUES ('三四坏的')")
    assert value(conn, "SELECT count(*) FROM t") == 1
    assert rows(conn, "SELECT * FROM plain") == []
    conn.execute("INSERT INTO t(x) VALUES ('五六')")
    assert hits(conn, "三四") == [1] and hits(conn, "五六") == [2]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    assert len(reports) == (not raises_itself(conn))


@pytest.mark.parametrize(
    "statement",
    [
        'INSERT INTO t SELECT value FROM json_each(\'["好", "坏", "好"]\')',
        "INSERT OR IGNORE INTO t VALUES ('坏')",
        "INSERT OR REPLACE INTO t(rowid, x) VALUES (1, '坏')",
        "UPDATE t SET x = '坏' WHERE rowid = 1",
        "UPDATE t SET x = x || '坏'",
        "INSERT INTO source VALUES ('坏')",
    ],
)
def test_other_statements_are_taken_back(conn: Any, statement: str, reports: list[Any]) -> None:
    register_segmenter("fail", fail)
    make_table(conn, "segment fail")
    conn.execute("CREATE TABLE source (x)")
    conn.execute(
        "CREATE TRIGGER copied AFTER INSERT ON source BEGIN INSERT INTO t VALUES (new.x); END"
    )
    conn.execute("INSERT INTO t VALUES ('一二'), ('三四')")
    run(conn, statement)
    assert column(conn, "SELECT x FROM t") == ["一二", "三四"]
    assert column(conn, "SELECT x FROM source") == []
    assert hits(conn, "一二") == [1]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def test_a_query_that_fails_takes_nothing_back(conn: Any, reports: list[Any]) -> None:
    register_segmenter("fail", fail)
    make_table(conn, "segment fail")
    conn.execute("BEGIN")
    conn.execute("INSERT INTO t VALUES ('一二')")
    run(conn, "SELECT * FROM t WHERE t MATCH '坏'")
    run(conn, "SELECT * FROM cjk_tokens('坏', 'segment fail')")
    run(conn, "SELECT * FROM cjk_search('t', '坏')")
    run(conn, "SELECT cjk_query('坏', 'all', '{\"tokenize\": \"segment fail\"}')")
    conn.execute("COMMIT")
    assert hits(conn, "一二") == [1]


def test_plain_connections_report_what_they_cannot_raise(reports: list[Any]) -> None:
    conn = open_host("sqlite3")
    register_segmenter("fail", fail)
    make_table(conn, "segment fail")
    with pytest.raises(sqlite3.OperationalError):
        conn.execute("INSERT INTO t VALUES ('坏')")
    error = cjk_tokenizer.last_segmenter_error()
    assert isinstance(error, Failure) and error.__traceback__ is not None
    assert reports == [(error, fail)]
    assert value(conn, "SELECT cjk_error()") == 'segmenter fail, text "坏": Failure: 坏'


def test_every_way_of_a_cursor_raises_it() -> None:
    register_segmenter("fail", fail)
    conn = cjk_tokenizer.connect(":memory:")
    make_table(conn, "segment fail")
    conn.execute("CREATE TABLE q (x)")
    conn.executemany("INSERT INTO q VALUES (?)", [("一",), ("坏",)])
    conn.commit()
    steps = "SELECT (SELECT count(*) FROM t(q.x)) FROM q"
    ways: list[Callable[[], Any]] = [
        lambda: conn.execute("INSERT INTO t VALUES ('坏')"),
        lambda: conn.executemany("INSERT INTO t VALUES (?)", [("好",), ("坏",)]),
        lambda: conn.executescript("BEGIN; INSERT INTO t VALUES ('好坏'); COMMIT"),
        lambda: conn.cursor().execute("INSERT INTO t VALUES ('坏')"),
        lambda: list(conn.execute(steps)),
        lambda: conn.execute(steps).fetchall(),
        lambda: conn.execute(steps).fetchmany(5),
        lambda: fetch_two(conn.execute(steps)),
    ]
    for way in ways:
        with pytest.raises(Failure):
            way()
        conn.rollback()
    assert rows(conn, "SELECT * FROM t") == []


def fetch_two(cursor: sqlite3.Cursor) -> tuple[Any, Any]:
    return cursor.fetchone(), cursor.fetchone()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="autocommit is new in Python 3.12")
@pytest.mark.parametrize("way", ["execute", "executemany", "executescript"])
def test_a_connection_without_autocommit_stays_in_a_transaction(way: str, tmp_path: Any) -> None:
    """It gets a new one: else what is written next would be there for good."""
    register_segmenter("fail", fail)
    conn = cjk_tokenizer.connect(str(tmp_path / "x.db"), autocommit=False)
    make_table(conn, "segment fail")
    conn.execute("CREATE TABLE plain (x)")
    conn.commit()
    arguments: dict[str, list[Any]] = {
        "execute": ["INSERT INTO t VALUES ('坏')"],
        "executemany": ["INSERT INTO t VALUES (?)", [("好",), ("坏",)]],
        "executescript": ["INSERT INTO t VALUES ('坏')"],
    }

    def break_it() -> None:
        with pytest.raises(Failure):
            getattr(conn, way)(*arguments[way])

    conn.execute("INSERT INTO plain VALUES ('lost')")
    break_it()
    assert conn.in_transaction
    conn.execute("INSERT INTO plain VALUES ('taken back')")
    conn.rollback()
    break_it()
    conn.execute("INSERT INTO plain VALUES ('kept')")
    conn.commit()
    with pytest.raises(Failure), conn:
        getattr(conn, way)(*arguments[way])
    other = sqlite3.connect(str(tmp_path / "x.db"))
    assert column(other, "SELECT x FROM plain") == ["kept"]
    assert column(conn, "SELECT x FROM t") == []
    conn.close()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="autocommit is new in Python 3.12")
@pytest.mark.parametrize("settings", [{"autocommit": True}, {}, {"isolation_level": None}])
def test_other_connections_get_no_transaction(settings: dict[str, Any]) -> None:
    register_segmenter("fail", fail)
    conn = cjk_tokenizer.connect(":memory:", **settings)
    make_table(conn, "segment fail")
    with pytest.raises(Failure):
        conn.execute("INSERT INTO t VALUES ('坏')")
    assert not conn.in_transaction


def test_a_stray_stop_iteration_is_not_the_end_of_the_rows(conn: Any, reports: list[Any]) -> None:
    register_segmenter("empty", lambda text: next(iter(())) if text == "坏" else [text])
    make_table(conn, "segment empty")
    conn.execute("INSERT INTO t VALUES ('好')")
    later = "SELECT iif(value = 1, 1, (SELECT 1 FROM t('坏'))) FROM json_each('[1, 2]')"
    for statement in "INSERT INTO t VALUES ('坏')", "SELECT * FROM t('坏')", later:
        with pytest.raises((RuntimeError, sqlite3.OperationalError)) as caught:
            list(conn.execute(statement))
        error = caught.value if raises_itself(conn) else cjk_tokenizer.last_segmenter_error()
        assert type(error) is RuntimeError and "raised StopIteration" in str(error)
        assert isinstance(error.__cause__, StopIteration)


def test_other_errors_stay_what_they_are(reports: list[Any]) -> None:
    register_segmenter("fail", fail)
    plain, conn = open_host("sqlite3"), cjk_tokenizer.connect(":memory:")
    make_table(plain, "segment fail")
    with pytest.raises(sqlite3.OperationalError):
        plain.execute("INSERT INTO t VALUES ('坏')")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        conn.execute("SELECT * FROM missing")
    with pytest.raises(sqlite3.OperationalError, match="syntax"):
        conn.execute("SELEC")


def test_connect_with_a_factory_leaves_it_alone(reports: list[Any]) -> None:
    class Mine(sqlite3.Connection):
        pass

    register_segmenter("fail", fail)
    for conn in (
        cjk_tokenizer.connect(":memory:", factory=Mine),
        cjk_tokenizer.connect(":memory:", 5.0, 0, None, True, Mine),
    ):
        assert type(conn) is Mine
        make_table(conn, "segment fail")
        with pytest.raises(sqlite3.OperationalError):
            conn.execute("INSERT INTO t VALUES ('坏')")
    assert len(reports) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM t('二')",
        "INSERT INTO t VALUES ('二')",
        "INSERT INTO t VALUES (NULL)",
        "INSERT INTO t(t) VALUES ('optimize')",
        "INSERT INTO plain VALUES (1)",
        "UPDATE t SET x = 'b' WHERE rowid = 1",
        "DELETE FROM t",
        "ROLLBACK",
    ],
)
@pytest.mark.parametrize("is_swallowed", [False, True])
def test_a_segmenter_that_uses_its_connection(
    conn: Any, statement: str, is_swallowed: bool, reports: list[Any]
) -> None:
    def cut(text: str) -> list[str]:
        if text == "一":
            try:
                rows(conn, statement)
            except Exception:
                if not is_swallowed:
                    raise
        return [text]

    register_segmenter("mine", cut)
    make_table(conn, "segment mine")
    conn.execute("CREATE TABLE plain (x)")
    conn.execute("INSERT INTO t VALUES ('好')")
    conn.execute("BEGIN")
    conn.execute("INSERT INTO t VALUES ('更好')")
    with pytest.raises(Exception) as caught:
        rows(conn, "INSERT INTO t VALUES ('一')")
    if raises_itself(conn):
        assert isinstance(caught.value, SegmenterError)
        assert str(caught.value) == (
            "segmenter mine: it used the connection that it cuts for; a segmenter must leave that "
            "alone"
        )
    else:
        assert isinstance(caught.value, sqlite3.OperationalError)
        assert isinstance(reports[0][0], SegmenterError)
    assert column(conn, "SELECT x FROM t") == ["好"]
    assert rows(conn, "SELECT * FROM plain") == []
    conn.execute("INSERT INTO t VALUES ('三')")
    assert hits(conn, "好") == [1] and hits(conn, "三") == [2]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("method", ["close", "rollback"])
def test_a_segmenter_cannot_end_its_connection(method: str) -> None:
    conn = cjk_tokenizer.connect(":memory:")
    other = cjk_tokenizer.connect(":memory:")

    def cut(text: str) -> list[str]:
        getattr(other, method)()
        getattr(conn, method)()
        return [text]

    register_segmenter("mine", cut)
    make_table(conn, "segment mine")
    with pytest.raises(sqlite3.ProgrammingError, match="by a segmenter that it is using"):
        conn.execute("INSERT INTO t VALUES ('一')")
    assert rows(conn, "SELECT * FROM t") == []
    conn.rollback()
    conn.close()


def test_python_functions_raise_it(reports: list[Any]) -> None:
    register_segmenter("fail", fail)
    with pytest.raises(Failure):
        tokenize("坏", "segment fail")
    with pytest.raises(Failure):
        cjk_tokenizer.query("坏", tokenize="segment fail")
    conn = cjk_tokenizer.connect(":memory:")
    make_table(conn, "segment fail")
    with pytest.raises(Failure):
        list(cjk_tokenizer.search(conn, "t", "坏"))
    assert reports == []
