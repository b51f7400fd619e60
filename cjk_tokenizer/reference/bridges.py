"""Bridges: what may stand between two cjk characters of one run. docs/stream.md, section 4.

One line break, blanks between isolated characters, inline markup: each by its own option, and
never mixed. All work on units that are already folded; a bridge yields nothing.
"""

from __future__ import annotations

import re
from itertools import accumulate

from . import characters as ch
from .fold import Unit
from .options import Options

BLANKS = frozenset(" \t")
MARKUP = frozenset(map(ord, "*_~`"))
MAX_MARKUP_BYTES = 512
MAX_TAG_BYTES = 256
INLINE_TAG = re.compile(
    rb"</?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|rb|rp|rt|ruby|s|samp|"
    rb"small|span|strike|strong|sub|sup|tt|u|var|wbr)(?:[ \t\r\n\f/][^<>\0]*)?>",
    re.IGNORECASE,
)


class Bridges:
    """Finds the far end of a bridge. Linear in all: each kind looks at a stretch once."""

    def __init__(self, text: bytes, units: list[Unit], options: Options) -> None:
        self.text = text
        self.units = units
        self.options = options
        # How many units of runs stand since the last separator, this one included.
        self.crowd: list[int] = []
        if options.join_spaces:
            self.crowd = list(accumulate(units, _count_since_separator, initial=0))[1:]

    def skip(self, start: int) -> int:
        """Index of the cjk unit beyond the bridge that begins at `start`, or `start` itself.

        The unit before `start` is a cjk unit.
        """
        if self.options.join_lines and (end := self._line_break(start)):
            return end
        if self.options.join_spaces and (end := self._blanks(start)):
            return end
        if self.options.bridge_markup and (end := self._markup(start)):
            return end
        return start

    def _line_break(self, start: int) -> int | None:
        end = start + 1
        if self._is(start, "\r") and self._is(end, "\n"):
            end += 1
        elif not (self._is(start, "\r") or self._is(start, "\n")):
            return None
        joins = self.units[start - 1].flags & ch.JOINS
        return end if joins and self._is_cjk(end) and self.units[end].flags & ch.JOINS else None

    def _blanks(self, start: int) -> int | None:
        if self.crowd[start - 1] != 1:
            return None
        end = start
        while end < len(self.units) and self._is_blank(end):
            end += 1
        return end if end > start and self._is_cjk(end) and not self._is_cjk(end + 1) else None

    def _markup(self, start: int) -> int | None:
        first = self.units[start].start
        end: int | None = start
        while end is not None and not self._is_cjk(end):
            if end == len(self.units) or self.units[end].end - first > MAX_MARKUP_BYTES:
                return None
            end = end + 1 if self._is_markup(end) else self._tag(end)
        if end is None or self.units[end - 1].end - first > MAX_MARKUP_BYTES:
            return None
        return end

    def _tag(self, start: int) -> int | None:
        """Index of the unit behind the inline tag that begins at `start`, or None."""
        first = self.units[start].start
        tag = INLINE_TAG.match(self.text, first, first + MAX_TAG_BYTES)
        if tag is None:
            return None
        end = start
        while end < len(self.units) and self.units[end].start < tag.end():
            if self.units[end].kind == ch.BREAK:
                return None
            end += 1
        return end

    def _is(self, index: int, character: str) -> bool:
        return index < len(self.units) and self.units[index].parts == [character]

    def _is_blank(self, index: int) -> bool:
        unit = self.units[index]
        return unit.kind == ch.WORD and unit.text in BLANKS

    def _is_markup(self, index: int) -> bool:
        unit = self.units[index]
        return unit.kind == ch.WORD and unit.source in MARKUP

    def _is_cjk(self, index: int) -> bool:
        return index < len(self.units) and self.units[index].kind == ch.CJK


def _count_since_separator(count: int, unit: Unit) -> int:
    if unit.kind == ch.BREAK or (unit.kind == ch.WORD and unit.flags & ch.SEPARATOR):
        return 0
    return count if unit.kind == ch.WORD else count + 1
