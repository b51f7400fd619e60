"""Files of text into rows: what `cjk-tokenizer index` reads.

A reader takes the lines of one file and yields its rows in order. It is one function and one row in
READERS; the suffixes in SUFFIXES name the readers. Odd input never stops a run: broken bytes and
NUL become U+FFFD, a line that cannot be read is reported and left out, a file that cannot be read
at all raises SourceError. Files are read as a stream; memory is bounded by the longest row.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Callable, NamedTuple

from .console import plural

MAX_ROW = 64 * 1024 * 1024  # characters; SQLite takes 1,000,000,000 bytes a value
SAMPLE = 64 * 1024  # bytes looked at to tell text from other things

SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
}

BYTE_ORDER_MARKS = (  # UTF-32 before UTF-16: its little-endian mark begins with the other's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Called with a line number from 1 (0: the whole file) and what is wrong there.
Report = Callable[[int, str], None]


class SourceError(Exception):
    """A file that gives no rows; the message says why and what to do."""


class Row(NamedTuple):
    """One row of the index: its text, and the line of the file it starts on (from 1)."""

    title: str
    body: str
    line: int
    id: str | None = None


class Fields(NamedTuple):
    """Names of JSON fields or CSV columns; the first one that a row has is taken."""

    title: tuple[str, ...] = ("title",)
    body: tuple[str, ...] = ("body", "text", "content")
    id: tuple[str, ...] = ("id",)


class Reader(NamedTuple):
    """How a file becomes rows. Its signature is stored: a file read in another way has changed."""

    format: str
    encoding: str | None = None
    fields: Fields = Fields()

    def signature(self) -> str:
        parts = [f"{self.format}/1", f"encoding={self.encoding or 'utf-8'}"]
        if self.format not in ("text", "markdown"):
            parts += [f"{name}={','.join(getattr(self.fields, name))}" for name in Fields._fields]
        return " ".join(parts)


class Fingerprint(NamedTuple):
    """Whether a file is still the one that was read: size in bytes, time in ns, SHA-256."""

    size: int
    modified: int
    digest: str


# ---------------------------------------------------------------- files


def find_files(paths: Iterable[str], report: Report) -> tuple[list[str], list[str]]:
    """The files to read: the paths that are files, and all of a known kind below those that are
    directories, hidden ones excepted. And the files below that are of no known kind. Real paths,
    each once, sorted within a directory."""
    files: dict[str, None] = {}  # in order, each once
    others: dict[str, None] = {}
    for path in paths:
        if not os.path.isdir(path):
            files[os.path.realpath(path)] = None
            continue
        for name in _walk(path, report):
            known = os.path.splitext(name)[1].lower() in SUFFIXES
            (files if known else others)[os.path.realpath(name)] = None
    return list(files), [other for other in others if other not in files]


def _walk(directory: str, report: Report) -> Iterator[str]:
    def unreadable(error: OSError) -> None:
        report(0, f"{error.filename}: {error.strerror}")

    for folder, folders, names in os.walk(directory, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            yield os.path.join(folder, name)


def format_of(path: str) -> str:
    """The reader for a file, by its suffix; "text" where that says nothing."""
    return SUFFIXES.get(Path(path).suffix.lower(), "text")


def open_file(path: str) -> BinaryIO:
    """Opens a regular file for reading bytes; SourceError says why it cannot be read."""
    try:
        # Opening a pipe would wait for its writer for ever.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise SourceError("not a regular file")
        return open(path, "rb")
    except OSError as error:
        raise SourceError(error.strerror or str(error)) from error


def fingerprint(file: BinaryIO) -> Fingerprint:
    """Reads the whole file; leaves it at its beginning. About 1 ms for each MB."""
    status = os.fstat(file.fileno())
    digest = hashlib.sha256()
    file.seek(0)
    for block in iter(lambda: file.read(1 << 20), b""):
        digest.update(block)
    file.seek(0)
    return Fingerprint(status.st_size, status.st_mtime_ns, digest.hexdigest())


# ---------------------------------------------------------------- lines


class _BrokenBytes:
    """Decoding error handler that puts one U+FFFD for each broken piece, and counts them."""

    count = 0

    def __call__(self, error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        self.count += 1
        return "\ufffd", error.end


_broken = _BrokenBytes()
codecs.register_error("cjk_tokenizer.broken", _broken)


class Lines:
    """The lines of an open file as text, without their ends. `number` is that of the last one given
    out, from 1; `ended` is set once there is none left. Reports what it had to change when it ends.
    """

    def __init__(self, file: BinaryIO, encoding: str | None, report: Report) -> None:
        self.number = 0
        self.ended = False
        self._report = report
        start = file.read(SAMPLE)
        name = encoding or "utf-8"
        for mark, marked in BYTE_ORDER_MARKS:
            if start.startswith(mark):
                name = marked
                file.seek(len(mark))
                break
        else:
            file.seek(0)
            if encoding is None:
                _refuse_other_encodings(start)
        self._encoding = name
        self._text = io.TextIOWrapper(file, encoding=name, errors="cjk_tokenizer.broken")

    def __iter__(self) -> Iterator[str]:
        broken_before = _broken.count
        self._nuls = 0
        try:
            yield from self._read()
        finally:
            if not self._text.closed:
                self._text.detach()  # or it would close the file
        self.ended = True
        if broken := _broken.count - broken_before:
            self._report(
                0,
                f"not {self._encoding} in {plural(broken, 'place')}, U+FFFD put there "
                "(another encoding? name it with --encoding)",
            )
        if self._nuls:
            self._report(0, f"NUL in {plural(self._nuls, 'place')}, U+FFFD put there")

    def _read(self) -> Iterator[str]:
        readline = self._text.readline
        while line := readline(MAX_ROW):
            self.number += 1
            if line[-1] == "\n":
                line = line[:-1]
            elif len(line) == MAX_ROW:
                while (rest := readline(MAX_ROW)) and rest[-1] != "\n":
                    pass
                self._report(self.number, f"longer than {MAX_ROW:,} characters, left out")
                continue
            if "\0" in line:
                self._nuls += line.count("\0")
                line = line.replace("\0", "\ufffd")
            yield line


def _refuse_other_encodings(start: bytes) -> None:
    """Raises SourceError for what would index as rubbish: binary files, UTF-16 without its mark,
    and legacy encodings. A few broken bytes in UTF-8 text are no reason."""
    if start.count(0) > len(start) // 100:
        raise SourceError(
            "many NUL bytes: no text, or UTF-16 without a byte-order mark "
            "(then name it: --encoding utf-16-le or utf-16-be)"
        )
    beyond_ascii = len(start.translate(None, delete=bytes(range(128))))
    valid = len(start.decode("utf-8", "ignore").encode())
    broken = len(start) - valid
    if broken > 100 and broken > beyond_ascii // 10:
        raise SourceError(
            "not UTF-8: name its encoding (--encoding gb18030, big5, shift_jis, euc_jp, "
            "euc_kr, tis_620, ...)"
        )


# ---------------------------------------------------------------- rows


def read_rows(file: BinaryIO, reader: Reader, report: Report) -> Iterator[Row]:
    """All rows of an open file, in order. The same bytes and reader always give the same rows."""
    lines = Lines(file, reader.encoding, report)
    for row in READERS[reader.format](lines, reader.fields, report):
        if len(row.body) > MAX_ROW:
            report(row.line, f"longer than {MAX_ROW:,} characters, left out")
        else:
            yield row


def read_text(lines: Lines, fields: Fields, report: Report) -> Iterator[Row]:
    """One row for each line that is not blank."""
    for line in lines:
        if not line.isspace() and line:
            yield Row("", line, lines.number)


_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")


def read_markdown(lines: Lines, fields: Fields, report: Report) -> Iterator[Row]:
    """One row for each paragraph (text between blank lines; a fenced code block stays whole), with
    the heading that it stands under as title. A heading with nothing under it is a row as well."""
    title, title_line, title_used = "", 0, True
    paragraph: list[str] = []
    start = 0
    fence = ""

    def flush() -> Iterator[Row]:
        nonlocal title_used
        if paragraph:
            yield Row(title, "\n".join(paragraph), start)
            title_used = True
            paragraph.clear()

    for line in lines:
        if not paragraph:
            start = lines.number
        if fence:
            paragraph.append(line)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        heading = _HEADING.match(line)
        underlined = len(paragraph) == 1 and _UNDERLINE.match(line)
        if heading or underlined:
            heading_line = start if underlined else lines.number
            text = paragraph.pop().strip() if underlined else (heading[1] if heading else "") or ""
            yield from flush()
            if not title_used:
                yield Row(title, "", title_line)
            title, title_line, title_used = text, heading_line, not text
        elif opening := _FENCE.match(line):
            fence = opening[1]
            paragraph.append(line)
        elif not line or line.isspace() or _RULE.match(line):
            yield from flush()
        else:
            paragraph.append(line)
    yield from flush()
    if not title_used:
        yield Row(title, "", title_line)


def read_jsonl(lines: Lines, fields: Fields, report: Report) -> Iterator[Row]:
    """One row for each line that is a JSON object with a body or a title."""
    for line in lines:
        if not line or line.isspace():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            report(lines.number, f"no JSON, left out ({reason})")
            continue
        if not isinstance(value, dict):
            report(lines.number, "a JSON value that is no object, left out")
            continue
        yield from _row_of_fields(value, lines.number, fields, report)


def read_csv(lines: Lines, fields: Fields, report: Report, delimiter: str = ",") -> Iterator[Row]:
    """One row for each record; the first record names the columns."""
    csv.field_size_limit(MAX_ROW)
    records = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
    header: list[str] | None = None
    while True:
        start = lines.number + 1
        try:
            record = next(records, None)
        except csv.Error as error:
            report(start, f"no record, left out ({error})")
            continue
        if record is None:
            return
        if lines.ended:  # the reader asked for more lines than there are
            report(start, "a quote that is never closed; the rest of the file is one field")
        if not record:
            continue
        if header is None:
            header = [name.strip() for name in record]
            if _find_name(header, fields.body) is None:
                raise SourceError(
                    f"no column {_either(fields.body)} (its columns: {', '.join(header)}); "
                    "name one with --body-column"
                )
            continue
        if len(record) > len(header):
            report(start, f"{len(record)} fields under {len(header)} columns, the last left out")
        yield from _row_of_fields(dict(zip(header, record)), start, fields, report)


def read_tsv(lines: Lines, fields: Fields, report: Report) -> Iterator[Row]:
    """As read_csv, with tabs between the fields."""
    return read_csv(lines, fields, report, delimiter="\t")


READERS: dict[str, Callable[[Lines, Fields, Report], Iterator[Row]]] = {
    "text": read_text,
    "markdown": read_markdown,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
}


def _either(names: tuple[str, ...]) -> str:
    """a, b or c"""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _find_name(have: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """The first wanted name that is there, in any case of letters."""
    names = {name.lower(): name for name in have}
    return next((names[name.lower()] for name in wanted if name.lower() in names), None)


def _row_of_fields(
    values: dict[str, Any], line: int, fields: Fields, report: Report
) -> Iterator[Row]:
    names = {kind: _find_name(values, getattr(fields, kind)) for kind in Fields._fields}
    if names["body"] is None and names["title"] is None:
        report(
            line,
            f"no field {_either(fields.body)}, left out "
            f"(its fields: {', '.join(list(values)[:20]) or 'none'})",
        )
        return
    title, body, key = (
        _text_of(values[name]) if (name := names[kind]) is not None else ""
        for kind in ("title", "body", "id")
    )
    if title or body:
        yield Row(title, body, line, key or None)


def _text_of(value: Any) -> str:
    """A JSON value as text: strings as they are, items of a list on lines, other things as JSON. A
    lone surrogate, which JSON can spell and UTF-8 cannot, becomes U+FFFD."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(_text_of(item) for item in value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace("\0", "\ufffd")
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
