"""Korean: Kiwi. Words are its morphemes; the model loads at the first call (3 seconds, 250 MB).

Morphemes are forms that need not stand in the text, and share syllables: 예뻤다 is 예쁘 + 었 + 다.
So a text is cut at the borders that no morpheme lies across: 예뻤 + 다.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from .partition import Cut, Once, by_pieces, cut_at


def make() -> Cut:
    kiwipiepy = import_module("kiwipiepy")
    if find_spec("kiwipiepy_model") is None:
        raise ImportError("its model is not installed: kiwipiepy_model")
    kiwi = Once(kiwipiepy.Kiwi)

    def cut(text: str) -> list[str]:
        cuts = []
        behind = 0
        for word in kiwi().tokenize(text):
            if word.start >= behind:
                cuts += [behind, word.start]
            behind = max(behind, word.start + word.len)
        return cut_at(text, [*cuts, behind])

    return by_pieces(cut)
