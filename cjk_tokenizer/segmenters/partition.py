"""What the adapters share: words that partition a text, whatever a segmenter made of it.

Segmenters leave out white space, change characters, or answer with morphemes that overlap. None of
that reaches the caller: joined, the words of an adapter are its text, for any text but lone
surrogates, and none is empty.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Callable, Generic, TypeVar

Cut = Callable[[str], list[str]]
T = TypeVar("T")

# Some segmenters take quadratic time, some refuse more than 49 kB; a sentence is never this long.
PIECE = 1000
# Characters that are no border before them; categories do not tell that of the vowels am.
_AM = "\u0e33\u0eb3"
_GOES_ON = "\u200c\u200d"


def by_pieces(cut: Cut, size: int = PIECE) -> Cut:
    """`cut`, called with at most `size` characters at a time.

    A longer text is cut behind the last blank or punctuation of each piece, where there is none
    before a character that can begin a cluster.
    """

    def cut_pieces(text: str) -> list[str]:
        if len(text) <= size:
            return cut(text)
        return [word for piece in pieces(text, size) for word in cut(piece)]

    return cut_pieces


def pieces(text: str, size: int = PIECE) -> Iterator[str]:
    """Stretches of at most `size` characters that together are the text.

    >>> list(pieces("今日は、晴れです", 6))
    ['今日は、', '晴れです']
    """
    start = 0
    while len(text) - start > size:
        end = _last_border(text, start, start + size)
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def _last_border(text: str, start: int, end: int) -> int:
    for at in range(end, start, -1):
        if unicodedata.category(text[at - 1])[0] in "ZPC" and _may_begin(text[at]):
            return at
    return next((at for at in range(end, start, -1) if _may_begin(text[at])), end)


def _may_begin(char: str) -> bool:
    return char not in _AM and char not in _GOES_ON and unicodedata.category(char)[0] != "M"


def with_gaps(text: str, words: Iterable[str]) -> list[str]:
    """The words, in their order in the text, and what lies before, between and behind them.

    A word that is not found behind the one before it is left out: its text is a gap.

    >>> with_gaps(" 東京 大阪", ["東京", "大阪"])
    [' ', '東京', ' ', '大阪']
    """
    found = []
    end = 0
    for word in words:
        start = text.find(word, end)
        if start < 0 or not word:
            continue
        if start > end:
            found.append(text[end:start])
        end = start + len(word)
        found.append(word)
    if end < len(text):
        found.append(text[end:])
    return found


def cut_at(text: str, cuts: Iterable[int]) -> list[str]:
    """The text cut before each of these characters; in any order, the same twice, out of range.

    >>> cut_at("했다", [0, 0, 1, 9])
    ['했', '다']
    """
    inner = sorted({at for at in cuts if 0 < at < len(text)})
    ends = [*inner, len(text)]
    return [text[start:end] for start, end in zip([0, *inner], ends)] if text else []


class Once(Generic[T]):
    """What `make` returns, made at the first call, once for all threads."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[T] = []

    def __call__(self) -> T:
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]


class PerThread(threading.local):
    """`.own` is what `make` returns, made once for each thread: for objects that keep state."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.own = make()


def one_at_a_time(cut: Cut) -> Cut:
    """`cut` behind a lock: for segmenters that keep state and are slow or large to make."""
    lock = threading.Lock()

    def locked(text: str) -> list[str]:
        with lock:
            return cut(text)

    return locked
