"""Index real Chinese, Japanese, Korean and Thai text with the tokenizer, and search it.

    python examples/demo.py

Takes the text in ../shared/data/text beside the repository when it is there (some megabytes of
each language), else a few sentences of its own. For each language: how long the index took, and for
queries of one, two and many characters how many rows were found, how fast, how long a scan with
LIKE takes for the same, and the first hit with the query marked.
"""

from __future__ import annotations

import sqlite3
import time
import unicodedata
from pathlib import Path

import cjk_tokenizer

TEXTS = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "text"
MAX_BYTES = 4_000_000

# language -> file of real text, own sentences, queries
LANGUAGES = {
    "Chinese": (
        "zh-niutrans_modern.txt",
        [
            "图书馆每天早上九点开门，天下的书都在这里。",
            "他在大学学习中文分词，不知道该怎么办时就去问老师。",
            "明天的天气很好，我们去山上看云海。",
        ],
        ["天", "天下", "学习", "不知道该怎么办"],
    ),
    "Japanese": (
        "ja-aozora.txt",
        [
            "東京都の図書館は朝九時に開きます。",
            "雨が止んだので、二人は川沿いの道を歩いて行った。",
            "京都の天気は晴れです。",
        ],
        ["雨", "東京", "京都", "図書館", "歩いて行った"],
    ),
    "Korean": (
        "ko-nsmc_reviews.txt",
        [
            "이 영화는 처음부터 끝까지 재미있었다.",
            "시간 가는 줄 모르고 꿈 이야기를 했다.",
            "한국어검색은 띄어쓰기가 달라도 되어야 한다.",
        ],
        ["꿈", "영화", "검색", "재미있", "시간 가는 줄"],
    ),
    "Thai": (
        "th-thaigov.txt",
        [
            "ห้องสมุดในกรุงเทพมหานครเปิดทุกวัน",
            "วันนี้อากาศดี ประชาชนไปเดินเล่นที่สวนสาธารณะ",
            "ภาษาไทยเขียนติดกันโดยไม่เว้นวรรค",
        ],
        ["ไทย", "ประชาชน", "อากาศ", "กรุงเทพมหานคร"],
    ),
}


def read_rows(name: str, sentences: list[str]) -> tuple[list[str], str]:
    """Paragraphs to index, and where they are from."""
    path = TEXTS / name
    if not path.is_file():
        return sentences, "sentences of this demo"
    with path.open("rb") as file:
        text = file.read(MAX_BYTES).decode("utf-8", "ignore")
    return text.splitlines()[:-1], name


def find_phrase(text: str, query: str) -> tuple[int, int]:
    """Where the text has the query's tokens in a row, as FTS5 looks for them: start and end."""
    wanted = [token.text for token in cjk_tokenizer.tokenize(query, query=True)]
    at: dict[tuple[int, str], tuple[int, int]] = {}
    for token in cjk_tokenizer.tokenize(text):
        at[token.position, token.text] = (token.start, token.end)
    for position, word in at:
        spans = [at.get((position + i, word)) for i, word in enumerate(wanted)]
        if word == wanted[0] and None not in spans:
            return min(span[0] for span in spans if span), max(span[1] for span in spans if span)
    raise AssertionError(f"MATCH found {query}, its tokens are not in {text}")


def mark(text: str, query: str, around: int = 12) -> str:
    """The surroundings of the first hit, the hit between [ and ]."""
    start, end = find_phrase(text, query)
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return f"{before}[{text[start:end]}]{after}"


def width(text: str) -> int:
    """Columns that a terminal needs."""
    narrow = sum(unicodedata.category(c) in ("Mn", "Me", "Cf") for c in text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) - narrow + wide


def pad(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))


def timed(conn: sqlite3.Connection, sql: str, argument: str) -> tuple[list[tuple[str]], float]:
    """Rows, and milliseconds."""
    start = time.perf_counter()
    rows = conn.execute(sql, (argument,)).fetchall()
    return rows, (time.perf_counter() - start) * 1000


def show(conn: sqlite3.Connection, language: str) -> None:
    name, sentences, queries = LANGUAGES[language]
    rows, source = read_rows(name, sentences)
    size = sum(len(row.encode()) for row in rows) / 1e6

    conn.execute("DROP TABLE IF EXISTS notes")
    conn.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')")
    start = time.perf_counter()
    with conn:
        conn.executemany("INSERT INTO notes(body) VALUES (?)", ((row,) for row in rows))
    seconds = time.perf_counter() - start
    print(f"{language}: {len(rows):,} rows, {size:.3g} MB ({source}), indexed in {seconds:.2f} s")

    print(f"  {'query':<18}{'rows':>7}{'index':>11}{'scan':>11}   first hit")
    for query in queries:
        phrase = '"' + query.replace('"', '""') + '"'
        found, index_ms = timed(conn, "SELECT body FROM notes WHERE notes MATCH ?", phrase)
        _, scan_ms = timed(conn, "SELECT body FROM notes WHERE body LIKE ?", f"%{query}%")
        first = mark(found[0][0], query) if found else ""
        print(f"  {pad(query, 18)}{len(found):>7,}{index_ms:>8.2f} ms{scan_ms:>8.2f} ms   {first}")
    print()


def main() -> None:
    conn = sqlite3.connect(":memory:")
    start = time.perf_counter()
    cjk_tokenizer.load(conn)
    loading = (time.perf_counter() - start) * 1000
    version = conn.execute("SELECT cjk_version()").fetchone()[0]
    print(f"cjk_tokenizer {version} in SQLite {sqlite3.sqlite_version}, loaded in {loading:.1f} ms")
    print("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')\n")
    for language in LANGUAGES:
        show(conn, language)


if __name__ == "__main__":
    main()
