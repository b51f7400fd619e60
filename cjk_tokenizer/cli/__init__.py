"""The command `cjk-tokenizer`: index files of text, search them, look at tokens, find faults.

One module a command (index, search, tokens, bench, doctor); `sources` reads files, `store` writes
rows, `find` asks the database, `console` talks to the person. click and rich come with the extra
`[cli]` and are imported only once the command runs, so that their absence is one clear line.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command with the arguments of the process; ends the process with its exit code."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError as error:
        sys.exit(
            f"cjk-tokenizer: the command needs {error.name}, which is not installed: "
            "pip install 'cjk-tokenizer[cli]'"
        )
    from .app import cli

    cli(prog_name="cjk-tokenizer")
