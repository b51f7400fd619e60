"""One run of `cjk-tokenizer index`: which files, what becomes of each, what is said about it.

    files -> is it unchanged? -> rows not yet in -> batches -> store

What is read and how is in `sources`, what makes a killed run harmless in `store`. Time goes to
FTS5; reading and cutting is a few per cent of it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO, Callable, NamedTuple

from . import sources
from .console import CommandError, plural, show_path
from .progress import Reporter
from .sources import Fields, Reader, Row, SourceError
from .store import BATCH_CHARACTERS, BATCH_ROWS, Source, Store

MESSAGES_A_FILE = 5  # as many are shown, the others counted


class Choices(NamedTuple):
    """How the files are to be read."""

    format: str | None  # None: by the file's suffix
    encoding: str | None
    fields: Fields

    def reader(self, path: str) -> Reader:
        return Reader(self.format or sources.format_of(path), self.encoding, self.fields)


class Tally:
    """What a run has done so far."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()  # new, changed, resumed, unchanged, unreadable, gone
        self.rows_added = 0
        self.rows_removed = 0
        self.bytes_read = 0
        self.messages = 0


class Messages:
    """What there is to say about one file: the first few at once, the others as a number."""

    def __init__(self, name: str, show: Callable[[str], None]) -> None:
        self.count = 0
        self._name = name
        self._show = show

    def add(self, line: int, text: str) -> None:
        self.count += 1
        if self.count <= MESSAGES_A_FILE:
            self._show(f"{self._name}{f':{line}' if line else ''}: {text}")

    def end(self) -> int:
        """Shows how many there were besides; gives the number of all."""
        if self.count > MESSAGES_A_FILE:
            self._show(f"{self._name}: {self.count - MESSAGES_A_FILE:,} more like these")
        return self.count


class FileList(NamedTuple):
    """The files of a run, and what was met on the way to them."""

    paths: tuple[str, ...]  # as the person named them
    files: list[str]
    left_out: list[str]  # that no reader is for
    unreadable: list[str]  # messages about directories


def list_files(paths: tuple[str, ...]) -> FileList:
    """The files that the paths name or hold; a path that is not there has none."""
    there = tuple(path for path in paths if os.path.lexists(path))
    unreadable: list[str] = []
    files, left_out = sources.find_files(there, lambda _, text: unreadable.append(text))
    return FileList(paths, files, left_out, unreadable)


def describe_left_out(left_out: list[str]) -> str:
    """How many files were left out, by suffix; nothing when there were none."""
    if not left_out:
        return ""
    kinds = Counter(os.path.splitext(path)[1].lower() or "no suffix" for path in left_out)
    counts = ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common(5))
    return f"{plural(len(left_out), 'other file')} left out ({counts})"


def index_files(
    store: Store, files: Iterable[str], choices: Choices, reporter: Reporter, tally: Tally
) -> None:
    """Brings the table up to date with the files."""
    for path in files:
        name = show_path(path)
        messages = Messages(name, reporter.message)
        rows_before, started = tally.rows_added, time.monotonic()
        try:
            with sources.open_file(path) as file:
                outcome = _index_file(store, path, file, choices, messages, tally, reporter)
        except SourceError as error:
            messages.add(0, str(error))
            outcome = "unreadable"
        except OSError as error:
            messages.add(0, error.strerror or str(error))
            outcome = "unreadable"
        tally.messages += messages.end()
        tally.files[outcome] += 1
        if outcome in ("new", "changed", "resumed"):
            rows = tally.rows_added - rows_before
            seconds = time.monotonic() - started
            empty = "" if os.path.getsize(path) else " (an empty file)"
            reporter.file(
                f"{name}: {outcome}, {plural(rows, 'row')} added in {seconds:.1f} s{empty}"
            )
    store.commit()


def _index_file(
    store: Store,
    path: str,
    file: BinaryIO,
    choices: Choices,
    messages: Messages,
    tally: Tally,
    reporter: Reporter,
) -> str:
    """Brings the table up to date with one open file; says what it was (a key of Tally.files)."""
    status = os.fstat(file.fileno())
    stamp = (status.st_size, status.st_mtime_ns)
    reader = choices.reader(path)
    source = store.source(path)
    known = source is not None and source.reader == reader.signature()
    bytes_before = tally.bytes_read
    tally.bytes_read += status.st_size
    if source and known and source.complete and source.fingerprint[:2] == stamp:
        return "unchanged"
    fingerprint = sources.fingerprint(file)
    if source and known and source.fingerprint.digest == fingerprint.digest:
        store.touch(source, fingerprint.modified)
        if source.complete:
            return "unchanged"
        outcome = "resumed"
    else:
        outcome = "changed" if source else "new"
        tally.rows_removed += source.row_count if source else 0
        source = store.start(path, fingerprint, reader.signature())
    rows = sources.read_rows(file, reader, messages.add)
    for batch in batches(islice(rows, source.row_count, None)):
        source = store.add(source, batch)
        tally.rows_added += len(batch)
        reporter.advance(show_path(path), bytes_before + file.tell(), tally.rows_added)
    store.finish(source)
    after = os.stat(path)
    if (after.st_size, after.st_mtime_ns) != stamp:
        messages.add(0, "changed while it was read: run this again")
    return outcome


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in lists that are small enough to keep in memory and large enough to be quick."""
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += len(row.title) + len(row.body)
        if len(batch) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def gone_files(store: Store, paths: Iterable[str]) -> list[Source]:
    """The records of files that were indexed from the paths and are not there any more."""
    roots = [os.path.realpath(path) for path in paths]
    gone = []
    for path in store.paths():
        below = any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
        if below and not os.path.lexists(path) and (source := store.source(path)):
            gone.append(source)
    return gone


def remove_gone_files(store: Store, gone: Iterable[Source], tally: Tally) -> None:
    """Removes the rows and records of files that are gone."""
    for source in gone:
        store.remove(source)
        tally.files["gone"] += 1
        tally.rows_removed += source.row_count
    store.commit()


def missing_paths(found: FileList) -> list[str]:
    """The paths that the person named and that are not there."""
    return [path for path in found.paths if not os.path.lexists(path)]


def check_missing(found: FileList, advice: str = "") -> None:
    """CommandError when a path is not there."""
    if missing := missing_paths(found):
        after = f" ({advice})" if advice else ""
        raise CommandError(f"no such file or directory: {', '.join(missing)}{after}")


def check_any(found: FileList) -> None:
    """CommandError when there is no file to read."""
    if found.files:
        return
    left_out = describe_left_out(found.left_out)
    raise CommandError(
        f"nothing to index in {', '.join(found.paths)}: no file that ends in "
        f"{' '.join(sources.SUFFIXES)}{f'; {left_out}' if left_out else ''}"
    )


def describe(tally: Tally, database: str, table: str, seconds: float) -> str:
    """The last line of a run."""
    files = ", ".join(f"{number:,} {outcome}" for outcome, number in tally.files.items())
    removed = f", {tally.rows_removed:,} removed" if tally.rows_removed else ""
    return (
        f"{show_path(database)}, table {table}: {plural(tally.rows_added, 'row')} added{removed} "
        f"in {seconds:.1f} s; files: {files or 'none'}"
    )
