"""Progress of `index` and `bench`, on stderr: a bar on a terminal, plain lines elsewhere.

`index` knows bytes read of all bytes, and rows added so far; `bench` the share of its steps that is
done. Messages go above the bar.
"""

from __future__ import annotations

import time
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from .console import plural, printable

SECONDS_BETWEEN_LINES = 5.0

Self = TypeVar("Self", bound="_Shown")


class _Shown:
    """Something that is shown for as long as a `with` block runs: lines, or a bar."""

    _bar: Progress | None = None

    def __enter__(self: Self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class Reporter(_Shown):
    """Plain lines: one for each message, and one every few seconds of a long run."""

    def __init__(self, console: Console, total: int, quiet: bool) -> None:
        self._console = console
        self._total = total
        self._quiet = quiet
        self._shown_at = time.monotonic()

    def message(self, text: str) -> None:
        """Shows a line that is shown even with --quiet."""
        self._console.print(printable(text))

    def file(self, text: str) -> None:
        """Shows what became of a file."""
        if not self._quiet:
            self._console.print(printable(text))

    def advance(self, name: str, read: int, rows: int) -> None:
        """Shows that `read` bytes of all are read and `rows` rows added."""
        now = time.monotonic()
        if not self._quiet and now - self._shown_at >= SECONDS_BETWEEN_LINES:
            self._shown_at = now
            share = read / self._total if self._total else 1.0
            self._console.print(printable(f"{name}: {share:.0%}, {plural(rows, 'row')} added"))


class BarReporter(Reporter):
    """A bar with the name of the file, the rows and the time that is left."""

    def __init__(self, console: Console, total: int) -> None:
        super().__init__(console, total, quiet=False)
        self._bar: Progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[rows]:,} rows"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=max(total, 1), rows=0)

    def advance(self, name: str, read: int, rows: int) -> None:
        short = printable(name if len(name) <= 40 else "…" + name[-39:])
        self._bar.update(self._task, description=short, completed=read, rows=rows)


def make_reporter(console: Console, total: int, quiet: bool) -> Reporter:
    """The bar where a person looks on, lines otherwise. `total` is in bytes."""
    if console.is_terminal and not quiet:
        return BarReporter(console, total)
    return Reporter(console, total, quiet)


class Steps(_Shown):
    """Progress of a run of steps as plain lines, one every few seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown_at = time.monotonic()

    def show(self, share: float, what: str) -> None:
        """Shows that this share of all is done (0 to 1), and what comes next."""
        now = time.monotonic()
        if now - self._shown_at >= SECONDS_BETWEEN_LINES:
            self._shown_at = now
            self._console.print(printable(f"{share:.0%}: {what}"))


class StepsBar(Steps):
    """The same as a bar with the time that is left."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._bar: Progress = Progress(
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0)

    def show(self, share: float, what: str) -> None:
        self._bar.update(self._task, description=printable(what), completed=share)


def make_steps(console: Console) -> Steps:
    """The bar where a person looks on, lines otherwise."""
    return StepsBar(console) if console.is_terminal else Steps(console)
