"""The golden files of the token stream: tests/golden/*.stream.

    == arguments                      the tokenize= string of the cases that follow
    "text"                            a case: the text, as a JSON string
    0 学习 0-6                         its tokens: position, token, bytes start-end,
    + 学 0-3                           "+" instead of the position for a colocated one
    (nothing)                         for a text without tokens

`python tests/golden_files.py` fills in the tokens of cases that have none yet. It never changes
those that are there: they are the file format of every index in the world.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cjk_tokenizer

DIRECTORY = Path(__file__).resolve().parent / "golden"
NOTHING = "(nothing)"
_SQL = 'SELECT token, start, "end", position, colocated FROM cjk_tokens(?, ?, ?)'


@dataclass
class Case:
    arguments: str
    mode: str
    text: str
    tokens: list[str] = field(default_factory=list)


def read(path: Path) -> list[Case]:
    cases: list[Case] = []
    arguments, mode = "", "document"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            arguments, _, asked = line[3:].partition(" | ")
            mode = asked or "document"
        elif line.startswith('"'):
            cases.append(Case(arguments, mode, json.loads(line)))
        elif line and not line.startswith("#"):
            cases[-1].tokens.append(line)
    return cases


def tokens(conn: Any, case: Case) -> list[str]:
    rows = conn.execute(_SQL, (case.text, case.arguments, case.mode))
    return [
        f"{'+' if colocated else position} {token} {start}-{end}"
        for token, start, end, position, colocated in rows
    ] or [NOTHING]


def fill_in(path: Path, conn: sqlite3.Connection) -> None:
    """Write the tokens of cases that have none behind their text."""
    cases = iter(read(path))
    out: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        out.append(line)
        if line.startswith('"'):
            case = next(cases)
            out += [] if case.tokens else tokens(conn, case)
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    connection = cjk_tokenizer.connect(":memory:")
    for each in sorted(DIRECTORY.glob("*.stream")):
        fill_in(each, connection)
