"""The commands in one group, and what is the same for all of them."""

from __future__ import annotations

import sys
from importlib import metadata
from typing import Any

import click

from cjk_tokenizer.connect import diagnose

from .bench import bench_command
from .console import show_warnings_as_lines, use_any_characters
from .doctor import doctor_command
from .index import index_command
from .search import search_command
from .tokens import tokens_command


def _show_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    try:
        version = metadata.version("cjk-tokenizer")
    except metadata.PackageNotFoundError:  # run from the source tree
        version = diagnose().version or "unknown"
    click.echo(f"cjk-tokenizer, version {version}")
    context.exit()


class Commands(click.Group):
    """A group that an interrupt ends with a word on what is safe, and a closed pipe without one."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            click.echo("cjk-tokenizer: stopped; the database is valid", err=True)
            sys.exit(130)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 done, but nothing found or something to know; 2 not done.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Full-text search over Chinese, Japanese, Korean and Thai text in SQLite."""
    use_any_characters()
    show_warnings_as_lines()


for _command in (index_command, search_command, tokens_command, bench_command, doctor_command):
    cli.add_command(_command)
