"""What a registered Python segmenter costs over calling it directly.

    python benchmarks/registered_segmenter.py FILE [MEGABYTES]

The segmenter is Python jieba, registered as `segment python_jieba`. Over the first MEGABYTES (2) of
FILE, in slices that take turns so that a busy machine slows all alike, processor time of

    lines  jieba called on each line, as a program without this package does
    runs   jieba called on the runs that the tokenizer asks for, each once
    index  the lines put into an FTS5 table, whose tokenizer calls jieba back
    again  the same lines once more: every run is in the cache, so this is SQLite's work alone

`index - again` is what the calls cost, jieba included; printed are its ratios to `runs` and `lines`.
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

    def index(table: str, lines: list[str]) -> None:
        conn.execute("BEGIN")
        conn.executemany(f"INSERT INTO {table} VALUES (?)", ((line,) for line in lines))
        conn.execute("ROLLBACK")

    def call(texts: list[str]) -> None:
        for text in texts:
            jieba.lcut(text)

    content = Path(file).read_bytes()[: int(float(megabytes) * 1e6)].decode("utf-8", "ignore")
    lines = content.split("\n")
    times = dict.fromkeys(["lines", "runs", "index", "again"], 0.0)
    for at in range(0, len(lines), SLICE):
        part = lines[at : at + SLICE]
        runs.clear()
        index("noting", part)
        ways = [
            ("index", partial(index, "python_jieba", part)),
            ("runs", partial(call, runs)),
            ("lines", partial(call, part)),
        ]
        first = at // SLICE % len(ways)  # who comes first finds jieba's tables cold
        again = ("again", partial(index, "python_jieba", part))
        for way, function in [*ways[first:], *ways[:first], again]:
            times[way] += timed(function)
    for way, seconds in times.items():
        print(f"{way:6} {seconds:8.2f} s")
    for way in "runs", "lines":
        print(f"(index - again) / {way:6} {(times['index'] - times['again']) / times[way]:.3f}")


def timed(function: Callable[[], None]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
