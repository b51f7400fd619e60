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
            "图书馆每天早上九点开门，晚上十点关门。",
            "他在大学学习自然语言处理，论文写的是中文分词。",
            "明天的天气很好，我们去山上看云海。",
        ],
        ["天", "天下", "学习", "自然语言处理", "不知道该怎么办"],
    ),
    "Japanese": (
        "ja-aozora.txt",
        [
            "東京都の図書館は朝九時に開きます。",
            "雨が止んだので、二人は川沿いの道をゆっくり歩いた。",
            "全文検索には形態素解析かＮグラムが使われる。",
        ],
        ["雨", "東京", "京都", "図書館", "歩いて行った"],
    ),
    "Korean": (
        "ko-nsmc_reviews.txt",
        [
            "이 영화는 처음부터 끝까지 재미있었다.",
            "도서관은 아침 아홉 시에 문을 연다.",
            "한국어검색은 띄어쓰기가 달라도 되어야 한다.",
        ],
        ["꿈", "영화", "검색", "재미있", "시간 가는 줄"],
    ),
    "Thai": (
        "th-thaigov.txt",
        [
            "ห้องสมุดเปิดทุกวันเวลาเก้าโมงเช้า",
            "วันนี้อากาศดี เราจะไปเดินเล่นที่สวนสาธารณะ",
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


def mark(text: str, query: str, around: int = 12) -> str:
    """The surroundings of the first hit in characters, the hit between [ and ]."""
    at = text.find(query)
    if at < 0:  # found through the fold, in another form (full width, say)
        return text[: 2 * around]
    before = text[max(0, at - around) : at]
    after = text[at + len(query) : at + len(query) + around]
    return f"{before}[{query}]{after}"


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
