"""Words of Chinese, Japanese and Thai runs, by the best segmenter that is installed.

Three tiers for each language: a segmenter made for it; the word rules and dictionaries of ICU
(PyICU or icu4py), with the bigrams of longer CJK words added, so that a part of a compound is
found; single characters. A missing package costs one warning, never an exception. Segmenters get
pieces of at most 5,000 characters: some of them refuse or crawl through more.

Start-up, first use in a process: jieba 0.8 s and 80 MB, fugashi 2 ms, pythainlp 0.3 s, ICU 20 ms.
"""

from __future__ import annotations

import logging
import re
from functools import cache
from importlib import import_module
from typing import Callable, NamedTuple

from cjk_tokenizer.memory.packages import is_loaded, load_package, warn_missing
from cjk_tokenizer.memory.text import clusters, pieces
from cjk_tokenizer.segmenters import adapter, icu
from cjk_tokenizer.segmenters.partition import Cut

_LONGEST_PIECE = 5000

_BIGRAM_EXPANDED = re.compile(
    "[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]{3,}"
)


class Segmenter(NamedTuple):
    """A segmenter: its name, what to install ("" for our own), and what makes its function."""

    name: str
    package: str
    make: Callable[[], Cut]


def _make_builtin() -> Cut:
    cut = import_module("cjk_tokenizer.library").cut
    cut("试", mode="search")  # raises where there is no compiled library

    def cut_for_search(text: str) -> list[str]:
        return list(cut(text, mode="search"))

    return cut_for_search


def _make_jieba() -> Cut:
    jieba = import_module("jieba")
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()

    def cut(text: str) -> list[str]:
        return list(jieba.cut_for_search(text))

    return cut


def _adapter_of(name: str) -> Callable[[], Cut]:
    return lambda: adapter(name).callable


# Best first; a warning names the first that can be installed.
SEGMENTERS: dict[str, tuple[Segmenter, ...]] = {
    "zh": (
        Segmenter("builtin", "", _make_builtin),  # jieba's words in the compiled library
        Segmenter("jieba", "jieba", _make_jieba),
    ),
    "ja": (
        Segmenter("fugashi", "fugashi[unidic-lite]", _adapter_of("fugashi")),
        Segmenter("sudachipy", "sudachipy sudachidict_core", _adapter_of("sudachi")),
        Segmenter("janome", "janome", _adapter_of("janome")),
    ),
    "th": (Segmenter("pythainlp", "pythainlp", _adapter_of("pythainlp")),),
}
_CONSEQUENCES = {
    "zh": "Chinese is cut by ICU, or into characters",
    "ja": "Japanese is cut by ICU, or into characters",
    "th": "Thai is cut by ICU, or into character clusters",
}


def load_segmenter(language: str) -> Cut | None:
    """The installed segmenter for a language; None, and one warning, where there is none."""
    candidates = SEGMENTERS.get(language, ())
    for candidate in candidates:
        cut: Cut | None = load_package(candidate.name, candidate.make)
        if cut is not None:
            return cut
    packages = [candidate.package for candidate in candidates if candidate.package]
    if packages:
        warn_missing(packages[0], _CONSEQUENCES[language])
    return None


def loaded_names() -> list[str]:
    """The names of the segmenters in use, ICU among them."""
    names = [candidate.name for row in SEGMENTERS.values() for candidate in row]
    return [name for name in (*names, "icu") if is_loaded(name)]


def cut_words(run: str, language: str) -> list[str]:
    """The words of a run of one script, by the best tier there is; blanks are no words."""
    cut = load_segmenter(language)
    words: list[str] = []
    for piece in pieces(run, _LONGEST_PIECE):
        words += cut(piece) if cut is not None else _cut_without_segmenter(piece, language)
    return [word for word in words if word.strip()]


def _cut_without_segmenter(piece: str, language: str) -> list[str]:
    if load_icu() is None:
        warn_missing("PyICU", "text without spaces is cut into characters")
        return clusters(piece)
    found = icu_with_bigrams(piece, language) if language != "th" else None
    return (found or segment_with_icu(piece, language) or piece).split(" ")


def load_icu() -> Callable[[str, str], list[str]] | None:
    """A function of text and locale that gives ICU's word segments, blanks and all; or None."""
    cut: Callable[[str, str], list[str]] | None = load_package("icu", _make_icu)
    return cut


def _make_icu() -> Callable[[str, str], list[str]]:
    icu.make()  # raises where there is none
    of_locale = cache(icu.make)
    return lambda text, locale: of_locale(locale)(text)


def segment_with_icu(text: str, locale: str) -> str | None:
    """ICU's words of a text, blank-joined: the segments with a letter or a digit in them.

    None where neither PyICU nor icu4py is installed, or the text has no word.
    """
    cut = load_icu()
    if cut is None:
        return None
    words = [word for word in cut(text, locale) if any(map(str.isalnum, word))]
    return " ".join(words) if words else None


def icu_with_bigrams(text: str, locale: str) -> str | None:
    """As `segment_with_icu`, each CJK word of 3 or more characters followed by its bigrams."""
    segmented = segment_with_icu(text, locale)
    if segmented is None:
        return None
    words = []
    for word in segmented.split(" "):
        words.append(word)
        if _BIGRAM_EXPANDED.fullmatch(word):
            words += [word[i : i + 2] for i in range(len(word) - 1)]
    return " ".join(words)
