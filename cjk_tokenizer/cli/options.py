"""Options that `index` and `bench` share: how files are to be read."""

from __future__ import annotations

import codecs
import io

import click

from .console import argument_text


def _check_encoding(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    if value is None:
        return None
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=value)  # refuses codecs that give no text
        return codecs.lookup(value).name
    except (LookupError, ValueError) as error:
        raise click.BadParameter(f"{value!r} is no text encoding that Python knows") from error


encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_check_encoding,
    help="Encoding of files without a byte-order mark.  [default: utf-8]",
)

body_column_option = click.option(
    "--body-column",
    metavar="NAME",
    help="JSON field or CSV column for the body.  [default: the first of body, text, content]",
)


def names_or(name: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    """The name that was given, else the names that are looked for without one."""
    return default if name is None else (argument_text(name),)
