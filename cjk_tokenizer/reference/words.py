"""A segmenter of the host program: units of one run -> the words that it gives.

`WordCutter` stands in the place of `cut_ngrams` in an Analyzer. Stretches in the scripts of its
languages have the segmenter's words, one a position, in documents and queries alike; the rest has
bigrams. A word that ends inside a unit goes on to the next end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from cjk_tokenizer.cutting import Segmenter, make_cut, word_ends
from cjk_tokenizer.errors import ArgumentError

from . import characters as ch
from .fold import Unit
from .ngram import Draft, cut_ngrams
from .options import Options

# A longer run is several runs to segmenters.
MAX_UNITS = 1 << 20
# Words of texts up to this length are kept, of so many texts.
_KEPT_LENGTH, _KEPT_TEXTS = 64, 1 << 14

WRITINGS_OF = {
    "zh": ("han",),
    "ja": ("han", "kana"),
    "ko": ("hangul",),
    "th": ("thai",),
    "lo": ("lao",),
    "km": ("khmer",),
    "my": ("myanmar",),
}
_BLOCKS = (
    (0x0E01, 0x0E4F, "thai"),
    (0x0E80, 0x0EFF, "lao"),
    (0x1000, 0x109F, "myanmar"),
    (0x1780, 0x17FF, "khmer"),
    (0xA9E0, 0xA9FF, "myanmar"),
    (0xAA60, 0xAA7F, "myanmar"),
)
# Signs that go with whatever stands before them: ー 〆 〱 〼, the iteration marks of Tangut and
# Nüshu, Thai digits, a lone voicing mark.
_COMMON = frozenset("ー〆〱〲〳〴〵〼\u3099\u309a\U00016fe0\U00016fe1๐๑๒๓๔๕๖๗๘๙")


class WordCutter:
    """The segmenter `function`, for the scripts of `languages` (None: for all)."""

    def __init__(self, function: Segmenter, languages: Iterable[str] | None = None) -> None:
        self._cut = make_cut(function)
        self.writings: frozenset[str] | None = None
        if languages is not None:
            codes = languages.split() if isinstance(languages, str) else list(languages)
            self.writings = frozenset(w for code in codes for w in writings_of_language(code))
        self._kept_ends = lru_cache(_KEPT_TEXTS)(self._ends)

    def __call__(self, units: list[Unit], options: Options, *, query: bool) -> Iterator[Draft]:
        for first in range(0, len(units), MAX_UNITS):
            for is_covered, stretch in self._stretches(units[first : first + MAX_UNITS]):
                if is_covered:
                    yield from self._words(stretch)
                else:
                    yield from cut_ngrams(stretch, options, query=query)

    def _stretches(self, units: list[Unit]) -> Iterator[tuple[bool, list[Unit]]]:
        """The run, cut where the scripts change that the segmenter covers and does not cover."""
        start = 0
        kind: bool | None = None
        for at, unit in enumerate(units):
            writing = writing_of(unit.text[0])
            if writing == "common":
                continue
            covered = self.writings is None or writing in self.writings
            if kind is not None and covered != kind:
                yield kind, units[start:at]
                start = at
            kind = covered
        yield self.writings is None if kind is None else kind, units[start:]

    def _words(self, units: list[Unit]) -> Iterator[Draft]:
        texts = [unit.text for unit in units]
        text = "".join(texts)
        ends = set(self._kept_ends(text) if len(text) <= _KEPT_LENGTH else self._ends(text))
        first = 0
        for behind, end in enumerate(accumulate(map(len, texts)), 1):
            if end in ends:
                word = "".join(texts[first:behind])
                yield Draft(word, units[first].start, units[behind - 1].end)
                first = behind

    def _ends(self, text: str) -> Iterable[int]:
        return word_ends(text, self._cut(text))


def writings_of_language(code: str) -> tuple[str, ...]:
    if code not in WRITINGS_OF:
        raise ArgumentError(f"no language {code!r}: there are {', '.join(WRITINGS_OF)}")
    return WRITINGS_OF[code]


@lru_cache(maxsize=1 << 16)
def writing_of(char: str) -> str:
    """The script of the first character of a unit, as far as segmenters tell scripts apart."""
    properties = ch.properties(ord(char))
    if properties & ch.HAN:
        return "han"
    if properties & (ch.KANA | ch.KATAKANA):
        return "kana"
    if char in _COMMON:
        return "common"
    if properties & ch.CLASS == ch.CJK:
        return "other" if properties & ch.JOINS else "hangul"
    code_point = ord(char)
    return next((name for first, last, name in _BLOCKS if first <= code_point <= last), "other")
