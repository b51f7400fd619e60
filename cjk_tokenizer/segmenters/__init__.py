"""Segmenters of other packages, each behind a function `str -> list of words`.

>>> cut, languages = adapter("fugashi")
>>> cut("東京都に住む"), languages
(['東京', '都', 'に', '住む'], ('ja',))

Such a function is what `cjk_tokenizer.register_segmenter` takes, and what
`register_python_tokenizer` makes an FTS5 tokenizer of where our library cannot be loaded. Joined,
its words are the text, for any text (lone surrogates excepted) of any length; any thread may call
it at any time. Dictionaries are loaded at its first call. Adding a segmenter is one file with a
function `make` and one row in the table.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import NamedTuple

from cjk_tokenizer.errors import ArgumentError, MissingPackageError

from .partition import Cut
from .python_tokenizer import register_python_tokenizer

__all__ = [
    "Adapter",
    "adapter",
    "extra",
    "installed",
    "languages",
    "names",
    "register_python_tokenizer",
]


class Adapter(NamedTuple):
    """A function that cuts a text into the words that make it up, and the languages it is for."""

    callable: Cut
    languages: tuple[str, ...]


class _Row(NamedTuple):
    module: str
    extra: str
    languages: tuple[str, ...]


_BUILT_IN = ("bigram", "unigram", "jieba", "auto")

# Languages are ISO 639-1 codes. In each language the segmenter to take first comes first.
_TABLE: dict[str, _Row] = {
    "rjieba": _Row("rjieba", "rjieba", ("zh",)),
    "python_jieba": _Row("jieba", "jieba", ("zh",)),
    "fugashi": _Row("fugashi", "fugashi", ("ja",)),
    "sudachi": _Row("sudachi", "sudachi", ("ja",)),
    "janome": _Row("janome", "janome", ("ja",)),
    "nagisa": _Row("nagisa", "nagisa", ("ja",)),
    "kiwi": _Row("kiwi", "kiwi", ("ko",)),
    "pythainlp": _Row("pythainlp", "pythainlp", ("th",)),
    "icu": _Row("icu", "icu", ("zh", "ja", "th", "lo", "km", "my")),
}


def names() -> list[str]:
    """The names that `adapter` knows, whether their packages are installed or not."""
    return list(_TABLE)


def languages(name: str) -> tuple[str, ...]:
    """The languages of an adapter, as ISO 639-1 codes; ArgumentError for an unknown name."""
    return _row(name).languages


def extra(name: str) -> str:
    """What installs an adapter's packages: pip install 'cjk_tokenizer[EXTRA]'."""
    return _row(name).extra


def adapter(name: str) -> Adapter:
    """The adapter of that name; every call returns the same function.

    Raises ArgumentError for an unknown name, and MissingPackageError, with what to install, when
    its package is absent or does not work.
    """
    return _adapter(name)


def installed() -> list[str]:
    """The names whose packages are there. Costs the import of each."""
    found = []
    for name in _TABLE:
        try:
            adapter(name)
        except MissingPackageError:
            continue
        found.append(name)
    return found


@cache
def _adapter(name: str) -> Adapter:
    row = _row(name)
    module = importlib.import_module(f"{__name__}.{row.module}")
    try:
        cut: Cut = module.make()
    except Exception as error:  # whatever an absent package or dictionary raises
        raise MissingPackageError(
            f"the segmenter {name!r} does not work here ({type(error).__name__}: {error}): "
            f"pip install 'cjk_tokenizer[{row.extra}]'"
        ) from error
    return Adapter(cut, row.languages)


def _row(name: str) -> _Row:
    row = _TABLE.get(name)
    if name in _BUILT_IN:
        raise ArgumentError(
            f"the segmenter {name} is built into the compiled library: `segment {name}` needs no "
            f"registration. Adapters are {', '.join(_TABLE)}"
        )
    if row is None:
        raise ArgumentError(f"no adapter has the name {name!r}: there are {', '.join(_TABLE)}")
    return row
