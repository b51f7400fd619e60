"""The examples of README.md and docs/ run and print what they say.

A fenced block is run when a block marked `output` follows it; python blocks of one page share their
names, sql blocks of one page share a database.
"""

from __future__ import annotations

import contextlib
import io
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import cjk_tokenizer

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def examples(page: Path) -> list[tuple[str, str, str]]:
    """(language, code, output) of each block that is followed by its output."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    pairs = zip(blocks, blocks[1:])
    return [(a[0], a[1], b[1]) for a, b in pairs if b[0] == "output" and a[0] != "output"]


def run_python(code: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "<example>", "exec"), names)
    return printed.getvalue()


def run_sql(code: str, conn: sqlite3.Connection) -> str:
    lines: list[str] = []
    statement = ""
    for line in code.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            for row in conn.execute(statement):
                lines.append("|".join("" if value is None else str(value) for value in row))
            statement = ""
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=lambda p: p.name)
def test_examples_print_what_they_say(page: Path) -> None:
    names: dict[str, Any] = {}
    conn = cjk_tokenizer.connect(":memory:")
    for language, code, output in examples(page):
        printed = run_python(code, names) if language == "python" else run_sql(code, conn)
        assert printed == output, f"{page.name}:\n{code}"


def test_the_readme_has_examples() -> None:
    assert len(examples(ROOT / "README.md")) >= 3
