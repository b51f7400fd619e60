"""The table of what is measured: ours, SQLite's own, apsw's, and what else is installed.

A contender is a name, what stands after `tokenize=`, and how a connection gets to know it (a row of
SETUPS in connections.py). Adding one is one row here; a library that is no Python package is given
by its path (`from_extension`).
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Contender:
    """One way of searching text. `tokenize` None: a plain table that is scanned.

    `kind` says what its tokens are over CJK text: bigram, unigram, trigram, words, runs (all
    between two separators), or scan. `host` is the module that it needs connections of; without
    one, any will do.
    """

    name: str
    tokenize: str | None
    kind: str
    setup: str = "none"
    host: str | None = None
    requires: tuple[str, ...] = ()
    extension: str | None = None
    entry: str | None = None
    is_ours: bool = False
    is_python: bool = False
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def missing(self) -> str | None:
        """What is not installed, in words; None when nothing is missing."""
        absent = [name for name in self.requires if importlib.util.find_spec(name) is None]
        return f"not installed: {', '.join(absent)}" if absent else None

    @property
    def slug(self) -> str:
        """The name as part of a file's name."""
        return "".join(c if c.isalnum() else "-" for c in self.name)


def _ours(name: str, tokenize: str, kind: str) -> Contender:
    return Contender(name, tokenize, kind, setup="native", is_ours=True)


def _python(name: str, tokenize: str, kind: str, setup: str, *packages: str) -> Contender:
    """A tokenizer in Python, through sqlitefts where that is among its packages, else apsw."""
    through_apsw = "sqlitefts" not in packages
    return Contender(
        name,
        tokenize,
        kind,
        setup=setup,
        host="apsw" if through_apsw else "sqlite3",
        requires=(("apsw", *packages) if through_apsw else packages),
        is_python=True,
    )


CJK = "cjk"
NO_UNIGRAMS = "cjk, unigrams 0"
UNIGRAM = "cjk, segment unigram"
TRIGRAM = "trigram"
LIKE = "LIKE"
INSTR = "instr()"

CONTENDERS = (
    _ours(CJK, "cjk", "bigram"),
    _ours(NO_UNIGRAMS, "cjk unigrams 0", "bigram"),
    _ours(UNIGRAM, "cjk segment unigram", "unigram"),
    _ours("cjk, segment jieba", "cjk segment jieba", "words"),
    Contender("unicode61", "unicode61", "runs"),
    Contender(TRIGRAM, "trigram", "trigram"),
    Contender(LIKE, None, "scan"),
    Contender(INSTR, None, "scan"),
    _python("apsw NGram 2", "ngram ngrams 2", "bigram", "apsw"),
    _python("apsw UnicodeWords", "unicodewords", "unigram", "apsw"),
    _python("jieba through apsw", "jieba", "words", "jieba-apsw", "jieba"),
    _python("jieba through sqlitefts", "jieba", "words", "jieba-sqlitefts", "sqlitefts", "jieba"),
    _python("rjieba through apsw", "rjieba", "words", "rjieba-apsw", "rjieba"),
    Contender(
        "cjk in plain Python",
        "cjk",
        "bigram",
        setup="reference",
        host="apsw",
        requires=("apsw",),
        is_ours=True,
        is_python=True,
        note="the readable definition of the token stream, through apsw",
    ),
)


def from_extension(
    path: str | Path,
    tokenize: str,
    name: str | None = None,
    kind: str = "?",
    entry: str | None = None,
    note: str = "",
) -> Contender:
    """A tokenizer of a loadable library. `entry` is its entry point, where SQLite's own rule (from
    the letters of the file's name) does not find it."""
    path = os.path.abspath(path)
    return Contender(
        name or f"{tokenize} ({os.path.basename(path)})",
        tokenize,
        kind,
        setup="extension",
        extension=path,
        entry=entry,
        note=note,
    )


def split_available(
    contenders: Sequence[Contender],
) -> tuple[list[Contender], dict[str, str]]:
    """Those that can run here, and the names of the others with the reason."""
    reasons = {each.name: each.missing() for each in contenders}
    available = [each for each in contenders if reasons[each.name] is None]
    return available, {name: reason for name, reason in reasons.items() if reason is not None}
