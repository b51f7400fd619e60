"""What words cost an index: the native segmenter beside n-grams, and the roads for Python's.

    python benchmarks/segmenters.py [--megabytes 16] [--small 1] [--rounds 3] [FILE]

FILE is Chinese text, a paragraph a line: ../shared/data/text/zh-niutrans_modern.txt beside the
repository, or a few repeated sentences. Prints

1. building an index of FILE: processor time of `segment` unigram, jieba and bigram, taking turns,
   medians, as multiples of unigram's; the size of the index as built and after 'optimize';
2. the same words by different roads, on `--small` MB: jieba called from Python with no index at
   all, the compiled library with its own words, with a registered segmenter, and plain FTS5
   tokenizers in Python, through apsw and sqlitefts;
3. in a fresh process: from loading to the first words in SQL, private memory, size of the library.

Building with jieba's words takes about twice unigram's time. Most of it is FTS5's own: handed the
same tokens from memory (as replay.c does) it takes 1.6 times unigram's, since there are many more
distinct terms, though fewer tokens; cutting takes the rest.

Texts that come again are not cut again: natural text has many short stretches that do.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cjk_tokenizer
from benchmarks.load_cost import private_kilobytes
from cjk_tokenizer import segmenters
from cjk_tokenizer.errors import Error

TEXT = Path(__file__).resolve().parent.parent.parent / "shared/data/text/zh-niutrans_modern.txt"
SENTENCES = ("我们在北京学习自然语言处理，很有意思。", "天下的书都在图书馆里，上午九点开门。")
COUNTS = "SELECT sum(length(block)) FROM t_data"


def read_lines(path: Path, megabytes: float) -> list[str]:
    limit = int(megabytes * 1e6)
    if path.is_file():
        return path.read_bytes()[:limit].decode("utf-8", "replace").splitlines()
    return list(SENTENCES) * (limit // sum(len(each.encode()) for each in SENTENCES))


def build(conn: Any, tokenize: str, lines: list[str]) -> float:
    """Seconds of processor time for the table t over the lines."""
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{tokenize}')")
    rows = [(line,) for line in lines]
    start = time.process_time()
    conn.execute("BEGIN")
    conn.executemany("INSERT INTO t VALUES (?)", rows)
    conn.execute("COMMIT")
    return time.process_time() - start


# -- 1: the native segmenters --


def print_builds(lines: list[str], rounds: int) -> None:
    names = ("unigram", "jieba", "bigram", "bigram unigrams 0")
    times: dict[str, list[float]] = {name: [] for name in names}
    sizes: dict[str, tuple[int, int]] = {}
    for _ in range(rounds):
        for name in names:
            conn = connect()
            times[name].append(build(conn, f"cjk segment {name}", lines))
            sizes[name] = index_sizes(conn)
            conn.close()
    base = statistics.median(times["unigram"])
    print("| segment | seconds | of unigram's | MB | MB, optimized |\n|---|---|---|---|---|")
    for name in names:
        median = statistics.median(times[name])
        before, after = sizes[name]
        print(
            f"| {name} | {median:.2f} | {median / base:.2f} | {before / 1e6:.1f} | "
            f"{after / 1e6:.1f} |"
        )


def connect() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:", isolation_level=None)
    cjk_tokenizer.load(conn, fallback=False)
    return conn


def index_sizes(conn: sqlite3.Connection) -> tuple[int, int]:
    (before,) = conn.execute(COUNTS).fetchone()
    conn.execute("INSERT INTO t(t) VALUES ('optimize')")
    (after,) = conn.execute(COUNTS).fetchone()
    return before, after


# -- 2: the roads for segmenters in Python --


Road = Callable[[list[str]], float]


def roads() -> Iterator[tuple[str, Road]]:
    yield "native, no words (segment bigram)", native_road("bigram")
    yield "native, segment jieba", native_road("jieba")
    for name in ("python_jieba", "rjieba"):
        try:
            cut = segmenters.adapter(name).callable
        except Error as error:
            print(f"| {error} | |")
            continue
        cut("载入词典")
        yield f"{name} alone, no index", partial(call_alone, cut)
        cjk_tokenizer.register_segmenter(name)
        yield f"native, registered {name}", native_road(name)
        for host in ("apsw", "sqlitefts"):
            yield f"Python, {host}, {name}", python_road(host, name)


def native_road(segment: str) -> Road:
    return lambda lines: build(connect(), f"cjk segment {segment}", lines)


def python_road(host: str, name: str) -> Road:
    return lambda lines: build(connect_python(host, name), name, lines)


def call_alone(cut: Callable[[str], Any], lines: list[str]) -> float:
    start = time.process_time()
    for line in lines:
        cut(line)
    return time.process_time() - start


def connect_python(host: str, name: str) -> Any:
    if host == "apsw":
        import apsw

        conn: Any = apsw.Connection(":memory:")
    else:
        conn = sqlite3.connect(":memory:", isolation_level=None)
    segmenters.register_python_tokenizer(conn, name)
    return conn


def print_roads(lines: list[str], rounds: int) -> None:
    ways = dict(roads())
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            times[name].append(run(lines))
    size = sum(len(line.encode()) + 1 for line in lines)
    print("| road | seconds | MB/s |\n|---|---|---|")
    for name, found in times.items():
        median = statistics.median(found)
        print(f"| {name} | {median:.2f} | {size / median / 1e6:.2f} |")


# -- 3: the start --


def print_start() -> None:
    """In this process, which has loaded nothing yet."""
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    cut = "SELECT group_concat(token, ' ') FROM cjk_tokens('我来到北京清华大学', 'segment {}')"
    before = private_kilobytes()
    start = time.perf_counter()
    cjk_tokenizer.load(conn, fallback=False)
    loaded = time.perf_counter()
    (words,) = conn.execute(cut.format("jieba")).fetchone()
    first = time.perf_counter()
    conn.execute(cut.format("bigram")).fetchone()
    other = time.perf_counter()
    library = Path(cjk_tokenizer.loadable_path())
    print(f"loaded in {(loaded - start) * 1000:.2f} ms; then the first words ({words})")
    print(
        f"in {(first - loaded) * 1000:.2f} ms, bigrams next in {(other - first) * 1000:.2f} ms; "
        f"private memory {private_kilobytes() - before} kB; {library.name} "
        f"{library.stat().st_size / 1e6:.2f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=TEXT)
    parser.add_argument("--megabytes", type=float, default=16.1)
    parser.add_argument("--small", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--start", action="store_true", help="only the third part, here")
    options = parser.parse_args()
    if options.start:
        print_start()
        return
    print_builds(read_lines(options.file, options.megabytes), options.rounds)
    print()
    print_roads(read_lines(options.file, options.small), options.rounds)
    print()
    subprocess.run([sys.executable, __file__, "--start"], check=True)


if __name__ == "__main__":
    main()
