"""tokenize(): the tokens that FTS5 sees, with offsets in characters.

The work is done by the SQL function `cjk_tokens` on a private connection in memory, one for each
thread, so the tokens are those of an index to the letter. Where no compiled library can be loaded
the plain Python tokenizer (`cjk_tokenizer.reference`) answers, after a FallbackWarning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import private

_TRAIL_BYTES = bytes(range(0x80, 0xC0))
# A str must be valid UTF-8 to be bound as text; bytes that are cast in SQL need not be.
_QUERY = (
    'SELECT CAST(token AS BLOB), start, "end", position, colocated'
    " FROM cjk_tokens(CAST(? AS TEXT), ?, ?)"
)


@dataclass(frozen=True)
class Token:
    """A token: its text, and the characters of the source that it stands for.

    `start` and `end` count characters (code points): `source[token.start:token.end]`. `position` is
    FTS5's position; a `colocated` token has that of the token before it.
    """

    text: str
    start: int
    end: int
    position: int
    colocated: bool


def tokenize(text: str, arguments: str = "", *, query: bool = False) -> list[Token]:
    """Cut `text` into the tokens that `tokenize='cjk <arguments>'` makes of it.

    `arguments` is what stands behind `tokenize=`, with or without the word `cjk` before options.
    With `query` the tokens are those of a search text instead of a document. Lone surrogates,
    which UTF-8 cannot hold, separate like broken bytes do.

    Raises TypeError when `text` is no str, ArgumentError when `arguments` are not allowed: the
    message says which and why.

    >>> [token.text for token in tokenize("学习C++")]
    ['学习', '学', '习', 'c']
    >>> tokenize("ﾃﾞｰﾀ", query=True)[0]
    Token(text='デー', start=0, end=3, position=0, colocated=False)
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    private.refuse_nul(arguments=arguments)
    encoded = text.encode("utf-8", "surrogatepass")
    rows = _rows(encoded, arguments, query)
    characters = _character_offsets(text, encoded, rows)
    return [
        Token(
            bytes(token).decode("utf-8", "replace"),
            characters[start],
            characters[end],
            position,
            bool(colocated),
        )
        for token, start, end, position, colocated in rows
    ]


_Row = tuple[bytes, int, int, int, int]


def _rows(encoded: bytes, arguments: str, query: bool) -> list[_Row]:
    conn = private.connection()
    if conn is None:
        from .reference import tokenize as tokenize_in_python

        tokens = tokenize_in_python(encoded, arguments, query=query)
        return [(_as_bytes(t.token), t.start, t.end, t.position, int(t.colocated)) for t in tokens]
    mode = "query" if query else "document"
    return private.rows(conn, _QUERY, (encoded, arguments, mode))


def _as_bytes(token: str | bytes) -> bytes:
    return token if isinstance(token, bytes) else token.encode("utf-8", "surrogatepass")


def _character_offsets(text: str, encoded: bytes, rows: Iterable[_Row]) -> dict[int, int]:
    """Map the byte offsets that occur to characters, in one pass over the text."""
    wanted = sorted({offset for row in rows for offset in row[1:3]})
    if len(encoded) == len(text):
        return {offset: offset for offset in wanted}
    characters: dict[int, int] = {}
    at_byte = at_character = 0
    for offset in wanted:
        between = encoded[at_byte:offset]
        at_character += len(between.translate(None, _TRAIL_BYTES))
        at_byte = offset
        characters[offset] = at_character
    return characters
