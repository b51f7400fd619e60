"""Japanese: Sudachi, with the dictionary sudachidict_core (or _full or _small, where it is absent).

Words are Sudachi's shortest units, mode A. Those of a compatibility character such as ㍿ have no
text of their own: where a word begins is what counts.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .partition import Cut, Once, PerThread, by_pieces, cut_at


def make() -> Cut:
    sudachipy = import_module("sudachipy")
    name = next((n for n in ("core", "full", "small") if find_spec(f"sudachidict_{n}")), None)
    if name is None:
        raise ImportError("no dictionary is installed, such as sudachidict_core")
    dictionary = Once(lambda: sudachipy.Dictionary(dict=name))

    def make_tokenizer() -> Any:
        # Releases before 0.7 call it create().
        loaded = dictionary()
        return (loaded.tokenizer if hasattr(loaded, "tokenizer") else loaded.create)()

    shortest = sudachipy.SplitMode.A
    tokenizers = PerThread(make_tokenizer)

    def cut(text: str) -> list[str]:
        return cut_at(text, [word.begin() for word in tokenizers.own.tokenize(text, shortest)])

    return by_pieces(cut)
