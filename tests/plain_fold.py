"""What the real texts fold to, by other means than the tokenizer's: Python's `unicodedata`.

Good for text in which marks and width vary but which holds none of the oddities (radicals, stray
voicing marks, dashes for ー): enough to ask `instr()` what MATCH should find. Nothing in here knows
the tokenizer or its tables.
"""

from __future__ import annotations

import unicodedata

import regex

# Blocks whose compatibility characters stand for CJK text. Hangul compatibility jamo stay jamo.
_FOLDED = regex.compile(
    r"[\u3000-\u30ff\u3190-\u33ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef"
    r"\u2460-\u24ff\U0002f800-\U0002fa1f--[\u309b\u309c]]+",
    regex.VERSION1,
)
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_MARKS = regex.compile(r"(?<=[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])[\u0300-\u036f]+")

CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}ー]"
CJK_LETTERS = rf"[{CJK}&&[\p{{L}}\p{{N}}]]"
THAI_LETTERS = r"[\p{Thai}&&[\p{L}\p{M}\p{N}]]"


def fold(text: str) -> str:
    """The folded text: widths, compatibility forms and composition settled, ignorables dropped."""
    text = _IGNORED.sub("", text)
    text = _FOLDED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return str(_MARKS.sub("", unicodedata.normalize("NFC", text)))


def runs(text: str, letters: str = CJK_LETTERS) -> list[str]:
    """The stretches of letters in a folded text."""
    found: list[str] = regex.findall(f"{letters}+", text, flags=regex.VERSION1)
    return found


def clusters(text: str) -> list[str]:
    """The extended grapheme clusters of a text."""
    found: list[str] = regex.findall(r"\X", text)
    return found
