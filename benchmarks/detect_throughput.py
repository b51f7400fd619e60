"""How fast the memory functions are in SQL, and how much faster than in Python.

    python benchmarks/detect_throughput.py [FILE...]

Times cjk_detect() on one long text and on one call a line, cjk_relevance() on a line against the
one before, and cjk_chunks(), over real text: ../shared/data/text beside the repository, or the
FILEs; without any, a few repeated sentences. Megabytes of UTF-8 a second of processor time, best
of three. Takes some seconds, most of it Python's.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import cjk_tokenizer
from cjk_tokenizer.memory import chunk_text, detect, relevance

TEXTS = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "text"
MAX_CHARS = 500_000
SENTENCES = {
    "Chinese": "图书馆每天早上九点开门，天下的书都在这里。\n",
    "Japanese": "雨が止んだので、二人は川沿いの道を歩いて行った。\n",
    "English": "The library opens at nine every morning, rain or shine.\n",
}
COLUMNS = ("detect", "detect lines", "relevance", "chunks")


def texts(files: list[str]) -> Iterator[tuple[str, str]]:
    """(name, text) of each file, or of the sentences where there are no files."""
    paths = [Path(file) for file in files] or sorted(TEXTS.glob("*.txt"))
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield path.stem, file.read(MAX_CHARS).replace("\0", " ")
    if not paths:
        yield from ((name, text * (MAX_CHARS // len(text))) for name, text in SENTENCES.items())


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


def time_sql(text: str) -> list[float]:
    conn = cjk_tokenizer.connect(":memory:")
    conn.execute("CREATE TABLE lines(body TEXT, before TEXT)")
    lines = text.splitlines()
    conn.executemany("INSERT INTO lines VALUES (?, ?)", zip(lines, ["", *lines]))

    def run(sql: str, *parameters: Any) -> Callable[[], list[Any]]:
        return lambda: conn.execute(sql, parameters).fetchall()

    return [
        seconds(run("SELECT cjk_detect(?)", text)),
        seconds(run("SELECT count(cjk_detect(body)) FROM lines")),
        seconds(run("SELECT sum(cjk_relevance(before, body)) FROM lines")),
        seconds(run("SELECT count(*) FROM cjk_chunks(?)", text)),
    ]


def time_python(text: str) -> list[float]:
    lines = text.splitlines()
    return [
        seconds(lambda: detect(text)),
        seconds(lambda: [detect(line) for line in lines]),
        seconds(lambda: [relevance(a, b) for a, b in zip(["", *lines], lines)]),
        seconds(lambda: chunk_text(text)),
    ]


def main() -> None:
    print(f"sqlite3 {sqlite3.sqlite_version}, {cjk_tokenizer.loadable_path()}")
    print(f"{'MB/s':24}", *(f"{column:>14}" for column in COLUMNS))
    for name, text in texts(sys.argv[1:]):
        megabytes = len(text.encode()) / 1e6
        for kind, times in (("SQL", time_sql(text)), ("Python", time_python(text))):
            print(f"{name[:17]:17} {kind:6}", *(f"{megabytes / each:14.1f}" for each in times))


if __name__ == "__main__":
    main()
