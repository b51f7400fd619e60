"""Ways of ranking, by name: a function that takes passages and a tokenize= string and gives a
function that ranks the passages for a query.

    phrase, all, bm25   plain FTS5: the text as a phrase, its words ANDed, its bigrams ORed;
                        ORDER BY rank
    words               its dictionary words as phrases, ORed; ORDER BY rank
    words+bm25          those and the bigrams, ORed; ORDER BY rank
    search              cjk_search(), what people call
    search-words        cjk_search() of the query with blanks between its dictionary words: terms,
                        chains and cover end where words do
    evidence            evidence.py, the ranking of cjk_search() written down in Python

An engine answers with the indexes of at most `sets.DEPTH` passages, best first.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Callable

import cjk_tokenizer
from cjk_tokenizer.library import cut

from . import evidence
from .sets import DEPTH

Rank = Callable[[str], Sequence[int]]
Engine = Callable[[Sequence[str], str], Rank]


def _index(passages: Sequence[str], tokenize: str) -> sqlite3.Connection:
    conn = cjk_tokenizer.connect(":memory:")
    conn.execute(f"CREATE VIRTUAL TABLE passages USING fts5(body, tokenize='{tokenize}')")
    conn.executemany("INSERT INTO passages(rowid, body) VALUES(?, ?)", enumerate(passages))
    conn.execute("INSERT INTO passages(passages) VALUES('optimize')")
    return conn


def _fts5(*modes: str, **options: int) -> Engine:
    """Make the engine of cjk_query() in these modes, ORed."""
    sql = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"

    def engine(passages: Sequence[str], tokenize: str) -> Rank:
        conn = _index(passages, tokenize)

        def rank(text: str) -> list[int]:
            each = (cjk_tokenizer.query(text, m, tokenize=tokenize, **options) for m in modes)
            expression = " OR ".join(f"({query})" for query in each)
            return [row for (row,) in conn.execute(sql, (expression, DEPTH))]

        return rank

    return engine


def _search(passages: Sequence[str], tokenize: str) -> Rank:
    conn = _index(passages, tokenize)
    sql = "SELECT rowid FROM cjk_search('passages', ?, ?)"
    options = json.dumps({"limit": DEPTH})
    return lambda text: [row for (row,) in conn.execute(sql, (text, options))]


def _search_words(passages: Sequence[str], tokenize: str) -> Rank:
    rank = _search(passages, tokenize)
    return lambda text: rank(" ".join(cut(text)))


def make_evidence(settings: evidence.Settings) -> Engine:
    """Make the engine of evidence.py with these settings."""

    def engine(passages: Sequence[str], tokenize: str) -> Rank:
        if tokenize != "cjk":
            raise ValueError(f"evidence.py knows tokenize='cjk' alone, not {tokenize!r}")
        table = evidence.Table(passages)
        return lambda text: evidence.rank(table, text, settings)[:DEPTH]

    return engine


ENGINES: dict[str, Engine] = {
    "phrase": _fts5("phrase"),
    "all": _fts5("all"),
    "bm25": _fts5("any", function_words=1),
    "words": _fts5("words"),
    "words+bm25": _fts5("words", "any", function_words=1),
    "search": _search,
    "search-words": _search_words,
    "evidence": make_evidence(evidence.Settings()),
}
