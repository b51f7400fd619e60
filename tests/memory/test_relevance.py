"""Lexical relevance: against the rule written out once more, and known pairs."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cjk_tokenizer.memory.relevance import relevance

regex = pytest.importorskip("regex")

words = st.sampled_from(
    [
        *("咖啡", "过敏", "她对", "学习", "東京タワー", "한국", "น้ำ", "🍐"),
        *("coffee", "the", "a", "C++", "x_y", "_", "1", "ＡＢ", "é", "e\u0301", "İx", "ΑΣ"),
        *("\0", " ", "\u3000", "\n", ",", "\ufeff"),
    ]
)
texts = st.lists(words, max_size=14).map("".join)
BLANK = "\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def by_the_rule(query: str, text: str) -> tuple[float, bool, list[str]]:
    """The rule as it stands in the docstring, in one piece, with the regex package's properties."""

    def normal(value: str) -> str:
        folded = regex.sub(f"[{BLANK}]+", " ", value.replace("\0", "")).strip(" ")[:1200]
        return "".join(char.lower() for char in folded)

    def words_of(value: str) -> list[str]:
        return [w for w in regex.split(r"[^\p{L}\p{N}\p{M}]+", value) if w]

    asked, given_text = normal(query), normal(text)
    compact = "".join(words_of(asked))
    if not asked or not given_text:
        return 0.0, False, []
    if len(compact) >= 2 and compact in "".join(words_of(given_text)):
        return 1.0, True, [compact]
    terms = [w for w in words_of(asked) if len(w) >= 2]
    terms += [compact[i : i + 2] for i in range(len(compact) - 1)][:24]
    terms = list(dict.fromkeys(terms))
    matched = [term for term in terms if term in given_text]
    long_matched = [term for term in matched if len(term) >= 3]
    bigrams = [term for term in terms if len(term) == 2]
    found = [term for term in matched if len(term) == 2]
    if not long_matched and len(found) < max(2, math.ceil(round(len(bigrams) * 0.22, 9))):
        return 0.0, False, matched
    score = 0.72 * (len(found) / len(bigrams) if bigrams else 0.0)
    score += 0.28 * (len(long_matched) / len(terms) if terms else 0.0)
    return min(0.99, score), False, matched


@given(texts, texts)
@example("学习咖啡过敏", "咖啡过敏学习")
@example("", "x")
def test_agrees_with_the_rule(query: str, text: str) -> None:
    score, exact, matched = relevance(query, text)
    expected_score, expected_exact, expected_matched = by_the_rule(query, text)
    assert score == pytest.approx(expected_score)
    assert (exact, matched) == (expected_exact, expected_matched)


@given(texts, texts, texts)
def test_a_contained_query_is_exact(before: str, query: str, after: str) -> None:
    found = relevance(query, f"{before} {query} {after}")
    compact = "".join(c for c in query if c.isalnum())
    if len(compact) >= 2:
        assert (found.score, found.exact) == (1.0, True)


@given(texts, texts)
def test_only_exact_hits_score_one(query: str, text: str) -> None:
    found = relevance(query, text)
    assert 0 <= found.score <= 0.99 or (found.score == 1 and found.exact)


@pytest.mark.parametrize(
    ("query", "text", "score"),
    [
        ("咖啡过敏", "她对咖啡 过敏", 1.0),
        ("Coffee!", "COFFEE", 1.0),
        ("猫", "猫", 0.0),  # one character proves nothing
        ("咖啡", "喝茶", 0.0),
        ("", "text", 0.0),
        ("text", "", 0.0),
        ("!?", "!?", 0.0),
        # Bigrams 天气 气怎 怎么 么样: two of four, as many as are needed.
        ("天气怎么样", "天气怎么了", 0.72 * 3 / 4),
        ("天气怎么样", "今天天气好", 0.0),
    ],
)
def test_known_pairs(query: str, text: str, score: float) -> None:
    assert relevance(query, text).score == pytest.approx(score)


def test_only_the_first_characters_count() -> None:
    filler = "字" * 1198
    assert relevance("咖啡", filler + "咖啡").exact
    assert not relevance("咖啡", filler + "茶" + "咖啡").exact
    assert relevance("咖啡", "\0 \u3000" * 5000 + "咖啡").exact


def test_time_is_linear() -> None:
    for unit in (" ", "\0", "字", "字 ", "a "):
        relevance(unit * 3_000_000, unit * 3_000_000)


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_other_types_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="query must be str, not"):
        relevance(value, "text")
    with pytest.raises(TypeError, match="text must be str, not"):
        relevance("query", value)
