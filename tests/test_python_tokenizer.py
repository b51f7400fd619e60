"""Segmenters as FTS5 tokenizers in plain Python: the index is that of the compiled library.

A toy segmenter, whose words depend on all of its text, shows what it was given.
"""

from __future__ import annotations

import sqlite3
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import apsw
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY
from test_adapters import PLAIN
from test_register_reference import HOSTS, index
from test_streams_agree import compiled

import cjk_tokenizer
from cjk_tokenizer import reference, segmenters, unicode_tables
from cjk_tokenizer.errors import ArgumentError, MissingPackageError, SegmenterError
from cjk_tokenizer.segmenters import register_python_tokenizer
from cjk_tokenizer.segmenting import registered_segmenters

LANGUAGES = [None, "zh", "ja", "ko", "th", "lo", "km my", "zh ja", "ja ko th"]


def toy(text: str) -> list[str]:
    """Words of two or three characters, by the sum of the code points."""
    words = []
    while text:
        length = 2 + sum(map(ord, text)) % 2
        words.append(text[:length])
        text = text[length:]
    return words


@pytest.fixture(scope="module")
def native() -> Iterator[apsw.Connection]:
    conn = apsw.Connection(":memory:")
    cjk_tokenizer.load(conn)
    yield conn
    conn.close()


def toy_name(i: int) -> str:
    """The toy for the languages of that number, in the compiled library."""
    if f"toy{i}" not in registered_segmenters():
        cjk_tokenizer.register_segmenter(f"toy{i}", toy, languages=LANGUAGES[i])
    return f"toy{i}"


def assert_same_stream(native: apsw.Connection, text: bytes, arguments: str, i: int) -> None:
    cutter = reference.WordCutter(toy, LANGUAGES[i])
    for query in (False, True):
        expected = reference.tokenize(text, arguments, query=query, cut_run=cutter)
        found = compiled(native, text, f"segment {toy_name(i)} {arguments}", query)
        assert found == [(*token,) for token in expected]


@pytest.mark.parametrize("i", range(len(LANGUAGES)))
def test_nasty_text(native: apsw.Connection, i: int) -> None:
    for text in NASTY:
        assert_same_stream(native, text, "", i)


@given(strategies.utf8(), strategies.arguments(), st.integers(0, len(LANGUAGES) - 1))
def test_generated_text(native: apsw.Connection, text: bytes, arguments: str, i: int) -> None:
    arguments = arguments.replace("segment unigram", "").replace("segment bigram", "")
    assert_same_stream(native, text, arguments, i)


@pytest.mark.parametrize("i", range(len(LANGUAGES)))
def test_code_points_of_all_scripts(native: apsw.Connection, i: int) -> None:
    """Both ends of each range of equal properties, and the blocks that are no such ranges."""
    ends = {end for start in unicode_tables.RANGE_STARTS for end in (start - 1, start)}
    blocks = (*range(0xE00, 0x10A0), *range(0x1780, 0x1800), *range(0x3000, 0x3100))
    chosen = sorted({*blocks, *ends, *range(0xA9E0, 0xAA80)} - {-1, *range(0xD800, 0xE000)})
    text = b"\xff".join(f"学{chr(each)}カ{chr(each)}가".encode() for each in chosen)
    cutter = reference.WordCutter(toy, LANGUAGES[i])
    expected = reference.tokenize(text, cut_run=cutter)
    assert compiled(native, text, f"segment {toy_name(i)}", False) == [(*t,) for t in expected]


# -- in SQLite --


@pytest.fixture(params=sorted(HOSTS))
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "sqlite3":
        pytest.importorskip("sqlitefts")
    conn = HOSTS[request.param](":memory:")
    yield conn
    conn.close()


def test_the_index_holds_the_stream(conn: Any) -> None:
    register_python_tokenizer(conn, "cjk", toy, languages="zh ja")
    cutter = reference.WordCutter(toy, "zh ja")
    for text in NASTY:
        expected = reference.tokenize(text, cut_run=cutter)
        assert index(conn, text) == {(token.token, token.position) for token in expected}


def test_two_segmenters_in_one_connection(conn: Any) -> None:
    register_python_tokenizer(conn, "whole", lambda text: [text])
    register_python_tokenizer(conn, "single", list)
    conn.execute("CREATE VIRTUAL TABLE w USING fts5(x, tokenize='whole')")
    conn.execute("CREATE VIRTUAL TABLE s USING fts5(x, tokenize='single fold_han 1 porter')")
    for table in "ws":
        conn.execute(f"INSERT INTO {table} VALUES ('圖書館 running')")
    assert list(conn.execute("SELECT rowid FROM w WHERE w MATCH '圖書'")) == []
    assert list(conn.execute("SELECT rowid FROM w WHERE w MATCH '圖書館'")) == [(1,)]
    assert list(conn.execute("SELECT rowid FROM s WHERE s MATCH '\"图书 runs\"'")) == []
    assert list(conn.execute("SELECT rowid FROM s WHERE s MATCH '图书 runs'")) == [(1,)]


@pytest.mark.parametrize("name", ["fugashi", "python_jieba", "pythainlp", "icu"])
def test_real_segmenters(conn: Any, name: str) -> None:
    try:
        register_python_tokenizer(conn, name)
    except MissingPackageError as error:
        pytest.skip(str(error))
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{name}')")
    text, word, part = {
        "fugashi": ("東京都の京都大学", "京都", "東"),
        "python_jieba": ("我来到北京清华大学", "北京", "京"),
        "pythainlp": ("ผมเรียนภาษาไทย", "เรียน", "รี"),
        "icu": ("我来到北京清华大学", "北京", "京"),
    }[name]
    conn.execute("INSERT INTO t VALUES (?)", (text,))
    assert list(conn.execute("SELECT rowid FROM t WHERE t MATCH ?", (word,))) == [(1,)]
    # Words, not substrings.
    assert list(conn.execute("SELECT rowid FROM t WHERE t MATCH ?", (part,))) == []


@pytest.mark.parametrize(
    ("function", "error", "says"),
    [
        (lambda text: [text[1:]], SegmenterError, "not those of the text"),
        (lambda text: [(0, 1)], SegmenterError, "end at character 1"),
        (lambda text: 7, SegmenterError, "not an iterable"),
        (lambda text: {}[text], KeyError, "学習"),
        (lambda text: next(iter(())), RuntimeError, "raised StopIteration"),
    ],
)
def test_a_segmenter_that_fails_fails_the_statement(
    conn: Any, function: Any, error: type[Exception], says: str
) -> None:
    register_python_tokenizer(conn, "bad", function)
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='bad')")
    conn.execute("BEGIN")
    conn.execute("INSERT INTO t VALUES ('before')")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises((error, sqlite3.OperationalError)) as caught:
            conn.execute("INSERT INTO t VALUES ('学習')")
    assert says in f"{caught.value} {[str(each.message) for each in warned]}"
    if conn.in_transaction:
        with pytest.raises(apsw.ConstraintError):  # a row without its index is never kept
            conn.execute("COMMIT")
    assert list(conn.execute("SELECT x FROM t")) == []
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    conn.execute("INSERT INTO t VALUES ('abc')")
    assert list(conn.execute("SELECT rowid FROM t WHERE t MATCH 'abc'")) == [(1,)]
    with pytest.raises((error, sqlite3.OperationalError)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        list(conn.execute("SELECT rowid FROM t WHERE t MATCH '学習'"))


def test_what_cannot_be_registered(conn: Any) -> None:
    with pytest.raises(TypeError, match="callable, not int"):
        register_python_tokenizer(conn, "x", 7)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"'xx'.*zh, ja"):
        register_python_tokenizer(conn, "x", toy, languages="zh xx")
    with pytest.raises(ArgumentError, match="'mecab'"):
        register_python_tokenizer(conn, "mecab")
    with pytest.raises(ArgumentError, match="jieba is built into the compiled library"):
        register_python_tokenizer(conn, "jieba")
    for no_name in 3, None, b"toy", ["toy"]:
        with pytest.raises(TypeError, match="name is a str, not"):
            register_python_tokenizer(conn, no_name, toy)  # type: ignore[arg-type]
    for name in "", "A b", "Toy", "学", "a\0b", "toy\n", "x" * 64:
        with pytest.raises(ArgumentError, match="is no name for a segmenter: use 1 to 63"):
            register_python_tokenizer(conn, name, toy)


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, SystemExit])
def test_connections_of_connect_raise_it(error: type[BaseException]) -> None:
    pytest.importorskip("sqlitefts")

    def bad(text: str) -> list[str]:
        raise error(text)

    conn = cjk_tokenizer.connect(":memory:")
    cursor = conn.cursor()
    register_python_tokenizer(conn, "bad", bad)
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='bad')")
    for statement in "INSERT INTO t VALUES ('学習')", "SELECT * FROM t('学習')":
        with pytest.raises(error, match="学習") as caught:
            cursor.execute(statement)
        assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
    assert list(conn.execute("SELECT * FROM t")) == []
    conn.close()


def test_no_row_is_kept_when_the_warning_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlitefts")
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    words: dict[str, list[str]] = {}
    conn = sqlite3.connect(":memory:")
    register_python_tokenizer(conn, "bad", lambda text: words[text])
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='bad')")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sqlite3.OperationalError):
            conn.execute("INSERT INTO t VALUES ('学習')")
    error = cjk_tokenizer.last_segmenter_error()
    assert isinstance(error, KeyError)
    assert list(conn.execute("SELECT * FROM t")) == []
    conn.close()


# -- the same adapters through the compiled library --


@pytest.mark.parametrize("name", segmenters.names())
def test_adapters_in_the_compiled_library(name: str) -> None:
    try:
        cjk_tokenizer.register_segmenter(name)
    except MissingPackageError as error:
        pytest.skip(str(error))
    conn = cjk_tokenizer.connect(":memory:")
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment {name}')")
    for language in segmenters.languages(name):
        text, known = PLAIN[language]
        with conn:
            conn.execute("INSERT INTO t VALUES (?)", (text,))
        for word in known & set(segmenters.adapter(name).callable(text)):
            found = conn.execute("SELECT x FROM t WHERE t MATCH ?", (f'"{word}"',)).fetchall()
            assert (text,) in found, word
    conn.close()
