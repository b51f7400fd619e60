#!/usr/bin/env python3
"""Compile the word list and the hidden Markov model of jieba 0.42.1 into one read-only image.

jieba is a build requirement: nothing of it is kept in the repository. The image is the C struct
``CjkDictionary`` of csrc/core/dictionary.h, byte for byte, in the byte order of the machine that
builds it, so that the library reads it where it lies, with no start-up work. It holds the words as
a double-array trie (described there) and, as Python computes them, the doubles that jieba adds.

Takes about 15 seconds. Usage::

    python tools/make_dictionary.py build/dictionary.bin [--array build/cjk_dictionary.c]
"""

from __future__ import annotations

import argparse
import hashlib
import math
import struct
import warnings
from array import array
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

JIEBA_VERSION = "0.42.1"

# The constants of csrc/core/dictionary.h, which compares the size of the image with its own.
MAGIC, BYTE_ORDER, FORMAT = b"CJKWORDS", 0x01020304, 1
FIRST_HAN, LAST_HAN, FIRST_HAN_SLOT = 0x4E00, 0x9FD5, 128
SLOTS = FIRST_HAN_SLOT + LAST_HAN - FIRST_HAN + 1
CODES = 1 << 14
OTHER_CODE = CODES - 1
UNITS = 645 << 10
FREQUENCIES = 1 << 13
EMISSIONS = 1 << 14
WORD_MAX = 16
STATES = "BEMS"
IMPOSSIBLE = -3.14e100

Words = dict[str, int]
Codes = dict[str, int]
Tree = dict[str, list[str]]


class Model(NamedTuple):
    """The hidden Markov model, as logarithms of probabilities."""

    start: dict[str, float]
    transition: dict[str, dict[str, float]]
    emission: dict[str, dict[str, float]]


def slot_of(character: str) -> int:
    """Return the slot of a character that may stand in a word, -1 for any other."""
    if FIRST_HAN <= ord(character) <= LAST_HAN:
        return ord(character) - FIRST_HAN + FIRST_HAN_SLOT
    ascii_word = character.isascii() and (character.isalnum() or character in "+#&._%-")
    return ord(character) if ascii_word else -1


def read_words(path: Path) -> tuple[Words, int]:
    """Return word -> frequency, and the sum of all frequencies, of a dictionary in jieba's format.

    A word listed twice has the last frequency, but both count in the sum, as in jieba.
    """
    words: Words = {}
    total = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            word, frequency = line.strip().split(" ")[:2]
            words[word] = int(frequency)
        except ValueError:
            message = f"{path}:{number}: expected 'word frequency tag', got {line!r}"
            raise SystemExit(message) from None
        total += words[word]
    return words, total


def read_model() -> Model:
    parts = ("start", "trans", "emit")
    return Model(*(import_module(f"jieba.finalseg.prob_{part}").P for part in parts))


def number_characters(tree: Tree, model: Model) -> Codes:
    """Return character -> code, counted from 1: the one with most siblings first.

    The children of large families then lie close together, which is what lets the trie be packed.
    """
    count: Counter[str] = Counter()
    for following in tree.values():
        count.update(dict.fromkeys(following, len(following)))
    known = {character for emission in model.emission.values() for character in emission}
    count.update(dict.fromkeys((c for c in known if slot_of(c) >= 0), 0))
    ordered = sorted(count, key=lambda character: (-count[character], character))
    if len(ordered) >= OTHER_CODE:
        raise SystemExit(
            f"make_dictionary: {len(ordered)} characters, at most {OTHER_CODE - 1} fit"
        )
    return {character: code for code, character in enumerate(ordered, 1)}


def grow_tree(words: Words) -> Tree:
    """Return each prefix that goes on ("" included) with the characters it goes on with."""
    tree: dict[str, dict[str, None]] = {"": {}}
    for word in words:
        for end, character in enumerate(word):
            tree.setdefault(word[:end], {})[character] = None
    return {prefix: list(following) for prefix, following in tree.items()}


def place_families(tree: Tree, codes: Codes) -> dict[str, int]:
    """Return prefix -> base, no two the same, so that no two children meet in one unit.

    First fit, large families first. `free` (units) and `unused` (bases) are sets held as the bits
    of one integer: shifting and masking tries every base for a family at once. The families of one
    child, four fifths of all, then take the free units in turn.
    """
    bases = {"": 0}
    free = (1 << UNITS) - 2 - sum(1 << codes[character] for character in tree[""])
    unused = (1 << UNITS) - 2
    families = sorted((prefix for prefix in tree if prefix), key=lambda p: (-len(tree[p]), p))
    alone = [prefix for prefix in families if len(tree[prefix]) == 1]
    for prefix in families[: -len(alone)]:
        fitting = unused
        for character in tree[prefix]:
            fitting &= free >> codes[character]
        if not fitting:
            raise SystemExit("make_dictionary: no place left; raise UNITS here and in dictionary.h")
        bases[prefix] = (fitting & -fitting).bit_length() - 1
        unused -= 1 << bases[prefix]
        free -= sum(1 << bases[prefix] + codes[character] for character in tree[prefix])
    taken = set(bases.values())
    for unit, bit in enumerate(reversed(f"{free:b}")):
        base = unit - codes[tree[alone[-1]][0]]
        if bit == "1" and base > 0 and base not in taken:
            taken.add(base)
            bases[alone.pop()] = base
            if not alone:
                return bases
    raise SystemExit("make_dictionary: no unit left; raise UNITS here and in dictionary.h")


def pack_trie(
    words: Words, tree: Tree, codes: Codes, index: dict[int, int]
) -> tuple[array[int], array[int]]:
    """Return the links and labels of all units; `index` gives the index of a frequency."""
    bases = place_families(tree, codes)
    links, labels = array("I", [0]) * UNITS, array("H", [0]) * UNITS
    for prefix, following in tree.items():
        for character in following:
            unit = bases[prefix] + codes[character]
            word = prefix + character
            frequency = index[words.get(word, 0)]
            assert labels[unit] == 0, word
            labels[unit] = frequency >> 12 << 14 | codes[character]
            links[unit] = bases.get(word, 0) << 12 | frequency & 0xFFF
    return links, labels


Number = TypeVar("Number", int, float)


def numbered(
    values: Iterable[Number], first: Number, size: int
) -> tuple[dict[Number, int], list[Number]]:
    """Return value -> index, and the `size` distinct values by index; `first` has index 0."""
    table = [first]
    table += sorted(set(values) - {first})
    if len(table) > size:
        raise SystemExit(f"make_dictionary: {len(table)} distinct values, at most {size} fit")
    return {value: i for i, value in enumerate(table)}, table + [first] * (size - len(table))


def make_image(words: Words, total: int, model: Model) -> bytes:
    # The other words hold characters at which jieba splits the text before it looks for words.
    words = {w: f for w, f in words.items() if all(slot_of(character) >= 0 for character in w)}
    if max(map(len, words)) > WORD_MAX:
        raise SystemExit(f"make_dictionary: a word of more than {WORD_MAX} characters")
    tree = grow_tree(words)
    codes = number_characters(tree, model)
    index, frequencies = numbered(words.values(), 0, FREQUENCIES)
    links, labels = pack_trie(words, tree, codes, index)

    slots = array("H", [0]) * (SLOTS + 2)
    for character in map(chr, (*range(FIRST_HAN_SLOT), *range(FIRST_HAN, LAST_HAN + 1))):
        if slot_of(character) >= 0:
            slots[slot_of(character)] = codes.get(character, OTHER_CODE)
    emitted = [p for emission in model.emission.values() for p in emission.values()]
    emission_index, emissions = numbered(emitted, IMPOSSIBLE, EMISSIONS)
    rows = array("H", [0]) * (CODES * len(STATES))
    for character, code in codes.items():
        for i, state in enumerate(STATES):
            probability = model.emission[state].get(character, IMPOSSIBLE)
            rows[code * len(STATES) + i] = emission_index[probability]

    pairs = ((a, b) for a in STATES for b in STATES)
    body = b"".join(
        (
            struct.pack("=Qd", total, math.log(total)),
            array("d", [model.start[state] for state in STATES]).tobytes(),
            array("d", [model.transition[a].get(b, IMPOSSIBLE) for a, b in pairs]).tobytes(),
            array("d", [math.log(f) if f else -math.inf for f in frequencies]).tobytes(),
            array("d", emissions).tobytes(),
            array("I", frequencies).tobytes(),
            *(part.tobytes() for part in (links, labels, slots, rows)),
        )
    )
    name = f"jieba {JIEBA_VERSION}".encode()
    fingerprint = hashlib.sha256(body).hexdigest()[:16].encode()
    head = struct.pack("=8sII32s32s", MAGIC, BYTE_ORDER, FORMAT, name, fingerprint)
    return head + body


ARRAY_HEAD = """\
/*
** The dictionary of `segment jieba`: the word list and the hidden Markov model of jieba {version},
** Copyright (c) 2013 Sun Junyi, under the MIT licence, compiled by tools/make_dictionary.py for
** machines of this byte order. Link it with cjk_tokenizer.c.
*/
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif
extern const uint64_t cjk_dictionary_image[{n}], cjk_dictionary_size;

const uint64_t cjk_dictionary_size = sizeof(cjk_dictionary_image);
const uint64_t cjk_dictionary_image[{n}] = {{
"""
ARRAY_TAIL = """};
#ifdef __cplusplus
}
#endif
"""


def array_text(image: bytes) -> str:
    """Return the image as a C file, an array of 64-bit numbers: it must lie on a multiple of 8."""
    numbers = array("Q", image)
    lines = (numbers[i : i + 4] for i in range(0, len(numbers), 4))
    body = "".join(",".join(f"0x{number:x}u" for number in line) + ",\n" for line in lines)
    return ARRAY_HEAD.format(version=JIEBA_VERSION, n=len(numbers)) + body + ARRAY_TAIL


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("image", type=Path, help="the file to write")
    parser.add_argument("--array", type=Path, help="write it as a C file, too")
    options = parser.parse_args()
    with warnings.catch_warnings():  # of newer Pythons about jieba's escapes in strings
        warnings.simplefilter("ignore", SyntaxWarning)
        jieba: Any = import_module("jieba")
    if jieba.__version__ != JIEBA_VERSION:
        raise SystemExit(f"make_dictionary: needs jieba {JIEBA_VERSION}, found {jieba.__version__}")
    words, total = read_words(Path(jieba.__file__).with_name("dict.txt"))
    image = make_image(words, total, read_model())
    options.image.parent.mkdir(parents=True, exist_ok=True)
    options.image.write_bytes(image)
    if options.array:
        options.array.write_text(array_text(image), encoding="ascii")


if __name__ == "__main__":
    main()
