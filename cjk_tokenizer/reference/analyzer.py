"""The pipeline: bytes -> fold -> runs -> tokens. docs/stream.md from end to end.

`Analyzer` holds the options and the parent tokenizer; `Analyzer.tokens` is one call of FTS5's
xTokenize. Nothing is kept from call to call.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple, Protocol

from . import characters as ch
from .fold import Unit, fold_text
from .ngram import Draft, cut_ngrams
from .options import Options
from .rewrite import rewrite_run
from .runs import cut_runs

# Why FTS5 asks for tokens (fts5.h), and the flag of a token that shares the last position.
QUERY, PREFIX, DOCUMENT, AUX = 1, 2, 4, 8
COLOCATED = 1


class RawToken(NamedTuple):
    """One token as FTS5 gets it; `start` and `end` are bytes of the source text.

    `token` is bytes only where a parent tokenizer made something that is no text.
    """

    token: str
    start: int
    end: int
    colocated: bool
    position: int


class ParentToken(NamedTuple):
    """What a parent tokenizer makes: offsets in bytes of the text that it was given."""

    token: str
    start: int
    end: int
    colocated: bool = False


class Parent(Protocol):
    """The tokenizer of word stretches."""

    def __call__(self, text: bytes, flags: int, locale: str | None) -> Iterable[ParentToken]: ...


class CutRun(Protocol):
    """Makes the tokens of a cjk or complex run: `cut_ngrams`, or a `WordCutter`."""

    def __call__(self, units: list[Unit], options: Options, *, query: bool) -> Iterator[Draft]: ...


class Analyzer:
    """The token stream for one set of options."""

    def __init__(self, options: Options, parent: Parent, cut_run: CutRun = cut_ngrams) -> None:
        self.options = options
        self.parent = parent
        self.cut_run = cut_run

    def tokens(
        self, text: bytes, flags: int = DOCUMENT, locale: str | None = None
    ) -> Iterator[RawToken]:
        """Tokens of a text for FTS5's reason flags (QUERY, DOCUMENT, AUX, and PREFIX)."""
        return count_positions(self._drafts(text, flags, locale))

    def _drafts(self, text: bytes, flags: int, locale: str | None) -> Iterator[Draft]:
        units = fold_text(text, emoji=self.options.emoji)
        for kind, run in cut_runs(text, units, self.options):
            if kind == ch.WORD:
                yield from self._words(text, run, flags, locale)
            elif kind == ch.EMOJI:
                for unit in run:
                    yield Draft(unit.text, unit.start, unit.end)
            else:
                if kind == ch.CJK:
                    run = rewrite_run(run, self.options)
                yield from self.cut_run(run, self.options, query=bool(flags & QUERY))

    def _words(
        self, text: bytes, units: list[Unit], flags: int, locale: str | None
    ) -> Iterator[Draft]:
        folded = [unit.text.encode() for unit in units]
        stretch = b"".join(folded)
        first = units[0].start
        unchanged = stretch == text[first : units[-1].end]
        borders = [] if unchanged else list(accumulate(map(len, folded), initial=0))
        for token, start, end, colocated in self.parent(stretch, flags, locale):
            if unchanged:
                yield Draft(token, first + start, first + end, colocated)
            else:
                left = units[min(bisect_right(borders, start), len(units)) - 1]
                right = units[min(bisect_right(borders, max(start, end - 1)), len(units)) - 1]
                yield Draft(token, left.start, right.end, colocated)


def count_positions(drafts: Iterable[Draft]) -> Iterator[RawToken]:
    """Number the tokens as FTS5 does; drop those that count only before another token."""
    position = -1
    held: Draft | None = None
    for draft in drafts:
        for each in (held, draft) if held else (draft,):
            if each is draft and each.if_followed:
                break
            if not each.colocated or position < 0:
                position += 1
            yield RawToken(each.token, each.start, each.end, each.colocated, position)
        held = draft if draft.if_followed else None
