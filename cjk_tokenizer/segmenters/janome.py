"""Japanese: Janome, in plain Python with its own dictionary: runs everywhere, at 80 kB/s."""

from __future__ import annotations

from importlib import import_module

from .partition import Cut, Once, by_pieces, one_at_a_time, with_gaps


def make() -> Cut:
    janome = import_module("janome.tokenizer")
    tokenizer = Once(lambda: janome.Tokenizer(wakati=True))

    def cut(text: str) -> list[str]:
        return with_gaps(text, tokenizer().tokenize(text))

    return by_pieces(one_at_a_time(cut))
