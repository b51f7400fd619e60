"""What a segmenter's words are, checked: their ends, counted in characters of the text.

The C library asks for the ends of the words of one stretch of text (csrc/core/cjk.h, CjkCutter).
A Python segmenter gives the words themselves, or (start, end) of each. Either must be a partition
of the text: no gap, no overlap, nothing changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, Callable, Union

from .errors import SegmenterError

Words = Union[Iterable[str], Iterable[tuple[int, int]]]
"""What a segmenter gives: the words in order, or start and end of each in characters."""

Segmenter = Callable[[str], Words]

_QUOTED = 40


def word_ends(text: str, words: Any) -> array[int]:
    """Return the end of each word, rising, the last `len(text)`, as C ints.

    Raises SegmenterError when the words are no partition of the text. Empty words are left out.

    >>> word_ends("我来到北京", ["我", "来到", "北京"])
    array('i', [1, 3, 5])
    >>> word_ends("我来到北京", [(0, 1), (1, 3), (3, 5)])
    array('i', [1, 3, 5])
    """
    if words.__class__ is not list:
        words = _as_list(words)
    try:
        joined = "".join(words)
    except TypeError:
        return array("i", _ends_of_spans(text, words))
    if joined != text:
        raise SegmenterError(_describe_difference(text, words, joined))
    if "" in words:
        words = [word for word in words if word]
    return array("i", accumulate(map(len, words)))


def _as_list(words: Any) -> list[Any]:
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise SegmenterError(
            f"it gave {type(words).__name__} and not an iterable of words or of (start, end)"
        )
    return list(words)


def _describe_difference(text: str, words: list[str], joined: str) -> str:
    if not joined:
        return f"it gave no words for the text {_quoted(text)}"
    at = 0
    for word in words:
        if not text.startswith(word, at):
            break
        at += len(word)
    else:
        return f"its words end at character {at} of the {len(text)} of the text {_quoted(text)}"
    return (
        f"its words are not those of the text: character {at} of {_quoted(text)} is "
        f"{text[at : at + 1]!r}, and there the word {_quoted(word)} stands"
    )


def _ends_of_spans(text: str, spans: list[Any]) -> list[int]:
    ends: list[int] = []
    last = 0
    for span in spans:
        start, end = _as_span(span)
        if start != last:
            kind = "gap" if start > last else "overlap"
            raise SegmenterError(
                f"there is a {kind}: a word starts at character {start} of {_quoted(text)}, and "
                f"the one before it ends at {last}"
            )
        if end <= start or end > len(text):
            raise SegmenterError(
                f"a word is from character {start} to {end} of the {len(text)} of {_quoted(text)}"
            )
        ends.append(end)
        last = end
    if last != len(text):
        raise SegmenterError(
            f"its words end at character {last} of the {len(text)} of the text {_quoted(text)}"
        )
    return ends


def _as_span(span: Any) -> tuple[int, int]:
    if isinstance(span, (tuple, list)) and len(span) == 2:
        start, end = span
        if isinstance(start, int) and isinstance(end, int):
            return start, end
    raise SegmenterError(f"it gave {span!r}, which is neither a str nor a pair of (start, end)")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")
