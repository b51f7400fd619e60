"""Runs: units -> maximal stretches of one kind. docs/stream.md, section 4.

A cjk run goes on over a bridge (bridges.py), whose units vanish. Breaks end a run and are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import characters as ch
from .bridges import Bridges
from .fold import Unit
from .options import Options


class Run(NamedTuple):
    """A stretch of units of one kind: CJK, COMPLEX, EMOJI or WORD."""

    kind: int
    units: list[Unit]


def cut_runs(text: bytes, units: list[Unit], options: Options) -> Iterator[Run]:
    """Yield the runs of a text whose units these are, in order."""
    bridges = Bridges(text, units, options)
    start = 0
    while start < len(units):
        run = [units[start]]
        following = start + 1
        while following < len(units):
            if run[-1].kind == ch.CJK and units[following].kind == ch.WORD:
                following = bridges.skip(following)
            if following == len(units) or units[following].kind != run[-1].kind:
                break
            run.append(units[following])
            following += 1
        if run[0].kind != ch.BREAK:
            yield Run(run[0].kind, run)
        start = following
