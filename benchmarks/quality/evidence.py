"""Ranking by evidence, in plain Python: the readable definition of what docs/ranking.md describes.

Candidates are the rows with the greatest sum of idf over the query's distinct grams; they are
ranked again by bm25 over their units, bigrams and trigrams, times how much of the query they
cover: as a whole, in their best window, at their beginning. Everything that is read of the index
is which rows hold a gram; everything else is seen in the texts of the candidates.

Slow (milliseconds to tens of them a query): for measuring and for comparing with the library.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable

from cjk_tokenizer import tokenize

Term = tuple[str, ...]
"""One to three units that stand side by side."""

STEPS = 4  # a window begins each quarter of its width

_COMPLEX = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
_CJK = re.compile("[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\U00016fe0-\U0003ffff]")


@dataclass(frozen=True)
class Settings:
    """The constants. bm25's are FTS5's; the others were not fitted: see docs/ranking.md."""

    candidates: int = 100
    k1: float = 1.2
    b: float = 0.75
    orders: int = 3
    window: float = 2.0  # of the number of the query's units
    count_cap: int = 256  # rows of a unit that are looked at for its idf
    length_floor: float = 0.5  # of the candidates' mean length: no length is measured by less
    whole: bool = True
    best: bool = True
    lead: bool = True
    chains: bool = True  # credit by the length of the match; without: any match counts in full


@dataclass(frozen=True)
class Units:
    """A text as units: characters, clusters, words. `joined[i]`: unit i + 1 is in the same run."""

    names: Sequence[str]
    joined: Sequence[bool]
    starts: Sequence[int]
    ends: Sequence[int]

    def terms(self, order: int) -> Iterator[tuple[int, Term]]:
        """Yield the places where `order` units stand in one run, and those units."""
        for i in range(len(self.names) - order + 1):
            if all(self.joined[i : i + order - 1]):
                yield i, tuple(self.names[i : i + order])


def cut_units(text: str) -> Units:
    """Cut a text into units: what `tokenize='cjk'` has as unigrams and as whole words."""
    tokens = tokenize(text)
    names, joined, starts, ends = [], [], [], []
    for token, following in zip(tokens, [*tokens[1:], None]):
        is_gram = following is not None and following.colocated
        if is_gram and not token.colocated:
            continue
        names.append(token.text)
        joined.append(token.colocated)
        starts.append(token.start)
        ends.append(token.end)
    return Units(names, joined, starts, ends)


# ---- the table ----


class Table:
    """Rows as units, and for each unit and bigram the rows that hold it, in ascending order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.rows = [cut_units(text) for text in texts]
        self.holders: dict[Term, list[int]] = {}
        for row, units in enumerate(self.rows):
            terms = {term for order in (1, 2) for _, term in units.terms(order)}
            for term in terms:
                self.holders.setdefault(term, []).append(row)
        self.mean_length = sum(len(units.names) for units in self.rows) / max(1, len(self.rows))

    def count(self, term: Term, cap: int = 0) -> float:
        """Rows that hold the term; estimated from the first `cap` of them where there are more."""
        rows = self.holders.get(term, [])
        if cap and len(rows) > cap:
            return cap * len(self.rows) / (rows[cap - 1] + 1)
        return len(rows)

    def idf(self, n: float) -> float:
        """Robertson and Sparck Jones' weight, kept above zero (as in Lucene)."""
        return math.log(1 + (len(self.rows) - n + 0.5) / (n + 0.5))


# ---- the query ----


def _read_function_words() -> re.Pattern[str]:
    lines = (Path(__file__).parent / "function_words.txt").read_text("utf-8").splitlines()
    words = {word for line in lines if not line.startswith("#") for word in line.split()[1:]}
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


FUNCTION_WORDS = _read_function_words()


@dataclass(frozen=True)
class Query:
    """The query's units, which of them count, and the terms of each order that count."""

    units: Units
    counts: Sequence[bool]
    run: Sequence[int]  # length of the run that holds the unit
    terms: Mapping[int, Sequence[Term]]
    grams: Sequence[Term]  # what candidates are looked for by


def read_query(text: str, orders: int = 3) -> Query:
    """Cut the query; leave out what lies inside a function word, unless nothing else is there."""
    units = cut_units(text)
    spans = [match.span() for match in FUNCTION_WORDS.finditer(text)]

    def is_left_out(first: int, last: int) -> bool:
        start, end = units.starts[first], units.ends[last]
        return any(a <= start and end <= b for a, b in spans)

    n = len(units.names)
    if all(is_left_out(i, i) for i in range(n)):
        spans = []
    counts = [not is_left_out(i, i) for i in range(n)]
    terms: dict[int, list[Term]] = {1: [(units.names[i],) for i in range(n) if counts[i]]}
    for order in range(2, orders + 1):
        terms[order] = [
            term
            for i, term in units.terms(order)
            if not is_left_out(i, i + order - 1) and sum(counts[i : i + order]) > order - 2
        ]
        terms[order] += [(units.names[i],) for i in range(n) if counts[i] and _is_word(units, i)]
    run = _run_lengths(units)
    grams = [t for i, t in units.terms(2) if not is_left_out(i, i + 1)]
    grams += [(units.names[i],) for i in range(n) if run[i] == 1 and counts[i]]
    distinct = {order: list(dict.fromkeys(found)) for order, found in terms.items()}
    return Query(units, counts, run, distinct, list(dict.fromkeys(grams)))


def _is_word(units: Units, i: int) -> bool:
    return not (_CJK.match(units.names[i]) or _COMPLEX.match(units.names[i]))


def _run_lengths(units: Units) -> list[int]:
    lengths: list[int] = []
    while len(lengths) < len(units.names):
        end = len(lengths)
        while units.joined[end]:
            end += 1
        lengths += [end + 1 - len(lengths)] * (end + 1 - len(lengths))
    return lengths


# ---- ranking ----


def rank(table: Table, text: str, settings: Settings = Settings()) -> list[int]:
    """Rank the rows for a query, best first; rows of the same score in their order."""
    query = read_query(text, settings.orders)
    candidates = choose_candidates(table, query, settings.candidates)
    scored = score_candidates(table, query, candidates, settings)
    return sorted(candidates, key=lambda row: (-scored[row], row))


def choose_candidates(table: Table, query: Query, most: int) -> list[int]:
    """Return the rows with the greatest sums of idf over the grams that they hold."""
    sums: Counter[int] = Counter()
    for gram in query.grams:
        rows = table.holders.get(gram, [])
        weight = table.idf(len(rows))
        for row in rows:
            sums[row] += weight  # type: ignore[assignment]  # a Counter of floats
    return sorted(sums, key=lambda row: (-sums[row], row))[:most]


def score_candidates(
    table: Table, query: Query, candidates: Sequence[int], settings: Settings
) -> dict[int, float]:
    """Score each candidate: bm25 times coverage of the whole, of the best window, of the lead."""
    matches = {row: Matches(query, table.rows[row]) for row in candidates}
    counts = {row: _count_terms(query, matches[row]) for row in candidates}
    mean_length = _find_mean_length(table, candidates, settings)
    idf = _make_idf(table, query, counts, settings)
    weights = _weigh_units(query, idf)
    scores = {}
    for row in candidates:
        whole, best, lead = cover(query, weights, matches[row], settings)
        relative = len(table.rows[row].names) / mean_length
        score = _bm25(query, counts[row], relative, idf, settings)
        score *= whole if settings.whole else 1
        score *= 1 + (best if settings.best else 0)
        score *= 1 + (lead if settings.lead else 0)
        scores[row] = score
    return scores


def _find_mean_length(table: Table, candidates: Sequence[int], settings: Settings) -> float:
    """Return what lengths are measured by: the table's mean, but no less than half of the
    candidates'.

    Long rows match more often, so candidates are longer than the rows of any table. Where they are
    more than twice as long, texts stand among short lines, beside which every text is long.
    """
    lengths = [len(table.rows[row].names) for row in candidates]
    return max(table.mean_length, settings.length_floor * sum(lengths) / max(1, len(lengths)))


def _count_terms(query: Query, matches: Matches) -> Counter[Term]:
    """Count the query's terms in a text: where a chain is long enough, its last units are one."""
    names = query.units.names
    seen = set()
    for j, i, chain in matches.found:
        for order in range(1, min(chain, max(query.terms)) + 1):
            seen.add((j, tuple(names[i - order + 1 : i + 1])))
    return Counter(term for _, term in seen)


def _make_idf(
    table: Table, query: Query, counts: Mapping[int, Counter[Term]], settings: Settings
) -> Callable[[Term], float]:
    """Return the idf of terms: bigrams counted, units counted up to a cap, trigrams estimated."""
    among = Counter(term for found in counts.values() for term in found)
    known: dict[Term, float] = {}

    def idf(term: Term) -> float:
        if term not in known:
            known[term] = table.idf(_rows(term))
        return known[term]

    def _rows(term: Term) -> float:
        if len(term) == 1:  # never fewer than a gram that holds it
            holding = [table.count(gram) for gram in query.grams if term[0] in gram]
            return max([table.count(term, settings.count_cap), *holding])
        if len(term) == 2:
            return table.count(term)
        # Of the candidates with ab, the share that has abc; likewise bc. Never fewer than seen.
        here = among[term]
        halves = (term[:-1], term[1:])
        return max(here, min(table.count(half) * here / max(1, among[half]) for half in halves))

    return idf


def _weigh_units(query: Query, idf: Callable[[Term], float]) -> list[float]:
    """Weigh what each unit of the query says: a character its idf, a word twice that, a cluster
    (which says little by itself) its idf and half of that of its bigrams."""
    units = query.units
    around: list[list[float]] = [[] for _ in units.names]
    for i, gram in units.terms(2):
        around[i].append(idf(gram))
        around[i + 1].append(idf(gram))
    weights = []
    for i, name in enumerate(units.names):
        weight = idf((name,))
        if _is_word(units, i):
            weight *= 2
        elif _COMPLEX.match(name) and around[i]:
            weight += sum(around[i]) / len(around[i]) / 2
        weights.append(weight if query.counts[i] else 0.0)
    return weights


def _bm25(
    query: Query,
    found: Counter[Term],
    relative_length: float,
    idf: Callable[[Term], float],
    settings: Settings,
) -> float:
    norm = settings.k1 * (1 - settings.b + settings.b * relative_length)
    return sum(
        idf(term) * found[term] * (settings.k1 + 1) / (found[term] + norm) / order
        for order, terms in query.terms.items()
        for term in terms
        if term in found
    )


class Matches:
    """Where a text has units of the query: (place in the text, place in the query, length of the
    chain of matching neighbours that ends there), by place in the text."""

    def __init__(self, query: Query, text: Units) -> None:
        places: dict[str, list[int]] = {}
        for i, name in enumerate(query.units.names):
            places.setdefault(name, []).append(i)
        self.found: list[tuple[int, int, int]] = []
        before: dict[int, int] = {}
        for j, name in enumerate(text.names):
            now = {}
            for i in places.get(name, ()):
                goes_on = i > 0 and query.units.joined[i - 1] and j > 0 and text.joined[j - 1]
                now[i] = before.get(i - 1, 0) + 1 if goes_on else 1
                self.found.append((j, i, now[i]))
            before = now


def cover(
    query: Query, weights: Sequence[float], matches: Matches, settings: Settings
) -> tuple[float, float, float]:
    """Return how much of the query, 0 to 1, the text covers: whole, best window, first window.

    A unit counts by the longest chain of matching neighbours that holds it, L of the R units of its
    run: L/(L+1) in parts of R/(R+1).
    """
    total = sum(weights)
    n = len(weights)
    width = max(4, round(settings.window * sum(query.counts)))

    def covered(first: int, end: int, found: Sequence[tuple[int, int, int]]) -> float:
        """Cover by matches at `first` <= place < `end`; chains are cut at `first`."""
        ending = [0] * n
        for j, i, chain in found:
            if j >= end:
                break
            length = min(chain, j - first + 1)
            if ending[i] < length:
                ending[i] = length
        longest = [0] * n
        for i, length in enumerate(ending):
            for k in range(i - length + 1, i + 1):
                if longest[k] < length:
                    longest[k] = length
        sum_ = 0.0
        for k, length in enumerate(longest):
            if length:
                part = length / (length + 1) * (query.run[k] + 1) / query.run[k]
                sum_ += weights[k] * (part if settings.chains else 1)
        return sum_ / total if total else 0.0

    found = matches.found
    if not found:
        return 0.0, 0.0, 0.0
    last = found[-1][0] + 1
    lead = best = covered(0, width, found)
    places = [j for j, _, _ in found]
    step = max(1, width // STEPS)
    for first in range(step, last, step):
        at = bisect_left(places, first)
        best = max(best, covered(first, first + width, found[at : at + width * n]))
    return covered(0, last, found), best, lead


def perturbed() -> Iterator[tuple[str, Settings]]:
    """Yield settings with one constant changed, or one part left out: does the rest carry?"""
    base = Settings()
    for name, value in (
        ("candidates", 50), ("candidates", 20), ("k1", 0.9), ("k1", 2.0), ("b", 0.5), ("b", 1.0),
        ("orders", 2), ("window", 1.5), ("window", 3.0), ("window", 4.0), ("count_cap", 64),
        ("count_cap", 16), ("length_floor", 0.0), ("length_floor", 1.0), ("whole", False),
        ("best", False), ("lead", False), ("chains", False),
    ):  # fmt: skip
        yield f"{name} {value}", replace(base, **{name: value})  # type: ignore[arg-type]
