"""The same text indexed with n-grams, with jieba's words, and with a segmenter for each language.

    python examples/segmenters.py

`segment auto` gives each stretch of text to the segmenter of its language: Chinese to jieba, which
is built in, Japanese, Korean and Thai to the first adapter whose package is installed (pip install
'cjk_tokenizer[segmenters]' for all), bigrams where there is none. Prints which those are, and for
each query the rows that each index finds.

N-grams find every substring, words only what a dictionary calls a word: 京都 not in 東京都. A query
of Han characters alone looks Chinese, whatever language the row is in; the last column says the
language of each row and query with fts5_locale(), which SQLite has from 3.47 on.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from itertools import chain
from typing import Any

import cjk_tokenizer
from cjk_tokenizer import segmenters
from cjk_tokenizer.errors import MissingPackageError

# language -> texts, and what is searched for
TEXTS = {
    "zh": (
        "自然语言处理是人工智能的一个方向。",
        "他研究生命的起源，我在北京大学学习C++语言。",
        "明天的天气很好，我们下午去图书馆。",
    ),
    "ja": (
        "東京都の人口は千四百万人です。",
        "京都の大学で日本語を勉強しています。",
    ),
    "ko": (
        "서울에서 한국어 형태소를 분석했습니다.",
        "대학교 도서관에서 검색했어요.",
    ),
    "th": (
        "ผมเรียนภาษาไทยที่กรุงเทพฯ",
        "อากาศวันนี้ดีมาก ตากลมที่ทะเล",
    ),
}
QUERIES = {
    "zh": ("语言", "自然语言", "研究生", "学习C++", "书"),
    "ja": ("京都", "東京都", "大学", "勉強"),
    "ko": ("한국어", "대학", "분석", "소를"),
    "th": ("ภาษาไทย", "เรียน", "ตาก", "มาก"),
}
INDEXES = {"n-grams": "bigram", "jieba": "jieba", "auto": "auto", "auto, locale": "auto"}


def connect() -> Any:
    """A connection of a SQLite that knows locales, where there is one."""
    if sqlite3.sqlite_version_info < (3, 47):
        try:
            import apsw
        except ImportError:
            pass
        else:
            conn = apsw.Connection(":memory:")
            cjk_tokenizer.load(conn)
            return conn
    return cjk_tokenizer.connect(":memory:")


def knows_locales(conn: Any) -> bool:
    ((version,),) = conn.execute("SELECT sqlite_version()")
    return tuple(map(int, version.split("."))) >= (3, 47)


def register_first(language: str) -> str:
    """Register the first adapter for a language whose package is installed; say which."""
    for name in segmenters.names():
        if language not in segmenters.languages(name):
            continue
        try:
            function = segmenters.adapter(name).callable
        except MissingPackageError:
            continue
        cjk_tokenizer.register_segmenter(name, function, languages=language)
        return name
    return "bigrams: no adapter is installed"


class Index:
    """One FTS5 table over all the texts."""

    def __init__(self, conn: Any, table: str, segment: str, with_locale: bool) -> None:
        self.conn = conn
        self.table = table
        self.tokenize = f"cjk segment {segment}"
        self.locale = "fts5_locale(?2, {})" if with_locale else "{}"
        options = ", locale=1" if with_locale else ""
        conn.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5(x, tokenize='{self.tokenize}'{options})"
        )
        insert = f"INSERT INTO {table} SELECT {self.locale.format('?1')} WHERE ?2 <> ''"
        for language, texts in TEXTS.items():
            for text in texts:
                conn.execute(insert, (text, language))

    def find(self, query: str, language: str) -> str:
        """The rows found, as in "1 5"."""
        expression = self.locale.format("cjk_query(?1, 'all', json_object('tokenize', ?3))")
        sql = f"SELECT rowid FROM {self.table} WHERE {self.table} MATCH {expression} AND ?2 <> ''"
        rows = self.conn.execute(sql, (query, language, self.tokenize))
        return " ".join(str(rowid) for (rowid,) in rows) or "-"


def padded(text: str, width: int) -> str:
    """The text with blanks behind it: wide characters take two columns, marks none."""
    taken = sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
        if unicodedata.category(char) != "Mn"
    )
    return text + " " * (width - taken)


def main() -> None:
    print("zh  jieba, built in")
    for language in ("ja", "ko", "th"):
        print(f"{language}  {register_first(language)}")
    for number, text in enumerate(chain.from_iterable(TEXTS.values()), 1):
        print(f"{number}  {text}")
    conn = connect()
    indexes = {
        name: Index(conn, f"t{i}", segment, "locale" in name)
        for i, (name, segment) in enumerate(INDEXES.items())
        if "locale" not in name or knows_locales(conn)
    }
    for language, queries in QUERIES.items():
        print_row(language, list(indexes))
        for query in queries:
            print_row(query, [index.find(query, language) for index in indexes.values()])
    conn.close()


def print_row(first: str, others: list[str]) -> None:
    print("".join(padded(each, 14) for each in (first, *others)).rstrip())


if __name__ == "__main__":
    main()
