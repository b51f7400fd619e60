"""Random text as queries, through every mode of cjk_query and cjk_search: nothing raises.

    python tests/random_queries.py [COUNT] [--seed N] [--seconds N] [--no-search]

COUNT (1,000,000) texts of all planes, FTS5's operators, quotes, NUL and broken UTF-8, one in 2,000
of them 100 KB long, go through all modes, with snippets and highlights, on tables of several kinds.
Then texts of 64 KB and 1 MB, to see that time is linear in length. Prints what raised, with the
text as bytes, and says how many texts were tried; the exit status is 1 when anything did. --seconds
ends it sooner; --no-search leaves cjk_search out, which takes most of the time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import strategies
from nasty import NASTY

QUERY_MODES = ["all", "any", "phrase", "prefix", "web", "words", "grams"]
SEARCH_MODES = ["auto", "any", "all", "phrase", "prefix", "web"]
TABLES = {
    "full": "tokenize='cjk'",
    "small": "tokenize='cjk unigrams 0', prefix='1 2'",
    "coarse": "tokenize='cjk', detail=column",
    "folded": "tokenize='porter cjk fold_kana 1 fold_iteration 1', columnsize=0",
}
OPERATORS = [
    *('"', "'", "*", "^", ":", "-", "+", "(", ")", "{", "}", ",", ".", ";", "\\", "%", "?", "|"),
    *("AND", "OR", "NOT", "NEAR(", "NEAR", "a:", "body:", "{body}:", "rowid", "-x", "“", "”", "－"),
    *("\0", " ", "\u3000", "\n", "学习", "学", "q7", "don't", "C++", "เชียง", "한국어", "🍐"),
]
LONG = 100_000  # bytes
ONE_LONG_IN = 2000


def make_tables(conn: Any, documents: list[bytes]) -> None:
    for name, options in TABLES.items():
        conn.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(title, body, {options})")
        conn.executemany(
            f"INSERT INTO {name} VALUES (CAST(? AS TEXT), CAST(? AS TEXT))",
            list(zip(documents, documents[1:])),
        )


def make_texts(count: int, seed: int) -> Iterator[bytes]:
    dice = random.Random(seed)
    kinds = (soup, anything, dense, noise, quotation)
    for number in range(count):
        text = kinds[number % len(kinds)](dice)
        if number % ONE_LONG_IN == ONE_LONG_IN - 1:
            text = text[: LONG // 8] or b"x"
            text *= LONG // len(text)
        yield text


def soup(dice: random.Random) -> bytes:
    """What FTS5 takes for syntax."""
    return "".join(dice.choices(OPERATORS, k=dice.randrange(16))).encode()


def anything(dice: random.Random) -> bytes:
    """Code points of all planes, assigned or not, surrogates too."""
    planes = [0, 0, 0, 1, 1, 2, 2, 3, 14, 15, 16]
    codes = (dice.choice(planes) << 16 | dice.getrandbits(16) for _ in range(dice.randrange(16)))
    return "".join(map(chr, codes)).encode("utf-8", "surrogatepass")


def dense(dice: random.Random) -> bytes:
    """What the rules of the token stream are about."""
    return "".join(dice.choices(strategies.PIECES, k=dice.randrange(16))).encode()


def noise(dice: random.Random) -> bytes:
    return dice.randbytes(dice.randrange(24))


def quotation(dice: random.Random) -> bytes:
    """A piece of a document, so that much is found; also cut inside a character."""
    document = dice.choice(NASTY)
    start = dice.randrange(len(document) + 1)
    return document[start : start + dice.randrange(1, 40)]


class Runner:
    """Puts one text through one mode; counts what is found."""

    def __init__(self, conn: Any, documents: list[bytes]) -> None:
        self.conn = conn
        self.found = 0
        make_tables(conn, documents)

    def query(self, text: bytes, mode: str, table: str) -> None:
        # Tables without positions take no phrases.
        name = "coarse" if mode == "grams" else "full" if table == "coarse" else table
        tokenize = TABLES[name].split("'")[1]
        sql = f"SELECT count(*) FROM {name} WHERE {name} MATCH cjk_query(CAST(? AS TEXT), ?, ?)"
        self._count(sql, (text, mode, json.dumps({"tokenize": tokenize})))

    def search(self, text: bytes, mode: str, table: str) -> None:
        options = {"mode": mode, "snippet": 20, "highlight": 1, "limit": 3}
        sql = "SELECT count(snippet) + count(highlights) FROM cjk_search(?, CAST(? AS TEXT), ?)"
        if table == "coarse" and mode in ("all", "phrase", "prefix", "web"):
            table = "full"
        self._count(sql, (table, text, json.dumps(options)))

    def _count(self, sql: str, values: tuple[Any, ...]) -> None:
        ((found,),) = self.conn.execute(sql, values)
        self.found += found

    def all_modes(
        self, text: bytes, table: str, with_search: bool
    ) -> Iterator[tuple[str, Exception]]:
        """What raised: (mode, exception)."""
        for run, modes in ((self.query, QUERY_MODES), (self.search, SEARCH_MODES)):
            for mode in modes if run == self.query or with_search else ():
                try:
                    run(text, mode, table)
                except Exception as error:
                    yield f"{run.__name__} {mode}", error


def run_random(
    conn: Any, count: int, seed: int, seconds: float = 1e9, with_search: bool = True
) -> tuple[int, list[str]]:
    """(texts tried, what raised)."""
    runner = Runner(conn, [text for text in NASTY if b"\0" not in text])
    names = list(TABLES)
    failures: list[str] = []
    end = time.monotonic() + seconds
    n = 0
    for n, text in enumerate(make_texts(count, seed), 1):
        table = names[n // 7 % len(names)]
        for mode, error in runner.all_modes(text, table, with_search):
            failures.append(f"{mode} on {table}: {error!r}: {text[:200]!r}")
        if time.monotonic() > end:
            break
    assert runner.found > n, "most of the texts that quote a document find something"
    return n, failures


def time_of(runner: Runner, kind: str, mode: str, text: bytes) -> float:
    run = runner.query if kind == "query" else runner.search
    best = 1e9
    for _ in range(2):
        start = time.process_time()
        run(text, mode, "full")
        best = min(best, time.process_time() - start)
    return best


def run_long(
    conn: Any, small: int = 1 << 16, times: int = 16
) -> Iterator[tuple[str, float, float]]:
    """(what, seconds of a text of `small` bytes, seconds of one that is `times` as long)."""
    documents = ["学习C++语言 don't忘记", "学", "word a b", "จังหวัดเชียงใหม่", "🍐 -x"]
    runner = Runner(conn, [document.encode() for document in documents])
    patterns = {
        "one run": "学习", "one character": "学", "words": "word ", "distinct": None,
        "isolated": "学 ", "clusters": "เชียง", "web": '-x OR "a b" ', "emoji": "🍐", "quotes": '"',
        "nothing": "？！", "NUL": "\0",
    }  # fmt: skip
    for name, pattern in patterns.items():
        if pattern is None:
            pattern = "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(20000))
        data = pattern.encode()
        long = (data * (small * times // len(data) + 1))[: small * times]
        for kind, modes in (("query", QUERY_MODES), ("search", SEARCH_MODES)):
            for mode in modes:
                first = time_of(runner, kind, mode, long[:small])
                yield f"{kind} {mode}, {name}", first, time_of(runner, kind, mode, long)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--no-search", action="store_true")
    given = parser.parse_args()
    import fts

    start = time.monotonic()
    n, failures = run_random(
        fts.open_host("sqlite3"), given.count, given.seed, given.seconds, not given.no_search
    )
    for failure in failures[:100]:
        print(failure)
    modes = len(QUERY_MODES) + (0 if given.no_search else len(SEARCH_MODES))
    took = time.monotonic() - start
    print(f"{n:,} texts, {modes} modes each: {len(failures)} raised; {took:.0f} s", flush=True)
    worst = 0.0
    for what, first, second in run_long(fts.open_host("sqlite3")):
        ratio = second / max(first, 0.002)
        worst = max(worst, ratio)
        if ratio > 20 or second > 1:
            print(f"{what}: {first * 1000:.0f} ms of 64 KB, {second * 1000:.0f} ms of 1 MB")
    print(f"a text 16 times as long takes {worst:.0f} times as long at most")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
