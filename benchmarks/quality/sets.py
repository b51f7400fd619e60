"""Retrieval sets, and what a ranking is worth on them.

A set is a folder with `passages.jsonl` and `queries.jsonl` ({id, text, ...} a line) and
`qrels.tsv` (query id, id of a passage that answers it; a query may have several). Queries are put
in the order of the SHA-256 of their text, so that the first n are a sample that never changes.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "retrieval"
DEPTH = 10


@dataclass(frozen=True)
class Question:
    """A query and the indexes of the passages that answer it."""

    text: str
    relevant: frozenset[int]


@dataclass(frozen=True)
class RetrievalSet:
    """Passages by index, and the questions asked of them."""

    name: str
    passages: Sequence[str]
    questions: Sequence[Question]


class Scores(NamedTuple):
    """Recall in the first place, nDCG of the first ten, reciprocal rank within the first ten."""

    r1: float
    ndcg: float
    mrr: float


def read_set(folder: Path, limit: int) -> RetrievalSet:
    """Read a set with its first `limit` queries. FileNotFoundError where it is not there."""
    passages = _lines(folder / "passages.jsonl")
    index = {passage["id"]: i for i, passage in enumerate(passages)}
    relevant: dict[str, set[int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, passage = line.split()
        relevant.setdefault(query, set()).add(index[passage])
    questions = [
        Question(query["text"], frozenset(relevant[query["id"]]))
        for query in _lines(folder / "queries.jsonl")
        if query["id"] in relevant
    ]
    questions.sort(key=lambda question: hashlib.sha256(question.text.encode()).digest())
    texts = [passage["text"] for passage in passages]
    return RetrievalSet(folder.name, texts, questions[:limit])


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def score_ranking(ranking: Sequence[int], relevant: Collection[int]) -> Scores:
    """Score one ranking (indexes of passages, best first)."""
    hits = [i for i, passage in enumerate(ranking[:DEPTH]) if passage in relevant]
    gain = sum(1 / math.log2(i + 2) for i in hits)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(DEPTH, len(relevant))))
    first = hits[0] if hits else None
    return Scores(float(first == 0), gain / ideal, 0.0 if first is None else 1 / (first + 1))


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Average each column; NaN of nothing."""
    if not scores:
        return Scores(math.nan, math.nan, math.nan)
    return Scores(*(sum(column) / len(scores) for column in zip(*scores)))
