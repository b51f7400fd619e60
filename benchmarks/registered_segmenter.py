"""What a registered Python segmenter costs over calling it directly.

    python benchmarks/registered_segmenter.py FILE [MEGABYTES]

The segmenter is Python jieba, registered as `segment python_jieba`. Over the first MEGABYTES (2) of
FILE, in slices that take turns so that a busy machine slows all alike, processor time of

    index   the lines put into an FTS5 table, whose tokenizer calls jieba back
    by hand jieba called on each line, and its words, blank-separated, put into an FTS5 table of
            unicode61: what programs without this package do
    lines   jieba called on each line, nothing else
    runs    jieba called on the runs that the tokenizer asks for, each once
    again   `index` once more: every run is in the cache, so this is SQLite's work alone

Printed are the ratios of `index` to `by hand`, and of `index - again`, which is what the calls cost
with jieba in them, to `lines` and `runs`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import cjk_tokenizer

SLICE = 200  # lines


def main(file: str, megabytes: str = "2") -> None:
    jieba: Any = import_module("jieba")
    jieba.setLogLevel(60)
    jieba.initialize()
    runs: list[str] = []

    def note(text: str) -> list[str]:
        runs.append(text)
        return [text]

    cjk_tokenizer.register_segmenter("python_jieba", jieba.lcut, languages="zh")
    cjk_tokenizer.register_segmenter("noting", note, languages="zh")
    conn = cjk_tokenizer.connect(":memory:", isolation_level=None)
    for name in "python_jieba", "noting":
        tokenize = f"cjk segment {name}"
        conn.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(x, tokenize='{tokenize}')")

    conn.execute("CREATE VIRTUAL TABLE by_hand USING fts5(x)")

    def index(table: str, lines: list[str]) -> None:
        conn.execute("BEGIN")
        conn.executemany(f"INSERT INTO {table} VALUES (?)", ((line,) for line in lines))
        conn.execute("ROLLBACK")

    def index_by_hand(lines: list[str]) -> None:
        conn.execute("BEGIN")
        words = ((" ".join(jieba.lcut(line)),) for line in lines)
        conn.executemany("INSERT INTO by_hand VALUES (?)", words)
        conn.execute("ROLLBACK")

    def call(texts: list[str]) -> None:
        for text in texts:
            jieba.lcut(text)

    content = Path(file).read_bytes()[: int(float(megabytes) * 1e6)].decode("utf-8", "replace")
    lines = content.split("\n")
    times = dict.fromkeys(["index", "by hand", "lines", "runs", "again"], 0.0)
    for at in range(0, len(lines), SLICE):
        part = lines[at : at + SLICE]
        runs.clear()
        index("noting", part)
        ways = [
            ("index", partial(index, "python_jieba", part)),
            ("by hand", partial(index_by_hand, part)),
            ("runs", partial(call, runs)),
            ("lines", partial(call, part)),
        ]
        first = at // SLICE % len(ways)  # who comes first finds jieba's tables cold
        again = ("again", partial(index, "python_jieba", part))
        for way, function in [*ways[first:], *ways[:first], again]:
            times[way] += timed(function)
    for way, seconds in times.items():
        print(f"{way:8} {seconds:8.2f} s")
    print(f"index / by hand          {times['index'] / times['by hand']:.3f}")
    for way in "lines", "runs":
        print(f"(index - again) / {way:6} {(times['index'] - times['again']) / times[way]:.3f}")


def timed(function: Callable[[], None]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
