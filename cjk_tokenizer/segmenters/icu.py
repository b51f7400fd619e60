"""Chinese, Japanese, Thai, Lao, Khmer, Burmese: ICU's dictionaries, through icu4py or PyICU.

Words are ICU's word segments: those between words (blanks, punctuation) are there, too.
`make(locale)` gives the rules of a locale; those of languages written without spaces do not differ.
"""

from __future__ import annotations

from importlib import import_module

from .partition import Cut, PerThread


def make(locale: str = "") -> Cut:
    try:
        return make_icu4py(locale)  # twice as fast
    except Exception:  # absent, or built for another system
        return make_pyicu(locale)


def make_pyicu(locale: str) -> Cut:
    icu = import_module("icu")
    iterators = PerThread(lambda: icu.BreakIterator.createWordInstance(icu.Locale(locale)))

    def cut(text: str) -> list[str]:
        utf16 = text.encode("utf-16-le")  # what ICU counts in
        iterator = iterators.own
        iterator.setText(icu.UnicodeString(text))
        ends = [2 * end for end in iterator]
        return [utf16[a:b].decode("utf-16-le") for a, b in zip([0, *ends], ends)]

    return cut


def make_icu4py(locale: str) -> Cut:
    word_breaker = import_module("icu4py.breakers").WordBreaker

    def cut(text: str) -> list[str]:
        return list(word_breaker(text, locale))

    return cut
