"""The examples of README.md and docs/ run and print what they say.

A fenced block is run when a block marked `output` follows it; python blocks of one page share their
names, sql blocks of one page share a database.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_command import environment

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


def test_every_function_has_an_example_that_is_run() -> None:
    conn = cjk_tokenizer.connect(":memory:")
    lists = ("pragma_function_list", "pragma_module_list")
    sql = " UNION ".join(f"SELECT name FROM {each} WHERE name LIKE 'cjk%'" for each in lists)
    names = {name for (name,) in conn.execute(sql)} - {"cjk_totals", "cjk_spans"}  # not public
    run = "".join(code for page in PAGES for _, code, _ in examples(page))
    assert {name for name in names if f"{name}(" not in run} == set()
    assert len(names) > 10


def without_figures(printed: str) -> str:
    """Times, scores and folders are not the same twice."""
    printed = re.sub(r"\d+\.\d+ (m?s)\b", r"0.0 \1", printed)
    printed = re.sub(r'("milliseconds"|"score"): \d+\.\d+', r"\1: 0.0", printed)
    return re.sub(r'"source": "[^"]*/', '"source": "/', printed)


def test_the_command_prints_what_its_page_says(tmp_path: Path) -> None:
    """All `console` blocks of the page in one shell, as a reader would type them."""
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    command = tmp_path / "bin" / "cjk-tokenizer"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cjk_tokenizer.cli "$@"\n')
    command.chmod(0o755)
    blocks = [code for language, code in BLOCK.findall(page) if language == "console"]
    assert len(blocks) >= 4
    typed, wanted = "", ""
    for line in "".join(blocks).splitlines(keepends=True):
        if line.startswith("$ "):
            typed += line[2:]
        else:
            wanted += line
    done = subprocess.run(
        ["sh", "-c", typed],
        cwd=tmp_path,
        env=environment({"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert without_figures(done.stdout) == without_figures(wanted)


def test_the_readme_has_examples() -> None:
    assert len(examples(ROOT / "README.md")) >= 3
