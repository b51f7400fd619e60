"""`cjk-tokenizer bench`: tokenizers side by side on the user's own text.

What is measured and how is in cjk_tokenizer.bench; here are the options, the reading of files, and
what a terminal shows.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.cells import cell_len

from cjk_tokenizer import Error
from cjk_tokenizer.bench import contenders as table
from cjk_tokenizer.bench import machine, plots, report, summary
from cjk_tokenizer.bench.client import WorkerError, WorkerProcess
from cjk_tokenizer.bench.contenders import Contender
from cjk_tokenizer.bench.corpus import NoTextError, size_of
from cjk_tokenizer.bench.record import Record
from cjk_tokenizer.bench.run import MEGABYTE, Plan, Run

from . import sources
from .console import (
    SOMETHING_WRONG,
    CommandError,
    argument_text,
    ascii_only,
    make_console,
    plural,
    printable,
    show_path,
)
from .indexing import Choices, Messages, check_any, check_missing, list_files, missing_paths
from .options import body_column_option, encoding_option, names_or
from .progress import make_steps
from .sources import Fields, SourceError

DEFAULT_MEGABYTES = 4.0
SMALLEST = 20_000  # bytes
MOST_MEGABYTES = 1_000_000.0
MOST_ROUNDS = 1000
NAMES_SHOWN = 3  # of the files that were measured
DISK_FOR_EACH = 6  # times the text: an index while it is written, and one that is finished

EXAMPLES = """\b
Examples:
  cjk-tokenizer bench notes/
  cjk-tokenizer bench book.txt --size 16 --plot book.png
  cjk-tokenizer bench book.txt --tokenize 'cjk fold_han 1' --tokenize 'porter unicode61'
  cjk-tokenizer bench book.txt --extension ./libsimple.so --tokenize simple
"""


def _check_size(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    if value is not None and math.isnan(value):  # which no range excludes
        raise click.BadParameter(f"{value} is no number of megabytes")
    return value


@click.command("bench", epilog=EXAMPLES)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--size",
    type=click.FloatRange(SMALLEST / MEGABYTE, MOST_MEGABYTES),
    metavar="MB",
    callback=_check_size,
    help="How much text to measure with.  [default: all there is, at most 4]",
)
@click.option(
    "--tokenize",
    "specs",
    metavar="ARGS",
    multiple=True,
    help="One more tokenizer, as after tokenize= in SQL; may be repeated.",
)
@click.option(
    "--extension",
    "extensions",
    metavar="PATH",
    multiple=True,
    type=click.Path(),
    help="The library that --tokenize needs: one for all, or one for each.",
)
@click.option("--all", "with_python", is_flag=True, help="Tokenizers written in Python, too.")
@click.option(
    "--rounds",
    type=click.IntRange(1, MOST_ROUNDS),
    default=3,
    show_default=True,
    help="Takes the median.",
)
@encoding_option
@body_column_option
@click.option("--plot", metavar="FILE", type=click.Path(), help="Write a picture (PNG, SVG, PDF).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all figures.")
def bench_command(
    paths: tuple[str, ...],
    size: float | None,
    specs: tuple[str, ...],
    extensions: tuple[str, ...],
    with_python: bool,
    rounds: int,
    encoding: str | None,
    body_column: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Measure tokenizers side by side on your own text.

    Builds an index of the same rows with each tokenizer, all taking turns, and shows how long that
    takes, how large it gets, how fast it finds 1, 2, 3-4 and 10 characters and answers a question
    of 20, and which part of the rows is found. Reads the files that `index` reads. Databases are
    made in a temporary directory (TMPDIR says where) and removed.
    """
    _check_plot(plot)
    given = _given(specs, extensions)
    candidates = [each for each in table.CONTENDERS if with_python or not each.is_python] + given
    available, missing = table.split_available(candidates)
    _try_out(given)
    fields = Fields(body=names_or(body_column, Fields().body))
    text = _read_text(paths, Choices(None, encoding, fields))
    have = size_of(text.rows)
    wanted = int((size or min(have / MEGABYTE, DEFAULT_MEGABYTES)) * MEGABYTE)
    if have < SMALLEST:
        raise CommandError(
            f"only {have:,} bytes of text: {SMALLEST:,} are needed for figures that mean something"
        )
    plan = Plan(
        sizes=(wanted // 4, wanted),
        main=wanted,
        rounds=rounds,
        once_seconds=5,
        connections=(1, 4),
        serve_seconds=0.5,
    )
    with _progress_and_directory(wanted * len(available) * DISK_FOR_EACH) as (show, directory):
        try:
            run = Run(text.rows, available, plan, Record({}), directory, progress=show)
            figures = summary.summarize(run.run(), plan, available)
        except NoTextError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            click.echo("cjk-tokenizer: stopped; nothing is left behind", err=True)
            sys.exit(130)
    figures["environment"] = {
        **machine.describe(available),
        "text": text.describe(),
        "files": text.files,
    }
    measuring = figures["problems"]
    measuring += [f"{name}: left out: {reason}" for name, reason in missing.items()]
    figures["problems"] = [*text.problems, *measuring]
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=ascii_only(sys.stdout)))
    else:
        _print_tables(figures)
        for problem in measuring:  # those of reading were shown at once
            click.echo(printable(problem), err=True)
    plotted = plot is None or _write_plot(figures, plot)
    if not plotted or text.problems or any(" failed: " in problem for problem in measuring):
        raise SystemExit(SOMETHING_WRONG)


# ---------------------------------------------------------------- what is asked for


def _check_plot(plot: str | None) -> None:
    """Says at once what would be found out minutes later."""
    if plot is None:
        return
    if Path(plot).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise CommandError(f"--plot {plot}: its name must end in .png, .svg or .pdf")
    if not Path(plot).absolute().parent.is_dir():
        raise CommandError(f"--plot {plot}: there is no directory {Path(plot).parent}")
    is_new = not os.path.lexists(plot)
    try:
        with open(plot, "ab"):
            pass
        if is_new:
            Path(plot).unlink()
    except OSError as error:
        raise CommandError(f"--plot {plot}: cannot be written: {error.strerror}") from error
    if not plots.have_matplotlib():
        raise CommandError("--plot needs matplotlib: pip install 'cjk-tokenizer[bench]'")


def _write_plot(figures: dict[str, Any], plot: str) -> bool:
    """Whether it could be written: what is on stdout already stands."""
    try:
        plots.write_one_plot(figures, Path(plot))
    except OSError as error:
        click.echo(printable(f"cjk-tokenizer: --plot {plot}: not written: {error}"), err=True)
        return False
    return True


def _given(specs: tuple[str, ...], extensions: tuple[str, ...]) -> list[Contender]:
    """The contenders that --tokenize and --extension name."""
    specs = tuple(argument_text(spec) for spec in specs)
    for path in extensions:
        if not Path(path).is_file():
            raise CommandError(f"--extension {path}: no such file")
    if not extensions:
        return [
            Contender(spec, spec, "?", setup="native", is_ours=spec.split()[:1] == ["cjk"])
            for spec in specs
        ]
    if not specs:
        raise CommandError("--extension needs --tokenize: the name that its tokenizer has in SQL")
    if len(extensions) not in (1, len(specs)):
        raise CommandError("give one --extension for all --tokenize, or one for each, in order")
    libraries = extensions * len(specs) if len(extensions) == 1 else extensions
    return [table.from_extension(path, spec) for path, spec in zip(libraries, specs)]


def _try_out(given: list[Contender]) -> None:
    """A tokenizer that does not exist is an error at once, not a gap in a table."""
    for contender in given:
        try:
            WorkerProcess(contender).close()
        except WorkerError as error:
            reason = str(error)
            if contender.is_ours:
                reason = _why_refused(contender.name) or reason
            elif contender.extension is not None and contender.extension not in reason:
                reason += f" (with --extension {contender.extension})"
            raise CommandError(f"--tokenize '{contender.tokenize}': {reason}") from error


def _why_refused(spec: str) -> str | None:
    from cjk_tokenizer import tokenize

    try:
        tokenize("", spec)
    except Error as error:
        return str(error)
    return None


class Text(NamedTuple):
    """What is measured with, where it is from, and what of it could not be read."""

    rows: list[str]
    files: list[str]
    problems: list[str]

    def describe(self) -> str:
        names = self.files[:NAMES_SHOWN]
        if more := len(self.files) - len(names):
            names.append(f"{more:,} more")
        size = size_of(self.rows) / MEGABYTE
        return f"{', '.join(names)}: {plural(len(self.rows), 'row')}, {size:.3g} MB"


def _read_text(paths: tuple[str, ...], choices: Choices) -> Text:
    """The rows that `index` would make of the files. What is not there or cannot be read is shown
    at once and left out; CommandError when that leaves no file."""
    found = list_files(paths)
    if not found.files:
        check_missing(found)
        check_any(found)
    text = Text([], [], [])

    def show(problem: str) -> None:
        text.problems.append(problem)
        click.echo(printable(problem), err=True)

    for path in missing_paths(found):
        show(f"{path}: no such file or directory")
    for problem in found.unreadable:
        show(problem)
    for path in found.files:
        messages = Messages(show_path(path), show)
        rows_before = len(text.rows)
        try:
            with sources.open_file(path) as file:
                for row in sources.read_rows(file, choices.reader(path), messages.add):
                    text.rows.append(row.body)
        except (SourceError, OSError) as error:
            messages.add(0, str(error))
        messages.end()
        if len(text.rows) > rows_before:
            text.files.append(show_path(path))
    return text


@contextmanager
def _terminated_as_exited() -> Iterator[None]:
    """Lets SIGTERM and SIGHUP end the process as an exception does, which cleans up; what is
    ignored (nohup) stays ignored."""

    def stop(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    changed = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in changed:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _progress_and_directory(needed: int) -> Iterator[tuple[Any, Path]]:
    """A directory that is gone afterwards, on a disk with room, and a bar."""
    with _terminated_as_exited(), tempfile.TemporaryDirectory(prefix="cjk-bench-") as directory:
        free = shutil.disk_usage(directory).free
        if free < needed:
            raise CommandError(
                f"{Path(directory).parent} has {free / 1e6:,.0f} MB free, about "
                f"{needed / 1e6:,.0f} are needed: a smaller --size, or TMPDIR=... on another disk"
            )
        with make_steps(make_console(stderr=True)) as steps:
            yield steps.show, Path(directory)


# ---------------------------------------------------------------- what is shown


def _print_tables(figures: dict[str, Any]) -> None:
    environment = figures["environment"]
    click.echo(
        printable(
            f"{environment['date']}, {environment['cpu']}, Python {environment['python']}, "
            f"SQLite {figures['contenders'][table.CJK]['sqlite']}\n{environment['text']}"
        )
    )
    for found in report.tables(figures):
        click.echo(f"\n{found.title}")
        _print_columns([found.head, *found.rows])
        if found.note:
            click.echo(found.note)
    click.echo("\n" + plots.text_plots(figures))


def _print_columns(rows: list[list[str]]) -> None:
    """Aligned, and never cut off."""
    name, *widths = [max(map(cell_len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths))
        click.echo(printable("  ".join((first + " " * (name - cell_len(first)), *cells)).rstrip()))
