"""Options that rewrite the units of a cjk run, in their order. docs/stream.md, section 4.

Each step takes the units of a run (or of a part of a very long run) and gives them back changed;
the source ranges stay those of the text. A further step is one function and one row of STEPS.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from cjk_tokenizer import unicode_tables as tables
from cjk_tokenizer.errors import ArgumentError

from . import characters as ch
from .fold import PROLONGED, Unit, compose
from .options import Options

# A longer run is several runs to these steps.
MAX_UNITS = 1 << 20

Step = Callable[[list[Unit]], list[Unit]]

KATAKANA_OF_HIRAGANA = {
    chr(code_point): chr(code_point + distance)
    for first, last, distance in tables.KANA_RANGES
    for code_point in range(first, last + 1)
}
HAN_MARKS = frozenset("々〻")
UNVOICED_MARKS = frozenset("ゝヽ")
VOICED_MARKS = frozenset("ゞヾ")
KANA_MARKS = UNVOICED_MARKS | VOICED_MARKS
VOICING_MARK = "\u3099"
WITHOUT_VOICED = frozenset("わゐゑを")


def rewrite_run(units: list[Unit], options: Options) -> list[Unit]:
    """The units of a cjk run after all the steps that the options ask for."""
    steps = [step for name, step in STEPS if getattr(options, name)]
    if not steps:
        return units
    rewritten: list[Unit] = []
    for start in range(0, len(units), MAX_UNITS):
        part = units[start : start + MAX_UNITS]
        for step in steps:
            part = step(part)
        rewritten += part
    return rewritten


def fold_kana(units: list[Unit]) -> list[Unit]:
    """Hiragana become the katakana of the same name.

    Those of わ ゐ ゑ を compose with a voicing mark behind them, as these do not.
    """
    kept: list[Unit] = []
    before = ""
    for unit in units:
        if before in WITHOUT_VOICED and unit.text == VOICING_MARK:
            replace_text(kept[-1], compose(kept[-1].text, VOICING_MARK))
            kept[-1].end = unit.end
        else:
            kept.append(unit)
        before = unit.text
        replace_text(unit, KATAKANA_OF_HIRAGANA.get(unit.text, unit.text))
    return kept


def fold_iteration(units: list[Unit]) -> list[Unit]:
    """Iteration marks become the letters that they repeat.

    A sequence of k marks of one kind repeats the k letters directly before it when these are of
    its kind (Han for 々 and 〻, kana for the others), else each mark repeats the letter directly
    before the sequence; where that is no letter of its kind, the marks stay.
    """
    start = 0
    while start < len(units):
        marks = mark_kind(units[start])
        end = start + 1
        while marks and end < len(units) and units[end].text in marks:
            end += 1
        if marks:
            repeat_before(units, start, end, ch.HAN if marks is HAN_MARKS else ch.KANA)
        start = end
    return units


def mark_kind(unit: Unit) -> frozenset[str]:
    """The kind of iteration marks that the unit is one of; empty for other units."""
    return next((kind for kind in (HAN_MARKS, KANA_MARKS) if unit.text in kind), frozenset())


def repeat_before(units: list[Unit], start: int, end: int, flag: int) -> None:
    """Write the letters before `start` over the marks of [start, end)."""

    def is_letter(unit: Unit) -> bool:
        return bool(unit.flags & flag) and not mark_kind(unit)

    count = end - start
    if start == 0 or not is_letter(units[start - 1]):
        return
    enough = start >= count and all(map(is_letter, units[start - count : start]))
    distance = count if enough else 1
    for index in range(start, end):
        repeated = units[index - distance].text
        if flag == ch.KANA:
            repeated = revoice(repeated, voiced=units[index].text in VOICED_MARKS)
        replace_text(units[index], repeated)


def revoice(kana: str, *, voiced: bool) -> str:
    """The voiced or unvoiced form of a kana: か gives が and か, な has but one form."""
    unvoiced = unicodedata.normalize("NFD", kana)[0]
    return (compose(unvoiced, VOICING_MARK) if voiced else "") or unvoiced


def fold_prolonged(units: list[Unit]) -> list[Unit]:
    """Drop ー behind a hiragana or katakana unless another of the same kind follows."""
    kept: list[Unit] = []
    start = 0
    while start < len(units):
        end = start
        while end < len(units) and units[end].text == chr(PROLONGED):
            end += 1
        kana = kana_kind(kept[-1]) if kept else 0
        if end > start and kana and (end == len(units) or kana_kind(units[end]) != kana):
            kept[-1].end = units[end - 1].end
        else:
            end = max(end, start + 1)
            kept += units[start:end]
        start = end
    return kept


def kana_kind(unit: Unit) -> int:
    """Which kana the unit is, hiragana or katakana; 0 for none."""
    return unit.flags & (ch.KANA | ch.KATAKANA)


def fold_han(units: list[Unit]) -> list[Unit]:
    """Han characters become the representative of their class."""
    table = han_table()
    for unit in units:
        replace_text(unit, table.get(unit.text, unit.text))
    return units


@cache
def han_table() -> dict[str, str]:
    """The table of fold_han, made with the library; docs/stream.md, section 7."""
    elsewhere = os.environ.get("CJK_TOKENIZER_HAN_FOLD")  # for a library that is not installed
    path = Path(elsewhere or str(files("cjk_tokenizer") / "han_fold.txt"))
    if not path.is_file():
        raise ArgumentError(
            f"option fold_han needs its table, and {path} is not there: install a built package, "
            "or write it with tools/make_han_fold.py"
        )
    return {line[0]: line[1] for line in path.read_text(encoding="utf-8").splitlines()}


def replace_text(unit: Unit, text: str) -> None:
    if unit.text != text:
        unit.parts = [text]
        unit.flags = ch.properties(ord(text))


# Option -> step, in the order in which they run.
STEPS: tuple[tuple[str, Step], ...] = (
    ("fold_han", fold_han),
    ("fold_iteration", fold_iteration),
    ("fold_prolonged", fold_prolonged),
    ("fold_kana", fold_kana),
)
