"""Rows of text of a wanted size, in a database that all contenders build from; and their queries.

A smaller corpus is a random sample of the rows. A larger one than there is text for gets more rows
by dealing the clauses of the text anew: frequencies stay, rows differ, and no pair of characters
comes up that the text does not have, since clauses end at punctuation. Everything is drawn with a
fixed seed: the same text gives the same corpus and the same queries. Sizes are in bytes of UTF-8.
"""

from __future__ import annotations

import random
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from cjk_tokenizer import Error, tokenize

SEED = 20
FIRST_LETTER = 0x0E00  # Thai; from there on scripts that are written without spaces
QUESTION = 20  # characters
QUERY_LENGTHS = {"1": (1, 1), "2": (2, 2), "3-4": (3, 4), "10": (10, 10)}

_CLAUSE = re.compile(r"[^。，、！？；：…,.!?;:\s]*[。，、！？；：…,.!?;:\s]*")


class NoTextError(Error):
    """There is nothing in the text to measure with."""


def size_of(rows: Iterable[str]) -> int:
    return sum(len(row.encode("utf-8", "replace")) for row in rows)


def resize(rows: Sequence[str], size: int) -> list[str]:
    """Rows of `size` bytes in all (and the rest of the last one), made of these.

    A larger corpus has all rows of a smaller one.
    """
    have = size_of(rows)
    if have == 0:
        raise NoTextError("there is no text in the files")
    chance = random.Random(SEED)
    result = list(rows)
    if size < have:
        chance.shuffle(result)
        return _cut(result, size)
    while have < size:
        more = _deal_anew(rows, chance)
        have += size_of(more)
        result += more
    return _cut(result, size)


def _cut(rows: list[str], size: int) -> list[str]:
    total = 0
    for number, row in enumerate(rows, 1):
        total += len(row.encode("utf-8", "replace"))
        if total >= size:
            return rows[:number]
    return rows


def _deal_anew(rows: Sequence[str], chance: random.Random) -> list[str]:
    """As many rows of as many clauses as these have, the clauses shuffled."""
    cut = [[clause for clause in _CLAUSE.findall(row) if clause] for row in rows]
    clauses = [clause for row in cut for clause in row]
    chance.shuffle(clauses)
    left = iter(clauses)
    return ["".join(next(left) for _ in row) for row in cut]


def write(rows: Iterable[str], path: Path) -> None:
    """Makes the database that contenders build from: rows(id, body)."""
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with closing(sqlite3.connect(partial)) as conn:
        conn.execute("PRAGMA journal_mode = OFF")
        conn.execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, body TEXT)")
        # A lone surrogate has no UTF-8.
        clean = ((row.encode("utf-8", "replace").decode(),) for row in rows)
        conn.executemany("INSERT INTO rows(body) VALUES (?)", clean)
        conn.commit()
    partial.replace(path)


# ---------------------------------------------------------------- queries


def draw_queries(rows: Sequence[str], number: int) -> dict[str, list[str]]:
    """Of each length `number` substrings of the text, drawn at random places; where the text is too
    small, fewer. A character is what the tokenizer takes for one: a cluster in Thai. Keys are those
    of QUERY_LENGTHS, and "question": QUESTION characters of a row, whatever they are.

    Raises NoTextError when the rows have no text of a script that is written without spaces.
    """
    chance = random.Random(SEED + 1)
    queries: dict[str, dict[str, None]] = {name: {} for name in (*QUERY_LENGTHS, "question")}
    for _ in range(number * 200):
        row = chance.choice(rows)
        stretches = list(_stretches(row))
        if not stretches:
            continue
        for name, (shortest, longest) in QUERY_LENGTHS.items():
            length = chance.randint(shortest, longest)
            fitting = [stretch for stretch in stretches if len(stretch) >= length]
            if fitting and len(queries[name]) < number:
                stretch = chance.choice(fitting)
                first = chance.randrange(len(stretch) - length + 1)
                start, end = stretch[first][0], stretch[first + length - 1][1]
                queries[name][row[start:end]] = None
        if len(row) >= QUESTION and len(queries["question"]) < number:
            first = chance.randrange(len(row) - QUESTION + 1)
            queries["question"][row[first : first + QUESTION]] = None
        if all(len(found) >= number for found in queries.values()):
            break
    if not queries["1"]:
        raise NoTextError(
            "no Chinese, Japanese, Korean or Thai text found: there is nothing to draw queries from"
        )
    return {name: list(found) for name, found in queries.items()}


def _stretches(row: str) -> Iterator[list[tuple[int, int]]]:
    """Start and end of the characters of each stretch of text without a separator."""
    stretch: list[tuple[int, int]] = []
    for token in tokenize(row[:2000], "cjk segment unigram join_lines 0"):
        first = row[token.start]
        if ord(first) < FIRST_LETTER or unicodedata.category(first)[0] != "L":
            continue
        if stretch and stretch[-1][1] != token.start:
            yield stretch
            stretch = []
        stretch.append((token.start, token.end))
    if stretch:
        yield stretch
