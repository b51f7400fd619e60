"""Tests of the memory helpers run with and without the optional packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Callable

import pytest

from cjk_tokenizer import segmenters
from cjk_tokenizer.memory import packages, pretokenize

OPTIONAL = (
    "cjk_tokenizer.library",  # the compiled library's own words
    "jieba",
    "fugashi",
    "sudachipy",
    "janome",
    "janome.tokenizer",
    "pythainlp",
    "pythainlp.tokenize",
    "pythainlp.tokenize.newmm",
    "snowballstemmer",
    "icu",
    "icu4py",
    "icu4py.breakers",
    "lingua",
    "py3langid",
)


def _forget() -> None:
    packages.forget_packages()
    pretokenize._stem.cache_clear()
    segmenters._adapter.cache_clear()


@pytest.fixture
def only_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Call it with the names of the packages that may be found; all others are absent.

    `cjk_tokenizer` among them means the words of the compiled library.
    """

    def hide(*names: str) -> None:
        monkeypatch.undo()  # what an earlier call hid
        for name in OPTIONAL:
            if name.split(".")[0] not in names:
                monkeypatch.setitem(sys.modules, name, None)
        _forget()

    yield hide
    monkeypatch.undo()
    _forget()
