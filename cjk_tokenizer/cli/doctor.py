"""`cjk-tokenizer doctor`: whether the tokenizer works here, and what to do when it does not."""

from __future__ import annotations

import platform
import sys

import click
from rich.table import Table

from cjk_tokenizer.connect import diagnose

from .console import SOMETHING_WRONG, make_console

EXAMPLES = """\b
Examples:
  cjk-tokenizer doctor
  cjk-tokenizer doctor && echo works
"""


@click.command("doctor", epilog=EXAMPLES)
def doctor_command() -> None:
    """Say which SQLite is used, how the library gets into it, and what to do when it cannot.

    The exit code is 0 when all is well and 1 when something is not.
    """
    found = diagnose()
    table = Table.grid(padding=(0, 2))
    for name, value in (
        ("Python", f"{platform.python_version()} ({sys.executable})"),
        ("SQLite", f"{found.sqlite_version} (module {found.host})"),
        ("FTS5", "yes" if found.fts5 else "no"),
        ("library", found.library or "none found"),
        ("gets in by", found.way),
        ("version", found.version or "did not load"),
    ):
        table.add_row(name, value)
    console = make_console()
    console.print(table)
    if found.problem is not None:
        console.print(f"\nNot well: {found.problem}")
        raise SystemExit(SOMETHING_WRONG)
    console.print("\nAll is well: tokenize='cjk' works.")
