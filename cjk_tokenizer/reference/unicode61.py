"""SQLite's unicode61 in plain Python: same tokens, same offsets.

Which characters are token characters, which are diacritics and what they fold to is asked from
the real unicode61 of the standard library's SQLite, a block of 128 code points at a time, when
a text first holds one of them: through a private FTS5 table in memory and its fts5vocab. That
costs a few milliseconds a block, once for each set of arguments.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cjk_tokenizer.errors import ArgumentError, UnsupportedSQLiteError

from .analyzer import ParentToken
from .characters import BREAK, decode

BLOCK = 128
SURROGATES = (0xD800, 0xDFFF)


class Facts(NamedTuple):
    """What unicode61 thinks of one code point."""

    starts: bool  # a token may begin with it
    continues: bool  # it may stand inside a token
    folded: str  # what it adds to the token; empty for a diacritic that is removed


class Unicode61:
    """The tokenizer unicode61 with its arguments, as a parent for word stretches.

    Raises ArgumentError when unicode61 refuses the arguments.

    >>> [token.token for token in Unicode61()("Crème brûlée".encode())]
    ['creme', 'brulee']
    """

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self._whole = _Vocabulary(arguments)
        # Whether a character that starts no token is a diacritic does not depend on the other
        # arguments: it is seen between letters, which are token characters by default.
        self._diacritics = _Vocabulary(_only("remove_diacritics", arguments))
        self._blocks: dict[int, list[Facts]] = {}
        self._lock = threading.Lock()

    def __call__(
        self, text: bytes, flags: int = 0, locale: str | None = None
    ) -> Iterator[ParentToken]:
        """Yield the tokens of a UTF-8 text; offsets in bytes."""
        token: list[str] = []
        first = last = -1
        for code_point, start, end in decode(text):
            facts = self.facts(code_point)
            if first >= 0 and not facts.continues:
                yield ParentToken("".join(token), first, last)
                token, first = [], -1
            if first < 0 and facts.starts:
                first = start
            if first >= 0:
                token.append(facts.folded)
                last = end
        if first >= 0:
            yield ParentToken("".join(token), first, last)

    def facts(self, code_point: int) -> Facts:
        """What unicode61 thinks of the code point; a break is a separator."""
        if code_point == BREAK:
            return Facts(False, False, "")
        block = code_point // BLOCK
        if block not in self._blocks:
            with self._lock:
                self._blocks[block] = self._ask(block * BLOCK)
        return self._blocks[block][code_point % BLOCK]

    def _ask(self, first: int) -> list[Facts]:
        block = [n for n in range(first, first + BLOCK) if not SURROGATES[0] <= n <= SURROGATES[1]]
        alone = self._whole.tokens({n: chr(n) for n in block})
        # One token where the character is a diacritic: nothing, and then "a.a".
        inside = self._diacritics.tokens({n: f"{chr(n)} a{chr(n)}a" for n in block})
        facts: list[Facts] = []
        for code_point in range(first, first + BLOCK):
            if code_point in alone:
                facts.append(Facts(True, True, alone[code_point][0]))
            elif len(tokens := inside.get(code_point, [])) == 1:
                facts.append(Facts(False, True, tokens[0][1:-1]))
            else:
                facts.append(Facts(False, False, ""))
        return facts


class _Vocabulary:
    """Tokens that the real unicode61 makes of texts, without their offsets."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._conn = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        words = " ".join("'" + word.replace("'", "''") + "'" for word in arguments)
        tokenize = f"unicode61 {words}".replace('"', '""')
        try:
            self._conn.execute("CREATE VIRTUAL TABLE probe USING fts5(x, content='')")
        except sqlite3.OperationalError as error:
            raise UnsupportedSQLiteError(
                f"the sqlite3 module of this Python has no FTS5 ({error}), and the tokenizer in "
                "plain Python asks its unicode61 for the classes of characters"
            ) from error
        try:
            self._conn.execute(
                f"""CREATE VIRTUAL TABLE texts USING fts5(x, content='', tokenize="{tokenize}")"""
            )
        except sqlite3.OperationalError as error:
            raise ArgumentError(
                f"unicode61 refuses its arguments {' '.join(arguments)!r}: allowed are pairs of "
                "remove_diacritics (0, 1, 2), tokenchars, separators (characters), "
                "categories (such as 'L* N* Co')"
            ) from error
        self._conn.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, instance)")

    def tokens(self, texts: Mapping[int, str]) -> dict[int, list[str]]:
        """The tokens of each text, by the number of the text."""
        found: dict[int, list[str]] = {}
        rows = "INSERT INTO texts(rowid, x) VALUES (?, ?)"
        self._conn.execute("BEGIN")
        self._conn.executemany(rows, texts.items())
        for number, term in self._conn.execute("SELECT doc, term FROM terms ORDER BY doc, offset"):
            found.setdefault(number, []).append(term or "")  # an empty term reads as NULL
        self._conn.execute("INSERT INTO texts(texts) VALUES ('delete-all')")
        self._conn.execute("COMMIT")
        return found


def _only(name: str, arguments: Sequence[str]) -> list[str]:
    pairs = zip(arguments[::2], arguments[1::2])
    return [word for pair in pairs if pair[0].lower() == name for word in pair]
