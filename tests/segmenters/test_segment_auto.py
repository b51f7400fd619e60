"""`segment auto`: who cuts what, by locale and script."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from callables import texts
from fts import column, hits, open_host, rows, value, version

import cjk_tokenizer
from cjk_tokenizer import (
    add_words,
    register_segmenter,
    tokenize,
    unregister_segmenter,
)

pytestmark = pytest.mark.usefixtures("library")


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
