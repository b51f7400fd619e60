"""How much of a query is literally in a text: a guard against weak hits.

A cheap second look at what a search brought back: one number between 0 and 1, and which terms
were found. It says nothing about meaning. Only the first 1,200 characters of each side count, so
the cost is bounded and, for long inputs, linear in their length.

The rule, for other implementations. Lengths are characters (code points).

1. Normalise both sides: NULs out; each run of blanks (`text.BLANK_CLASS`) one space; none at the
   ends; the first 1,200 characters; each character lower-cased by itself (`text.lower_of`).
2. The words of a text are its stretches of letters, digits and marks (categories L, N, M); its
   compact form is its words joined. Either side empty: score 0.
3. The compact query has 2 characters or more and is a substring of the compact text: score 1,
   exact, the one matched term is the compact query.
4. Terms: the query's words of 2 or more characters, then the first 24 bigrams of the compact
   query, each term once. A term matches when it is a substring of the normalised text. Long terms
   have 3 or more characters, short ones 2.
5. No long term matches, and fewer short ones than max(2, ceil(22 % of the short terms)): score 0.
6. Else min(0.99, 0.72 * matched short terms / short terms + 0.28 * matched long terms / terms).
"""

from __future__ import annotations

from typing import NamedTuple

from cjk_tokenizer.memory.text import BLANK_RUN, check_text, kind_of, lower_of

_LONGEST = 1200
_MOST_BIGRAMS = 24
_BIGRAM_WEIGHT, _LONG_WEIGHT, _BEST_INEXACT = 0.72, 0.28, 0.99
_LEAST_PERCENT = 22


class Relevance(NamedTuple):
    """`score` 0 to 1; `exact` when the whole query is there; the terms found, in query order."""

    score: float
    exact: bool
    matched_terms: list[str]


class _Lowered(dict[int, str]):
    """For str.translate: every character lower-cased by itself, whatever stands around it."""

    def __missing__(self, code: int) -> str:
        self[code] = lowered = lower_of(chr(code))
        return lowered


class _WordsOnly(dict[int, str]):
    """For str.translate: letters, digits and marks stay, all else becomes a space."""

    def __missing__(self, code: int) -> str:
        kept = " " if kind_of(chr(code)) == "-" else chr(code)
        self[code] = kept
        return kept


_LOWERED = _Lowered()
_WORDS_ONLY = _WordsOnly()


def relevance(query: str, text: str) -> Relevance:
    """The lexical relevance of a text for a query.

    >>> relevance("咖啡 过敏", "她对咖啡过敏，只喝茶")
    Relevance(score=1.0, exact=True, matched_terms=['咖啡过敏'])
    >>> relevance("他喝什么咖啡", "她每天早上喝咖啡")
    Relevance(score=0.0, exact=False, matched_terms=['咖啡'])
    >>> found = relevance("deploy the staging server", "The staging server was rebuilt")
    >>> round(found.score, 2), found.exact, found.matched_terms[:3]
    (0.47, False, ['the', 'staging', 'server'])
    """
    asked = _normalise(check_text(query, "query"))
    given = _normalise(check_text(text, "text"))
    words = _words(asked)
    compact = "".join(words)
    if len(compact) >= 2 and compact in "".join(_words(given)):
        return Relevance(1.0, True, [compact])
    terms = _terms(words, compact)
    matched = [term for term in terms if term in given]
    return Relevance(_score(terms, matched), False, matched)


def _normalise(text: str) -> str:
    # Long texts: only as much of them as makes 1,200 folded characters.
    taken = 4 * _LONGEST
    while True:
        folded = BLANK_RUN.sub(" ", text[:taken].replace("\0", "")).strip(" ")
        if len(folded) >= _LONGEST or taken >= len(text):
            return folded[:_LONGEST].translate(_LOWERED)
        taken *= 4


def _words(normalised: str) -> list[str]:
    return normalised.translate(_WORDS_ONLY).split()


def _terms(words: list[str], compact: str) -> list[str]:
    bigrams = [compact[i : i + 2] for i in range(min(len(compact) - 1, _MOST_BIGRAMS))]
    return list(dict.fromkeys([word for word in words if len(word) >= 2] + bigrams))


def _score(terms: list[str], matched: list[str]) -> float:
    short = sum(len(term) == 2 for term in terms)
    short_matched = sum(len(term) == 2 for term in matched)
    long_matched = len(matched) - short_matched
    needed = max(2, -(-short * _LEAST_PERCENT // 100))
    if not long_matched and short_matched < needed:
        return 0.0
    coverage = short_matched / short if short else 0.0
    share = long_matched / len(terms)
    return min(_BEST_INEXACT, _BIGRAM_WEIGHT * coverage + _LONG_WEIGHT * share)
