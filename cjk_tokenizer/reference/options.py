"""The arguments of the tokenizer: `tokenize='cjk segment unigram porter ascii'`.

Arguments are pairs of name and value, as unicode61 takes them; the first argument that is no
option name starts the parent tokenizer and its arguments. `parse` never guesses: a wrong name,
a wrong value or a missing value is an `ArgumentError` that says which, and what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from cjk_tokenizer.errors import ArgumentError

Arguments = Union[str, Sequence[str]]

# name -> allowed values, the default first. Options with one value wait for their rules.
CHOICES: dict[str, tuple[str, ...]] = {
    "version": ("1",),
    "segment": ("bigram", "unigram"),
    "unigrams": ("1", "0"),
    "fold_han": ("0", "1"),
    "fold_kana": ("0", "1"),
    "fold_prolonged": ("0", "1"),
    "fold_iteration": ("0", "1"),
    "join_lines": ("1", "0"),
    "join_spaces": ("0", "1"),
    "bridge_markup": ("0", "1"),
    "emoji": ("1", "0"),
}
# Options that are handed to the default parent as they are: unicode61 judges their values.
UNICODE61_NAMES = ("remove_diacritics", "tokenchars", "separators", "categories")


@dataclass(frozen=True)
class Options:
    """What the arguments ask for; one field for each option, as docs/stream.md names them."""

    segment: str = "bigram"
    unigrams: bool = True
    fold_han: bool = False
    fold_kana: bool = False
    fold_prolonged: bool = False
    fold_iteration: bool = False
    join_lines: bool = True
    join_spaces: bool = False
    bridge_markup: bool = False
    emoji: bool = True
    parent: tuple[str, ...] = ("unicode61",)


def parse(arguments: Arguments) -> Options:
    """Options from the arguments, given as one string or already split.

    >>> parse("segment unigram porter ascii").parent
    ('porter', 'ascii')
    """
    words = split(arguments) if isinstance(arguments, str) else list(arguments)
    if words and words[0] == "cjk":  # the tokenizer's own name, as it stands behind tokenize=
        del words[0]
    chosen = {name: values[0] for name, values in CHOICES.items()}
    unicode61: list[str] = []
    i = 0
    while i < len(words):
        name = words[i].lower()
        if name not in CHOICES and name not in UNICODE61_NAMES:
            break
        if i + 1 == len(words):
            raise ArgumentError(f"option {name} has no value{_allowed(name)}")
        value = words[i + 1]
        if name in UNICODE61_NAMES:
            unicode61 += [name, value]
        elif value in CHOICES[name]:
            chosen[name] = value
        else:
            raise ArgumentError(f"option {name} has the value {value!r}{_allowed(name)}")
        i += 2
    parent = tuple(words[i:])
    if parent and unicode61:
        raise ArgumentError(
            f"option {unicode61[0]} is one of unicode61's and the parent tokenizer is named "
            f"{parent[0]!r}: give the parent's arguments behind its name"
        )
    return Options(
        segment=chosen["segment"],
        unigrams=chosen["unigrams"] == "1",
        fold_han=chosen["fold_han"] == "1",
        fold_kana=chosen["fold_kana"] == "1",
        fold_prolonged=chosen["fold_prolonged"] == "1",
        fold_iteration=chosen["fold_iteration"] == "1",
        join_lines=chosen["join_lines"] == "1",
        join_spaces=chosen["join_spaces"] == "1",
        bridge_markup=chosen["bridge_markup"] == "1",
        emoji=chosen["emoji"] == "1",
        parent=parent or ("unicode61", *unicode61),
    )


def _allowed(name: str) -> str:
    values = ("0", "1", "2") if name == "remove_diacritics" else CHOICES.get(name, ())
    return f"; allowed: {', '.join(values)}" if values else ""


# One argument, as FTS5 cuts them: in single quotes, where a doubled one is one, or a bare word.
_ARGUMENT = re.compile(r"'((?:[^']|'')*)'|([0-9A-Za-z_\x1a\u0080-\U0010ffff]+)")


def split(arguments: str) -> list[str]:
    """Split an argument string at blanks; what is no letter, digit or _ has to be in quotes.

    >>> split("segment bigram tokenchars '+# '")
    ['segment', 'bigram', 'tokenchars', '+# ']
    """
    words: list[str] = []
    rest = arguments.strip(" ")
    while rest:
        match = _ARGUMENT.match(rest)
        if match is None:
            raise ArgumentError(
                f"the arguments cannot be read at: {rest} (words of letters, digits and _, others "
                "in single quotes, blanks between them)"
            )
        quoted, bare = match.groups()
        words.append(bare if quoted is None else quoted.replace("''", "'"))
        rest = rest[match.end() :].lstrip(" ")
    return words
