"""`cjk-tokenizer index`: the options of the command; its work is in `indexing`."""

from __future__ import annotations

import os
import time

import click

from . import indexing, sources
from .console import (
    SOMETHING_WRONG,
    TOKENIZE_HELP,
    argument_text,
    make_console,
    open_database,
    open_scratch,
    plural,
    printable,
)
from .options import body_column_option, encoding_option, names_or
from .progress import make_reporter
from .sources import Fields
from .store import Store

EXAMPLES = """\b
Examples:
  cjk-tokenizer index notes.db notes/
  cjk-tokenizer index notes.db book.txt --encoding gb18030
  cjk-tokenizer index chat.db log.jsonl --body-column message --title-column author
  cjk-tokenizer index notes.db notes/ --table folded --tokenize 'cjk fold_kana 1'
"""


@click.command("index", epilog=EXAMPLES)
@click.argument("database", metavar="DB", type=click.Path())
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option("--table", default="docs", show_default=True, help="FTS5 table to fill.")
@click.option("--tokenize", metavar="ARGS", help=f"{TOKENIZE_HELP}  [default: cjk]")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(sources.READERS)),
    help="How to read the files.  [default: by suffix, text where that says nothing]",
)
@encoding_option
@click.option(
    "--title-column",
    metavar="NAME",
    help="JSON field or CSV column for the title.  [default: title]",
)
@body_column_option
@click.option(
    "--id-column", metavar="NAME", help="JSON field or CSV column for the id.  [default: id]"
)
@click.option("--prune", is_flag=True, help="Remove the rows of files that are gone from PATH.")
@click.option("--quiet", "-q", is_flag=True, help="Show problems only.")
def index_command(
    database: str,
    paths: tuple[str, ...],
    table: str,
    tokenize: str | None,
    format_name: str | None,
    encoding: str | None,
    title_column: str | None,
    body_column: str | None,
    id_column: str | None,
    prune: bool,
    quiet: bool,
) -> None:
    """Index text files in the full-text table of a database.

    Reads files (.txt: a row for each line; .md: for each paragraph under its heading; .jsonl: for
    each object; .csv and .tsv: for each record) and all such files below directories. Makes the
    database and the table where they are missing. Files that have not changed since the last run
    are skipped, changed ones are indexed anew. A run that was stopped, in whatever way, is finished
    by the next one.
    """
    started = time.monotonic()
    table = argument_text(table)
    default = Fields()
    fields = Fields(
        title=names_or(title_column, default.title),
        body=names_or(body_column, default.body),
        id=names_or(id_column, default.id),
    )
    found = indexing.list_files(paths)
    if not prune:
        indexing.check_missing(found, "--prune removes the rows of files that are gone")
        indexing.check_any(found)
    tally = indexing.Tally()
    total = sum(os.path.getsize(path) for path in found.files if os.path.isfile(path))
    reporter = make_reporter(make_console(stderr=True), total, quiet)
    arguments = None if tokenize is None else argument_text(tokenize)
    if not os.path.exists(database):
        with open_scratch(database) as scratch:  # what is refused leaves no empty file behind
            Store(scratch, table).create(arguments)
    with open_database(database, must_exist=False) as connection:
        store = Store(connection, table)
        store.create(arguments)
        with reporter:
            for text in found.unreadable:
                reporter.message(text)
            choices = indexing.Choices(format_name, encoding, fields)
            indexing.index_files(store, found.files, choices, reporter, tally)
        gone = indexing.gone_files(store, paths)
        if prune:
            indexing.remove_gone_files(store, gone, tally)
    if found.left_out:
        reporter.file(indexing.describe_left_out(found.left_out))
    if gone and not prune:
        reporter.file(f"{plural(len(gone), 'file')} gone; --prune removes the rows")
    if not quiet:
        click.echo(printable(indexing.describe(tally, database, table, time.monotonic() - started)))
    if tally.messages or found.unreadable:
        raise SystemExit(SOMETHING_WRONG)
