"""A registered segmenter's words are the tokens, and a text is cut once."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from callables import Failure, Index, make_table, noting, pairs, texts
from fts import column, hits, rows, value
from hypothesis import given, settings
from hypothesis import strategies as st

import cjk_tokenizer
from cjk_tokenizer import (
    register_segmenter,
    tokenize,
)
from cjk_tokenizer.errors import ArgumentError, MissingLibraryError
from cjk_tokenizer.segmenting import registered_segmenters

pytestmark = pytest.mark.usefixtures("library")


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
