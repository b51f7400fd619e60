"""Names of segmenters: which may be taken, what they mean and for how long."""

from __future__ import annotations

import gc
import re
import sqlite3
import sys
import weakref
from typing import Any

import apsw
import pytest
from callables import Failure, fail, make_table, pairs, texts
from fts import column, hits, open_host, rows, value

import cjk_tokenizer
from cjk_tokenizer import (
    add_words,
    register_segmenter,
    segmenting,
    tokenize,
    unregister_segmenter,
)
from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.segmenting import registered_segmenters

pytestmark = pytest.mark.usefixtures("library")


@pytest.mark.parametrize(
    "name",
    ["", "Mecab", "a b", "a-b", "a'", "語", "x" * 64, "a\0b", "bigram", "unigram", "jieba", "auto"],
)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match="name"):
        register_segmenter(name, pairs)
    with pytest.raises(ArgumentError, match="name"):
        add_words(name, ["量子点"])
    assert registered_segmenters() == []


def test_what_is_built_in_needs_no_registration() -> None:
    (allowed,) = column(
        open_host("sqlite3"), "SELECT allowed FROM cjk_options() WHERE name = 'segment'"
    )
    assert allowed == "bigram unigram jieba auto"
    for name in allowed.split():
        with pytest.raises(ArgumentError, match=f"{name} is built in.*`segment {name}` needs no"):
            register_segmenter(name)
    with pytest.raises(ArgumentError, match="no adapter has the name 'mecab': there are rjieba"):
        register_segmenter("mecab")
    with pytest.raises(TypeError, match="name is a str, not int"):
        register_segmenter(3)  # type: ignore[arg-type]


def test_other_arguments_that_are_refused() -> None:
    with pytest.raises(TypeError):
        register_segmenter("x", 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        register_segmenter(3, pairs)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r'"vi" is no language .* zh ja ko th lo km my'):
        register_segmenter("x", pairs, languages="zh vi")
    for empty in "", " , ", [], (), [""]:
        with pytest.raises(ArgumentError, match=r"names none: .* zh ja ko th lo km my, or None"):
            register_segmenter("x", pairs, languages=empty)
    for wrong in 3, b"zh", [3], [None]:
        with pytest.raises(TypeError, match="language"):
            register_segmenter("x", pairs, languages=wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="NUL"):
        register_segmenter("x", pairs, languages=["zh\0vi"])
    with pytest.raises(ArgumentError, match="'x'"):
        unregister_segmenter("x")
    with pytest.raises(ArgumentError, match="有@"):
        add_words("x", ["有@"])
    assert registered_segmenters() == []


@pytest.mark.parametrize("name", ["x", "a_3", "x" * 63, "0"])
def test_names_that_are_taken(conn: Any, name: str) -> None:
    register_segmenter(name, pairs)
    make_table(conn, f"segment {name}")  # SQL needs no quotes for them
    conn.execute("INSERT INTO t VALUES ('一二三四')")
    assert hits(conn, "三四") == [1]


def test_the_names_are_listed() -> None:
    conn = cjk_tokenizer.connect(":memory:")
    register_segmenter("second", pairs)
    add_words("first", ["量子点"])
    (allowed,) = column(conn, "SELECT allowed FROM cjk_options() WHERE name = 'segment'")
    assert allowed == "bigram unigram jieba auto second first"
    with pytest.raises(ArgumentError, match="auto second first"):
        tokenize("一", "segment third")


def test_a_new_segmenter_serves_tables_opened_later(tmp_path: Any) -> None:
    path = str(tmp_path / "x.db")
    register_segmenter("mine", pairs)
    old = open_host("sqlite3", path)
    make_table(old, "segment mine")
    register_segmenter("mine", list)
    assert texts(tokenize("一二", "segment mine")) == "一 二"
    old.execute("INSERT INTO t VALUES ('一二')")
    assert hits(old, "一") == []
    unregister_segmenter("mine")
    old.execute("INSERT INTO t VALUES ('三四')")
    assert hits(old, "三四") == [2]
    old.close()
    with pytest.raises(ArgumentError):
        tokenize("一二", "segment mine")


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE plain ADD COLUMN y", "VACUUM", "CREATE TABLE another(x)"],
)
@pytest.mark.parametrize("arguments", ["mine", "auto"])
def test_a_changed_schema_has_tokenizers_made_again(
    change: str, arguments: str, tmp_path: Any
) -> None:
    register_segmenter("mine", pairs, languages="zh")
    conn = open_host("sqlite3", str(tmp_path / "x.db"))
    conn.execute("CREATE TABLE plain(x)")
    make_table(conn, f"segment {arguments}")
    conn.execute("INSERT INTO t VALUES ('一二')")
    register_segmenter("mine", list, languages="zh")
    assert hits(conn, "一") == [] and hits(conn, "一二") == [1]
    other = open_host("sqlite3", str(tmp_path / "x.db"))
    other.execute(change)
    assert hits(conn, "一二") == []
    conn.execute("INSERT INTO t(t) VALUES ('rebuild')")
    assert hits(conn, "一") == hits(conn, "一二") == [1]
    other.close()
    conn.close()


def test_a_table_without_its_segmenter_is_dropped_with_any(conn: Any, tmp_path: Any) -> None:
    register_segmenter("gone", pairs)
    conn.execute("ATTACH ? AS file", (str(tmp_path / "x.db"),))
    conn.execute("CREATE VIRTUAL TABLE file.t USING fts5(x, tokenize='cjk segment gone')")
    conn.execute("DETACH file")
    unregister_segmenter("gone")
    conn.execute("ATTACH ? AS file", (str(tmp_path / "x.db"),))
    try:
        conn.execute("DROP TABLE file.t")  # a new SQLite needs no tokenizer for that
    except sqlite3.Error as error:
        assert re.search("tokenizer|vtable constructor", str(error))
        assert value(conn, "SELECT sqlite_version()") < "3.47"
        register_segmenter("gone", list)
        conn.execute("DROP TABLE file.t")
    assert rows(conn, "SELECT * FROM file.sqlite_master") == []


def test_apsw_shows_the_exception_behind_its_own() -> None:
    conn = open_host("apsw")
    register_segmenter("mine", fail)
    make_table(conn, "segment mine")
    with pytest.raises(apsw.SQLError, match="cannot rollback") as caught, conn:
        conn.execute("INSERT INTO t VALUES ('坏')")
    assert isinstance(caught.value.__context__, Failure)


def test_words_of_users_have_effect_where_they_are_said_to() -> None:
    add_words("mine", ["量子点", "c++20", "圖書"])
    arguments = "segment mine hmm 0"
    assert "c++20" not in texts(tokenize("用c++20写", arguments)).split()
    assert "圖書" in texts(tokenize("圖書", arguments))
    assert texts(tokenize("圖書", arguments + " fold_han 1")) == texts(
        tokenize("圖書", "segment jieba hmm 0 fold_han 1")
    )
    assert texts(tokenize("量子点", "segment auto")) == texts(tokenize("量子点", "segment jieba"))


def test_segmenters_go_when_nothing_uses_them() -> None:
    class Model:
        def __call__(self, text: str) -> list[str]:
            return [text]

    conn = open_host("sqlite3")
    model: Any = Model()
    gone = weakref.ref(model)
    register_segmenter("mine", model)
    make_table(conn, "segment mine")
    conn.execute("INSERT INTO t VALUES ('一')")
    del model
    unregister_segmenter("mine")
    gc.collect()
    assert gone() is not None
    conn.close()
    register_segmenter("other", pairs)
    gc.collect()
    assert gone() is None


def test_there_is_an_end_of_names() -> None:
    with pytest.raises(ArgumentError, match="256 segmenters already"):
        for number in range(300):
            register_segmenter(f"n{number}", pairs)
    assert 200 < len(registered_segmenters()) <= 256
    for name in registered_segmenters():
        unregister_segmenter(name)
    register_segmenter("x", pairs)
    assert texts(tokenize("一二三", "segment x")) == "一二 三"


def is_refused(monkeypatch: pytest.MonkeyPatch, library: Any) -> None:
    """Have a copy of the library find no place for anything new."""

    def register(registration: Any) -> None:
        raise ArgumentError("there are 256 segmenters already")

    monkeypatch.setattr(library, "register", register)


def test_a_registration_without_room_leaves_the_old_one() -> None:
    """Replaced functions that open tables use fill all places."""
    connections = []
    with pytest.raises(ArgumentError, match="256 segmenters already"):
        for _ in range(300):
            register_segmenter("mine", pairs)
            connections.append(open_host("sqlite3"))
            make_table(connections[-1], "segment mine")
    for attempt in (
        lambda: register_segmenter("mine", list),
        lambda: add_words("mine", ["一二"]),
        lambda: register_segmenter("another", list),
    ):
        with pytest.raises(ArgumentError, match=r"256 segmenters already.*close") as caught:
            attempt()
        assert caught.value.__context__ is None and caught.value.__cause__ is None
        assert registered_segmenters() == ["mine"]
        assert texts(tokenize("一二三", "segment mine")) == "一二 三"
    for conn in connections:
        conn.close()
    register_segmenter("mine", list)
    assert texts(tokenize("一二三", "segment mine")) == "一 二 三"


def test_what_one_copy_of_the_library_refuses_is_registered_in_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    conn, other = open_host("sqlite3"), open_host("apsw")
    register_segmenter("mine", pairs, languages="ja")
    register_segmenter("newer", list, languages="ja")
    assert len(segmenting._libraries) > 1
    for library in segmenting._libraries.values():
        with monkeypatch.context() as patch:
            is_refused(patch, library)
            for name, is_known in ("mine", True), ("another", False):
                with pytest.raises(ArgumentError):
                    register_segmenter(name, lambda text: [text], languages="ja")
                assert registered_segmenters() == ["mine", "newer"]
                for host in conn, other:
                    said = value(host, f"SELECT cjk_check('segment {name}')")
                    assert (said == "ok") == is_known
                    assert value(host, "SELECT cjk_dictionary('auto')").split()[-1] == "ja:newer"
                    sql = "SELECT group_concat(token, ' ') FROM cjk_tokens(?, 'segment mine')"
                    assert value(host, sql, "一二三") == "一二 三"
    conn.close()
    other.close()


def test_a_schema_that_names_an_unknown_segmenter(conn: Any, tmp_path: Any) -> None:
    path = str(tmp_path / "x.db")
    register_segmenter("mecab", pairs)
    conn.execute("ATTACH ? AS file", (path,))
    conn.execute("CREATE VIRTUAL TABLE file.t USING fts5(x, tokenize='cjk segment mecab')")
    conn.execute("CREATE VIRTUAL TABLE file.other USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO file.t VALUES ('一二三四')")
    conn.execute("INSERT INTO file.other VALUES ('一二三四')")
    conn.execute("DETACH file")
    unregister_segmenter("mecab")

    conn.execute("ATTACH ? AS file", (path,))
    for statement in (
        "SELECT rowid FROM t('三四')",
        "INSERT INTO t VALUES ('五')",
        "DELETE FROM t WHERE rowid = 1",
        "CREATE VIRTUAL TABLE u USING fts5(x, tokenize='cjk segment mecab')",
    ):
        with pytest.raises((sqlite3.Error, apsw.Error), match=r"tokenizer|vtable constructor"):
            rows(conn, statement)
    assert hits(conn, "二三", "other") == [1]
    said = value(conn, "SELECT cjk_check('segment mecab')")
    assert '"mecab"' in said and "register_segmenter" in said and "jieba" in said
    register_segmenter("mecab", pairs)
    assert value(conn, "SELECT cjk_check('segment mecab')") == "ok"
    assert hits(conn, "三四") == [1]


def test_without_a_function_an_adapter_of_that_name_serves(monkeypatch: Any) -> None:
    class Adapter:
        callable = staticmethod(pairs)
        languages = "zh"

    class Adapters:
        @staticmethod
        def adapter(name: str) -> Any:
            assert name == "made_up"
            return Adapter

    monkeypatch.setitem(sys.modules, "cjk_tokenizer.segmenters", Adapters)
    register_segmenter("made_up")
    assert texts(tokenize("一二三かな", "segment made_up", query=True)) == "一二 三 かな"
