"""Characters and their properties: docs/stream.md, sections 1 and 2.

`decode` turns bytes into code points with their byte ranges; it never fails, broken bytes and NUL
come out as BREAK. `properties` gives the class and the flags of a code point from the generated
tables. Costs one tuple a character.
"""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from cjk_tokenizer import unicode_tables as tables

# Stands where bytes are broken or NUL: ends what stands before it and yields nothing.
BREAK = -1

# The classes, properties & CLASS.
CLASS = 7
WORD, IGNORABLE, CJK, COMPLEX, EMOJI, MARK, VOICING, FOLDED = range(8)

# The flags.
EXTEND, SEPARATOR, JOINS, KANA = 1 << 3, 1 << 4, 1 << 5, 1 << 6
KATAKANA, JAMO, SYLLABLE, REGIONAL = 1 << 7, 1 << 8, 1 << 9, 1 << 10
MODIFIER, HAN = 1 << 11, 1 << 13

_FIRST_SURROGATE = 0xD800
_LAST_SURROGATE = 0xDFFF
_BREAK_HANDLER = "cjk_tokenizer.break"


def _mark_break(error: UnicodeError) -> tuple[str, int]:
    """Put a surrogate that says how many bytes are broken in the place of a maximal subpart."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return chr(_FIRST_SURROGATE + error.end - error.start), error.end


codecs.register_error(_BREAK_HANDLER, _mark_break)


def decode(text: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield (code point or BREAK, start, end) in bytes.

    Each maximal subpart of an ill-formed sequence is one BREAK.

    >>> list(decode(b"a\\xe4\\xb8"))
    [(97, 0, 1), (-1, 1, 3)]
    """
    start = 0
    for character in text.decode("utf-8", _BREAK_HANDLER):
        code_point = ord(character)
        if _FIRST_SURROGATE <= code_point <= _LAST_SURROGATE:
            end = start + code_point - _FIRST_SURROGATE
            yield BREAK, start, end
        else:
            end = start + utf8_length(code_point)
            yield code_point or BREAK, start, end
        start = end


def utf8_length(code_point: int) -> int:
    """Bytes that the code point takes in UTF-8."""
    if code_point < 0x80:
        return 1
    if code_point < 0x800:
        return 2
    return 3 if code_point < 0x10000 else 4


@lru_cache(maxsize=1 << 16)
def properties(code_point: int) -> int:
    """Class and flags of a code point."""
    return tables.RANGE_PROPERTIES[bisect_right(tables.RANGE_STARTS, code_point) - 1]
