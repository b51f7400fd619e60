"""Write the Unicode tables of the tokenizer.

They are csrc/core/unicode.c and unicode_range.h, csrc/data/unihan_variants.txt, and
cjk_tokenizer/unicode_tables.py.

The rules are those of docs/stream.md, sections 2 and 3; the data is the Unicode Character Database
15.0.0, read from a directory that holds its files (Debian: package unicode-data, which puts them
into /usr/share/unicode). The written files are committed, so that nobody needs the database to
build; `--check` says whether they are what this script would write.

    python tools/make_unicode.py [--ucd DIR] [--check]
"""

from __future__ import annotations

import argparse
import bz2
import sys
from collections.abc import Iterable
from pathlib import Path

VERSION = "15.0.0"
ROOT = Path(__file__).resolve().parent.parent
C_FILE = ROOT / "csrc" / "core" / "unicode.c"
RANGE_FILE = ROOT / "csrc" / "core" / "unicode_range.h"
VARIANTS_FILE = ROOT / "csrc" / "data" / "unihan_variants.txt"
PYTHON_FILE = ROOT / "cjk_tokenizer" / "unicode_tables.py"
N_CODE_POINTS = 0x110000
BLOCK = 128

# Classes and flags; csrc/core/unicode.h has the same numbers (a test compares them).
WORD, IGNORABLE, CJK, COMPLEX, EMOJI, MARK, VOICING, FOLDED = range(8)
EXTEND, SEPARATOR, JOINS, KANA = 1 << 3, 1 << 4, 1 << 5, 1 << 6
KATAKANA, JAMO, SYLLABLE, REGIONAL = 1 << 7, 1 << 8, 1 << 9, 1 << 10
MODIFIER, CONTEXT, HAN, REWRITES = 1 << 11, 1 << 12, 1 << 13, 1 << 14

CJK_SCRIPTS = {
    "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Yi", "Tangut", "Nushu",
    "Khitan_Small_Script",
}  # fmt: skip
CJK_SCRIPT_CODES = {"Hani", "Hira", "Kana", "Hang", "Bopo", "Yiii", "Tang", "Nshu", "Kits"}
HYPHENS = (0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0xFE63, 0xFF0D)
WAVES = (0x301C, 0x3030, 0xFF5E)
LONG_DASHES = (0x2015, 0x2E3A, 0x2E3B, 0xFE31, 0xFE58)
# Characters that matter by their neighbours or to them (docs/stream.md 3.5), besides blanks.
CONTEXTUAL = (
    0x318D, 0x20E3, 0x2014, 0x2015, 0x2212, 0x2500, 0x2501, 0xFF0D, 0x23, 0x2A, 0xFF03, 0xFF0A,
)  # fmt: skip

WIDTH_BLOCK = (0xFF00, 0xFFEF)
RADICAL_BLOCKS = ((0x2E80, 0x2FDF), (0x31C0, 0x31EF))
COMPATIBILITY_BLOCKS = (
    (0x3000, 0x303F), (0x3040, 0x30FF), (0x3190, 0x319F), (0x3200, 0x32FF), (0x3300, 0x33FF),
    (0xF900, 0xFAFF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFE50, 0xFE6F), (0x2460, 0x24FF),
    (0x1F100, 0x1F1FF), (0x1F200, 0x1F2FF), (0x2F800, 0x2FA1F),
)  # fmt: skip
LETTERLIKE_BLOCKS = ((0x2100, 0x214F), (0x2150, 0x218F))
# What fold_iteration and fold_prolonged look for.
REWRITING = (0x3005, 0x303B, 0x309D, 0x309E, 0x30FD, 0x30FE, 0x30FC)
SPACING_VOICING = (0x309B, 0x309C)
HAN_RESERVED = ((0x20000, 0x2FFFD), (0x30000, 0x3FFFD))


class Database:
    """The files of the Unicode Character Database that the rules need, as dictionaries."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        header = (directory / "Scripts.txt").read_text(encoding="utf-8").split("\n", 1)[0]
        if VERSION not in header:
            raise SystemExit(
                f"{directory} holds {header.strip('# ')}; the tables are made from Unicode "
                f"{VERSION} (Debian 12: apt-get install unicode-data)"
            )
        self.category: dict[int, str] = {}
        self.decomposition: dict[int, str] = {}
        self.name: dict[int, str] = {}
        self._read_unicode_data()
        self.script = self.read("Scripts.txt")
        self.script_extensions = self.read("ScriptExtensions.txt")
        self.line_break = self.read("LineBreak.txt")
        self.grapheme_break = self.read("auxiliary/GraphemeBreakProperty.txt")
        self.emoji = self.read("emoji/emoji-data.txt", "Emoji")
        self.emoji_modifier = self.read("emoji/emoji-data.txt", "Emoji_Modifier")
        self.pictographic = self.read("emoji/emoji-data.txt", "Extended_Pictographic")
        self.ignorable = self.read("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
        self.age = self.read("DerivedAge.txt")
        self.unified_ideograph = self.read("EquivalentUnifiedIdeograph.txt")

    def _read_unicode_data(self) -> None:
        first = 0
        for line in (self.directory / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
            fields = line.split(";")
            cp = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = cp
                continue
            start = first if fields[1].endswith(", Last>") else cp
            for each in range(start, cp + 1):
                self.category[each] = fields[2]
                self.name[each] = fields[1]
            if fields[5]:
                self.decomposition[cp] = fields[5]

    def read(self, name: str, only: str | None = None) -> dict[int, str]:
        values: dict[int, str] = {}
        for line in (self.directory / name).read_text(encoding="utf-8").splitlines():
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) < 2 or (only is not None and fields[1] != only):
                continue
            start, _, end = fields[0].partition("..")
            for cp in range(int(start, 16), int(end or start, 16) + 1):
                values[cp] = fields[1]
        return values


def within(cp: int, blocks: tuple[tuple[int, int], ...]) -> bool:
    return any(start <= cp <= end for start, end in blocks)


class Fold:
    """The fold table of docs/stream.md 3.1: code point -> list of code points."""

    def __init__(self, data: Database) -> None:
        self.data = data
        self.composed = self._canonical_pairs()
        self.table: dict[int, list[int]] = {}
        for cp in range(N_CODE_POINTS):
            folded = self._fold(cp)
            if folded != [cp] and cp not in data.ignorable:
                self.table[cp] = folded

    def _canonical_pairs(self) -> dict[tuple[int, int], int]:
        excluded = self.data.read("DerivedNormalizationProps.txt", "Full_Composition_Exclusion")
        pairs: dict[tuple[int, int], int] = {}
        for cp, mapping in self.data.decomposition.items():
            parts = mapping.split()
            if not mapping.startswith("<") and len(parts) == 2 and cp not in excluded:
                pairs[int(parts[0], 16), int(parts[1], 16)] = cp
        return pairs

    def _mapping(self, cp: int) -> tuple[str, list[int]]:
        parts = self.data.decomposition.get(cp, "").split()
        tag = parts.pop(0) if parts and parts[0].startswith("<") else ""
        return tag, [int(part, 16) for part in parts]

    def _fold(self, cp: int) -> list[int]:
        first = self._first_lines(cp)
        if first is not None:
            return first
        tag, mapping = self._mapping(cp)
        listed = within(cp, COMPATIBILITY_BLOCKS) or (
            within(cp, LETTERLIKE_BLOCKS) and tag != "<super>"
        )
        if not listed or not mapping or cp in SPACING_VOICING:
            return [cp]
        folded: list[int] = []
        for part in self._nfkc(cp):
            again = self._first_lines(part)
            folded += again if again is not None else [part]
        return folded

    def _first_lines(self, cp: int) -> list[int] | None:
        """Lines 1 to 3: radicals, look-alikes, width."""
        if within(cp, RADICAL_BLOCKS) and cp in self.data.unified_ideograph:
            return [int(self.data.unified_ideograph[cp], 16)]
        for look_alikes, target in ((HYPHENS, 0x2D), (WAVES, 0x7E), (LONG_DASHES, 0x2014)):
            if cp in look_alikes:
                return [target]
        if within(cp, (WIDTH_BLOCK,)):
            tag, mapping = self._mapping(cp)
            if tag in ("<wide>", "<narrow>"):
                return mapping
        return None

    def _nfkc(self, cp: int) -> list[int]:
        """Compatibility decomposition, then canonical composition of neighbouring pairs.

        Enough for these blocks: none of their mappings holds marks that need reordering.
        """
        decomposed = self._decompose(cp)
        composed: list[int] = []
        for each in decomposed:
            if composed and (composed[-1], each) in self.composed:
                composed[-1] = self.composed[composed[-1], each]
            elif composed and (syllable := compose_hangul(composed[-1], each)):
                composed[-1] = syllable
            else:
                composed.append(each)
        return composed

    def _decompose(self, cp: int) -> list[int]:
        _, mapping = self._mapping(cp)
        if not mapping:
            return [cp]
        return [part for each in mapping for part in self._decompose(each)]


def compose_hangul(first: int, second: int) -> int:
    """Canonical composition of Hangul (Unicode 15, section 3.12); 0 when the two do not compose."""
    if 0x1100 <= first <= 0x1112 and 0x1161 <= second <= 0x1175:
        return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    if 0xAC00 <= first <= 0xD7A3 and (first - 0xAC00) % 28 == 0 and 0x11A8 <= second <= 0x11C2:
        return first + second - 0x11A7
    return 0


def classify(data: Database, fold: Fold) -> list[int]:
    """Class and flags of every code point (docs/stream.md 2)."""
    complex_scripts = {
        data.script[cp]
        for cp, value in data.line_break.items()
        if value == "SA" and cp in data.script
    }
    properties = [class_of(cp, data, fold, complex_scripts) for cp in range(N_CODE_POINTS)]
    for cp, folded in fold.table.items():
        if properties[cp] & 7 == FOLDED and all(properties[each] & SEPARATOR for each in folded):
            properties[cp] |= SEPARATOR
    blanks = [cp for cp, category in data.category.items() if category == "Zs" and cp > 0x7F]
    for cp in (*CONTEXTUAL, *blanks):
        properties[cp] |= CONTEXT
    for cp in REWRITING:
        properties[cp] |= REWRITES
    return properties


def class_of(cp: int, data: Database, fold: Fold, complex_scripts: set[str]) -> int:
    category = data.category.get(cp, "Cn")
    script = data.script.get(cp, "Unknown")
    extends = data.grapheme_break.get(cp) in ("Extend", "SpacingMark")
    if cp in data.ignorable:
        return IGNORABLE | (EXTEND if data.grapheme_break.get(cp) in ("Extend", "ZWJ") else 0)
    if cp in fold.table:
        return FOLDED
    if cp in (0x3099, 0x309A):
        return VOICING
    if is_emoji(cp, category, data):
        regional = REGIONAL if 0x1F1E6 <= cp <= 0x1F1FF else 0
        return EMOJI | regional | (MODIFIER if cp in data.emoji_modifier else 0)
    if is_cjk(cp, category, script, data):
        return CJK | cjk_flags(cp, script, data)
    if script in complex_scripts and category[0] in "LMN":
        return COMPLEX | (EXTEND if extends else 0)
    if extends:
        return MARK | EXTEND
    separates = category[0] in "ZPS" or category == "Cc"
    return WORD | (SEPARATOR if separates and is_known_to_unicode61(cp, data) else 0)


def is_known_to_unicode61(cp: int, data: Database) -> bool:
    """SQLite's unicode61 takes signs younger than its Unicode version for token characters."""
    return tuple(map(int, data.age[cp].split("."))) <= (6, 1)


def is_emoji(cp: int, category: str, data: Database) -> bool:
    if category == "Cn":
        return cp in data.pictographic
    return cp in data.emoji and cp >= 0x2000 and category in ("So", "Sm", "Sk")


def is_cjk(cp: int, category: str, script: str, data: Database) -> bool:
    if category == "Cn":
        return within(cp, HAN_RESERVED)
    if script in CJK_SCRIPTS:
        return category[0] in "LN" or category == "So"
    extensions = set(data.script_extensions.get(cp, "").split())
    return category in ("Lo", "Lm") and bool(extensions & CJK_SCRIPT_CODES)


def cjk_flags(cp: int, script: str, data: Database) -> int:
    flags = 0 if script == "Hangul" else JOINS
    if script in ("Hiragana", "Katakana"):
        flags |= KANA
    if script == "Katakana":
        flags |= KATAKANA
    if script == "Han" or script == "Unknown":
        flags |= HAN
    if 0xAC00 <= cp <= 0xD7A3:
        flags |= SYLLABLE
    elif script == "Hangul" and data.grapheme_break.get(cp) in ("L", "V", "T"):
        flags |= JAMO
    return flags


def kana_ranges(data: Database) -> list[tuple[int, int, int]]:
    """(first, last, distance): hiragana to the katakana of the same name."""
    by_name = {name: cp for cp, name in data.name.items() if name.startswith("KATAKANA ")}
    ranges: list[tuple[int, int, int]] = []
    for cp in sorted(data.name):
        target = by_name.get(data.name[cp].replace("HIRAGANA ", "KATAKANA "))
        if not data.name[cp].startswith("HIRAGANA ") or target is None:
            continue
        if ranges and ranges[-1][1] == cp - 1 and ranges[-1][2] == target - cp:
            ranges[-1] = (ranges[-1][0], cp, target - cp)
        else:
            ranges.append((cp, cp, target - cp))
    return ranges


def jamo_letters(data: Database) -> list[int]:
    """For U+1100..11FF the compatibility jamo that it looks like, else 0.

    Compatibility jamo decompose to leading consonants and vowels; a trailing consonant is looked
    up by its name.
    """
    letters = [0] * 256
    by_name: dict[str, int] = {}
    for cp in range(0x3131, 0x318F):
        mapping = data.decomposition.get(cp)
        if mapping and data.name[cp].startswith("HANGUL LETTER "):
            letters[int(mapping.split()[1], 16) - 0x1100] = cp
            by_name[data.name[cp].removeprefix("HANGUL LETTER ")] = cp
    for cp in range(0x1100, 0x1200):
        for kind in ("HANGUL CHOSEONG ", "HANGUL JUNGSEONG ", "HANGUL JONGSEONG "):
            if data.name[cp].startswith(kind) and not letters[cp - 0x1100]:
                letters[cp - 0x1100] = by_name.get(data.name[cp].removeprefix(kind), 0)
    letters[0x119E - 0x1100] = 0  # its letter U+318D is a dot between syllables (3.5)
    return letters


def voicing_pairs(fold: Fold) -> list[tuple[int, int, int]]:
    return sorted((a, b, c) for (a, b), c in fold.composed.items() if b in (0x3099, 0x309A))


def two_stage(values: list[int]) -> tuple[list[int], list[int]]:
    index: list[int] = []
    blocks: dict[tuple[int, ...], int] = {}
    for start in range(0, N_CODE_POINTS, BLOCK):
        block = tuple(values[start : start + BLOCK])
        index.append(blocks.setdefault(block, len(blocks)))
    return index, [value for block in blocks for value in block]


def numbers(values: list[int], hexadecimal: bool = False) -> str:
    words = [f"0x{value:X}" if hexadecimal else str(value) for value in values]
    lines, line = [], " "
    for word in words:
        if len(line) + len(word) + 2 > 98:
            lines.append(line)
            line = " "
        line += f" {word},"
    return "\n".join([*lines, line])


def write_c(data: Database, fold: Fold, properties: list[int]) -> str:
    index, blocks = two_stage(properties)
    sources = sorted(fold.table)
    pool: list[int] = []
    entries = []
    for cp in sources:
        entries.append(f"  {{0x{cp:X}, {len(pool)}, {len(fold.table[cp])}}},")
        pool += fold.table[cp]
    pairs = [f"  {{0x{a:X}, 0x{b:X}, 0x{c:X}}}," for a, b, c in voicing_pairs(fold)]
    kana = [f"  {{0x{a:X}, 0x{b:X}, {d}}}," for a, b, d in kana_ranges(data)]
    return f"""/*
** Generated by tools/make_unicode.py from the Unicode Character Database {VERSION}: do not edit.
** The rules are in docs/stream.md, sections 2 and 3.
*/
/* clang-format off */
#include "unicode.h"

const uint8_t cjk_property_index[{len(index)}] = {{
{numbers(index)}
}};

const uint16_t cjk_property_blocks[{len(blocks)}] = {{
{numbers(blocks, True)}
}};

const int cjk_n_folds = {len(sources)};
const CjkFoldEntry cjk_folds[{len(sources)}] = {{
{chr(10).join(entries)}
}};

const uint32_t cjk_fold_pool[{len(pool)}] = {{
{numbers(pool, True)}
}};

const int cjk_n_voicing_pairs = {len(pairs)};
const CjkVoicingPair cjk_voicing_pairs[{len(pairs)}] = {{
{chr(10).join(pairs)}
}};

const int cjk_n_kana_ranges = {len(kana)};
const CjkKanaRange cjk_kana_ranges[{len(kana)}] = {{
{chr(10).join(kana)}
}};

const uint16_t cjk_jamo_letters[256] = {{
{numbers(jamo_letters(data), True)}
}};
"""


def write_range(properties: list[int]) -> str:
    """The longest range of plain CJK characters of three bytes: Han's main block."""
    best = (0, 0)
    start = 0x800
    for cp in range(0x800, 0x10001):
        if cp == 0x10000 or properties[cp] != properties[start]:
            is_plain = properties[start] & (7 | JAMO | CONTEXT) == CJK
            if is_plain and cp - start > best[1] - best[0]:
                best = (start, cp)
            start = cp
    return f"""/*
** Generated by tools/make_unicode.py from the Unicode Character Database {VERSION}: do not edit.
** The longest range of plain CJK characters of three bytes, which all have the same properties.
*/
/* clang-format off */
#ifndef CJK_UNICODE_RANGE_H
#define CJK_UNICODE_RANGE_H

#define CJK_RANGE_FIRST 0x{best[0]:X}u
#define CJK_RANGE_LENGTH 0x{best[1] - best[0]:X}u
#define CJK_RANGE_PROPERTIES 0x{properties[best[0]]:X}u

#endif
"""


def read_unihan(directory: Path, file: str, field: str) -> dict[int, str]:
    values: dict[int, str] = {}
    with bz2.open(directory / f"Unihan_{file}.txt.bz2", "rt", encoding="utf-8") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3 and parts[1] == field:
                values[int(parts[0][2:], 16)] = parts[2]
    return values


def variant_classes(directory: Path) -> list[list[int]]:
    """Han characters that are forms of one character, by Unicode's Unihan database.

    kEACC: a character set made for libraries, in which the forms of a character stand at the same
    place of different layers of six planes. kZVariant where each names the other.
    """
    layers: dict[tuple[int, str], list[int]] = {}
    for cp, code in sorted(read_unihan(directory, "OtherMappings", "kEACC").items()):
        plane = int(code[:2], 16) - 0x21
        if 0 <= plane < 72:
            layers.setdefault((plane % 6, code[2:]), []).append(cp)
    classes = [layer for layer in layers.values() if len(layer) > 1]
    z_variants = {
        cp: [int(word.split("<")[0][2:], 16) for word in value.split()]
        for cp, value in read_unihan(directory, "Variants", "kZVariant").items()
    }
    classes += [
        [cp, other] for cp, others in z_variants.items() for other in others
        if cp < other and cp in z_variants.get(other, [])
    ]  # fmt: skip
    return sorted(sorted(each) for each in classes)


def write_variants(directory: Path) -> str:
    lines = ["".join(map(chr, each)) for each in variant_classes(directory)]
    return f"""# Generated by tools/make_unicode.py from the Unihan database {VERSION}: do not edit.
# Forms of one Han character, a class or a part of one a line; used by fold_han.
{chr(10).join(dict.fromkeys(lines))}
"""


def escape(cp: int) -> str:
    return f"\\u{cp:04X}" if cp < 0x10000 else f"\\U{cp:08X}"


def write_python(data: Database, fold: Fold, properties: list[int]) -> str:
    ranges: list[tuple[int, int]] = []
    for cp, value in enumerate(properties):
        if not ranges or ranges[-1][1] != value:
            ranges.append((cp, value))
    folds = "".join(
        f'    0x{cp:X}: "{"".join(map(escape, fold.table[cp]))}",\n' for cp in sorted(fold.table)
    )
    pairs = "".join(f"    (0x{a:X}, 0x{b:X}): 0x{c:X},\n" for a, b, c in voicing_pairs(fold))
    kana = "".join(f"    (0x{a:X}, 0x{b:X}, {d}),\n" for a, b, d in kana_ranges(data))
    letters = "".join(
        f"    0x{0x1100 + i:X}: 0x{letter:X},\n"
        for i, letter in enumerate(jamo_letters(data))
        if letter
    )
    return f'''"""Unicode tables of the plain Python tokenizer.

Generated by tools/make_unicode.py from the Unicode Character Database {VERSION}: do not edit.
"""

# ruff: noqa
# fmt: off
UNICODE_VERSION = "{VERSION}"

# The first code point of each range of equal properties, and those properties.
RANGE_STARTS = (
{numbers([start for start, _ in ranges], True)}
)
RANGE_PROPERTIES = (
{numbers([value for _, value in ranges], True)}
)

FOLDS = {{
{folds}}}

VOICING_PAIRS = {{
{pairs}}}

# (first, last, distance): hiragana to the katakana of the same name.
KANA_RANGES = (
{kana})

# Conjoining jamo -> compatibility jamo.
JAMO_LETTERS = {{
{letters}}}
'''


def parse_arguments(doc: str | None) -> argparse.Namespace:
    """Those of a tool that writes tables: --ucd, --check."""
    parser = argparse.ArgumentParser(description=doc.split("\n", 1)[0] if doc else "")
    parser.add_argument("--ucd", type=Path, default=Path("/usr/share/unicode"), metavar="DIR")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when files differ")
    return parser.parse_args()


def write_or_check(outputs: Iterable[tuple[Path, str]], check: bool, tool: str) -> int:
    """Write each file, or say which are not what the tool writes; the exit status."""
    stale = 0
    for path, text in outputs:
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale += 1
            print(f"{path.relative_to(ROOT)} is not what {tool} writes; run it")
    return 1 if stale else 0


def main() -> int:
    arguments = parse_arguments(__doc__)
    data = Database(arguments.ucd)
    fold = Fold(data)
    properties = classify(data, fold)
    outputs = {
        RANGE_FILE: write_range(properties),
        C_FILE: write_c(data, fold, properties),
        VARIANTS_FILE: write_variants(arguments.ucd),
        PYTHON_FILE: write_python(data, fold, properties),
    }
    return write_or_check(outputs.items(), arguments.check, "tools/make_unicode.py")


if __name__ == "__main__":
    sys.exit(main())
