"""Segmenters of a few lines for the tests, and tables that use them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, Callable

import cjk_tokenizer

TEXT = "我来到北京清华大学"


def raises_itself(conn: Any) -> bool:
    """Whether this kind of connection can raise what a segmenter raised."""
    return type(conn) is not sqlite3.Connection


def pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def halves(text: str) -> list[tuple[int, int]]:
    middle = (len(text) + 1) // 2
    return [(0, middle), (middle, len(text))] if len(text) > 1 else [(0, 1)]


class Index:
    """A number that is no int, as numpy has them."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


def noting(asked: list[str], function: Callable[[str], Any]) -> Callable[[str], Any]:
    """The function, keeping what it is asked for."""

    def cut(text: str) -> Any:
        asked.append(text)
        return function(text)

    return cut


def texts(tokens: Iterable[cjk_tokenizer.Token]) -> str:
    return " ".join("+" + token.text if token.colocated else token.text for token in tokens)


def make_table(conn: Any, arguments: str, name: str = "t") -> None:
    conn.execute(f'CREATE VIRTUAL TABLE {name} USING fts5(x, tokenize="cjk {arguments}")')


class Failure(Exception):
    pass


def fail(text: str) -> list[str]:
    if "坏" in text:
        raise Failure(text)
    return pairs(text)
