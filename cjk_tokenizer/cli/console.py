"""What all commands share: errors, what is printed where, opening a database.

Results go to stdout, messages and progress to stderr. Exit codes: 0 done; 1 done, and there is
something to know (nothing found, input left out, a check that failed); 2 not done.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import IO, Any

import click
from rich.console import Console

from cjk_tokenizer.connect import connect
from cjk_tokenizer.errors import Error

NOTHING_FOUND = 1
SOMETHING_WRONG = 1
SECONDS_TO_WAIT = 30  # for another writer

TOKENIZE_HELP = "Tokenizer and its arguments, as after tokenize= in SQL."


class CommandError(click.ClickException):
    """Ends the command: one line on stderr, exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        return printable(self.message)

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"cjk-tokenizer: {self.format_message()}", file=file or sys.stderr)


def make_console(stderr: bool = False) -> Console:
    """A console that prints text as it is: no markup, no guessing of colours, no wrapping of words
    where it is piped."""
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)


def use_any_characters() -> None:
    """Lets stdout and stderr print what their encoding lacks as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def show_warnings_as_lines() -> None:
    """Lets a warning (the slow tokenizer in plain Python serves) be a line without its place."""

    def format_as_line(message: Warning | str, *place: object, **details: object) -> str:
        return f"cjk-tokenizer: {message}\n"

    warnings.formatwarning = format_as_line


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: U+FFFD for control characters, so that no file
    can send escape sequences. Length in characters stays."""
    return _CONTROL.sub("\ufffd", text)


def argument_text(value: str) -> str:
    """A command line argument as text: bytes that are not UTF-8 become U+FFFD."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def ascii_only(stream: IO[str]) -> bool:
    """Whether JSON for a stream must be ASCII, because its encoding lacks characters."""
    return (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "") != "utf8"


def plural(number: int, noun: str) -> str:
    """1 row, 2,000 rows"""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def show_path(path: str) -> str:
    """A path for people: relative when it lies below the current directory."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # no current directory; another drive
        return path
    return path if relative.startswith(os.pardir) else relative


@contextmanager
def open_database(path: str, must_exist: bool = True) -> Iterator[sqlite3.Connection]:
    """A connection with the tokenizer in it, closed at the end. What SQLite and the package raise
    inside becomes a CommandError that names the database."""
    _check_database_path(path, must_exist)
    # An absolute path is never taken for a URI (file:...) or a database in memory.
    with _open(os.path.abspath(path), path) as connection:
        yield connection


@contextmanager
def open_scratch(path: str) -> Iterator[sqlite3.Connection]:
    """As open_database() for a new database, but in memory: for trying out what may be refused."""
    _check_database_path(path, must_exist=False)
    with _open(":memory:", path) as connection:
        yield connection


@contextmanager
def _open(file: str, path: str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(connect(file, timeout=SECONDS_TO_WAIT)) as connection:
            try:
                # The header of the file is read by the first statement only.
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                yield connection
            except sqlite3.Error as error:
                if reason := _tokenizer_error(connection, error):
                    raise CommandError(f"{path}: {reason}") from error
                raise
    except (sqlite3.Error, Error) as error:
        reason = str(error)
        if "file is not a database" in reason:
            reason = "not an SQLite database"
        elif "database is locked" in reason:
            reason = "locked: another program is writing to it; try again when it has finished"
        raise CommandError(f"{path}: {reason}") from error


def _tokenizer_error(connection: sqlite3.Connection, error: sqlite3.Error) -> str | None:
    """Why the tokenizer of a table could not be made, and how to go on; None for other errors."""
    if not re.search("tokenizer constructor|vtable constructor", str(error)):
        return None
    try:
        reason = connection.execute("SELECT cjk_error()").fetchone()[0]
    except sqlite3.Error:  # the tokenizer in plain Python serves
        return None
    return with_advice(f"{error}: {reason}") if reason else None


def with_advice(reason: str) -> str:
    """Why a tokenizer was refused, and how to go on where its segmenter is not built in."""
    if "there is no segmenter" not in reason:
        return reason
    return (
        f"{reason}. This command knows the built-in segmenters only: a table of others is for the "
        "program that registers them"
    )


def _check_database_path(path: str, must_exist: bool) -> None:
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise CommandError(f"{path}: a directory, not a database")
    if must_exist and not os.path.exists(path):
        raise CommandError(
            f"{path}: no such database (make one: cjk-tokenizer index {path} FILES...)"
        )
    if not os.path.isdir(folder):
        raise CommandError(f"{path}: there is no directory {folder}")
