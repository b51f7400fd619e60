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
import threading
from importlib import import_module
from typing import Any, Callable, NamedTuple

from cjk_tokenizer.memory.packages import is_loaded, load_package, warn_missing
from cjk_tokenizer.memory.text import clusters, pieces

Cut = Callable[[str], list[str]]
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


def _make_fugashi() -> Cut:
    tagger = import_module("fugashi").Tagger()
    return _one_at_a_time(lambda text: [word.surface for word in tagger(text)])


def _make_sudachi() -> Cut:
    sudachipy = import_module("sudachipy")
    dictionary = _first_that_works(
        lambda: sudachipy.Dictionary(dict="core"), lambda: sudachipy.Dictionary(dict="small")
    )
    # Releases before 0.7 call it create().
    tokenizer = getattr(dictionary, "tokenizer", dictionary.create)()
    finest = sudachipy.SplitMode.A
    return _one_at_a_time(
        lambda text: [word.surface() for word in tokenizer.tokenize(text, finest)]
    )


def _make_janome() -> Cut:
    tokenizer = import_module("janome.tokenizer").Tokenizer(wakati=True)
    return _one_at_a_time(lambda text: list(tokenizer.tokenize(text)))


def _make_pythainlp() -> Cut:
    word_tokenize = import_module("pythainlp.tokenize").word_tokenize

    def cut(text: str) -> list[str]:
        return list(word_tokenize(text, engine="newmm", keep_whitespace=False))

    return cut


def _first_that_works(*makers: Callable[[], Any]) -> Any:
    for make in makers[:-1]:
        try:
            return make()
        except Exception:  # whatever an absent dictionary or package raises
            continue
    return makers[-1]()


def _one_at_a_time(cut: Cut) -> Cut:
    """For segmenters whose object keeps state from call to call."""
    lock = threading.Lock()

    def locked(text: str) -> list[str]:
        with lock:
            return cut(text)

    return locked


# Best first; a warning names the first that can be installed.
SEGMENTERS: dict[str, tuple[Segmenter, ...]] = {
    "zh": (
        Segmenter("builtin", "", _make_builtin),  # jieba's words in the compiled library
        Segmenter("jieba", "jieba", _make_jieba),
    ),
    "ja": (
        Segmenter("fugashi", "fugashi[unidic-lite]", _make_fugashi),
        Segmenter("sudachipy", "sudachipy sudachidict_core", _make_sudachi),
        Segmenter("janome", "janome", _make_janome),
    ),
    "th": (Segmenter("pythainlp", "pythainlp", _make_pythainlp),),
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
    made: Callable[[str, str], list[str]] = _first_that_works(_make_pyicu, _make_icu4py)
    return made


def _make_pyicu() -> Callable[[str, str], list[str]]:
    icu = import_module("icu")
    iterators: dict[str, Any] = {}
    lock = threading.Lock()

    def cut(text: str, locale: str) -> list[str]:
        utf16 = text.encode("utf-16-le")  # what ICU counts in
        with lock:
            if locale not in iterators:
                iterators[locale] = icu.BreakIterator.createWordInstance(icu.Locale(locale))
            iterator = iterators[locale]
            iterator.setText(icu.UnicodeString(text))
            ends = [2 * end for end in iterator]
        return [utf16[a:b].decode("utf-16-le") for a, b in zip([0, *ends], ends)]

    return cut


def _make_icu4py() -> Callable[[str, str], list[str]]:
    word_breaker = import_module("icu4py.breakers").WordBreaker

    def cut(text: str, locale: str) -> list[str]:
        return list(word_breaker(text, locale))

    return cut


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
