"""A segmenter as an FTS5 tokenizer without our library: plain Python, through apsw or sqlitefts.

The text goes the way of `cjk_tokenizer.reference`, which gives its runs to the segmenter, so the
index is the one that `tokenize='cjk segment NAME'` makes with the compiled library, which can go on
with it. Costs: about as much again as Python's n-grams, beside the segmenter itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cjk_tokenizer.cutting import Segmenter, checked_name
from cjk_tokenizer.reference.register import register_reference
from cjk_tokenizer.reference.words import WordCutter


def register_python_tokenizer(
    conn: Any,
    name: str,
    function: Segmenter | None = None,
    *,
    languages: str | Iterable[str] | None = None,
) -> None:
    """Make `tokenize='NAME ...'` cut text with `function` in this connection.

    `conn` is an apsw.Connection, or a sqlite3.Connection where sqlitefts is installed. `function`
    and `languages` are those of `cjk_tokenizer.register_segmenter`; without a function the adapter
    of that name serves. Options such as `fold_han 1` follow the name; `segment` has no effect.

    What the function raises fails the statement: apsw raises it, and so do connections of
    `connect`; others of sqlite3 raise an OperationalError, and a RuntimeWarning has its text.
    Where a row was being written the transaction is lost: sqlite3 rolls it back, and with apsw its
    COMMIT fails and rolls it back.

    Raises UnsupportedConnectionError for other connections and where sqlitefts is missing,
    ArgumentError, also for a name that `register_segmenter` would refuse, TypeError,
    MissingPackageError.

    >>> import apsw
    >>> conn = apsw.Connection(":memory:")
    >>> register_python_tokenizer(conn, "fugashi")
    >>> _ = conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='fugashi fold_kana 1')")
    """
    checked_name(name)
    if function is None:
        from . import adapter

        found = adapter(name)
        function = found.callable
        languages = found.languages if languages is None else languages
    if not callable(function):
        raise TypeError(f"a segmenter must be callable, not {type(function).__name__}")
    register_reference(conn, name, WordCutter(function, languages))
