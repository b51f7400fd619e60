"""Progress of long commands: bars on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from cjk_tokenizer.cli import progress

LONG_NAME = "a/folder/with/a/long/name/and/a/file/with/a/long/name.txt"


def make_console(terminal: bool) -> tuple[Console, io.StringIO]:
    written = io.StringIO()
    return Console(file=written, force_terminal=terminal, width=100), written


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)


def test_a_terminal_has_a_bar() -> None:
    console, written = make_console(terminal=True)
    with progress.make_reporter(console, 1000, quiet=False) as reporter:
        reporter.advance(LONG_NAME, 500, 1234)
        reporter.file("a.txt: new")
        reporter.message("one of them is broken")
    said = written.getvalue()
    assert "50%" in said and "1,234 rows" in said
    assert "a.txt: new" in said and "one of them is broken" in said
    assert "…" + LONG_NAME[-39:] in said and LONG_NAME not in said


def test_a_terminal_has_a_bar_for_steps() -> None:
    console, written = make_console(terminal=True)
    with progress.make_steps(console) as steps:
        steps.show(0.25, "building")
    assert "25%" in written.getvalue() and "building" in written.getvalue()


@pytest.mark.usefixtures("impatient")
def test_a_file_has_lines() -> None:
    console, written = make_console(terminal=False)
    with progress.make_reporter(console, 1000, quiet=False) as reporter:
        reporter.advance("a.txt", 500, 1)
        reporter.advance("a.txt", 1000, 2)
        reporter.file("a.txt: new")
    with progress.make_steps(console) as steps:
        steps.show(0.25, "building")
    assert written.getvalue().splitlines() == [
        "a.txt: 50%, 1 row added",
        "a.txt: 100%, 2 rows added",
        "a.txt: new",
        "25%: building",
    ]


@pytest.mark.usefixtures("impatient")
def test_an_empty_file_is_read_to_its_end() -> None:
    console, written = make_console(terminal=False)
    progress.make_reporter(console, 0, quiet=False).advance("empty", 0, 0)
    assert written.getvalue() == "empty: 100%, 0 rows added\n"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_says_what_is_wrong_and_no_more(terminal: bool) -> None:
    console, written = make_console(terminal)
    with progress.make_reporter(console, 1000, quiet=True) as reporter:
        reporter.advance("a.txt", 500, 1)
        reporter.file("a.txt: new")
        reporter.message("one of them is broken")
    assert written.getvalue() == "one of them is broken\n"


def test_lines_are_seconds_apart() -> None:
    console, written = make_console(terminal=False)
    progress.make_reporter(console, 1000, quiet=False).advance("a.txt", 500, 1)
    progress.make_steps(console).show(0.5, "building")
    assert written.getvalue() == ""
