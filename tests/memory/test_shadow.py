"""Shadow text: a plain unicode61 table finds the rows that a table with tokenize='cjk' finds."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cjk_tokenizer
from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory.shadow import (
    has_cjk,
    index_text,
    query_expr,
    shadow_query,
    shadow_text,
)

# Few different characters, so that queries occur in texts: every class, every kind of border.
LETTERS = [
    "学",
    "习",
    "天",
    "の",
    "カ",
    "ー",
    "ﾞ",
    "゙",
    "한",
    "글",
    "ᄒ",
    "ก",
    "ำ",
    "ี",
    "ไ",
    "ລ",
    "a",
    "b",
    "1",
    "é",
    "ß",
    "я",
    "й",
    "ǀ",
    "ǁ",
    "ǂ",
    "x",
    "🍐",
    "👨‍👩‍👧",
    "🇯🇵",
    "#️⃣",
    "㍿",
    "⺀",
    "𠮷",
    "、",
    "。",
    " ",
    "\u3000",
    "\n",
    "-",
    '"',
    "*",
    "\u200b",
]
texts = st.lists(st.sampled_from(LETTERS), max_size=12).map("".join)
ARGUMENTS = [
    "cjk",
    "cjk unigrams 0",
    "cjk segment unigram",
    "cjk fold_kana 1",
    "cjk remove_diacritics 0",
    "cjk tokenchars '-#'",
    "cjk porter unicode61",
    "porter cjk",
]


def rows(conn: sqlite3.Connection, table: str, expression: str) -> list[int]:
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"
    return [rowid for (rowid,) in conn.execute(sql, (expression,))]


def quoted(query: str) -> str:
    return '"' + query.replace('"', '""') + '"'


def both_tables(documents: list[str], arguments: str) -> sqlite3.Connection:
    """Table real has tokenize='cjk ...', table shadow the same texts for unicode61."""
    conn = sqlite3.connect(":memory:")
    cjk_tokenizer.load(conn)
    tokenizer = arguments.replace("'", "''")
    conn.execute(f"CREATE VIRTUAL TABLE real USING fts5(t, tokenize='{tokenizer}')")
    conn.execute("CREATE VIRTUAL TABLE shadow USING fts5(t)")
    conn.executemany("INSERT INTO real VALUES (?)", [(text,) for text in documents])
    conn.executemany(
        "INSERT INTO shadow VALUES (?)", [(shadow_text(text, arguments),) for text in documents]
    )
    return conn


@given(
    documents=st.lists(texts, min_size=1, max_size=6),
    queries=st.lists(texts, min_size=1, max_size=6),
    arguments=st.sampled_from(ARGUMENTS),
)
@example(["学习天", "学、习天"], ["学、习", "学习", "学", "习天", "天"], "cjk")
@example(["กำ", "ก", "กกำ"], ["ก", "กำ"], "cjk")
@example(["1aa", "1 aa", "1学"], ["1 a", "1", "1a"], "cjk")
def test_shadow_rows_are_cjk_rows(documents: list[str], queries: list[str], arguments: str) -> None:
    conn = both_tables(documents, arguments)
    for query in [*queries, *documents]:
        expected = rows(conn, "real", quoted(query))
        assert rows(conn, "shadow", shadow_query(query, arguments, "phrase")) == expected, query
        if "unigrams 0" not in arguments:  # there cjk_query asks for more than MATCH finds
            asked = cjk_tokenizer.query(query, tokenize=arguments)
            found = rows(conn, "shadow", shadow_query(query, arguments))
            assert found == rows(conn, "real", asked), query
    conn.close()


@given(texts, st.sampled_from(ARGUMENTS))
def test_unicode61_keeps_each_word_whole(text: str, arguments: str) -> None:
    stream = [t for t in cjk_tokenizer.tokenize(text, arguments) if not t.colocated]
    words = shadow_text(text, arguments).split(" ") if stream else []
    assert len(words) == len(stream)
    # Through the real unicode61: as many tokens, each of them unchanged.
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE docs USING fts5(body)")
    conn.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(docs, instance)")
    conn.execute("INSERT INTO docs VALUES (?)", (" ".join(words),))
    assert [term for (term,) in conn.execute("SELECT term FROM terms ORDER BY offset")] == words
    conn.close()


@given(st.lists(texts, min_size=2, max_size=30), st.sampled_from(ARGUMENTS))
def test_different_tokens_stay_different(many: list[str], arguments: str) -> None:
    encoded: dict[str, str] = {}
    for text in many:
        stream = [t.text for t in cjk_tokenizer.tokenize(text, arguments) if not t.colocated]
        for token, word in zip(stream, shadow_text(text, arguments).split(" ")):
            assert encoded.setdefault(word, token) == token


def test_many_lone_characters_in_a_phrase_find_at_least_the_rows() -> None:
    query = "、".join("学习天地人和日月星辰")
    conn = both_tables([query, "学习天地人和日月星辰", "学、习、天"], "cjk")
    expected = rows(conn, "real", quoted(query))
    assert expected == [1, 2]
    assert set(expected) <= set(rows(conn, "shadow", shadow_query(query, mode="phrase")))
    conn.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["zh-wiki_cmrc", "ja-aozora", "ko-nsmc_reviews", "th-thaigov"])
def test_real_text_gives_the_same_rows(shared_dir: Path, name: str) -> None:
    path = shared_dir / "data" / "text" / f"{name}.txt"
    lines = path.read_text("utf-8").splitlines()[:800]
    conn = both_tables(lines, "cjk")
    for i, line in enumerate(lines[::5]):
        at = i * 7 % max(len(line), 1)
        query = line[at : at + 1 + i % 9]
        expected = rows(conn, "real", quoted(query))
        assert rows(conn, "shadow", shadow_query(query, mode="phrase")) == expected, query
    conn.close()


def test_long_words_beside_short_ones_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def words(text: str, arguments: str = "", *, query: bool = False) -> list[cjk_tokenizer.Token]:
        """A segmenter that knows 自然, 语言, 处理 and the longer 自然语言."""
        tokens: list[cjk_tokenizer.Token] = []
        for i in range(0, len(text), 2):
            position = i // 2
            tokens.append(cjk_tokenizer.Token(text[i : i + 2], i, i + 2, position, False))
            if text[i : i + 4] == "自然语言" and not query:
                tokens.append(cjk_tokenizer.Token("自然语言", i, i + 4, position, True))
        return tokens

    monkeypatch.setattr(cjk_tokenizer, "tokenize", words)
    text = shadow_text("处理自然语言", "words")
    assert text == "ǁ处理 ǁ自然 ǁ语言 ǂ ǁ自然语言"
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE docs USING fts5(body)")
    conn.execute("INSERT INTO docs VALUES (?)", (text,))
    for query in ("处理", "自然语言", "处理自然", "处理自然语言"):
        assert rows(conn, "docs", shadow_query(query, "words")) == [1]
    assert rows(conn, "docs", '"ǁ自然语言"') == [1]
    for query in ("语言自然", "处理语言", "自"):
        assert rows(conn, "docs", shadow_query(query, "words")) == []
    conn.close()


def test_index_text_as_described() -> None:
    assert index_text("中文记忆") == "中 文 记 忆 中文 文记 记忆"
    assert index_text("猫") == "猫"
    assert index_text("open中文") == "中 文 中文"
    assert index_text("한국 ひら") == "한 국 한국 ひ ら ひら"
    assert index_text("hello") == index_text("") == ""


def test_query_expr_as_described() -> None:
    assert query_expr("中文记忆") == '"中文" OR "文记" OR "记忆"'
    assert query_expr("猫") == '"猫"'
    assert query_expr("猫 and 犬猫犬猫") == '"猫" OR "犬猫" OR "猫犬"'
    assert query_expr("hello") == ""
    assert query_expr("什么茶", {"什么"}) == '"么茶"'
    assert query_expr("什么", ["什么"]) == '"什么"'  # nothing else would remain
    assert query_expr("一二三四五", max_terms=2) == '"一二" OR "二三"'
    # The cap comes last: a dropped term makes room.
    assert query_expr("一二三四", {"一二"}, 1) == '"二三"'


@pytest.mark.parametrize(
    ("char", "exact", "wide"),
    [
        ("㐀", True, True),
        ("ヿ", True, True),
        ("・", True, False),  # a separator, whatever its block
        ("ᄀ", True, True),
        ("\U0002a6df", True, True),
        ("\U0002b820", False, True),
        ("ｶ", False, True),
        ("ㄅ", False, True),
        ("々", False, True),
        ("\uf900", False, True),
        ("。", False, False),
        ("é", False, False),
    ],
)
def test_profiles(char: str, exact: bool, wide: bool) -> None:
    assert has_cjk(f"a{char}b", profile="exact") is exact
    assert has_cjk(f"a{char}b") is wide
    assert bool(index_text(char, profile="exact")) is exact


@given(texts, texts)
def test_or_of_bigrams_finds_every_text_that_contains_the_run(before: str, after: str) -> None:
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(cjk)")
    conn.execute("INSERT INTO t VALUES (?)", (index_text(f"{before}学习{after}"),))
    assert rows(conn, "t", query_expr("学习")) == [1]
    conn.close()


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_other_types_are_refused(value: Any) -> None:
    for call in (has_cjk, index_text, query_expr, shadow_text, shadow_query):
        with pytest.raises(TypeError, match="must be str, not"):
            call(value)


def test_wrong_values_are_named() -> None:
    with pytest.raises(ArgumentError, match="profile must be one of wide, exact, not 'exakt'"):
        has_cjk("中", profile="exakt")
    with pytest.raises(ArgumentError, match="mode must be one of all, phrase, not 'any'"):
        shadow_query("中", mode="any")
    with pytest.raises(ArgumentError, match="max_terms must be at least 1, not 0"):
        query_expr("中", max_terms=0)
    with pytest.raises(TypeError, match="max_terms must be int, not bool"):
        query_expr("中", max_terms=True)
    with pytest.raises(TypeError, match="drop_bigrams must be a collection of str, not str"):
        query_expr("什么", "什么")
    with pytest.raises(ArgumentError):
        shadow_text("中", "no_such_option 1")


def test_lone_surrogates_are_no_text() -> None:
    assert shadow_text("学\ud800习") == shadow_text("学\ufffd习") == "学 习"
    assert index_text("学\udfff习") == "学 习"
    assert shadow_query("\ud800") == '""'
