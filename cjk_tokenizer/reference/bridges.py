"""Bridges: what may stand between two cjk characters of one run. docs/stream.md, section 4.

One line break, blanks between isolated characters, inline markup: each by its own option, and
never mixed. A bridge is looked for in the bytes of the source; ignorables may stand on either
side of it, not inside. It yields nothing.
"""

from __future__ import annotations

import re

from . import characters as ch
from .fold import Unit
from .options import Options

LINE_BREAK = re.compile(rb"[ \t]*(?:\r\n|\r|\n)")  # blanks at the end of the line go with it
SPACES = "\t \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
BLANKS = re.compile(b"(?:" + b"|".join(re.escape(space.encode()) for space in SPACES) + b")+")
MAX_MARKUP_BYTES = 512
# A tag: its name, then a blank or / and anything up to the first >; at most 256 bytes.
MARKUP = re.compile(
    rb"(?:[*_~`]|(?=<[^>]{1,254}>)</?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|"
    rb"q|rb|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)"
    rb"(?:[ \t\r\n\f/][^>]*)?>)+",
    re.IGNORECASE,
)


class Bridges:
    """Finds the far end of a bridge. Linear in all: each kind looks at a stretch once."""

    def __init__(self, text: bytes, units: list[Unit], options: Options) -> None:
        self.text = text
        self.units = units
        self.options = options

    def skip(self, start: int) -> int:
        """Index of the cjk unit beyond the bridge that begins at `start`, or `start` itself.

        The unit before `start` is a cjk unit, the one at `start` is none.
        """
        options = self.options
        if options.join_lines and self._joins(start - 1):
            end = self._beyond(LINE_BREAK, start)
            if end and self._joins(end):
                return end
        if options.join_spaces and not self._is_cjk(start - 2):
            end = self._beyond(BLANKS, start)
            if end and not self._is_cjk(end + 1):
                return end
        if options.bridge_markup:
            return self._beyond(MARKUP, start, MAX_MARKUP_BYTES) or start
        return start

    def _beyond(self, pattern: re.Pattern[bytes], start: int, limit: int | None = None) -> int:
        """Index of the cjk unit directly behind what the pattern matches at `start`, or 0."""
        first = self.units[start].start
        match = pattern.match(self.text, first, len(self.text) if limit is None else first + limit)
        if match is None:
            return 0
        end = start
        while end < len(self.units) and self.units[end].start < match.end():
            end += 1
        # The last character matched may have become part of something else: *️⃣ is an emoji.
        return end if self.units[end - 1].kind == ch.WORD and self._is_cjk(end) else 0

    def _is_cjk(self, index: int) -> bool:
        return 0 <= index < len(self.units) and self.units[index].kind == ch.CJK

    def _joins(self, index: int) -> bool:
        return bool(self.units[index].flags & ch.JOINS)
