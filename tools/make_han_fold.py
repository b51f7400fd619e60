"""Write the table of fold_han: each Han character to the representative of its class.

    python tools/make_han_fold.py HEADER [TEXT]

HEADER is a C header for csrc/core/han.c, TEXT the same table for cjk_tokenizer/reference: a line
for each character that is not its own representative, the two of them end to end.

Classes come from OpenCC's Traditional to Simplified (the first target) and its regional and
Japanese forms (PyPI opencc-python-reimplemented, a build requirement),
Unicode's variants (csrc/data/unihan_variants.txt) and name variants (csrc/data/han_names.txt).
Two characters of GB 2312 are different characters to readers of Simplified Chinese, whatever
Unicode's variants say. The representative is the Simplified form of most members, so that
Simplified text stays as it is; of equals the commoner one, by level of GB 2312, then the first.

The table is part of the token stream, version 1: whatever data are at hand, the result must have
the fingerprint below.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

FINGERPRINT = "a3660dc806b6332c8244c47586f28441ac60cc9ec82da450e9c8e45e068c4973"
DATA = Path(__file__).resolve().parent.parent / "csrc" / "data"
OPENCC_PACKAGE = "opencc-python-reimplemented==0.1.7"
BLOCK = 128
N_CODE_POINTS = 0x30000


def opencc_dictionaries() -> Path:
    spec = find_spec("opencc")
    locations = list(spec.submodule_search_locations or []) if spec else []
    for location in locations:
        if (Path(location) / "dictionary" / "TSCharacters.txt").exists():
            return Path(location) / "dictionary"
    raise SystemExit(f"fold_han needs OpenCC's dictionaries: pip install {OPENCC_PACKAGE}")


def characters(path: Path, only_first: bool) -> Iterator[tuple[str, str]]:
    """The lines of an OpenCC dictionary that map one character to characters."""
    for line in path.read_text(encoding="utf-8").splitlines():
        source, _, targets = line.partition("\t")
        for target in targets.split()[: 1 if only_first else None]:
            if len(source) == 1 and len(target) == 1:
                yield source, target


def opencc_pairs(dictionaries: Path) -> Iterator[tuple[str, str]]:
    yield from characters(dictionaries / "TSCharacters.txt", only_first=True)
    for name in ("JPVariants", "HKVariants", "TWVariants"):
        yield from characters(dictionaries / f"{name}.txt", only_first=False)


def listed_pairs(name: str) -> Iterator[tuple[str, str]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from ((line[0], other) for other in line[1:])


class Classes:
    """Connected sets of characters (union-find)."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def find(self, member: str) -> str:
        parent = self.parent
        while parent.setdefault(member, member) != member:
            parent[member] = parent[parent[member]]
            member = parent[member]
        return member

    def join(self, one: str, other: str) -> None:
        self.parent[self.find(one)] = self.find(other)

    def groups(self) -> list[set[str]]:
        members: dict[str, set[str]] = {}
        for each in list(self.parent):
            members.setdefault(self.find(each), set()).add(each)
        return [group for group in members.values() if len(group) > 1]


def make_classes(dictionaries: Path) -> list[set[str]]:
    classes = Classes()
    for one, other in [*opencc_pairs(dictionaries), *listed_pairs("han_names.txt")]:
        classes.join(one, other)
    # Unicode's variants add characters to these classes and to characters of GB 2312, but never
    # make one of two of them.
    settled = {classes.find(each) for each in [*classes.parent, *gb2312_characters()]}
    for one, other in listed_pairs("unihan_variants.txt"):
        first, second = classes.find(one), classes.find(other)
        if first != second and not (first in settled and second in settled):
            classes.join(*((one, other) if second in settled else (other, one)))
    return classes.groups()


def gb2312_level(character: str) -> int:
    """1 for the 3,755 commonest characters, 2 for the others of GB 2312, 3 for all that is not."""
    try:
        row = character.encode("gb2312")[0]
    except UnicodeEncodeError:
        return 3
    return 1 if 0xB0 <= row < 0xD8 else 2


def gb2312_characters() -> list[str]:
    han = map(chr, range(0x4E00, 0xA000))
    return [each for each in han if gb2312_level(each) < 3]


def make_table() -> dict[str, str]:
    dictionaries = opencc_dictionaries()
    simplified = dict(characters(dictionaries / "TSCharacters.txt", only_first=True))
    table: dict[str, str] = {}
    for group in make_classes(dictionaries):
        votes = Counter(simplified.get(each, each) for each in group)
        best = min(group, key=lambda each: (-votes[each], gb2312_level(each), each))
        table.update({each: best for each in group if each != best})
    return table


def write_header(table: dict[str, str]) -> str:
    index: list[int] = []
    blocks: dict[tuple[int, ...], int] = {}
    for start in range(0, N_CODE_POINTS, BLOCK):
        block = tuple(
            ord(table[chr(cp)]) if chr(cp) in table else 0 for cp in range(start, start + BLOCK)
        )
        index.append(blocks.setdefault(block, len(blocks)))
    flat = [value for block in blocks for value in block]
    return (
        "/* Generated by tools/make_han_fold.py: do not edit. */\n"
        f"static const uint16_t han_index[{len(index)}] = {{\n{rows(index)}}};\n"
        f"static const uint32_t han_blocks[{len(flat)}] = {{\n{rows(flat)}}};\n"
    )


def rows(values: list[int]) -> str:
    return "".join(
        "".join(f"{value}," for value in values[i : i + 16]) + "\n"
        for i in range(0, len(values), 16)
    )


def main() -> None:
    table = make_table()
    text = "".join(f"{source}{target}\n" for source, target in sorted(table.items()))
    fingerprint = hashlib.sha256(text.encode("utf-8")).hexdigest()
    if fingerprint != FINGERPRINT:
        raise SystemExit(
            f"the table of fold_han would differ from that of stream version 1: {fingerprint}"
        )
    Path(sys.argv[1]).write_text(write_header(table), encoding="utf-8")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
