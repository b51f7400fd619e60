"""The tokenizer as a C program calls it: xCreate, xTokenize with a callback, xDelete.

Through ctypes, with the SQLite of Python's sqlite3 module. What SQL cannot show is seen here: flags
of all kinds, and what happens when the callback returns something else than SQLITE_OK.
"""

from __future__ import annotations

import ctypes
import sqlite3
from collections.abc import Callable
from typing import Any

from cjk_tokenizer.stdlib_sqlite import _read_pointer, stdlib_sqlite

OK, DONE = 0, 101
QUERY, PREFIX, DOCUMENT, AUX = 1, 2, 4, 8

_Text = ctypes.POINTER(ctypes.c_char)
_OnToken = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, _Text, ctypes.c_int, ctypes.c_int, ctypes.c_int
)


class _Module(ctypes.Structure):
    _fields_ = (
        (
            "create",
            ctypes.CFUNCTYPE(
                ctypes.c_int,
                ctypes.c_void_p,
                ctypes.POINTER(ctypes.c_char_p),
                ctypes.c_int,
                ctypes.POINTER(ctypes.c_void_p),
            ),
        ),
        ("delete", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        (
            "tokenize",
            ctypes.CFUNCTYPE(
                ctypes.c_int,
                ctypes.c_void_p,
                ctypes.c_void_p,
                ctypes.c_int,
                _Text,
                ctypes.c_int,
                _OnToken,
            ),
        ),
    )


class _Api(ctypes.Structure):
    """fts5_api, as far as version 2 has it."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("create_tokenizer", ctypes.c_void_p),
        (
            "find_tokenizer",
            ctypes.CFUNCTYPE(
                ctypes.c_int,
                ctypes.c_void_p,
                ctypes.c_char_p,
                ctypes.POINTER(ctypes.c_void_p),
                ctypes.POINTER(_Module),
            ),
        ),
    )


# (flags, token, start, end) -> the code to return.
OnToken = Callable[[int, bytes, int, int], int]


class RawTokenizer:
    """One tokenizer of a connection. Raises LookupError where the name or arguments are refused."""

    def __init__(self, conn: sqlite3.Connection, name: str, *arguments: str) -> None:
        api = _fts5_api(conn)
        user = ctypes.c_void_p()
        self._module = _Module()
        if api.contents.find_tokenizer(
            ctypes.cast(api, ctypes.c_void_p), name.encode(), user, self._module
        ):
            raise LookupError(name)
        argv = (ctypes.c_char_p * (len(arguments) + 1))(*(a.encode() for a in arguments))
        self._instance = ctypes.c_void_p()
        if self._module.create(user, argv, len(arguments), self._instance):
            raise LookupError(arguments)

    def tokenize(self, text: bytes, flags: int, on_token: OnToken) -> int:
        """The return code; the text lies in memory of exactly its size."""

        def call(_: int, token_flags: int, token: bytes, n: int, start: int, end: int) -> int:
            return on_token(token_flags, ctypes.string_at(token, n), start, end)

        memory = (ctypes.c_char * len(text)).from_buffer_copy(text) if text else None
        pointer = ctypes.cast(memory, _Text) if memory else _Text()
        return int(
            self._module.tokenize(self._instance, None, flags, pointer, len(text), _OnToken(call))
        )

    def close(self) -> None:
        self._module.delete(self._instance)


def _fts5_api(conn: sqlite3.Connection) -> Any:
    sqlite = stdlib_sqlite()
    functions = sqlite._functions
    functions.sqlite3_prepare_v2.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.c_void_p,
    ]
    functions.sqlite3_bind_pointer.argtypes = [
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_void_p,
    ]
    functions.sqlite3_step.argtypes = [ctypes.c_void_p]
    functions.sqlite3_finalize.argtypes = [ctypes.c_void_p]
    database = _read_pointer(conn, sqlite._offset)
    statement = ctypes.c_void_p()
    api = ctypes.POINTER(_Api)()
    functions.sqlite3_prepare_v2(database, b"SELECT fts5(?1)", -1, statement, None)
    functions.sqlite3_bind_pointer(statement, 1, ctypes.addressof(api), b"fts5_api_ptr", None)
    functions.sqlite3_step(statement)
    functions.sqlite3_finalize(statement)
    return api
