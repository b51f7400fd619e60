"""Mode prefix finds the row at every keystroke, also where an input method has half a syllable."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import apsw
import fts
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cjk_tokenizer

TABLES = {
    "plain": "tokenize='cjk'",
    "prefixed": "tokenize='cjk', prefix='1 2 3'",
    "small": "tokenize='cjk unigrams 0', prefix='1 2 3'",
    "smallest": "tokenize='cjk unigrams 0'",
    "stemmed": "tokenize='porter cjk', prefix='1 2 3'",
    "words": "tokenize='cjk segment jieba', prefix='1 2 3'",
}
# What the field holds after each key.
TYPED = {
    "Latin": ["r", "ru", "run", "runn", "runni", "runnin", "running"],
    "Han": ["机", "机器", "机器学", "机器学习"],
    "Han, word by word": ["自然", "自然语言", "自然语言处理"],
    "kana": ["て", "てん", "てんき"],
    "kana to kanji": ["て", "てん", "天気", "天気の", "天気のよ"],
    "katakana": ["デ", "デー", "データ"],
    "half-width": ["ﾃﾞ", "ﾃﾞｰ", "ﾃﾞｰﾀ"],
    "Hangul": [
        "ㅎ",
        "하",
        "한",
        "한ㄱ",
        "한구",
        "한국",
        "한국ㅇ",
        "한국어",
        "한국어ㄹ",
        "한국어를",
    ],
    "final that moves": ["ㄴ", "나", "난", "나누", "나눅", "나누기"],
    "double final": ["ㄷ", "다", "달", "닭", "닭ㄱ", "닭고", "닭곡", "닭고기"],
    "double final that moves": ["ㅇ", "이", "일", "읽", "일그", "일긋", "일그시", "일그시다"],
    "double vowel": ["ㄱ", "고", "과", "과ㅈ", "과자"],
    "Thai": ["ภ", "ภา", "ภาษ", "ภาษา", "ภาษาไ", "ภาษาไท", "ภาษาไทย"],
    "second word": ["机器 r", "机器 ru", "机器 running"],
    "after a blank of Japan": ["天気　デ", "天気　データ"],
}
ROWS = [
    "机器 running 机器学习",
    "自然语言处理",
    "てんきと天気のよいデータ",
    "한국어를 나누기",
    "닭고기와 과자 일그시다",
    "ภาษาไทย",
    "别的",
    "다른 것",
]


@pytest.fixture(scope="module")
def conn() -> sqlite3.Connection:
    conn: sqlite3.Connection = fts.open_host("sqlite3")
    for name, options in TABLES.items():
        conn.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(x, {options})")
        conn.executemany(f"INSERT INTO {name} VALUES (?)", [(row,) for row in ROWS])
    return conn


def matching(conn: Any, name: str, text: str) -> list[str]:
    tokenize = TABLES[name].split("'")[1]
    expression = cjk_tokenizer.query(text, "prefix", tokenize=tokenize)
    return fts.column(conn, f"SELECT x FROM {name} WHERE {name} MATCH ?", expression)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("keys", TYPED.values(), ids=TYPED)
def test_every_keystroke_finds_the_row(
    conn: sqlite3.Connection, name: str, keys: list[str]
) -> None:
    if name == "stemmed" and keys[-1] == "running":
        keys = [keys[0], keys[1], keys[2], keys[-1]]  # of "runni" porter has another stem
    wanted = set(matching(conn, name, keys[-1]))
    assert len(wanted) == 1
    options = json.dumps({"mode": "prefix"})
    sql = f"SELECT x FROM cjk_search('{name}', ?, ?) JOIN {name} AS t ON t.rowid = cjk_search.rowid"
    for text in keys:
        assert wanted <= set(matching(conn, name, text)), text
        assert wanted <= set(fts.column(conn, sql, text, options)), text


def test_snippets_mark_what_the_next_keys_may_make(conn: sqlite3.Connection) -> None:
    sql = 'SELECT snippet FROM cjk_search(?, ?, \'{"mode": "prefix", "snippet": 40}\')'
    for name in ("plain", "small"):
        assert fts.column(conn, sql, name, "한ㄱ") == ["[한국]어를 나누기"]
        assert fts.column(conn, sql, name, "난") == ["한국어를 [나누]기"]
        assert fts.column(conn, sql, name, "ㄷ") == ["[닭]고기와 과자 일그시[다]", "[다]른 것"]
        assert fts.column(conn, sql, name, "機 ㄷ") == []
    decomposed = "\u1112\u1161\u11ab\u1100\u116e\u11a8"
    other = fts.open_host("sqlite3")
    other.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    other.execute("INSERT INTO t VALUES (?)", (decomposed,))
    assert fts.column(other, sql, "t", "한ㄱ") == [f"[{decomposed}]"]


FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
SPLIT = {
    "ㄳ": "ㄱㅅ",
    "ㄵ": "ㄴㅈ",
    "ㄶ": "ㄴㅎ",
    "ㄺ": "ㄹㄱ",
    "ㄻ": "ㄹㅁ",
    "ㄼ": "ㄹㅂ",
    "ㄽ": "ㄹㅅ",
    "ㄾ": "ㄹㅌ",
    "ㄿ": "ㄹㅍ",
    "ㅀ": "ㄹㅎ",
    "ㅄ": "ㅂㅅ",
    "ㅘ": "ㅗㅏ",
    "ㅙ": "ㅗㅐ",
    "ㅚ": "ㅗㅣ",
    "ㅝ": "ㅜㅓ",
    "ㅞ": "ㅜㅔ",
    "ㅟ": "ㅜㅣ",
    "ㅢ": "ㅡㅣ",
}
INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"


def keys_of(word: str) -> str:
    """The keys of a two-set keyboard for a word of syllables."""
    keys = ""
    for syllable in word:
        code = ord(syllable) - 0xAC00
        letters = INITIALS[code // 588] + VOWELS[code // 28 % 21]
        letters += FINALS[code % 28 - 1] if code % 28 else ""
        keys += "".join(SPLIT.get(letter, letter) for letter in letters)
    return keys


def shown(keys: str) -> str:
    """What an input method of two-set shows after these keys: an automaton of its own."""
    joined = {pair: letter for letter, pair in SPLIT.items()}
    done, initial, vowel, final = "", "", "", ""

    def syllable() -> str:
        if not vowel:
            return initial
        code = (INITIALS.index(initial) * 21 + VOWELS.index(vowel)) * 28
        return chr(0xAC00 + code + (FINALS.index(final) + 1 if final else 0))

    for key in keys:
        if key in VOWELS:
            if final:
                letters = SPLIT.get(final, final)
                final = letters[:-1]
                done += syllable()
                initial, vowel, final = letters[-1], key, ""
            elif vowel:
                vowel = joined[vowel + key]
            else:
                vowel = key
        elif vowel and not final and key in FINALS:
            final = key
        elif final and joined.get(final + key, " ") in FINALS:
            final = joined[final + key]
        else:
            done += syllable()
            initial, vowel, final = key, "", ""
    return done + syllable()


SYLLABLES = st.integers(0xAC00, 0xD7A3).map(chr)


@given(st.lists(SYLLABLES, min_size=1, max_size=3).map("".join))
def test_any_hangul_word_is_found_key_by_key(word: str) -> None:
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES (?)", (word,))
    keys = keys_of(word)
    assert shown(keys) == word
    for n in range(1, len(keys) + 1):
        text = shown(keys[:n])
        expression = cjk_tokenizer.query(text, "prefix")
        assert fts.column(conn, "SELECT x FROM t WHERE t MATCH ?", expression) == [word], text


@given(typed=SYLLABLES, word=st.lists(SYLLABLES, min_size=1, max_size=2).map("".join))
def test_nothing_else_is_found(typed: str, word: str) -> None:
    """A syllable finds what begins with its keys, and nothing that does not have them."""
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES (?)", (word,))
    found = fts.column(
        conn, "SELECT x FROM t WHERE t MATCH ?", cjk_tokenizer.query(typed, "prefix")
    )
    has_keys = any(keys_of(word[i:]).startswith(keys_of(typed)) for i in range(len(word)))
    assert bool(found) <= has_keys


def pages_read(conn: apsw.Connection, sql: str, text: str) -> int:
    before = conn.status(apsw.SQLITE_DBSTATUS_CACHE_HIT)[0]
    assert fts.rows(conn, sql, text)
    return int(conn.status(apsw.SQLITE_DBSTATUS_CACHE_HIT)[0] - before)


@pytest.mark.parametrize(
    ("text", "is_indexed"),
    [("机", True), ("r", True), ("ra", True), ("rab", True), ("机 ra", True), ("rab1", False)],
)
def test_prefix_indexes_are_read(text: str, is_indexed: bool) -> None:
    """Thousands of terms begin alike: without an index of prefixes FTS5 reads them all, as it does
    for beginnings of other lengths than those that are indexed."""
    conn = fts.open_host("apsw")
    words = [f"rab{n}r{n} 机{chr(0x4E00 + n)} 机ab{n}" for n in range(5000)]
    pages = []
    for name, options in (("without", ""), ("with_one", ", prefix='1 2 3'")):
        conn.execute(
            f"CREATE VIRTUAL TABLE {name} USING fts5(x, tokenize='cjk unigrams 0'{options})"
        )
        with conn:
            conn.executemany(f"INSERT INTO {name} VALUES (?)", [(word,) for word in words])
        conn.execute(f"INSERT INTO {name}({name}) VALUES ('optimize')")
        expression = cjk_tokenizer.query(text, "prefix", tokenize="cjk unigrams 0")
        sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ? LIMIT 1"
        pages.append(pages_read(conn, sql, expression))
    assert (pages[1] < pages[0] / 2) == is_indexed, pages


def test_words_of_a_registered_segmenter_go_on() -> None:
    cjk_tokenizer.register_segmenter("whole", lambda text: [text])
    conn = cjk_tokenizer.connect(":memory:")
    tokenize = "cjk segment whole"
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{tokenize}')")
    conn.execute("INSERT INTO t VALUES ('清华大学 한국어')")
    for typed in ("清", "清华", "清华大学", "한", "한국", "清华大学 한국"):
        expression = cjk_tokenizer.query(typed, "prefix", tokenize=tokenize)
        assert conn.execute("SELECT rowid FROM t WHERE t MATCH ?", (expression,)).fetchall() == [
            (1,)
        ]
        assert [hit.rowid for hit in cjk_tokenizer.search(conn, "t", typed, mode="prefix")] == [1]
