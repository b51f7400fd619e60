"""Japanese: nagisa, a recurrent neural network. Its import loads the model, 4 seconds.

nagisa reads the NFKC form of a text. It is given one of the same length, character for character,
so that the words are found in the original.
"""

from __future__ import annotations

import unicodedata
from importlib import import_module
from itertools import accumulate

from .partition import Cut, by_pieces, cut_at, one_at_a_time

_STAND_IN = "〓"


def make() -> Cut:
    wakati = import_module("nagisa").wakati

    def cut(text: str) -> list[str]:
        words = wakati(same_length(text))
        return cut_at(text, accumulate(map(len, words)))

    return by_pieces(one_at_a_time(cut))


def same_length(text: str) -> str:
    """NFKC, but with one character for each character, and none at an end that would be stripped.

    >>> same_length("㍿ｶﾞ ")
    '〓カ〓〓'
    """
    changed = "".join(map(_one_character, text))
    if unicodedata.normalize("NFKC", changed) == changed:
        return changed
    # Something composes across characters: marks, jamo.
    return "".join(c if "\u3040" <= c <= "\u9fff" else _STAND_IN for c in changed)


def _one_character(char: str) -> str:
    form = unicodedata.normalize("NFKC", char)
    if len(form) != 1 or form.isspace() or unicodedata.combining(form):
        return _STAND_IN
    return form
