"""Chinese: jieba, in Python. The words are those of the built-in `segment jieba`, 100 times slower.

The dictionary loads at the first call (a second; 80 MB) and belongs to the package `jieba`: words
that a program adds with `jieba.add_word` count here, too.
"""

from __future__ import annotations

import logging
from importlib import import_module

from .partition import Cut, by_pieces

# Its hidden Markov model takes quadratic time: a second for so many characters in the worst case.
_PIECE = 10_000


def make() -> Cut:
    jieba = import_module("jieba")
    jieba.setLogLevel(logging.WARNING)  # it reports each start-up to standard error
    return by_pieces(jieba.lcut, _PIECE)
