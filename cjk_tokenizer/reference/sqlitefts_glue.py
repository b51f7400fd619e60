"""The tokenizer in plain Python for connections of the standard library, through sqlitefts.

sqlitefts 1.0.1 finds the FTS5 of a connection and declares its structures to cffi; both are used
here. Its own tokenizer callbacks are not: they cut text at NUL, know no colocated tokens, index
nothing and say nothing when Python raises, and are called when the interpreter is half gone if a
connection is still open at exit. So the three callbacks are our own:

* text comes as bytes of its length; tokens go with their flags and their own offsets; the return
  code of FTS5's callback ends the loop and is passed on;
* an exception makes the statement fail; connections of connect() raise it, for others its text
  becomes a RuntimeWarning, since cffi lets none through; while a row is written the whole
  transaction is rolled back (SQLITE_INTERRUPT), since SQLite would keep the row without its index;
* xDelete is SQLite's own sqlite3_free: nothing of Python runs when a connection is closed late.

What SQLite hands back to us, for a registered name and for an instance of the tokenizer, is a piece
of its own memory that holds a number. What the number stands for is kept for ever: one analyzer for
each distinct list of arguments, and each cutter of runs.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sys
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cjk_tokenizer.errors import (
    ArgumentError,
    Error,
    UnsupportedConnectionError,
    UnsupportedSQLiteError,
)
from cjk_tokenizer.failures import guard_cursors, keep_exception

from .analyzer import COLOCATED, DOCUMENT, Analyzer, CutRun, Parent, ParentToken
from .options import parse
from .parents import is_unicode61, shared_unicode61, unknown_parent

SQLITE_OK, SQLITE_ERROR, SQLITE_NOMEM, SQLITE_INTERRUPT = 0, 1, 7, 9

_analyzers: list[Analyzer] = []
_numbers: dict[tuple[int, int, tuple[str, ...]], int] = {}
_cutters: list[CutRun] = []


def register_sqlitefts(conn: Any, name: str, cut_run: CutRun) -> None:
    """Register the tokenizer under that name.

    Raises UnsupportedConnectionError when sqlitefts is missing or cannot reach the SQLite of the
    connection, UnsupportedSQLiteError when that has no FTS5.
    """
    if not isinstance(conn, _sqlite3.Connection):
        # sqlitefts would hand its pointer to another copy of SQLite.
        raise UnsupportedConnectionError(
            f"{type(conn).__module__}.{type(conn).__qualname__} is no connection of the standard "
            "library's own sqlite3, the only one that sqlitefts reaches"
        )
    glue = load_glue()
    try:
        api = glue.fts5.fts5_api_from_db(conn)
    except glue.error as error:
        raise UnsupportedSQLiteError(
            f"the SQLite of this connection has no FTS5: {error}"
        ) from error
    if not api:
        raise UnsupportedSQLiteError("the SQLite of this connection has no FTS5")
    context = glue.make_context(api, cut_run)
    rc = api.xCreateTokenizer(api, name.encode(), context, glue.methods, glue.free)
    if rc != SQLITE_OK:
        raise UnsupportedConnectionError(f"FTS5 refused the tokenizer {name!r} with code {rc}")
    guard_cursors()


@lru_cache(maxsize=1)
def load_glue() -> _Glue:
    """Import sqlitefts, once."""
    try:
        import sqlitefts
        from sqlitefts import fts5
    except ImportError as error:
        raise UnsupportedConnectionError(
            "the tokenizer in plain Python reaches connections of the sqlite3 module through "
            f"sqlitefts, which did not import ({error}): pip install sqlitefts, or use apsw"
        ) from error
    return _Glue(fts5, sqlitefts.Error)


class _Glue:
    """The callbacks, and what of sqlitefts they need."""

    def __init__(self, fts5: Any, error: type[Exception]) -> None:
        self.fts5 = fts5
        self.error = error
        self.ffi = ffi = fts5.ffi
        ffi.cdef(
            "void *sqlite3_malloc(int); void sqlite3_free(void *);"
            "typedef struct { fts5_api *api; int cutter; } CjkContext;"
        )
        self.free = ffi.cast("void(*)(void *)", fts5.dll.sqlite3_free)
        callback = ffi.callback
        create = callback(
            "int(void *, const char **, int, Fts5Tokenizer **)", self.create, SQLITE_ERROR, warn
        )
        tokenize = callback(
            "int(Fts5Tokenizer *, void *, int, const char *, int, "
            "int(void *, int, const char *, int, int, int))",
            self.tokenize,
            SQLITE_INTERRUPT,  # also when `warn` raises
            warn,
        )
        delete = ffi.cast("void(*)(Fts5Tokenizer *)", fts5.dll.sqlite3_free)
        self.collect = callback(
            "int(void *, int, const char *, int, int, int)", self.collect_token, SQLITE_ERROR, warn
        )
        self.methods = ffi.new("fts5_tokenizer *", [create, delete, tokenize])
        # SQLite may call them as long as a connection lives, which is longer than this module.
        for immortal in (create, tokenize):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(immortal))

    def make_context(self, api: Any, cut_run: CutRun) -> Any:
        """What xCreate gets: the API, which finds parent tokenizers, and the cutter's number."""
        context = self.fts5.dll.sqlite3_malloc(self.ffi.sizeof("CjkContext"))
        if not context:
            raise MemoryError("no memory to register a tokenizer")
        if cut_run not in _cutters:
            _cutters.append(cut_run)
        fields = self.ffi.cast("CjkContext *", context)
        fields.api, fields.cutter = api, _cutters.index(cut_run)
        return context

    def create(self, context: Any, argv: Any, argc: int, out: Any) -> int:
        arguments = tuple(self.ffi.string(argv[i]).decode() for i in range(argc))
        fields = self.ffi.cast("CjkContext *", context)
        number = self.number_of(fields.api, fields.cutter, arguments)
        memory = self.fts5.dll.sqlite3_malloc(self.ffi.sizeof("int"))
        if not memory:
            return SQLITE_NOMEM
        self.ffi.cast("int *", memory)[0] = number
        out[0] = self.ffi.cast("Fts5Tokenizer *", memory)
        return SQLITE_OK

    def number_of(self, api: Any, cutter: int, arguments: tuple[str, ...]) -> int:
        options = parse(arguments)
        parent: Parent
        if is_unicode61(options.parent):
            owner, parent = 0, shared_unicode61(options.parent[1:])
        else:
            owner = int(self.ffi.cast("intptr_t", api))
            parent = NativeParent(self, api, options.parent)
        key = owner, cutter, arguments
        if key not in _numbers:
            _analyzers.append(Analyzer(options, parent, _cutters[cutter]))
            _numbers[key] = len(_analyzers) - 1
        return _numbers[key]

    def tokenize(
        self, instance: Any, context: Any, flags: int, text: Any, n_bytes: int, emit: Any
    ) -> int:
        analyzer = _analyzers[self.ffi.cast("int *", instance)[0]]
        utf8 = bytes(self.ffi.buffer(text, n_bytes)) if n_bytes > 0 else b""
        try:
            tokens = list(analyzer.tokens(utf8, flags))
        except BaseException as error:
            if not keep_exception(error, sys._getframe().f_back):
                warn(type(error), error, None)
            return SQLITE_INTERRUPT if flags & DOCUMENT else SQLITE_ERROR
        for each in tokens:
            token = each.token.encode()
            flag = COLOCATED if each.colocated else 0
            rc: int = emit(
                context, flag, self.ffi.from_buffer(token), len(token), each.start, each.end
            )
            if rc != SQLITE_OK:
                return rc
        return SQLITE_OK

    def collect_token(
        self, tokens: Any, flags: int, token: Any, n_bytes: int, start: int, end: int
    ) -> int:
        text = bytes(self.ffi.buffer(token, n_bytes)).decode("utf-8", "replace")
        self.ffi.from_handle(tokens).append(ParentToken(text, start, end, bool(flags & COLOCATED)))
        return SQLITE_OK


class NativeParent:
    """A tokenizer that is registered in the connection.

    An instance is made for each call and deleted after it, so none outlives the connection.
    """

    def __init__(self, glue: _Glue, api: Any, parent: Sequence[str]) -> None:
        self.glue = glue
        self.api = api
        self.parent = parent
        self(b"", 0, None)

    def __call__(self, text: bytes, flags: int, locale: str | None) -> list[ParentToken]:
        ffi = self.glue.ffi
        context, methods = ffi.new("void **"), ffi.new("fts5_tokenizer *")
        name, *arguments = (ffi.new("char[]", word.encode()) for word in self.parent)
        instance = ffi.new("Fts5Tokenizer **")
        rc = self.api.xFindTokenizer(self.api, name, context, methods)
        if rc == SQLITE_OK:
            argv = ffi.new("const char *[]", arguments)
            rc = methods.xCreate(context[0], argv, len(arguments), instance)
        if rc != SQLITE_OK:
            raise ArgumentError(unknown_parent(self.parent))
        tokens: list[ParentToken] = []
        try:
            handle = ffi.new_handle(tokens)
            rc = methods.xTokenize(
                instance[0], handle, flags, ffi.from_buffer(text), len(text), self.glue.collect
            )
        finally:
            methods.xDelete(instance[0])
        if rc != SQLITE_OK:
            raise Error(f"the parent tokenizer {self.parent[0]!r} failed with code {rc}")
        return tokens


def warn(kind: type[BaseException], error: BaseException, where: Any) -> None:
    """Say what FTS5 has no way to say."""
    warnings.warn(f"cjk: {kind.__name__}: {error}", RuntimeWarning, stacklevel=2)
