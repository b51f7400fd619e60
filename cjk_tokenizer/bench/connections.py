"""Connections that know a contender's tokenizer; used in the worker's process alone.

All contenders run in one and the same SQLite where they can: apsw's where it is installed (newer,
and its tokenizers need it), else that of the module sqlite3. The contender through sqlitefts has to
use the latter.
"""

from __future__ import annotations

import ctypes
import importlib.util
import logging
import sqlite3
from importlib import import_module
from typing import Any, Callable

from cjk_tokenizer import Error
from cjk_tokenizer.connect import load
from cjk_tokenizer.stdlib_sqlite import stdlib_sqlite

from .contenders import Contender

SECONDS_TO_WAIT = 30  # for another writer


def host_of(contender: Contender) -> str:
    """The module whose connections the contender is measured in."""
    if contender.host is not None:
        return contender.host
    return "apsw" if importlib.util.find_spec("apsw") is not None else "sqlite3"


def open_plain(contender: Contender, path: str) -> Any:
    """A connection without the tokenizer. It commits by itself."""
    if host_of(contender) == "apsw":
        import apsw

        conn: Any = apsw.Connection(path)
        conn.set_busy_timeout(SECONDS_TO_WAIT * 1000)
    else:
        conn = sqlite3.connect(path, timeout=SECONDS_TO_WAIT, isolation_level=None)
    conn.execute("PRAGMA cache_size = -65536")
    return conn


def set_up(contender: Contender, conn: Any) -> None:
    """Makes the contender's tokenizer known to the connection."""
    SETUPS[contender.setup](contender, conn)


def version_of_sqlite(conn: Any) -> str:
    return str(conn.execute("SELECT sqlite_version()").fetchone()[0])


# ---------------------------------------------------------------- one function a kind of setup


def _nothing(contender: Contender, conn: Any) -> None:
    return None


def _native(contender: Contender, conn: Any) -> None:
    load(conn, fallback=False)


def _extension(contender: Contender, conn: Any) -> None:
    assert contender.extension is not None
    load_library(conn, contender.extension, contender.entry)


def load_library(conn: Any, path: str, entry: str | None = None) -> None:
    """Loads any library into a connection of apsw or sqlite3. Error says why it cannot be."""
    try:
        _load_library(conn, path, entry)
    except Exception as error:
        raise Error(f"{path} cannot be loaded: {_why_not_loaded(path, error)}") from error


def _why_not_loaded(path: str, error: Exception) -> str:
    """The system's own reason: SQLite tells that of the last name it tried, with a suffix added."""
    try:
        ctypes.CDLL(path)
    except OSError as reason:
        return str(reason).replace(f"{path}: ", "")
    return str(error)


def _load_library(conn: Any, path: str, entry: str | None) -> None:
    if not isinstance(conn, sqlite3.Connection):
        conn.enable_load_extension(True)
        conn.load_extension(path, entry)
    elif entry is None and hasattr(conn, "enable_load_extension"):
        conn.enable_load_extension(True)
        conn.load_extension(path)
    else:
        stdlib_sqlite().load_extension(conn, path, entry)


def _apsw(contender: Contender, conn: Any) -> None:
    import apsw.fts5

    for name, tokenizer in apsw.fts5.map_tokenizers.items():
        conn.register_fts5_tokenizer(name, tokenizer)


def _reference(contender: Contender, conn: Any) -> None:
    from cjk_tokenizer.reference import register_reference

    register_reference(conn)


Words = Callable[[str], Any]  # text -> (word, start, end) of each word, in characters


def _jieba_words() -> Words:
    jieba: Any = import_module("jieba")
    jieba.setLogLevel(logging.WARNING)

    def words(text: str) -> Any:
        return jieba.tokenize(text, mode="search")

    return words


def _rjieba_words() -> Words:
    rjieba: Any = import_module("rjieba")

    def words(text: str) -> Any:
        return rjieba.tokenize(text, mode="search")

    return words


def _register_in_apsw(name: str, words: Words, conn: Any) -> None:
    import apsw.fts5

    @apsw.fts5.StringTokenizer
    def make(_conn: Any, _arguments: list[str]) -> Any:
        def tokenize(text: str, _flags: int, _locale: str | None) -> Any:
            for word, start, end in words(text):
                if word[0].isalnum():
                    yield start, end, word.lower()

        return tokenize

    conn.register_fts5_tokenizer(name, make)


def _jieba_apsw(contender: Contender, conn: Any) -> None:
    _register_in_apsw("jieba", _jieba_words(), conn)


def _rjieba_apsw(contender: Contender, conn: Any) -> None:
    _register_in_apsw("rjieba", _rjieba_words(), conn)


def _jieba_sqlitefts(contender: Contender, conn: Any) -> None:
    fts5: Any = import_module("sqlitefts.fts5")
    words = _jieba_words()

    class Tokenizer:
        def tokenize(self, text: str, flags: int) -> Any:
            bytes_before = [0]  # of each character
            for character in text:
                bytes_before.append(bytes_before[-1] + len(character.encode()))
            for word, start, end in words(text):
                if word[0].isalnum():
                    yield word.lower(), bytes_before[start], bytes_before[end]

    if not fts5.register_tokenizer(conn, "jieba", fts5.make_fts5_tokenizer(Tokenizer())):
        raise RuntimeError("sqlitefts could not register its tokenizer")


SETUPS: dict[str, Callable[[Contender, Any], None]] = {
    "none": _nothing,
    "native": _native,
    "extension": _extension,
    "apsw": _apsw,
    "reference": _reference,
    "jieba-apsw": _jieba_apsw,
    "jieba-sqlitefts": _jieba_sqlitefts,
    "rjieba-apsw": _rjieba_apsw,
}
