"""The one option table: cjk_options(), the reference page, the messages and the specification."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

import cjk_tokenizer

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN = "<!-- options: written by tests/test_options.py from cjk_options() -->\n"
END = "<!-- end of options -->"
_SQL = "SELECT name, allowed, help FROM cjk_options()"


def page_with_table(conn: sqlite3.Connection) -> tuple[str, str]:
    """docs/sql.md as it is, and as it should be."""
    page = (DOCS / "sql.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = "".join(
        f"| `{name}` | {allowed or 'text'} | {help} |\n"
        for name, allowed, help in conn.execute(_SQL)
    )
    table = f"\n| option | values | what |\n|---|---|---|\n{rows}\n"
    return page, before + BEGIN + table + END + after


@pytest.fixture(scope="module")
def conn() -> sqlite3.Connection:
    return cjk_tokenizer.connect(":memory:")


def test_the_reference_page_has_the_table(conn: sqlite3.Connection) -> None:
    page, expected = page_with_table(conn)
    assert page == expected, "run: python tests/test_options.py"


def test_the_specification_names_every_option(conn: sqlite3.Connection) -> None:
    specification = (DOCS / "stream.md").read_text(encoding="utf-8")
    for name, *_ in conn.execute(_SQL):
        assert f"`{name}" in specification, name


def test_every_value_is_taken_and_others_are_refused(conn: sqlite3.Connection) -> None:
    for name, allowed, _ in conn.execute(_SQL):
        for value in allowed.split():
            check = conn.execute("SELECT cjk_check(?)", (f"{name} {value}",)).fetchone()[0]
            assert check == "ok", (name, value)
        if allowed:
            check = conn.execute("SELECT cjk_check(?)", (f"{name} nonsense",)).fetchone()[0]
            assert name in check and "nonsense" in check
        missing = conn.execute("SELECT cjk_check(?)", (name,)).fetchone()[0]
        assert name in missing and "no value" in missing


if __name__ == "__main__":
    (DOCS / "sql.md").write_text(
        page_with_table(cjk_tokenizer.connect(":memory:"))[1], encoding="utf-8"
    )
    sys.exit(0)
