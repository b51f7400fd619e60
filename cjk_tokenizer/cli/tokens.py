"""`cjk-tokenizer tokens`: the token stream of a text, to look at."""

from __future__ import annotations

import json
import sys

import click
from rich.cells import cell_len

from cjk_tokenizer import Error, Token
from cjk_tokenizer import tokenize as tokenize_text

from .console import (
    TOKENIZE_HELP,
    CommandError,
    argument_text,
    ascii_only,
    printable,
)

EXAMPLES = """\b
Examples:
  cjk-tokenizer tokens 全文検索
  cjk-tokenizer tokens --query 全文検索
  cjk-tokenizer tokens --tokenize 'cjk segment unigram' 한국어
  cjk-tokenizer tokens --json - < notes.txt
"""


@click.command("tokens", epilog=EXAMPLES)
@click.argument("text")
@click.option("--tokenize", metavar="ARGS", default="cjk", show_default=True, help=TOKENIZE_HELP)
@click.option("--query", is_flag=True, help="The tokens of a query, not those of a document.")
@click.option("--json", "as_json", is_flag=True, help="A JSON array, a token an object.")
def tokens_command(text: str, tokenize: str, query: bool, as_json: bool) -> None:
    """Show the tokens of TEXT (- reads it from stdin).

    For each token: the characters and the bytes of TEXT that it stands for (first and one past the
    last, from 0), its position, and whether it shares the position with the token before it.
    """
    text = _read_stdin() if text == "-" else argument_text(text)
    try:
        found = tokenize_text(text, argument_text(tokenize), query=query)
    except Error as error:
        raise CommandError(f"--tokenize: {error}") from error
    byte_offsets = _byte_offsets(text)
    if as_json:
        _print_json(found, byte_offsets)
    else:
        _print_table(found, byte_offsets)


def _read_stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")


def _byte_offsets(text: str) -> list[int]:
    """For each character, and for the end, the byte it starts at in UTF-8."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + len(character.encode("utf-8")))
    return offsets


def _print_json(tokens: list[Token], byte_offsets: list[int]) -> None:
    objects = [
        {
            "token": token.text,
            "start": token.start,
            "end": token.end,
            "start_byte": byte_offsets[token.start],
            "end_byte": byte_offsets[token.end],
            "position": token.position,
            "colocated": token.colocated,
        }
        for token in tokens
    ]
    click.echo(json.dumps(objects, ensure_ascii=ascii_only(sys.stdout)))


_HEADINGS = ("token", "characters", "bytes", "position", "colocated")


def _print_table(tokens: list[Token], byte_offsets: list[int]) -> None:
    rows = [
        (
            printable(token.text),
            f"{token.start}-{token.end}",
            f"{byte_offsets[token.start]}-{byte_offsets[token.end]}",
            str(token.position),
            "yes" if token.colocated else "",
        )
        for token in tokens
    ]
    # Widths are in cells of a terminal: a Han character takes two.
    columns = zip(_HEADINGS, *rows)
    token, *widths = [max(map(cell_len, column)) for column in columns]
    for first, *others in (_HEADINGS, *rows):
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths))
        click.echo("  ".join((first + " " * (token - cell_len(first)), *cells)).rstrip())
