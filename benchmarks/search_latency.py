"""How long does cjk_search take, beside the plain OR of all bigrams? Does it grow with the table?

    python benchmarks/search_latency.py             8 MB and 32 MB of text: about a minute
    python benchmarks/search_latency.py --full      16 MB and 150 MB: minutes, 600 MB of disk
    python benchmarks/search_latency.py --folder .cache/latency     keeps the databases there

Text is ../shared/data/text/zh-niutrans_modern.txt, repeated with variations: in each repetition the
beginning of a line, up to its first comma, goes on with the end of another line. Passages of the
retrieval set cmrc2018 are hidden among the rows: all are shuffled, with a fixed seed. Questions
are those of that set with 15 to 25 characters, and as many lines of the text of that length, each
followed by "是什么？" in place of its last four characters: the first --queries of each, by a hash
of the text.

Printed for each table: the medians of both, the median of their ratios (question by question, one
after the other, so that what else the machine does meets both), and R@1 of the first --hidden
questions of cmrc2018, any length, as cjk_search ranks and as it does without a budget (reading all
rows of all grams).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cjk_tokenizer

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
PLAIN = (
    "SELECT rowid FROM t WHERE t MATCH cjk_query(?, 'any', '{\"function_words\": 1}') "
    "ORDER BY rank LIMIT 10"
)
OURS = "SELECT rowid FROM cjk_search('t', ?, '{\"limit\": 10}')"
BEST = "SELECT body FROM cjk_search('t', ?, ?) AS hit JOIN t ON t.rowid = hit.rowid"


def by_hash(texts: list[str], count: int) -> list[str]:
    return sorted(set(texts), key=lambda text: hashlib.sha256(text.encode()).digest())[:count]


def is_short(text: str) -> bool:
    return 15 <= len(text) <= 25


def read_json(name: str) -> list[dict[str, str]]:
    path = SHARED / "retrieval" / "cmrc2018" / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def read_answers() -> dict[str, str]:
    """Questions and the passages that answer them."""
    passages = {each["id"]: each["text"] for each in read_json("passages.jsonl")}
    texts = {each["id"]: each["text"] for each in read_json("queries.jsonl")}
    relevant = (SHARED / "retrieval" / "cmrc2018" / "qrels.tsv").read_text().splitlines()
    return {texts[q]: passages[p] for q, p in (line.split() for line in relevant)}


def make_questions(lines: list[str], count: int) -> list[str]:
    asked = by_hash([text for text in read_answers() if is_short(text)], count)
    made = by_hash([line[:-4] + "是什么？" for line in lines if is_short(line)], count)
    return asked + made


def vary(lines: list[str], size: int) -> Iterator[str]:
    """About `size` bytes of lines."""
    left, n = size, len(lines)
    for repetition in range(1000):
        for i, line in enumerate(lines):
            if repetition:
                other = lines[(i * 7 + repetition * 1009) % n]
                line = line.split("，", 1)[0] + "，" + other.split("，", 1)[-1]
            left -= len(line.encode()) + 1
            if left < 0:
                return
            yield line


def make_table(path: Path, lines: list[str], size: int) -> None:
    """Written once: a file that is there is whole."""
    passages = [each["text"] for each in read_json("passages.jsonl")]
    dice = random.Random(3)
    rows = [*vary(lines, size), *passages]
    dice.shuffle(rows)
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    conn = cjk_tokenizer.connect(unfinished)
    conn.execute("PRAGMA journal_mode = OFF")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='cjk')")
    with conn:
        conn.executemany("INSERT INTO t VALUES (?)", ((row,) for row in rows))
    conn.execute("INSERT INTO t(t) VALUES ('optimize')")
    conn.commit()
    conn.close()
    unfinished.rename(path)


def milliseconds(conn: sqlite3.Connection, sql: str, text: str) -> float:
    start = time.perf_counter()
    conn.execute(sql, (text,)).fetchall()
    return (time.perf_counter() - start) * 1000


def measure(conn: sqlite3.Connection, questions: list[str]) -> tuple[float, float, float]:
    """Medians of the plain OR and of cjk_search, and the median of the ratios."""
    plain, ours = [], []
    for text in questions:
        for sql in (PLAIN, OURS):  # both find the pages in memory
            milliseconds(conn, sql, text)
        plain.append(milliseconds(conn, PLAIN, text))
        ours.append(milliseconds(conn, OURS, text))
    ratios = [b / a for a, b in zip(plain, ours)]
    return statistics.median(plain), statistics.median(ours), statistics.median(ratios)


def hidden_r1(conn: sqlite3.Connection, count: int, budget: int) -> float:
    answers = read_answers()
    questions = by_hash(list(answers), count)
    options = json.dumps({"limit": 1, "budget": budget})
    found = [conn.execute(BEST, (text, options)).fetchone() for text in questions]
    right: list[bool] = [
        row is not None and row[0] == answers[text] for row, text in zip(found, questions)
    ]
    return sum(right) / len(questions)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--queries", type=int, default=100, help="of each kind")
    parser.add_argument("--hidden", type=int, default=300, help="questions for R@1")
    parser.add_argument("--folder", type=Path, help="where databases are kept from run to run")
    given = parser.parse_args()
    text = SHARED / "text" / "zh-niutrans_modern.txt"
    if not text.is_file() or not (SHARED / "retrieval" / "cmrc2018").is_dir():
        print("no text: ../shared/data is absent beside the repository")
        return 0
    lines = text.read_text("utf-8", "replace").splitlines()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        medians = [
            report(folder, lines, size, given) for size in ((16, 150) if given.full else (8, 32))
        ]
    print(f"grows {medians[1] / medians[0]:.2f} times")
    return 0


def report(folder: Path, lines: list[str], size: int, given: argparse.Namespace) -> float:
    path = folder / f"latency-{size}.db"
    if not path.exists():
        make_table(path, lines, size * 1_000_000)
    conn = cjk_tokenizer.connect(path)
    (rows,) = conn.execute("SELECT count(*) FROM t_docsize").fetchone()
    plain, ours, ratio = measure(conn, make_questions(lines, given.queries))
    r1, unbounded = (hidden_r1(conn, given.hidden, budget) for budget in (1 << 16, 1 << 30))
    print(
        f"{size:4} MB, {rows:9,} rows: OR of bigrams {plain:7.2f} ms, cjk_search {ours:7.2f} ms, "
        f"ratio {ratio:.2f}; hidden R@1 {r1:.4f}, unbounded {unbounded:.4f}",
        flush=True,
    )
    return ours


if __name__ == "__main__":
    sys.exit(main())
