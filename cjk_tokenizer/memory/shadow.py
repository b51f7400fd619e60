"""Shadow text: CJK search for hosts that can load no tokenizer.

Edge databases, Go without cgo, phones: where nothing but FTS5's own unicode61 is there, the
application writes a second, pre-tokenised text into the index and rewrites its queries. Two ways:

* `index_text` and `query_expr`: the CJK runs alone, as characters and bigrams, for a column beside
  the text; a query is its bigrams, ORed. Small, easy to port, finds too much rather than too
  little. The profile `exact` has the ranges that stores before this one used.
* `shadow_text` and `shadow_query`: the whole token stream of `tokenize='cjk'`, in place of the
  text; a query finds the same rows as `cjk_query` finds in a table with that tokenizer.

How the token stream becomes text. unicode61 has one token a position and cuts at marks, symbols
and emoji, so

1. the tokens that are not colocated stand in their order, one word each: phrases and NEAR keep
   their meaning;
2. a bigram with its colocated unigram u is written u first, so that `u*` finds what the unigram
   would; other colocated tokens (long words of `segment jieba`) follow at the end, each behind a
   gap word: they are found alone, not as part of a phrase;
3. a token that unicode61 would cut or change is written as hexadecimal code points between
   `_ESCAPE`, a caseless letter; the encoding keeps different tokens different;
4. in a phrase, a lone character before another CJK run may in the text be a unigram or the first
   half of a bigram, so that the phrase is written both ways, ORed: 2 to the power of such places,
   at most `_MOST_CHOICES` of them; a longer phrase is cut there into phrases that are ANDed, which
   may find more rows. Nothing else differs from the real tokenizer but bm25 scores (the number of
   tokens is the same; one-character terms count differently), prefix queries, and highlight(),
   which marks the shadow text and not the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cjk_tokenizer.memory.text import (
    BLANK_RUN,
    BLANKS,
    check_choice,
    check_count,
    check_text,
    without_surrogates,
)

if TYPE_CHECKING:
    from cjk_tokenizer import Token

PROFILES = ("wide", "exact")
MODES = ("all", "phrase")

_EXACT = "\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af\u1100-\u11ff\U00020000-\U0002a6df"
# Letters of the scripts without spaces of East Asia; no punctuation, symbols or middle dots.
_WIDE = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\ua960-\ua97c"
    "\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\uff66-\uff9f\uffa1-\uffdc"
    "\U00016fe0-\U00016fe4\U00017000-\U00018d08\U0001aff0-\U0001b2fb\U00020000-\U0003ffff"
)
_RUN = {"exact": re.compile(f"[{_EXACT}]+"), "wide": re.compile(f"[{_WIDE}]+")}

# Written as they are: what every unicode61 keeps as one word, unchanged.
_CJK_LITERAL = "\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4db5\u4e00-\u9fa5\uac00-\ud7a3"
_ONE_CJK = re.compile(f"[{_CJK_LITERAL}]")
_CJK_WORD = re.compile(f"[{_CJK_LITERAL}]+")
_PLAIN_WORD = re.compile("[a-z0-9]+|[\u0430-\u0438\u043a-\u044f]+")  # ASCII, Russian without й
# Begins no unit of a run: letters and digits of other scripts, symbols, emoji.
_NEVER_UNIT = re.compile("[\0-\u0dff\u0f00-\u0fff\u2000-\u2bff\U0001f000-\U0001fbff]")
_ESCAPE = "\u01c0"  # around hexadecimal code points
_WORD = "\u01c1"  # before a CJK word that is no bigram
_GAP = "\u01c2"  # between colocated tokens: no query has it

_MOST_CHOICES = 6


def has_cjk(text: str, *, profile: str = "wide") -> bool:
    """Whether the text has a CJK letter (any at all).

    >>> has_cjk("open 中文"), has_cjk("hello, world")
    (True, False)
    """
    return _run_pattern(profile).search(check_text(text, "text")) is not None


def index_text(text: str, *, profile: str = "wide") -> str:
    """For each CJK run of the text its characters, then its overlapping bigrams, blank-separated.

    >>> index_text("中文记忆")
    '中 文 记 忆 中文 文记 记忆'
    >>> index_text("no CJK here")
    ''
    """
    parts: list[str] = []
    for run in _run_pattern(profile).findall(check_text(text, "text")):
        parts.append(" ".join(run))
        if len(run) > 1:
            parts.append(" ".join(_bigrams(run)))
    return " ".join(parts)


def query_expr(
    query: str,
    drop_bigrams: Iterable[str] | None = None,
    max_terms: int | None = None,
    *,
    profile: str = "wide",
) -> str:
    """The CJK runs of a query as an FTS5 expression over `index_text`: quoted bigrams, ORed.

    A run of one character is that character; a term stands once. Terms in `drop_bigrams` are left
    out while others remain (`stopwords.QUESTION_BIGRAMS` is such a list), and at most `max_terms`
    are kept, the first ones. "" for a query without CJK: run no MATCH then.

    >>> query_expr("中文记忆")
    '"中文" OR "文记" OR "记忆"'
    >>> query_expr("什么是茶", drop_bigrams={"什么", "么是"})
    '"是茶"'
    """
    pattern = _run_pattern(profile)
    dropped = _checked_bigrams(drop_bigrams)
    if max_terms is not None:
        check_count(max_terms, "max_terms", 1)
    runs = pattern.findall(check_text(query, "query"))
    terms = list(dict.fromkeys(term for run in runs for term in (_bigrams(run) or [run])))
    terms = [term for term in terms if term not in dropped] or terms
    return " OR ".join(f'"{term}"' for term in terms[:max_terms])


def shadow_text(text: str, arguments: str = "") -> str:
    """The token stream of a text as text for a unicode61 column.

    `arguments` is what stands behind `tokenize=` of the table that is imitated, as for
    `cjk_tokenizer.tokenize`; ArgumentError when it is not allowed. Lone surrogates count as
    U+FFFD. "" for a text without tokens.

    >>> shadow_text("学习SQLite!")
    '学习 习 sqlite'
    >>> shadow_text("เจ 🍐", "")
    'ǀe40ǀǀe08ǀ ǀe08ǀ ǀ1f350ǀ'
    """
    words: list[str] = []
    apart: list[str] = []
    for position in _positions(check_text(text, "text"), check_text(arguments, "arguments")):
        words.append(position.word)
        apart += position.apart
    for word in apart:
        words += (_GAP, word)
    return " ".join(words)


def shadow_query(query: str, arguments: str = "", mode: str = "all") -> str:
    """What a person types as an FTS5 expression over `shadow_text` made with the same arguments.

    `all`: every blank-separated word is a phrase, all of them must occur (U+3000 is a blank).
    `phrase`: the whole query is one phrase. Words without tokens are left out; a query without
    tokens is `""`, which finds nothing.

    >>> shadow_query("学习 sqlite")
    '"学习" AND "sqlite"'
    >>> shadow_query("学")
    '"学"*'
    >>> shadow_query("?!")
    '""'
    """
    check_choice(mode, "mode", MODES)
    check_text(query, "query")
    check_text(arguments, "arguments")
    terms = [query] if mode == "phrase" else BLANK_RUN.split(query.strip(BLANKS))
    phrases = [phrase for term in terms for phrase in _phrases(term, arguments)]
    return " AND ".join(dict.fromkeys(phrases)) or '""'


def _run_pattern(profile: str) -> re.Pattern[str]:
    return _RUN[check_choice(profile, "profile", PROFILES)]


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _checked_bigrams(drop_bigrams: Iterable[str] | None) -> frozenset[str]:
    if isinstance(drop_bigrams, (str, bytes)):
        raise TypeError(
            f"drop_bigrams must be a collection of str, not {type(drop_bigrams).__name__}"
        )
    return frozenset(check_text(term, "drop_bigrams") for term in drop_bigrams or ())


class _Position(NamedTuple):
    """One position of a token stream, encoded."""

    word: str  # the token
    first: str  # its first unit when it is a bigram, else the token
    apart: list[str]  # colocated tokens that are no such unit
    is_unit: bool  # whether it can be the first half of a bigram in another text
    start: int
    end: int


def _positions(text: str, arguments: str) -> list[_Position]:
    """The document stream of a text, position by position."""
    from cjk_tokenizer import tokenize

    groups: list[list[Token]] = []
    for token in tokenize(without_surrogates(text), arguments):
        if token.colocated and groups:
            groups[-1].append(token)
        else:
            groups.append([token])
    return [_encode_position(group[0], group[1:]) for group in groups]


def _encode_position(token: Token, colocated: list[Token]) -> _Position:
    text = token.text
    first = None
    apart = []
    for other in colocated:
        if len(other.text) < len(text) and text.startswith(other.text):
            first = other.text
        else:
            apart.append(_encode(other.text))
    if first is not None:
        unit = _encode_unit(first)
        word = unit + _encode_unit(text[len(first) :])
        return _Position(word, unit, apart, False, token.start, token.end)
    word = _encode(text)
    is_unit = word[0] != _WORD and not _NEVER_UNIT.match(text)
    return _Position(word, word, apart, is_unit, token.start, token.end)


# Texts have few different characters and words: most calls are answered from the cache.
@lru_cache(maxsize=1 << 14)
def _encode(token: str) -> str:
    """A token as one word of unicode61."""
    if _PLAIN_WORD.fullmatch(token):
        return token
    if len(token) > 1 and _CJK_WORD.fullmatch(token):
        return _WORD + token
    return _encode_unit(token)


@lru_cache(maxsize=1 << 14)
def _encode_unit(unit: str) -> str:
    """A unit of a run: itself or escaped, never the beginning of another unit's encoding."""
    if _ONE_CJK.fullmatch(unit):
        return unit
    return _ESCAPE + "x".join(f"{ord(char):x}" for char in unit) + _ESCAPE


@lru_cache(maxsize=64)
def _has_unigrams(arguments: str) -> bool:
    """Whether bigrams have their first character colocated (kana: no dictionary takes them)."""
    from cjk_tokenizer import tokenize

    tokens = list(tokenize("ゑゐ", arguments))
    return len(tokens) == 3 and tokens[1].colocated


def _query_positions(term: str, arguments: str) -> list[_Position]:
    """The query stream: as the document's, without the last unigram of a run that ends it."""
    positions = _positions(term, arguments)
    if len(positions) > 1:
        before, last = positions[-2:]
        # Only a bigram reaches as far as the token behind it.
        if before.start < last.start and before.end == last.end:
            positions.pop()
    return positions


def _phrases(term: str, arguments: str) -> list[str]:
    """The phrases that a term asks for, all of them: none, mostly one."""
    positions = _query_positions(term, arguments)
    unigrams = _has_unigrams(arguments)
    found = []
    choices: list[list[str]] = [[]]
    for position, after in zip(positions, [*positions[1:], None]):
        for choice in choices:
            choice.append(position.word)
        if not (unigrams and position.is_unit):
            continue
        if after is None or len(choices) == 2**_MOST_CHOICES:
            found.append(_any_of(choices, "*"))
            choices = [[]]
        elif after.is_unit or after.first != after.word:
            joined = position.word + after.first
            choices += [[*choice[:-1], joined] for choice in choices]
    if choices[0]:
        found.append(_any_of(choices, ""))
    return found


def _any_of(choices: list[list[str]], suffix: str) -> str:
    phrases = [f'"{" ".join(words)}"{suffix}' for words in choices]
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"
