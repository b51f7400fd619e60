"""Text made ready for an index that splits at blanks, in 22 languages.

For hosts whose full-text search knows only words between blanks. The same call prepares the text
that is stored and the query; with `tokenize='cjk'` neither is needed. What happens to a text:

1. NFKC, but for the vowel am of Thai and Lao, which segmenters want whole.
2. Run by run, whichever language was named: Han and kana runs become words (Japanese where there
   are kana, or where Japanese was named and its character set has all of the run; else Chinese),
   Hangul becomes syllables, Thai, Lao, Khmer and Burmese become words.
3. What is left is stemmed where the named language has a Snowball stemmer, else it stays as it is.

The tiers of segmenters, and what a missing package means, are in `segmenters.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Callable, NamedTuple

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory import segmenters
from cjk_tokenizer.memory.packages import is_loaded, load_package, warn_missing
from cjk_tokenizer.memory.segmenters import cut_words, load_icu, load_segmenter
from cjk_tokenizer.memory.stopwords import stopwords
from cjk_tokenizer.memory.text import BLANK_RUN, check_text, without_surrogates
from cjk_tokenizer.segmenters.partition import one_at_a_time

# Code -> Snowball algorithm.
SNOWBALL = {
    "ar": "arabic",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}
LANGUAGES = ("zh", "ja", "ko", "th", "hi", "en", *SNOWBALL)
_ALIASES = {"nb": "no", "nn": "no"}

_KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Script of a run without spaces that is neither: locale, characters.
_COMPLEX = {
    "th": "\u0e01-\u0e3a\u0e40-\u0e5b",
    "lo": "\u0e80-\u0eff",
    "my": "\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f",
    "km": "\u1780-\u17dd\u17e0-\u17e9",
}
_RUN = re.compile(
    f"(?P<cjk>[{_HAN}{_KANA}]+)|(?P<ko>[{_HANGUL}]+)|"
    + "|".join(f"(?P<{locale}>[{characters}]+)" for locale, characters in _COMPLEX.items())
)
_THAI_AM = re.compile("\u0e4d([\u0e48-\u0e4b]?)\u0e32")
_LAO_AM = re.compile("\u0ecd([\u0ec8-\u0ecb]?)\u0eb2")
_HAS_KANA = re.compile(f"[{_KANA}]")
_SEARCHABLE = re.compile(r"[^\W_]")
# Marks that belong to the words of the Snowball languages, NFKC notwithstanding.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed"
_STEMMED_WORD = re.compile(rf"[\w{_MARKS}]+(?:['’][\w{_MARKS}]+)*")


class _Piece(NamedTuple):
    """The words of a run, and the language whose stopwords they may be."""

    words: list[str]
    language: str


def tokenize_for_fts(text: str, language: str, remove_stopwords: bool = False) -> str:
    """The text as blank-separated words, for an index or for a query.

    `language` is one of `LANGUAGES`; a region or script behind it (`pt-BR`, `zh_Hant`) is ignored,
    `nb` and `nn` are `no`. With `remove_stopwords` the function words of `stopwords` are left out,
    unless nothing would remain. A text that needs no cutting or stemming comes back as it is, but
    for NFKC; lone surrogates become U+FFFD. Raises ArgumentError for another language.

    >>> tokenize_for_fts("机器学习很有趣", "zh")
    '机器 学习 很 有趣'
    >>> tokenize_for_fts("東京タワー", "ja")
    '東京 タワー'
    >>> tokenize_for_fts("Maschinelles Lernen", "de")
    'maschinell lern'
    >>> tokenize_for_fts("机器学习的应用", "zh", remove_stopwords=True)
    '机器 学习 应用'
    >>> tokenize_for_fts("check 프로젝트 status", "en")
    'check 프 로 젝 트 status'
    """
    named = _checked_language(language)
    normal = _normalize(without_surrogates(check_text(text, "text")))
    if named not in SNOWBALL and not remove_stopwords and _RUN.search(normal) is None:
        return normal
    found = list(_cut_runs(normal, named))
    words = [word for piece in found for word in piece.words]
    if remove_stopwords:
        words = [w for piece in found for w in piece.words if not _is_stopword(w, piece)] or words
    if named in SNOWBALL:
        words = [_stem(word, named) if _is_stemmed(word) else word for word in words]
    return " ".join(words)


def init(languages: Iterable[str] | None = None) -> None:
    """Load now what `tokenize_for_fts` would load at first use, for these languages or for all.

    >>> init(["zh", "de"])
    >>> init(["klingon"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cjk_tokenizer.errors.ArgumentError: language must be one of zh, ja, ..., not 'klingon'
    """
    if isinstance(languages, (str, bytes)):
        raise TypeError(f"languages must be a collection of str, not {type(languages).__name__}")
    wanted = LANGUAGES if languages is None else languages
    for language in [_checked_language(code) for code in wanted]:
        if language in SNOWBALL:
            _load_stemmer(language)
        elif language in segmenters.SEGMENTERS and load_segmenter(language) is None:
            load_icu()


def loaded_segmenters() -> list[str]:
    """The names of the optional segmenters and stemmers that are loaded in this process.

    >>> init(["de"])
    >>> "snowball" in loaded_segmenters()
    True
    """
    stemmers = ["snowball"] if any(is_loaded(f"snowball {a}") for a in SNOWBALL.values()) else []
    return segmenters.loaded_names() + stemmers


def segment_with_icu(text: str, locale: str) -> str | None:
    """ICU's words of a text, blank-joined: the segments with a letter or a digit in them.

    `locale` as ICU names it (`zh`, `ja_JP`). None where neither PyICU nor icu4py is installed, or
    the text has no word.

    >>> segment_with_icu("meeting at 10, 会議室で", "ja")
    'meeting at 10 会議 室 で'
    """
    check_text(locale, "locale")
    return segmenters.segment_with_icu(without_surrogates(check_text(text, "text")), locale)


def icu_with_bigrams(text: str, locale: str) -> str | None:
    """As `segment_with_icu`, and behind each Han or kana word of 3 or more its bigrams.

    >>> icu_with_bigrams("東京タワー", "ja")
    '東京タワー 東京 京タ タワ ワー'
    """
    check_text(locale, "locale")
    return segmenters.icu_with_bigrams(without_surrogates(check_text(text, "text")), locale)


def _checked_language(language: object) -> str:
    code = re.split("[-_]", check_text(language, "language"))[0].lower()
    code = _ALIASES.get(code, code)
    if code not in LANGUAGES:
        raise ArgumentError(f"language must be one of {', '.join(LANGUAGES)}, not {language!r}")
    return code


def _normalize(text: str) -> str:
    # NFKC takes the vowel am apart into two characters that no dictionary has.
    normal = unicodedata.normalize("NFKC", text)
    normal = _THAI_AM.sub("\\1\u0e33", normal)
    return _LAO_AM.sub("\\1\u0eb3", normal)


def _cut_runs(text: str, named: str) -> Iterable[_Piece]:
    done = 0
    for match in _RUN.finditer(text):
        yield _cut_rest(text[done : match.start()], named)
        yield _cut_run(match.group(), str(match.lastgroup), named)
        done = match.end()
    yield _cut_rest(text[done:], named)


def _cut_run(run: str, script: str, named: str) -> _Piece:
    if script == "ko":
        return _Piece(list(run), "ko")
    language = script
    if script == "cjk":
        japanese = _HAS_KANA.search(run) or (named == "ja" and _is_in_japanese_set(run))
        language = "ja" if japanese else "zh"
    return _Piece(cut_words(run, language), language)


def _is_in_japanese_set(run: str) -> bool:
    """Whether Japanese text can have these characters: simplified Chinese ones are missing."""
    try:
        run.encode("cp932")
    except UnicodeEncodeError:
        return False
    return True


def _cut_rest(rest: str, named: str) -> _Piece:
    """Text with spaces: words to stem, or the stretches between its blanks."""
    if named in SNOWBALL:
        return _Piece(_STEMMED_WORD.findall(_lower(rest, named)), named)
    words = BLANK_RUN.split(rest)
    language = named if named == "hi" else "en"
    return _Piece([word for word in words if _SEARCHABLE.search(word)], language)


def _is_stopword(word: str, piece: _Piece) -> bool:
    return word.strip(".,;:!?\"'()[]।").lower() in stopwords(piece.language)


def _lower(text: str, language: str) -> str:
    if language == "tr":
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()


def _is_stemmed(word: str) -> bool:
    return _STEMMED_WORD.fullmatch(word) is not None and _RUN.search(word) is None


@lru_cache(maxsize=1 << 16)
def _stem(word: str, language: str) -> str:
    stem = _load_stemmer(language)
    return stem(word) if stem is not None else word


def _load_stemmer(language: str) -> Callable[[str], str] | None:
    algorithm = SNOWBALL[language]
    stem: Callable[[str], str] | None = load_package(
        f"snowball {algorithm}", lambda: _make_stemmer(algorithm)
    )
    if stem is None:
        warn_missing("snowballstemmer", f"words are not stemmed, {algorithm} ones for instance")
    return stem


def _make_stemmer(algorithm: str) -> Callable[[str], str]:
    stemmer = import_module("snowballstemmer").stemmer(algorithm)  # KeyError in releases without it
    cut = one_at_a_time(lambda word: [stemmer.stemWord(word)])
    return lambda word: cut(word)[0]
