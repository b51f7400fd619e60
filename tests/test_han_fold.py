"""fold_han: forms of a character are alike, and characters of their own are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from cjk_tokenizer import tokenize

NAMES = Path(__file__).resolve().parent.parent / "csrc" / "data" / "han_names.txt"


pytestmark = pytest.mark.usefixtures("library")


@cache
def fold(text: str) -> str:
    """As the library does."""
    return "".join(token.text for token in tokenize(text, "segment unigram fold_han 1"))


def is_simplified(character: str) -> bool:
    """Whether it is in GB 2312, the characters of Simplified Chinese."""
    try:
        return bool(character.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def opencc_lines(name: str) -> Iterator[tuple[str, list[str]]]:
    opencc = pytest.importorskip("opencc", reason="OpenCC's dictionaries are not installed")
    path = Path(opencc.__file__).parent / "dictionary" / f"{name}.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        source, _, targets = line.partition("\t")
        yield source, targets.split()


def test_traditional_and_simplified_are_alike() -> None:
    pairs = [(source, targets[0]) for source, targets in opencc_lines("TSCharacters")]
    assert len(pairs) > 3000
    assert [pair for pair in pairs if fold(pair[0]) != fold(pair[1])] == []


def test_new_and_old_japanese_forms_are_alike() -> None:
    pairs = [(new, old) for new, forms in opencc_lines("JPVariants") for old in forms]
    assert len(pairs) > 300
    assert [pair for pair in pairs if fold(pair[0]) != fold(pair[1])] == []


def test_two_characters_of_simplified_chinese_meet_only_where_opencc_or_names_say_so() -> None:
    neighbours: dict[str, set[str]] = defaultdict(set)

    def join(one: str, other: str) -> None:
        neighbours[one].add(other)
        neighbours[other].add(one)

    for name in ("TSCharacters", "JPVariants", "HKVariants", "TWVariants"):
        for source, targets in opencc_lines(name):
            for target in targets if name != "TSCharacters" else targets[:1]:
                join(source, target)
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            for other in line[1:]:
                join(line[0], other)

    def alike(one: str) -> set[str]:
        """What `one` is joined with, over others."""
        seen, todo = {one}, [one]
        while todo:
            todo += neighbours[todo.pop()] - seen
            seen.update(todo)
        return seen

    classes: dict[str, list[str]] = defaultdict(list)
    for character in filter(is_simplified, map(chr, range(0x4E00, 0xA000))):
        classes[fold(character)].append(character)
    pairs = [pair for each in classes.values() for pair in combinations(each, 2)]
    assert 0 < len(pairs) < 100
    assert [pair for pair in pairs if pair[1] not in alike(pair[0])] == []


@pytest.mark.parametrize("pair", ["角脚", "旦蛋", "埼崎", "避辟", "遇迂", "停仃", "坐座", "五伍"])
def test_characters_that_only_look_related_differ(pair: str) -> None:
    assert fold(pair[0]) != fold(pair[1])


def test_simplified_text_stays_as_it_is() -> None:
    """By how often the words of jieba's dictionary occur: all but one character of 300."""
    jieba = pytest.importorskip("jieba", reason="jieba is not installed")
    changed = total = 0
    for line in (Path(jieba.__file__).parent / "dict.txt").read_text("utf-8").splitlines():
        word, frequency, _ = line.split(" ")
        if all(map(is_simplified, word)):
            total += int(frequency) * len(word)
            changed += int(frequency) * sum(fold(each) != each for each in word)
    assert changed < total / 300
