"""query(): what a person types -> an FTS5 expression that is always valid."""

from __future__ import annotations

import json
from typing import Any

from . import private

_SQL = "SELECT cjk_query(CAST(? AS TEXT), ?, ?)"


def query(text: str, mode: str = "all", **options: Any) -> str:
    """Turn `text` into an expression for MATCH, as the SQL function `cjk_query` does.

    Nothing in `text` is FTS5 syntax, unless mode is "web". Text without anything to search for
    gives `""`, which matches no row. Modes: all, any, phrase, prefix, web, words, grams. Options:
    tokenize (the table's tokenize= string where it is not plain "cjk"), max_terms,
    function_words.

    Raises TypeError when `text` is no str, ArgumentError for an unknown mode or option (the message
    has the choices), MissingLibraryError without the compiled library.

    >>> query("机器学习 C++")
    '"机器学习" AND "C++"'
    >>> query("机器学习", "any")
    '"机器" OR "器学" OR "学习"'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    private.refuse_nul(mode=mode, tokenize=options.get("tokenize"))
    conn = private.required_connection("query")
    encoded = text.encode("utf-8", "surrogatepass")
    given = json.dumps(options, ensure_ascii=False) if options else None
    expression = private.rows(
        conn,
        "SELECT CAST(x AS BLOB) FROM (" + _SQL + " AS x)",
        (
            encoded,
            mode,
            given,
        ),
    )[0][0]
    return bytes(expression).decode("utf-8", "replace")
