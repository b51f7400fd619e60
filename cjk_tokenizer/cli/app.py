"""The commands in one group, and what is the same for all of them."""

from __future__ import annotations

import sys
from importlib import metadata
from typing import Any

import click

from .console import use_any_characters
from .doctor import doctor_command
from .index import index_command
from .search import search_command
from .tokens import tokens_command


def _version() -> str:
    try:
        return metadata.version("cjk-tokenizer")
    except metadata.PackageNotFoundError:
        import cjk_tokenizer

        return str(getattr(cjk_tokenizer, "__version__", "unknown"))


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
@click.version_option(_version(), "--version", prog_name="cjk-tokenizer")
def cli() -> None:
    """Full-text search over Chinese, Japanese, Korean and Thai text in SQLite."""
    use_any_characters()


for _command in (index_command, search_command, tokens_command, doctor_command):
    cli.add_command(_command)
