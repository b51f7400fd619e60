"""Register the tokenizer in plain Python into a connection.

apsw: through Connection.register_fts5_tokenizer; a Python exception reaches the caller, and when a
row was being written the transaction can only be rolled back. Its one limit: a colocated token has
the offsets of the token that it shares the position with (FTS5 itself looks at neither).
sqlite3 of the standard library: through sqlitefts, see sqlitefts_glue.py; the stream is whole.
Connections of connect() raise an exception; with others it shows as an OperationalError and its
text as a RuntimeWarning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Union

from cjk_tokenizer.errors import UnsupportedConnectionError

from .analyzer import DOCUMENT, Analyzer, CutRun, RawToken
from .ngram import cut_ngrams
from .options import parse
from .parents import ApswParent, is_unicode61, shared_unicode61

if TYPE_CHECKING:
    import apsw

# Start and end in bytes, the token, and those colocated with it.
ApswToken = tuple[Union[int, str], ...]


def register_reference(conn: Any, name: str = "cjk", cut_run: CutRun = cut_ngrams) -> None:
    """Make `tokenize='cjk ...'` work in this connection, in plain Python.

    `cut_run` may be a `WordCutter`, which then stands for the option `segment`.

    `conn` is an apsw.Connection, or a sqlite3.Connection where sqlitefts is installed. Raises
    UnsupportedConnectionError for others, and where sqlitefts is missing. Registering twice is
    harmless.
    """
    if isinstance(conn, sqlite3.Connection):
        from .sqlitefts_glue import register_sqlitefts

        register_sqlitefts(conn, name, cut_run)
    elif _is_apsw(conn):
        conn.register_fts5_tokenizer(name, partial(make_apsw_tokenizer, cut_run=cut_run))
    else:
        raise UnsupportedConnectionError(
            f"{type(conn).__module__}.{type(conn).__qualname__}: the tokenizer in plain Python "
            "can be registered into connections of apsw and of the standard library's sqlite3"
        )


def make_apsw_tokenizer(
    conn: apsw.Connection, arguments: Sequence[str], cut_run: CutRun = cut_ngrams
) -> Callable[[bytes, int, str | None], list[ApswToken]]:
    """The tokenizer factory that apsw calls for each table and each `fts5_tokenizer`."""
    options = parse(arguments)
    if is_unicode61(options.parent):
        analyzer = Analyzer(options, shared_unicode61(options.parent[1:]), cut_run)
    else:
        analyzer = Analyzer(options, ApswParent(conn, options.parent), cut_run)

    def tokenize(utf8: bytes, flags: int, locale: str | None) -> list[ApswToken]:
        try:
            return group_colocated(analyzer.tokens(bytes(utf8), flags, locale))
        except BaseException:
            if flags & DOCUMENT:
                refuse_commit(conn)
            raise

    return tokenize


def refuse_commit(conn: apsw.Connection) -> None:
    """Let the transaction end in a rollback: FTS5 keeps the row that it could not index.

    An older apsw has no hooks with an id: there, whoever began the transaction has to roll it back.
    """
    hook = "cjk_tokenizer"

    def forget() -> None:
        conn.set_commit_hook(None, id=hook)
        conn.set_rollback_hook(None, id=hook)

    with suppress(TypeError):  # no `id` yet
        conn.set_commit_hook(lambda: True, id=hook)
        conn.set_rollback_hook(forget, id=hook)


def group_colocated(tokens: Any) -> list[ApswToken]:
    """Tokens as apsw wants them: one tuple for each position."""
    groups: list[ApswToken] = []
    token: RawToken
    for token in tokens:
        if token.colocated and groups:
            groups[-1] += (token.token,)
        else:
            groups.append((token.start, token.end, token.token))
    return groups


def _is_apsw(conn: Any) -> bool:
    return any(
        base.__module__ == "apsw" and base.__name__ == "Connection" for base in type(conn).__mro__
    )
