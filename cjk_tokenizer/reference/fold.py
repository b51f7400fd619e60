"""Fold: source text -> units with the byte range of their source. docs/stream.md, section 3.

A `Unit` is what runs are made of: a folded character of cjk text, a cluster of a complex script,
an emoji sequence, or a code point of a word stretch. All that depends on the characters beside a
character is settled here, from left to right: composition, marks, ignorables, emoji sequences,
contextual characters. Linear in the length of the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from cjk_tokenizer import unicode_tables as tables

from . import characters as ch

LONG_DASHES = frozenset((0x2014, 0x2015, 0x2212, 0x2500, 0x2501, 0xFF0D))
PROLONGED = 0x30FC  # ー
LETTER_ARAEA = 0x318D  # ㆍ, also typed as a middle dot
JUNGSEONG_ARAEA = 0x119E
KEYCAP = 0x20E3
KEYCAP_BASES = frozenset("0123456789#*")
JOINER = 0x200D
TAGS = range(0xE0020, 0xE0080)


class Unit:
    """One unit: kind (CJK, COMPLEX, EMOJI, WORD or BREAK), text, source range in bytes, flags.

    `source` is the code point it came from. `parts` are joined on demand: a cluster may hold a
    million marks.
    """

    __slots__ = ("end", "flags", "kind", "parts", "source", "start")

    def __init__(self, kind: int, text: str, start: int, end: int, flags: int, source: int) -> None:
        self.kind = kind
        self.parts = [text]
        self.start = start
        self.end = end
        self.flags = flags
        self.source = source

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def __repr__(self) -> str:
        return f"Unit({self.kind}, {self.text!r}, {self.start}, {self.end})"


class Folded(NamedTuple):
    """A code point that came out of the fold table, with its source."""

    code_point: int
    start: int
    end: int
    flags: int
    source: int


def fold_text(text: bytes, *, emoji: bool = True) -> list[Unit]:
    """The units of a text, in order; their ranges never run backwards."""
    folder = _Folder(list(fold_characters(text)), emoji)
    for index in range(len(folder.folded)):
        folder.add(index)
    for unit in folder.units:
        if unit.flags & ch.JAMO:
            unit.parts = [jamo_letter(unit.text)]
    return folder.units


def fold_characters(text: bytes) -> Iterator[Folded]:
    """The fold table alone (3.1): each code point becomes one or more, BREAK stays BREAK."""
    for code_point, start, end in ch.decode(text):
        if code_point == ch.BREAK:
            yield Folded(ch.BREAK, start, end, 0, ch.BREAK)
            continue
        for each in tables.FOLDS.get(code_point) or chr(code_point):
            yield Folded(ord(each), start, end, ch.properties(ord(each)), code_point)


def compose(first: str, second: str) -> str:
    """The one character that the two compose to canonically, or empty text."""
    whole = unicodedata.normalize("NFC", first + second)
    return whole if len(whole) == 1 else ""


def jamo_letter(jamo: str) -> str:
    """The compatibility jamo for a conjoining jamo that stands alone, where there is one."""
    if ord(jamo) == JUNGSEONG_ARAEA:  # its letter ㆍ is a middle dot as often
        return jamo
    return chr(tables.JAMO_LETTERS.get(ord(jamo), ord(jamo)))


def is_letter(flags: int) -> bool:
    """A letter or digit of any script, or a mark of one; no jamo that stands by itself."""
    kind = flags & ch.CLASS
    if kind == ch.CJK:
        return bool(flags & (ch.JOINS | ch.SYLLABLE | ch.JAMO))
    if kind == ch.WORD:
        return not flags & ch.SEPARATOR
    return kind in (ch.COMPLEX, ch.MARK, ch.VOICING)


class _Folder:
    """The units so far, and how the last of them may go on.

    Invariant: `units[-1]` is what a mark or an ignorable that comes next stands directly behind.
    """

    def __init__(self, folded: list[Folded], emoji: bool) -> None:
        self.folded = folded
        self.emoji = emoji
        self.units: list[Unit] = []
        self.plain = False  # a plain ignorable stands behind the last unit
        self.sequence = False  # the last unit is an emoji sequence that may go on
        self.joiner = False  # ... and a joiner stands directly before what comes next
        self.half_flag = False  # a lone regional indicator stands directly before it

    def add(self, index: int) -> None:
        each = self.folded[index]
        if each.code_point == ch.BREAK:
            self.start_unit(ch.BREAK, each)
        elif each.source in LONG_DASHES and self.between_katakana(index):
            flags = ch.properties(PROLONGED)
            self.start_unit(ch.CJK, each._replace(code_point=PROLONGED, flags=flags))
        elif each.code_point == LETTER_ARAEA and self.beside_letter(index):
            self.start_unit(ch.BREAK, each)
        else:
            ADD[each.flags & ch.CLASS](self, each)

    # --- one method for each class

    def add_word(self, each: Folded) -> None:
        self.start_unit(ch.WORD, each)

    def add_cjk(self, each: Folded) -> None:
        if not (each.flags & ch.JAMO and self.compose_with_last(each)):
            self.start_unit(ch.CJK, each)

    def add_voicing(self, each: Folded) -> None:
        if self.last_kind() != ch.CJK:
            self.start_unit(ch.BREAK, each)
        elif not self.compose_with_last(each):
            self.start_unit(ch.CJK, each)

    def add_complex(self, each: Folded) -> None:
        if each.flags & ch.EXTEND and self.last_kind() == ch.COMPLEX:
            self.append(each)
        else:
            self.start_unit(ch.COMPLEX, each)

    def add_mark(self, each: Folded) -> None:
        kind = self.last_kind()
        if kind == ch.COMPLEX:
            self.append(each)
        elif kind in (ch.CJK, ch.EMOJI):
            self.widen(each)
        elif each.code_point == KEYCAP and self.emoji and self.behind_keycap_base():
            self.units[-1].kind = ch.EMOJI
            self.append(each)
        else:
            self.start_unit(ch.WORD, each)

    def add_ignorable(self, each: Folded) -> None:
        if each.code_point in TAGS and self.sequence:
            self.append(each)
        elif each.flags & ch.EXTEND:
            self.widen(each)
            self.joiner = each.code_point == JOINER and self.sequence
        else:
            self.plain = True
            self.sequence = self.joiner = self.half_flag = False

    def add_emoji(self, each: Folded) -> None:
        if not self.emoji:
            self.start_unit(ch.BREAK, each)
        elif each.flags & ch.REGIONAL:
            if self.half_flag:
                self.append(each)
            else:
                self.start_unit(ch.EMOJI, each)
                self.half_flag = True
        elif self.joiner:
            self.units[-1].parts.append(chr(JOINER))
            self.append(each)
        elif self.sequence and each.flags & ch.MODIFIER:
            self.append(each)
        else:
            self.start_unit(ch.EMOJI, each)
            self.sequence = True

    # --- what is done to units

    def start_unit(self, kind: int, each: Folded) -> None:
        text = "" if kind == ch.BREAK else chr(each.code_point)
        flags = 0 if kind == ch.BREAK else each.flags
        self.units.append(Unit(kind, text, each.start, each.end, flags, each.source))
        self.plain = self.sequence = self.joiner = self.half_flag = False

    def append(self, each: Folded) -> None:
        self.units[-1].parts.append(chr(each.code_point))
        self.widen(each)

    def widen(self, each: Folded) -> None:
        if self.units:
            self.units[-1].end = each.end
        self.joiner = self.half_flag = False

    def compose_with_last(self, each: Folded) -> bool:
        if self.last_kind() != ch.CJK:
            return False
        last = self.units[-1]
        composed = compose(last.text, chr(each.code_point))
        if not composed:
            return False
        last.parts = [composed]
        last.flags = ch.properties(ord(composed))
        last.end = each.end
        return True

    # --- what stands beside

    def last_kind(self) -> int:
        return self.units[-1].kind if self.units else ch.BREAK

    def following_flags(self, index: int) -> int:
        """Flags of the next visible code point; those of a separator where none follows."""
        index += 1
        while index < len(self.folded) and self.folded[index].flags & ch.CLASS == ch.IGNORABLE:
            index += 1
        if index == len(self.folded) or self.folded[index].code_point == ch.BREAK:
            return ch.WORD | ch.SEPARATOR
        return self.folded[index].flags

    def between_katakana(self, index: int) -> bool:
        if self.last_kind() != ch.CJK:
            return False
        last = self.units[-1]
        before = last.flags & ch.KATAKANA or last.text == chr(PROLONGED)
        return bool(before and self.following_flags(index) & ch.KATAKANA)

    def beside_letter(self, index: int) -> bool:
        """Whether a letter or digit, but no jamo by itself, stands on either side."""
        return is_letter(self.preceding_flags(index)) or is_letter(self.following_flags(index))

    def preceding_flags(self, index: int) -> int:
        """Flags of the visible code point before; those of a separator at the beginning."""
        index -= 1
        while index >= 0 and self.folded[index].flags & ch.CLASS == ch.IGNORABLE:
            index -= 1
        if index < 0 or self.folded[index].code_point == ch.BREAK:
            return ch.WORD | ch.SEPARATOR
        return self.folded[index].flags

    def behind_keycap_base(self) -> bool:
        if self.last_kind() != ch.WORD or self.plain:
            return False
        return self.units[-1].text in KEYCAP_BASES


ADD = {
    ch.WORD: _Folder.add_word,
    ch.IGNORABLE: _Folder.add_ignorable,
    ch.CJK: _Folder.add_cjk,
    ch.COMPLEX: _Folder.add_complex,
    ch.EMOJI: _Folder.add_emoji,
    ch.MARK: _Folder.add_mark,
    ch.VOICING: _Folder.add_voicing,
}
