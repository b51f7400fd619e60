"""Ways of ranking, by name: a function that takes passages and gives a function that ranks them.

    phrase, all, bm25   plain FTS5 with tokenize='cjk': the text as a phrase, its words ANDed, its
                        bigrams ORed; ORDER BY rank
    search              cjk_search(), what people call
    evidence            evidence.py, the ranking of cjk_search() written down in Python

An engine answers with the indexes of at most `sets.DEPTH` passages, best first.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Callable

import cjk_tokenizer

from . import evidence
from .sets import DEPTH

Rank = Callable[[str], Sequence[int]]
Engine = Callable[[Sequence[str]], Rank]


def _index(passages: Sequence[str]) -> sqlite3.Connection:
    conn = cjk_tokenizer.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE passages USING fts5(body, tokenize='cjk')")
    conn.executemany("INSERT INTO passages(rowid, body) VALUES(?, ?)", enumerate(passages))
    conn.execute("INSERT INTO passages(passages) VALUES('optimize')")
    return conn


def _fts5(mode: str, **options: int) -> Engine:
    sql = "SELECT rowid FROM passages WHERE passages MATCH cjk_query(?, ?, ?) ORDER BY rank LIMIT ?"

    def engine(passages: Sequence[str]) -> Rank:
        conn = _index(passages)
        given = json.dumps(options) if options else None
        return lambda text: [row for (row,) in conn.execute(sql, (text, mode, given, DEPTH))]

    return engine


def _search(passages: Sequence[str]) -> Rank:
    conn = _index(passages)
    sql = "SELECT rowid FROM cjk_search('passages', ?, ?)"
    options = json.dumps({"limit": DEPTH})
    return lambda text: [row for (row,) in conn.execute(sql, (text, options))]


def make_evidence(settings: evidence.Settings) -> Engine:
    """Make the engine of evidence.py with these settings."""

    def engine(passages: Sequence[str]) -> Rank:
        table = evidence.Table(passages)
        return lambda text: evidence.rank(table, text, settings)[:DEPTH]

    return engine


ENGINES: dict[str, Engine] = {
    "phrase": _fts5("phrase"),
    "all": _fts5("all"),
    "bm25": _fts5("any", function_words=1),
    "search": _search,
    "evidence": make_evidence(evidence.Settings()),
}
