"""Segmenters without a dictionary: units of one run -> tokens. docs/stream.md, section 5.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .fold import Unit
from .options import Options


class Draft(NamedTuple):
    """A token that has no position yet.

    `if_followed`: it only counts when another token follows in the same call.
    """

    token: str
    start: int
    end: int
    colocated: bool = False
    if_followed: bool = False


def cut_ngrams(units: list[Unit], options: Options, *, query: bool) -> Iterator[Draft]:
    """The tokens of a cjk or complex run."""
    if options.segment == "unigram":
        return map(one_unit, units)
    return cut_query(units) if query else cut_document(units, options.unigrams)


def cut_document(units: list[Unit], unigrams: bool) -> Iterator[Draft]:
    """Bigrams with their first unit colocated; at the end of the run the last unit alone."""
    for left, right in zip(units, units[1:]):
        yield two_units(left, right)
        if unigrams:
            yield one_unit(left)._replace(colocated=True)
    yield one_unit(units[-1])


def cut_query(units: list[Unit]) -> Iterator[Draft]:
    """Bigrams; the last unit too where that keeps the position of the token behind the run."""
    for left, right in zip(units, units[1:]):
        yield two_units(left, right)
    yield one_unit(units[-1])._replace(if_followed=len(units) > 1)


def one_unit(unit: Unit) -> Draft:
    return Draft(unit.text, unit.start, unit.end)


def two_units(left: Unit, right: Unit) -> Draft:
    return Draft(left.text + right.text, left.start, right.end)
