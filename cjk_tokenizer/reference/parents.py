"""Parent tokenizers: what makes tokens of the word stretches.

unicode61 is plain Python here. Any other belongs to a connection: in `register_reference` the
one that is registered into, in `tokenize` a private one of apsw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cjk_tokenizer.errors import ArgumentError

from .analyzer import Parent, ParentToken
from .unicode61 import Unicode61

if TYPE_CHECKING:
    import apsw


def find_parent(parent: Sequence[str]) -> Parent:
    """The parent tokenizer of that name with those arguments, outside of any connection."""
    if is_unicode61(parent):
        return shared_unicode61(tuple(parent[1:]))
    try:
        conn = _private_connection()
    except ImportError as error:
        raise ArgumentError(
            f"no option and no tokenizer that works here: {parent[0]!r}. Options: see "
            "docs/stream.md; parent tokenizers other than unicode61 need apsw (pip install apsw)"
        ) from error
    return ApswParent(conn, parent)


def is_unicode61(parent: Sequence[str]) -> bool:
    return parent[0].lower() == "unicode61"


@lru_cache(maxsize=64)
def shared_unicode61(arguments: tuple[str, ...]) -> Unicode61:
    """One tokenizer for equal arguments: what it has learnt of characters is kept."""
    return Unicode61(arguments)


@lru_cache(maxsize=1)
def _private_connection() -> apsw.Connection:
    import apsw

    return apsw.Connection(":memory:")


class ApswParent:
    """A tokenizer that is registered in an apsw connection."""

    def __init__(self, conn: apsw.Connection, parent: Sequence[str]) -> None:
        import apsw

        try:
            self._tokenizer = conn.fts5_tokenizer(parent[0], list(parent[1:]))
        except apsw.Error as error:
            raise ArgumentError(unknown_parent(parent)) from error

    def __call__(self, text: bytes, flags: int, locale: str | None) -> Iterator[ParentToken]:
        found: Any = self._tokenizer(text, flags, locale)
        for start, end, token, *colocated in found:
            yield ParentToken(token, start, end)
            for each in colocated:
                yield ParentToken(each, start, end, True)


def unknown_parent(parent: Sequence[str]) -> str:
    return (
        f"{parent[0]!r} is no option and no tokenizer of this connection that takes the "
        f"arguments {' '.join(parent[1:])!r}; the options are listed in docs/stream.md"
    )
