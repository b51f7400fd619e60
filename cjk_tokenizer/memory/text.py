"""What the memory helpers share: argument checks, blanks, and where a character ends.

Lengths and offsets are characters (code points) here, as everywhere in the Python API. The checks
turn a wrong value into a TypeError or ArgumentError that names the argument; nothing else in this
room looks at the type of what it was given. Categories and lower case are those of one version of
Unicode, not those of the Python at hand, so that the rules give the same everywhere, and in C.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory.character_tables import KIND_STARTS, KINDS, LOWER_RANGES

# Blanks: White_Space of ECMAScript, which the rules that other programs share are written in.
BLANK_CLASS = "\t\n\x0b\x0c\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
BLANKS = "".join(
    chr(code)
    for first, last in (
        (0x09, 0x0D),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    )
    for code in range(first, last + 1)
)
BLANK_RUN = re.compile(f"[{BLANK_CLASS}]+")
_SURROGATE = re.compile("[\ud800-\udfff]")

# The cluster rule of `is_border`.
_ZWJ = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e"
    "\U000110bd\U000110cd\U000111c2\U000111c3\U000113d1\U0001193f\U00011941\U00011a3a"
    "\U00011a84\U00011a85\U00011a86\U00011a87\U00011a88\U00011a89\U00011d46\U00011f02"
)
_MARKS_LOOKED_BACK = 64


def check_text(value: object, name: str) -> str:
    """`value` when it is a str; else a TypeError that names the argument.

    >>> check_text(b"abc", "text")
    Traceback (most recent call last):
    TypeError: text must be str, not bytes: decode it first
    """
    if isinstance(value, str):
        return value
    hint = ": decode it first" if isinstance(value, (bytes, bytearray, memoryview)) else ""
    raise TypeError(f"{name} must be str, not {type(value).__name__}{hint}")


def check_count(value: object, name: str, least: int) -> int:
    """`value` when it is an int of at least `least`; else a TypeError or ArgumentError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be int, not {type(value).__name__}")
    if value < least:
        raise ArgumentError(f"{name} must be at least {least}, not {value}")
    return value


def check_choice(value: object, name: str, choices: Sequence[str]) -> str:
    """`value` when it is one of `choices`; else an error that lists them.

    >>> check_choice("fast", "profile", ("wide", "exact"))
    Traceback (most recent call last):
    cjk_tokenizer.errors.ArgumentError: profile must be one of wide, exact, not 'fast'
    """
    text = check_text(value, name)
    if text not in choices:
        raise ArgumentError(f"{name} must be one of {', '.join(choices)}, not {text!r}")
    return text


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate as U+FFFD: what can be encoded, for code that must."""
    return _SURROGATE.sub("\ufffd", text)


class _KindOf(dict[str, str]):
    def __missing__(self, char: str) -> str:
        self[char] = kind = KINDS[bisect_right(KIND_STARTS, ord(char)) - 1]
        return kind


# L for a letter, N a number, M a mark, V a mark that is a virama (combining class 9), - all else.
_KIND_OF = _KindOf()
_LOWER_STARTS = [row[0] for row in LOWER_RANGES]


def kind_of(char: str) -> str:
    """The kind of a character: L, N or M by its category, V for a mark that is a virama, else -.

    >>> "".join(map(kind_of, "a1\\u0301\\u094d,"))
    'LNMV-'
    """
    return _KIND_OF[char]


def lower_of(char: str) -> str:
    """A character lower-cased by itself, whatever stands around it: one character, of U+0130 two.

    >>> lower_of("Σ"), lower_of("Ａ"), lower_of("中")
    ('σ', 'ａ', '中')
    """
    if char == "\u0130":
        return "i\u0307"
    code = ord(char)
    row = bisect_right(_LOWER_STARTS, code) - 1
    if row >= 0:
        first, last, step, distance = LOWER_RANGES[row]
        if code <= last and (code - first) % step == 0:
            return chr(code + distance)
    return char


def is_border(text: str, at: int, start: int = 0) -> bool:
    """Whether `text` may be cut before character `at` without cutting a grapheme cluster.

    `start` is a place before `at` where a cluster is known to begin. Costs O(1), and O(at - start)
    inside a sequence of flags. Stricter than the extended grapheme clusters of UAX 29 (Unicode 16):
    each border here is one of theirs, a few of theirs are none here. No border

    * between CR and LF;
    * before a character of category M, ZWNJ, ZWJ, U+0E33, U+0EB3, U+FF9E, U+FF9F, an emoji
      modifier, a tag, or a conjoining vowel or trailing consonant of Hangul;
    * after ZWJ, a leading consonant of Hangul that another one or a syllable follows, or a
      prepended mark (Grapheme_Cluster_Break=Prepend);
    * between a letter and the marks before it when a virama (combining class 9) is among the last
      64 of them;
    * between the two halves of a flag, counted from `start`.

    >>> [is_border("e\\u0301e", at) for at in (1, 2)]
    [False, True]
    """
    before, after = text[at - 1], text[at]
    if after < "\u0300" and before < "\u0300":
        return not (before == "\r" and after == "\n")
    kind = _KIND_OF[after]
    if kind in "MV" or extends(after):
        return False
    if before == _ZWJ or is_prepended(before):
        return False
    if is_leading_jamo(before) and (is_leading_jamo(after) or "\uac00" <= after <= "\ud7a3"):
        return False
    if is_flag_half(after) and is_flag_half(before):
        return _flag_halves_before(text, at, start) % 2 == 0
    return not (kind == "L" and _virama_before(text, at, start))


def next_border(text: str, at: int, end: int, start: int) -> int | None:
    """The first border at or after `at` and before `end`, if there is one."""
    return next((i for i in range(at, end) if is_border(text, i, start)), None)


def last_border(text: str, low: int, high: int, start: int) -> int | None:
    """The last border at or after `low`, not after `high`, if there is one."""
    for i in range(high, low - 1, -1):
        if i == len(text) or is_border(text, i, start):
            return i
    return None


def clusters(text: str) -> list[str]:
    """`text` cut at every border of `is_border`.

    >>> clusters("\\u0e01\\u0e33\\u0e44\\u0e23")
    ['กำ', 'ไ', 'ร']
    """
    cuts = [0]
    for i in range(1, len(text)):
        if is_border(text, i, cuts[-1]):
            cuts.append(i)
    return [text[a:b] for a, b in zip(cuts, [*cuts[1:], len(text)])] if text else []


def pieces(text: str, size: int) -> list[str]:
    """`text` cut into stretches of at most `size` characters, at borders where there are any."""
    found = []
    start = 0
    while len(text) - start > size:
        end = last_border(text, start + 1, start + size, start) or start + size
        found.append(text[start:end])
        start = end
    found.append(text[start:])
    return found


def extends(char: str) -> bool:
    """Whether no cluster begins with this character, though it is no mark."""
    return (
        char in _EXTENDING
        or "\u1160" <= char <= "\u11ff"
        or "\ud7b0" <= char <= "\ud7fb"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def is_prepended(char: str) -> bool:
    """Whether no cluster ends with this character: Grapheme_Cluster_Break=Prepend."""
    return char in _PREPENDED


def is_leading_jamo(char: str) -> bool:
    """Whether this is a conjoining leading consonant of Hangul."""
    return "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c"


def is_flag_half(char: str) -> bool:
    """Whether this is a regional indicator: two of them are a flag."""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_halves_before(text: str, at: int, start: int) -> int:
    first = at
    while first > start and is_flag_half(text[first - 1]):
        first -= 1
    return at - first


def _virama_before(text: str, at: int, start: int) -> bool:
    for i in range(at - 1, max(start, at - _MARKS_LOOKED_BACK) - 1, -1):
        char = text[i]
        if _KIND_OF[char] == "V":
            return True
        if char != _ZWJ and _KIND_OF[char] != "M":
            return False
    return False
