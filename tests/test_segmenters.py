"""Segmenters that a program registers: their words are the tokens, and whatever they do wrong is
said, takes the statement back and leaves the connection usable.

test_segmenters_processes.py has threads, forks, exits and Ctrl-C.
"""

from __future__ import annotations

import functools
import gc
import itertools
import re
import sqlite3
import sys
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, Callable

import apsw
import pytest
from fts import column, hits, open_host, rows, value, version
from hypothesis import given, settings
from hypothesis import strategies as st

import cjk_tokenizer
from cjk_tokenizer import (
    add_words,
    register_segmenter,
    segmenting,
    tokenize,
    unregister_segmenter,
)
from cjk_tokenizer.errors import ArgumentError, MissingLibraryError, SegmenterError
from cjk_tokenizer.segmenting import registered_segmenters

pytestmark = pytest.mark.usefixtures("library")

TEXT = "我来到北京清华大学"


@pytest.fixture(params=["connect", "load", "apsw"])
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A connection of each kind, without transactions of its own."""
    if request.param == "connect":
        conn: Any = cjk_tokenizer.connect(":memory:", isolation_level=None)
    else:
        conn = open_host("apsw" if request.param == "apsw" else "sqlite3")
    yield conn
    conn.close()


def raises_itself(conn: Any) -> bool:
    """Whether this kind of connection can raise what a segmenter raised."""
    return type(conn) is not sqlite3.Connection


def pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def halves(text: str) -> list[tuple[int, int]]:
    middle = (len(text) + 1) // 2
    return [(0, middle), (middle, len(text))] if len(text) > 1 else [(0, 1)]


class Index:
    """A number that is no int, as numpy has them."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


def noting(asked: list[str], function: Callable[[str], Any]) -> Callable[[str], Any]:
    """The function, keeping what it is asked for."""

    def cut(text: str) -> Any:
        asked.append(text)
        return function(text)

    return cut


def texts(tokens: Iterable[cjk_tokenizer.Token]) -> str:
    return " ".join("+" + token.text if token.colocated else token.text for token in tokens)


def make_table(conn: Any, arguments: str, name: str = "t") -> None:
    conn.execute(f'CREATE VIRTUAL TABLE {name} USING fts5(x, tokenize="cjk {arguments}")')


# --- Words are tokens -----------------------------------------------------------------------------


def test_words_are_tokens_with_their_places() -> None:
    register_segmenter("pairs", pairs)
    tokens = tokenize("ab一二三、四five", "segment pairs")
    assert [(t.text, t.start, t.end, t.position, t.colocated) for t in tokens] == [
        ("ab", 0, 2, 0, False),
        ("一二", 2, 4, 1, False),
        ("三", 4, 5, 2, False),
        ("四", 6, 7, 3, False),
        ("five", 7, 11, 4, False),
    ]


@pytest.mark.parametrize("query", [False, True])
@pytest.mark.parametrize(
    "function",
    [
        pairs,
        lambda text: tuple(pairs(text)),
        lambda text: iter(pairs(text)),
        lambda text: (word for word in pairs(text)),
        lambda text: [(i, min(i + 2, len(text))) for i in range(0, len(text), 2)],
        lambda text: ([i, min(i + 2, len(text))] for i in range(0, len(text), 2)),
        lambda text: ["", *pairs(text), ""],
        lambda text: (word for word in ["", *pairs(text), *[""] * 500]),
        lambda text: [(Index(i), Index(min(i + 2, len(text)))) for i in range(0, len(text), 2)],
    ],
)
def test_words_may_be_given_in_many_ways(function: Any, query: bool) -> None:
    register_segmenter("given", function)
    assert texts(tokenize("一二三四五", "segment given", query=query)) == "一二 三四 五"


def test_the_text_is_folded_and_the_offsets_are_of_the_source() -> None:
    asked: list[str] = []
    register_segmenter("asked", noting(asked, lambda text: [text]))
    (token,) = tokenize("ｶﾞ\u200bラス\n窓", "segment asked fold_kana 1")
    assert asked == ["ガラス窓"]
    assert (token.text, token.start, token.end) == ("ガラス窓", 0, 7)


@given(
    text=st.text(alphabet="一二三あいア가나สวัดีກາab 、\n\u200b𠮷々ー", max_size=30),
    cuts=st.lists(st.integers(0, 3), min_size=1, max_size=8),
    languages=st.sampled_from([None, "zh", "ja", "ko th", "lo", "zh ja ko th lo km my"]),
    query=st.booleans(),
)
@settings(max_examples=200)
def test_any_partition_gives_tokens_that_are_the_text(
    text: str, cuts: list[int], languages: str | None, query: bool
) -> None:
    def cut(run: str) -> list[str]:
        words, at, turn = [], 0, 0
        while at < len(run):
            n = cuts[turn % len(cuts)] + 1
            words.append(run[at : at + n])
            at, turn = at + n, turn + 1
        return words

    register_segmenter("mine", cut, languages=languages)
    tokens = tokenize(text, "segment mine", query=query)
    units = tokenize(text, "segment unigram")
    # What the segmenter cut is a partition; the rest are bigrams. Together they cover every unit.
    covered = {i for token in tokens for i in range(token.start, token.end)}
    assert covered >= {i for unit in units for i in range(unit.start, unit.end)}
    starts = [token.start for token in tokens if not token.colocated]
    assert starts == sorted(starts)
    borders = {unit.start for unit in units} | {unit.end for unit in units}
    assert {i for token in tokens for i in (token.start, token.end)} <= borders


def test_words_end_where_clusters_do() -> None:
    """A cut between a Thai letter and its vowel sign is passed over."""
    register_segmenter("letters", list)
    assert texts(tokenize("ที่นี่", "segment letters")) == "ที่ นี่"
    register_segmenter("none", lambda text: [text[:1], text[1:]])
    assert texts(tokenize("ที่นี่", "segment none")) == "ที่นี่"


def test_other_scripts_than_those_covered_have_bigrams() -> None:
    register_segmenter("whole", lambda text: [text], languages=["ja"])
    text = "日本語サーバー한국어สวัสดี"
    assert texts(tokenize(text, "segment whole", query=True)).split()[:3] == [
        "日本語サーバー",
        "한국",
        "국어",
    ]
    register_segmenter("whole", lambda text: [text], languages="ko,th")
    found = texts(tokenize(text, "segment whole unigrams 0"))
    assert found.startswith("日本 本語 ") and found.endswith(" ー 한국어 สวัสดี")


def test_an_index_finds_words_phrases_and_prefixes(conn: Any) -> None:
    words = {"自然語言處理": [(0, 2), (2, 4), (4, 6)], "語言": [(0, 2)], "自然": [(0, 2)]}
    register_segmenter("mine", lambda text: words.get(text, [(0, len(text))]))
    make_table(conn, "segment mine")
    conn.execute("INSERT INTO t VALUES ('自然語言處理'), ('語言'), ('處')")
    assert hits(conn, "語言") == [1, 2]
    assert hits(conn, '"自然 語言"') == [1]
    assert hits(conn, '"語言 自然"') == []
    assert hits(conn, "處*") == [1, 3]
    assert hits(conn, "言") == []
    assert hits(conn, "NEAR(自然 處理, 1)") == [] or hits(conn, 'NEAR("自然" "語言")') == [1]
    sql = "SELECT cjk_highlight(t, 0, '[', ']'), cjk_snippet(t, 0, '[', ']', '…', 10)"
    assert rows(conn, sql + " FROM t('語言')")[0] == ("自然[語言]處理", "自然[語言]處理")
    conn.execute("UPDATE t SET x = '自然' WHERE rowid = 1")
    conn.execute("DELETE FROM t WHERE rowid = 2")
    assert hits(conn, "語言") == [] and hits(conn, "自然") == [1]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def test_searching_works_on_it(conn: Any) -> None:
    register_segmenter("pairs", pairs)
    make_table(conn, "segment pairs")
    conn.execute("INSERT INTO t VALUES ('机器学习很有趣'), ('今天天气很好'), ('学习机器')")
    (first, *_) = cjk_tokenizer.search(conn, "t", "机器学习", snippet=10)
    assert first.rowid == 1 and first.snippet == "[机器学习]很有趣"
    query = value(conn, "SELECT cjk_query('机器学习', 'all', ?)", '{"tokenize": "segment pairs"}')
    assert hits(conn, query) == [1]


def test_external_content_keeps_in_step(conn: Any) -> None:
    register_segmenter("pairs", pairs)
    conn.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, x)")
    conn.execute(
        "CREATE VIRTUAL TABLE t USING fts5(x, content=note, content_rowid=id, "
        "tokenize='cjk segment pairs')"
    )
    conn.execute(
        "CREATE TRIGGER added AFTER INSERT ON note BEGIN "
        "INSERT INTO t(rowid, x) VALUES (new.id, new.x); END"
    )
    conn.execute("INSERT INTO note(x) VALUES ('一二三四'), ('三四')")
    assert hits(conn, "三四") == [1, 2]


# --- Names ----------------------------------------------------------------------------------------


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


# --- What goes wrong ------------------------------------------------------------------------------

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
    ("mixed", lambda text: [text[:1], (1, len(text))], "which is neither"),
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


class Failure(Exception):
    pass


def fail(text: str) -> list[str]:
    if "坏" in text:
        raise Failure(text)
    return pairs(text)


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


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What sys.unraisablehook was told: (exception, what raised it)."""
    told: list[Any] = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: told.append((args.exc_value, args.object))
    )
    return told


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


# --- The cache ------------------------------------------------------------------------------------


def test_a_text_is_cut_once(conn: Any) -> None:
    asked: list[str] = []
    register_segmenter("asked", noting(asked, pairs))
    make_table(conn, "segment asked")
    for _ in range(3):
        conn.execute("INSERT INTO t VALUES ('一二三、四五、一二三')")
    assert hits(conn, "一二三") == [1, 2, 3]
    assert asked == ["一二三", "四五"]
    make_table(conn, "segment asked", "other")
    conn.execute("INSERT INTO other VALUES ('一二三')")
    assert asked == ["一二三", "四五", "一二三"]


def test_failures_are_not_kept() -> None:
    conn = cjk_tokenizer.connect(":memory:", isolation_level=None)
    is_broken = [True]

    def cut(text: str) -> list[str]:
        if is_broken.pop() if is_broken else False:
            raise Failure
        return [text]

    register_segmenter("mine", cut)
    make_table(conn, "segment mine")
    with pytest.raises(Failure):
        conn.execute("INSERT INTO t VALUES ('一')")
    conn.execute("INSERT INTO t VALUES ('一')")
    assert hits(conn, "一") == [1]


def test_many_texts_and_long_ones_are_cut_right() -> None:
    """More than the cache keeps, twice over."""
    register_segmenter("pairs", pairs)
    conn = cjk_tokenizer.connect(":memory:", isolation_level=None)
    make_table(conn, "segment pairs")
    conn.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    texts = [chr(0x4E00 + n % 20000) * (n % 7 + 1) + chr(0x4E00 + n // 7) for n in range(60_000)]
    texts.append("天地玄黄" * 50_000)
    conn.execute("BEGIN")
    for turn in range(2):
        conn.executemany(
            "INSERT INTO t(rowid, x) VALUES (?, ?)",
            [(n + 100_000 * turn, text) for n, text in enumerate(texts)],
        )
    conn.execute("COMMIT")
    step = 997
    for n in [*range(0, 60_000, step), 60_000]:
        for turn in range(2):
            sql = 'SELECT term FROM v WHERE doc = ? ORDER BY "offset" LIMIT 20'
            if n % (20 * step) == 0 or n == 60_000:
                assert column(conn, sql, n + 100_000 * turn) == pairs(texts[n])[:20]


# --- User words -----------------------------------------------------------------------------------


def test_user_words_have_a_name_and_a_fingerprint(conn: Any) -> None:
    fingerprint = add_words("physics", ["量子点", ("石墨烯", 1000)])
    assert value(conn, "SELECT cjk_dictionary('physics')") == f"physics {fingerprint}"
    assert value(conn, "SELECT cjk_dictionary()") == value(conn, "SELECT cjk_dictionary('jieba')")
    assert value(conn, "SELECT cjk_dictionary('nothing')") is None
    make_table(conn, "segment physics")
    conn.execute("INSERT INTO t VALUES ('石墨烯量子点'), ('石墨')")
    assert hits(conn, "量子点") == [1] and hits(conn, "石墨烯") == [1]
    assert add_words("physics", ["量子点"]) != fingerprint
    assert add_words("physics", ["量子点", ("石墨烯", 1000)]) == fingerprint


@pytest.mark.parametrize("hmm", [0, 1])
def test_user_words_cut_as_the_library_does(hmm: int) -> None:
    words: list[str | tuple[str, int | None]] = ["石墨烯", ("量子", 0), "量子点"]
    add_words("physics", words)
    user = cjk_tokenizer.library.UserWords(words)
    for text in "石墨烯量子点很小", "我来到北京清华大学石墨烯所", "小明硕士毕业于中国科学院":
        whole = set(cjk_tokenizer.library.cut(text, hmm=bool(hmm), words=user))
        found = {token.text for token in tokenize(text, f"segment physics hmm {hmm}")}
        assert whole <= found
        plain = {token.text for token in tokenize(text, f"segment jieba hmm {hmm}")}
        assert ("石墨烯" in found) == ("石墨烯" in text) and "石墨烯" not in plain


# --- segment auto ---------------------------------------------------------------------------------


def choices(text: str, locale: str = "") -> list[str]:
    """The distinct segmenters of a text's tokens, in their order."""
    conn = open_host("apsw")
    sql = "SELECT segmenter FROM cjk_tokens(?, 'segment auto', 'document', ?)"
    return list(dict.fromkeys(column(conn, sql, text, locale)))


def test_auto_without_any_registered() -> None:
    assert choices("学习") == ["jieba"]
    assert choices("学習する") == ["bigram"]
    assert choices("한국어") == ["bigram"]
    assert choices("สวัสดี abc") == ["bigram", None]
    assert texts(tokenize("我来到北京", "segment auto")) == texts(
        tokenize("我来到北京", "segment jieba")
    )
    mixed = "ひらがなと漢字、한국어 สวัสดี"
    assert tokenize(mixed, "segment auto") == tokenize(mixed, "segment bigram")


def test_auto_chooses_by_script_and_locale() -> None:
    for language in "ja", "ko", "th", "lo", "km", "my":
        register_segmenter(f"for_{language}", lambda text: [text], languages=language)
    assert choices("学习") == ["jieba"]
    assert choices("学習する") == ["for_ja"]
    assert choices("サーバー、漢字") == ["for_ja", "jieba"]
    assert choices("漢字、서울大學") == ["jieba", "for_ko"]
    assert choices("ไทย") == ["for_th"]
    assert choices("ລາວ") == ["for_lo"]
    assert choices("ខ្មែរ") == ["for_km"]
    assert choices("မြန်မာ") == ["for_my"]
    assert choices("ꆈꌠꉙ") == ["bigram"]
    assert choices("漢字", "ja") == ["for_ja"]
    assert choices("漢字", "ja-JP") == ["for_ja"]
    assert choices("漢字", "JA_jp") == ["for_ja"]
    assert choices("漢字する", "zh-Hant") == ["jieba", "for_ja"]
    assert choices("漢字", "ko") == ["bigram"]
    assert choices("漢字", "en") == ["jieba"]
    assert choices("漢字", "jab") == ["jieba"]
    assert choices("ไทย", "ja") == ["for_th"]


def test_auto_takes_the_newest_that_names_the_language() -> None:
    register_segmenter("old", lambda text: [text], languages="zh ja")
    assert choices("漢字") == ["old"]
    register_segmenter("new", lambda text: [text], languages="ja")
    register_segmenter("any", lambda text: [text])
    add_words("words", ["漢字"])
    assert choices("漢字") == ["old"] and choices("かな漢字") == ["new"]
    conn = cjk_tokenizer.connect(":memory:")
    assert value(conn, "SELECT cjk_dictionary('auto')") == "zh:old ja:new"
    unregister_segmenter("new")
    assert value(conn, "SELECT cjk_dictionary('auto')") == "zh:old ja:old"
    unregister_segmenter("old")
    assert value(conn, "SELECT cjk_dictionary('auto')") == "zh:jieba"


def test_auto_in_an_index_with_locales() -> None:
    conn = open_host("apsw")
    register_segmenter("whole", lambda text: [text], languages="ja")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment auto', locale=1)")
    conn.execute("INSERT INTO t VALUES (fts5_locale('ja', '東京大学')), ('東京大学')")
    assert hits(conn, "大学") == [2]
    assert column(conn, "SELECT rowid FROM t(fts5_locale('ja', '東京大学'))") == [1]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def test_a_locale_on_an_old_sqlite_is_refused() -> None:
    conn = open_host("sqlite3")
    if version(conn) >= (3, 47):
        pytest.skip("this SQLite knows locales")
    with pytest.raises(sqlite3.OperationalError, match=r"a locale needs SQLite 3\.47"):
        rows(conn, "SELECT * FROM cjk_tokens('一', 'cjk', 'document', 'ja')")


def test_the_scripts_are_those_of_unicode() -> None:
    """Each character of a run is cut by the segmenter of a language that is written so."""
    regex: Any = pytest.importorskip("regex", reason="regex is not installed")
    scripts = {
        "Han": "zh",
        "Hiragana": "ja",
        "Katakana": "ja",
        "Hangul": "ko",
        "Thai": "th",
        "Lao": "lo",
        "Khmer": "km",
        "Myanmar": "my",
    }
    for language in sorted({*scripts.values()}, reverse=True):
        register_segmenter(language + "_", lambda text: [text], languages=language)
    conn = open_host("sqlite3")
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    sql = "SELECT DISTINCT segmenter FROM cjk_tokens(?, 'segment auto') WHERE segmenter IS NOT NULL"
    for script, language in scripts.items():
        characters = regex.findall(rf"\p{{Script={script}}}", every)
        found = set(column(conn, sql, "。".join(characters)))
        assert found == {language + "_"}, script


# --- Beside what others make ----------------------------------------------------------------------


def test_python_jieba_registered_is_python_jieba(shared_dir: Any) -> None:
    jieba: Any = pytest.importorskip("jieba", reason="jieba is not installed")
    jieba.setLogLevel(60)
    path = shared_dir / "data" / "text" / "zh-wiki_cmrc.txt"
    lines = path.read_text(encoding="utf-8").split("\n")[:60]
    for hmm in True, False:
        register_segmenter("python", functools.partial(jieba.cut, HMM=hmm))
        for line in lines:
            expected: list[tuple[str, int]] = []
            for run in tokenize(line, "segment python"):
                expected.append((run.text, run.start))
            made = []
            register_segmenter("runs", lambda text: [text])
            for run in tokenize(line, "segment runs"):
                if run.text.isascii():
                    made.append((run.text, run.start))
                    continue
                at = run.start
                for word in jieba.cut(run.text, HMM=hmm):
                    made.append((word, at))
                    at += len(word)
            assert expected == made


def test_the_reference_says_that_it_has_none() -> None:
    from cjk_tokenizer import reference

    register_segmenter("pairs", pairs)
    with pytest.raises(ArgumentError, match="bigram"):
        reference.tokenize("一", "segment pairs")


def test_without_a_library_there_is_a_clear_error(monkeypatch: Any) -> None:
    monkeypatch.setenv("CJK_TOKENIZER_LIBRARY", "/nonexistent/cjk.so")
    with pytest.raises(MissingLibraryError):
        register_segmenter("pairs", pairs)
    assert registered_segmenters() == []
