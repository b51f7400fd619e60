"""`cjk-tokenizer search`: the rows that match what was typed, best first, with the hits marked."""

from __future__ import annotations

import json
import re
import sys

import click
from rich.console import Console
from rich.text import Text

from . import find as finding
from .console import (
    NOTHING_FOUND,
    argument_text,
    ascii_only,
    make_console,
    open_database,
    plural,
    printable,
    show_path,
)
from .find import Answer, Hit, Marked

MARK_STYLE = "bold red"
PATH_STYLE = "cyan"
TITLE_WIDTH = 80  # characters

MOST_ROWS = 1_000_000  # as cjk_search() takes them
MOST_CHARACTERS = 1_000_000_000

EXAMPLES = """\b
Examples:
  cjk-tokenizer search notes.db 全文検索
  cjk-tokenizer search notes.db '자연어 처리' --limit 3
  cjk-tokenizer search notes.db 機器學習的方法有哪些？ --json
  cjk-tokenizer search notes.db '"exact words" -without' --mode web
"""


class SearchCommand(click.Command):
    """Takes what begins with one `-` and is no option for the QUERY, not for a mistake."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = {name for option in self.get_params(ctx) for name in option.opts}
        ends = args.index("--") if "--" in args else len(args)
        typed = [each for each in args[:ends] if is_typed(each, names)]
        rest = [each for each in args[:ends] if not is_typed(each, names)]
        if typed:
            args = [*rest, "--", *typed, *args[ends + 1 :]]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = f"A QUERY like this one goes behind --: -- {error.option_name}"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error


def is_typed(argument: str, names: set[str]) -> bool:
    """Whether an argument is text that begins with a hyphen."""
    return re.match("-[^-]", argument) is not None and argument not in names


@click.command("search", cls=SearchCommand, epilog=EXAMPLES)
@click.argument("database", metavar="DB", type=click.Path())
@click.argument("query")
@click.option("--table", help="FTS5 table to search.  [default: docs, or the only one]")
@click.option(
    "--limit",
    type=click.IntRange(1, MOST_ROWS),
    default=10,
    show_default=True,
    help="Show the best ones only.",
)
@click.option(
    "--mode",
    type=click.Choice(finding.MODES),
    default="auto",
    show_default=True,
    help="What QUERY means: a question or keywords, all words, any, one phrase, as you type, ...",
)
@click.option(
    "--width",
    type=click.IntRange(0, MOST_CHARACTERS),
    default=120,
    show_default=True,
    help="Characters of a row to show; 0 for all.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all that was found.")
def search_command(
    database: str,
    query: str,
    table: str | None,
    limit: int,
    mode: str,
    width: int,
    as_json: bool,
) -> None:
    """Search a full-text table for QUERY, keywords or a question as people type it.

    No character of it is an error. Shows for each row, the best first, where it comes from, its
    title and the part of its text with the most hits. Hits are in colour, or in [brackets] where
    there is none. The exit code is 1 when nothing is found.
    """
    with open_database(database) as connection:
        found_table = finding.find_table(
            connection, None if table is None else argument_text(table)
        )
        answer = finding.find(connection, found_table, argument_text(query), mode, limit, width)
    if as_json:
        _print_json(answer)
    else:
        _print_text(answer)
    if not answer.hits:
        raise SystemExit(NOTHING_FOUND)


def _print_json(answer: Answer) -> None:
    hits = [
        {
            "rowid": hit.rowid,
            "score": hit.score,
            "source": hit.source,
            "line": hit.line,
            "id": hit.id,
            "title": hit.title.text,
            "title_marks": hit.title.marks,
            "column": hit.column,
            "text": hit.text.text,
            "marks": hit.text.marks,
        }
        for hit in answer.hits
    ]
    found = {
        "expression": answer.expression,
        "milliseconds": round(answer.milliseconds, 3),
        "hits": hits,
    }
    click.echo(json.dumps(found, ensure_ascii=ascii_only(sys.stdout)))


def _print_text(answer: Answer) -> None:
    console = make_console()
    for hit in answer.hits:
        console.print(_head(hit, console))
        if hit.text.text:
            console.print(Text("    ").append_text(_marked(hit.text, console)))
    console.print(f"{plural(len(answer.hits), 'row')} in {answer.milliseconds:.1f} ms")


def _head(hit: Hit, console: Console) -> Text:
    """Where a row comes from, and its title."""
    if hit.source is None:
        place = f"row {hit.rowid}"
    else:
        place = show_path(hit.source) + (f":{hit.line}" if hit.line is not None else "")
    head = Text(printable(place), style=PATH_STYLE)
    if hit.id is not None:
        head.append(f"  {printable(str(hit.id))}", style="dim")
    if hit.title.text:
        title = finding.shorten(hit.title, TITLE_WIDTH)
        head.append("  ").append_text(_marked(title, console, "bold"))
    return head


def _marked(marked: Marked, console: Console, style: str = "default") -> Text:
    """A text with its marks in colour, or in brackets; on one line."""
    coloured = console.color_system is not None and not console.no_color
    line = printable(marked.text).replace("\n", " ").replace("\t", " ")
    text = Text(style=style)
    end = 0
    for start, stop in marked.marks:
        text.append(line[end:start])
        text.append(line[start:stop] if coloured else f"[{line[start:stop]}]", MARK_STYLE)
        end = stop
    return text.append(line[end:])
