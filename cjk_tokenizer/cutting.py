"""What a segmenter's words are, and what is wrong with them when they are not those of the text.

A Python segmenter gives the words of a text, or (start, end) of each in characters. Either must be
a partition of the text: no gap, no overlap, nothing changed. The C library gets the words joined by
NUL characters, which no text has, and compares them with the text itself (csrc/core/interpreter.h).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, Callable, Union

from .errors import ArgumentError, SegmenterError

Words = Union[Iterable[str], Iterable[tuple[int, int]]]
"""What a segmenter gives: the words in order, or start and end of each in characters."""

Segmenter = Callable[[str], Words]

SEPARATOR = "\0"
_NAME = re.compile("[a-z0-9_]{1,63}")
_QUOTED = 40
# So many may be among the words of a generator, beside one for each character.
_EMPTY_WORDS = 1000


def checked_name(name: object) -> str:
    """Return the name of a segmenter: one that SQL needs no quotes for, as in C (registered.c)."""
    if not isinstance(name, str):
        raise TypeError(f"a segmenter's name is a str, not {type(name).__name__}")
    if not _NAME.fullmatch(name):
        raise ArgumentError(
            f"{name!r} is no name for a segmenter: use 1 to 63 lower-case letters, digits and _"
        )
    return name


def make_cut(function: Segmenter) -> Callable[[str], str]:
    """Wrap a segmenter in what C calls: a text to its words, joined.

    >>> make_cut(lambda text: [text[:1], text[1:]])("学习")
    '学\\x00习'
    >>> make_cut(lambda text: [(0, 1), (1, 2)])("学习")
    '学\\x00习'
    """
    join = SEPARATOR.join

    def cut(text: str) -> str:
        try:
            words: Any = function(text)
            if words.__class__ is not list:
                words = _as_list(text, words)
            try:
                return join(words)
            except TypeError:
                return join(_words_of_spans(text, words))
        except StopIteration as error:  # to a loop over rows it would be their end (PEP 479)
            raise RuntimeError("the segmenter raised StopIteration") from error

    return cut


def word_ends(text: str, joined: str) -> list[int]:
    """Return where the joined words end, in characters; SegmenterError where they are others.

    >>> word_ends("我来到北京", "我\\0来到\\0北京")
    [1, 3, 5]
    """
    words = joined.split(SEPARATOR)
    if "".join(words) != text:
        refuse_words(text, joined)
    return list(accumulate(map(len, words)))


def refuse_words(text: str, joined: str) -> None:
    """Raise SegmenterError: the joined words are not those of the text."""
    words = joined.split(SEPARATOR)
    if not any(words):
        raise SegmenterError(f"it gave no words for the text {_quoted(text)}")
    at = 0
    for word in words:
        if not text.startswith(word, at):
            raise SegmenterError(
                f"its words are not those of the text {_quoted(text)}: {_quoted(word)} is not what "
                f"stands at character {at}"
            )
        at += len(word)
    raise _unfinished(text, at)


def complain(message: str) -> None:
    """Raise SegmenterError with a message of the C library."""
    raise SegmenterError(message)


def _unfinished(text: str, at: int) -> SegmenterError:
    return SegmenterError(
        f"its words end at character {at} of the {len(text)} of the text {_quoted(text)}"
    )


def _as_list(text: str, words: Any) -> list[Any]:
    """Collect the words, as far as they can be those of the text: a generator may never end."""
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise SegmenterError(
            f"it gave {type(words).__name__} and not an iterable of words or of (start, end)"
        )
    if isinstance(words, (tuple, list)):
        return list(words)
    found: list[Any] = []
    left = len(text)
    most = 2 * left + _EMPTY_WORDS
    for word in words:
        found.append(word)
        # A pair is of one character at least.
        left -= len(word) if isinstance(word, str) else 1
        if left < 0:
            break  # whoever compares them with the text says what is wrong
        if len(found) > most:
            raise SegmenterError(f"it gave {len(found)} words for the text {_quoted(text)}")
    return found


def _words_of_spans(text: str, spans: list[Any]) -> list[str]:
    last = 0
    for span in spans:
        start, end = _as_span(span, spans)
        if start != last:
            kind = "a gap" if start > last else "an overlap"
            raise SegmenterError(
                f"there is {kind} in the text {_quoted(text)}: a word starts at character "
                f"{start}, and the one before it ends at {last}"
            )
        if end <= start or end > len(text):
            raise SegmenterError(
                f"a word is from character {start} to {end} of the {len(text)} of the text "
                f"{_quoted(text)}"
            )
        last = end
    if last != len(text):
        raise _unfinished(text, last)
    return [text[start:end] for start, end in spans]


def _as_span(span: Any, spans: list[Any]) -> tuple[int, int]:
    if isinstance(span, (tuple, list)) and len(span) == 2:
        try:
            return operator.index(span[0]), operator.index(span[1])
        except TypeError:
            pass
    if isinstance(span, str):
        other = next(each for each in spans if not isinstance(each, str))
        _as_span(other, spans)
        raise SegmenterError(
            f"it mixes words and pairs of (start, end): it gave {span!r} and {other!r}"
        )
    raise SegmenterError(f"it gave {span!r}, which is neither a str nor a pair of (start, end)")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")
