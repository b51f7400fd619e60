"""The fold table is NFKC, as Python's unicodedata has it, but for what docs/stream.md lists."""

from __future__ import annotations

import unicodedata

from cjk_tokenizer import unicode_tables

# docs/stream.md, section 8 and 3.1: what is folded otherwise, and why is written there.
HALF_WIDTH_JAMO = range(0xFFA1, 0xFFDD)
RADICALS = (*range(0x2E80, 0x2FE0), *range(0x31C0, 0x31F0))
LOOK_ALIKES = (0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0xFE32, 0xFE63, 0xFF0D, 0x301C, 0x3030,
               0xFF5E, 0x2015, 0x2E3A, 0x2E3B, 0xFE31, 0xFE58)  # fmt: skip
MACRON = 0xFFE3
OTHERWISE = {*HALF_WIDTH_JAMO, *RADICALS, *LOOK_ALIKES, MACRON}
BLOCKS = ((0x3000, 0x30FF), (0x3190, 0x319F), (0x3200, 0x33FF), (0xF900, 0xFAFF), (0xFE10, 0xFE1F),
          (0xFE30, 0xFE6F), (0xFF00, 0xFFEF), (0x2460, 0x24FF), (0x1F100, 0x1F2FF),
          (0x2F800, 0x2FA1F))  # fmt: skip
LEFT_ALONE = {0x309B, 0x309C, 0x3164, 0xFFA0}  # spacing voicing marks; fillers, which are dropped


def is_assigned(code_point: int) -> bool:
    return unicodedata.category(chr(code_point)) != "Cn"


def test_every_fold_is_nfkc_or_listed() -> None:
    for code_point, folded in unicode_tables.FOLDS.items():
        if code_point not in OTHERWISE and is_assigned(code_point):
            assert folded == unicodedata.normalize("NFKC", chr(code_point)), hex(code_point)


def test_nothing_of_the_blocks_is_missed() -> None:
    for first, last in BLOCKS:
        for code_point in range(first, last + 1):
            normal = unicodedata.normalize("NFKC", chr(code_point))
            if normal != chr(code_point) and code_point not in LEFT_ALONE:
                assert code_point in unicode_tables.FOLDS, hex(code_point)


def test_radicals_become_unified_ideographs() -> None:
    for code_point in set(RADICALS) & set(unicode_tables.FOLDS):
        folded = unicode_tables.FOLDS[code_point]
        assert len(folded) == 1
        assert "CJK UNIFIED IDEOGRAPH" in unicodedata.name(folded, "CJK UNIFIED IDEOGRAPH")


def test_folding_is_idempotent() -> None:
    for folded in unicode_tables.FOLDS.values():
        assert all(ord(each) not in unicode_tables.FOLDS for each in folded)


def test_composition_is_canonical() -> None:
    for (base, mark), composed in unicode_tables.VOICING_PAIRS.items():
        assert unicodedata.normalize("NFC", chr(base) + chr(mark)) == chr(composed)
    for jamo, letter in unicode_tables.JAMO_LETTERS.items():
        decomposed = unicodedata.normalize("NFKD", chr(letter))
        names = [unicodedata.name(each).rsplit(" ", 1)[1] for each in (chr(jamo), decomposed)]
        assert names[0] == names[1], hex(jamo)
