"""Segmenters by name: `register_segmenter("mine", function)`, then `tokenize='cjk segment mine'`.

What is registered here is put into every copy of the library that is loaded, now and later
(loadable.py says why there can be several), so that it serves all connections of the process that
`load`, `connect` and `auto_load` reach, whatever module they belong to. SQLite makes the tokenizer
of a table when a connection first uses it, and again after a change of the schema; each time it is
what stands under the name then. A registration that fails leaves the one before it in force.

A segmenter is called in the thread that runs the statement, in several threads at a time, once for
each stretch of text that it covers; a stretch that came before is answered from memory. It must not
use the connection. At the interpreter's exit calls come to an end, and statements fail.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from ctypes import c_char_p, c_int, c_void_p, py_object
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import loadable
from .ctypes_view import Signatures, open_library, python_functions
from .cutting import Segmenter, checked_name, complain, make_cut, refuse_words
from .errors import ArgumentError, SegmenterError
from .failures import guard_cursors, take_exception

if TYPE_CHECKING:
    from .library import Entries

_OK = 0
# What the C library says when all its places are taken, and what helps.
_FULL = "segmenters already"
_FULL_HINT = (
    ". Connections hold what their open tables use, replaced ones too: close those that are not "
    "needed any more"
)
# Seconds that the interpreter's exit waits for segmenters at work in other threads.
_PATIENCE = 1.0


class _CError(ctypes.Structure):
    _fields_ = [("message", ctypes.c_char * 512)]


# CjkPython.
_PYTHON = python_functions(
    "PyGILState_Ensure",
    "PyGILState_Release",
    "Py_DecRef",
    "PyUnicode_FromStringAndSize",
    "PyUnicode_AsUTF8AndSize",
    "PyLong_FromVoidPtr",
    "PyLong_AsLong",
    "PyObject_CallFunctionObjArgs",
    "PyErr_Fetch",
    "PyErr_Restore",
    "PyErr_NormalizeException",
    "PyException_SetTraceback",
    "PyErr_WriteUnraisable",
    "PyErr_SetInterrupt",
    "PyGILState_GetThisThreadState",
    "PyThreadState_GetInterpreter",
    "PyInterpreterState_Main",
)


for _function in "PyInterpreterState_Get", "PyInterpreterState_Main":
    getattr(ctypes.pythonapi, _function).restype = c_void_p


class _PythonCutter(ctypes.Structure):
    """CjkPythonCutter: the functions of one segmenter."""

    _fields_ = [(name, py_object) for name in ("cut", "refuse", "complain", "fail", "blamed")]


# --- Registering ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Registration:
    """What stands under a name: a function or words."""

    name: str
    languages: str | None = None
    function: Segmenter | None = None
    words: tuple[tuple[str, int | None], ...] = ()


# By name, the newest last. Guarded by loadable.lock, as all of this module's state.
_registrations: dict[str, _Registration] = {}


def register_segmenter(
    name: str, function: Segmenter | None = None, *, languages: str | Iterable[str] | None = None
) -> None:
    """Have `segment NAME` of this process cut text with `function`.

    `function(text)` gets a stretch of folded text (a str, never empty, no blanks) and gives its
    words: an iterable of str that joined are the text, or of pairs (start, end) in characters that
    touch. Without a function the adapter of that name serves ("python_jieba", "fugashi" ...: those
    of `cjk_tokenizer.segmenters.names()`). `languages` ("zh ja"; of zh ja ko th lo km my) limits it
    to stretches in the scripts of these, and makes `segment auto` use it for them; None: any text,
    and not for `auto`. A name (lower-case letters, digits and _) can be given again: it serves
    tables that are opened later, and open ones once a schema changes. So register before the first
    connection, and build an index again when its name gets another meaning. There is room for 256.

    What the function raises fails the statement and rolls its transaction back; connections of
    `connect()` and of apsw raise it, others SQLite's error (see `last_segmenter_error`). The words
    of a text must not depend on anything but the text: they are in the index.

    Raises, all of `cjk_tokenizer.errors`: ArgumentError for a name or languages that are not
    allowed and when there is no room, MissingLibraryError without the compiled library,
    MissingPackageError when the package that an adapter needs is not installed. TypeError when
    `function` is not callable. What was registered before stays in force then.

    >>> import cjk_tokenizer
    >>> register_segmenter("pairs", lambda text: [text[i : i + 2] for i in range(0, len(text), 2)])
    >>> [token.text for token in cjk_tokenizer.tokenize("一二三四五", "segment pairs")]
    ['一二', '三四', '五']
    >>> unregister_segmenter("pairs")
    """
    checked_name(name)
    if function is None:
        found = import_module(".segmenters", __package__).adapter(name)
        function = found.callable
        languages = found.languages if languages is None else languages
    if not callable(function):
        raise TypeError(f"a segmenter must be callable, not {type(function).__name__}")
    _register(_Registration(name, _checked_languages(languages), function))


def add_words(name: str, words: Entries) -> str:
    """Have `segment NAME` cut as `segment jieba` does, with `words` laid over its dictionary.

    Each word is a str, or a pair of it and its frequency, as in `UserWords`; a dict is such pairs.
    Cutting is native and calls no Python. Returns the fingerprint of dictionary and words, which
    `SELECT cjk_dictionary('NAME')` gives as well: an index must be used with the words that it was
    made with. Calling it again replaces the words, as `register_segmenter` replaces a function.

    Raises TypeError and ArgumentError for words and names that are not allowed,
    MissingLibraryError without the compiled library. What was registered before stays then.

    >>> import cjk_tokenizer
    >>> fingerprint = add_words("physics", ["量子点"])
    >>> [token.text for token in cjk_tokenizer.tokenize("石墨烯量子点", "segment physics")]
    ['石墨', '烯', '量子', '量子点', '点']
    >>> unregister_segmenter("physics")
    """
    from .library import UserWords

    checked = UserWords(words)
    _register(_Registration(checked_name(name), words=tuple(checked.words)))
    return checked.fingerprint


def unregister_segmenter(name: str) -> None:
    """Take a name away that `register_segmenter` or `add_words` gave.

    Tables that are open keep it until a schema changes. Raises ArgumentError when there is no such
    name.
    """
    with loadable.lock:
        if _registrations.pop(name, None) is None:
            raise ArgumentError(f"no segmenter {name!r} is registered")
        for library in _libraries.values():
            library.functions.cjk_unregister_segmenter(name.encode())
            library.drop_unused()


def registered_segmenters() -> list[str]:
    """Return the names that are registered, the oldest first."""
    with loadable.lock:
        return list(_registrations)


def _checked_languages(languages: str | Iterable[str] | None) -> str | None:
    if languages is None:
        return None
    given = [languages] if isinstance(languages, str) else languages
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise TypeError(f"languages are a str or some of them, not {type(given).__name__}")
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a language is a str, not {type(name).__name__}")
        if "\0" in name:
            raise ArgumentError(f"{name!r} is no language: it has a NUL in it")
    joined = " ".join(names)
    if not joined.strip(", "):
        raise ArgumentError(
            f"languages={languages!r} names none: give some of zh ja ko th lo km my, or None for "
            "any text"
        )
    return joined


def _register(registration: _Registration) -> None:
    with loadable.lock:
        _library(loadable.loadable_path())
        done: list[_Library] = []
        try:
            for library in _libraries.values():
                library.register(registration)
                done.append(library)
        except BaseException:
            for library in done:
                _restore(library, registration.name)
            raise
        _registrations.pop(registration.name, None)  # so that it becomes the newest
        _registrations[registration.name] = registration
        guard_cursors()


def _restore(library: _Library, name: str) -> None:
    """Take back a registration that another copy of the library refused.

    What it replaced is registered again, and what is newer than that after it: `auto` takes the
    newest of a language.
    """
    library.functions.cjk_unregister_segmenter(name.encode())
    names = list(_registrations)
    for later in names[names.index(name) :] if name in names else []:
        with suppress(ArgumentError, MemoryError):  # a newer one that finds no place stays as it is
            library.register(_registrations[later])
    library.drop_unused()


# --- Copies of the library ------------------------------------------------------------------------


@dataclass
class _Library:
    """One file of the library that is loaded."""

    functions: ctypes.CDLL
    is_apsw: bool = False
    """Whether it serves apsw, which looks for exceptions that its thread has set."""
    held: list[tuple[int, Any]] = field(default_factory=list)
    """Handle and callback of each function that C may still call."""
    interpreter: int | None = None
    """The handle of this interpreter, once a function is registered."""

    def register(self, registration: _Registration) -> None:
        error = _CError()
        name = registration.name.encode()
        if registration.function is None:
            is_done = self._register_words(name, registration.words, error)
        else:
            is_done = self._register_function(name, registration, error)
        if not is_done:
            message = error.message.decode("utf-8", "replace")
            raise ArgumentError(message + (_FULL_HINT if _FULL in message else ""))
        self.drop_unused()

    def _register_function(self, name: bytes, registration: _Registration, error: _CError) -> bool:
        if self.interpreter is None:
            self.interpreter = self._open_interpreter()
        cutter = self._make_cutter(registration)
        languages = registration.languages
        handle = self.functions.cjk_register_interpreted(
            name,
            None if languages is None else languages.encode("utf-8", "replace"),
            self.interpreter,
            ctypes.byref(cutter),
            ctypes.byref(error),
        )
        if handle:
            self.held.append((handle, cutter))
        return bool(handle)

    def _open_interpreter(self) -> int:
        state = _current_interpreter()
        handle: int | None = self.functions.cjk_open_interpreter(ctypes.byref(_PYTHON), state)
        if handle is None:
            raise MemoryError("no memory to register a segmenter")
        return handle

    def close_interpreter(self) -> int:
        """Let C enter this interpreter no more; the number of calls that are still inside."""
        if self.interpreter is None:
            return 0
        inside: int = self.functions.cjk_close_interpreter(self.interpreter)
        return inside

    def _register_words(self, name: bytes, words: Iterable[Any], error: _CError) -> bool:
        from .library import make_user_words

        pointer = make_user_words(self.functions, words)
        rc = self.functions.cjk_register_words(name, pointer, ctypes.byref(error))
        if rc != _OK:
            self.functions.cjk_user_words_free(pointer)
        return bool(rc == _OK)

    def drop_unused(self) -> None:
        """Let go of functions that no tokenizer uses any more."""
        self.held = [
            (handle, callback)
            for handle, callback in self.held
            if self.functions.cjk_interpreted_is_used(handle)
        ]

    def _make_cutter(self, registration: _Registration) -> _PythonCutter:
        function, name = registration.function, registration.name
        assert function is not None

        def fail(error: BaseException, message: int) -> int:
            answer = take_exception(error, sys._getframe().f_back, self.is_apsw, message)
            if isinstance(error, SegmenterError) and not str(error).startswith("segmenter "):
                error.args = (f"segmenter {name}: {error}",)
            return answer

        return _PythonCutter(make_cut(function), refuse_words, complain, fail, function)


_libraries: dict[str, _Library] = {}


def install(path: str, host: str) -> None:
    """Put what is registered into the library at `path`, which has been loaded for `host`.

    Raises LoadError when it is of a version that knows no registered segmenters.
    """
    library = _libraries.get(path)
    if library is None:
        with loadable.lock:
            library = _library(path)
    library.is_apsw = host == "apsw"


def _library(path: str) -> _Library:
    """Return the library of a path; a new one gets all that is registered."""
    if path not in _libraries:
        library = _Library(open_library(path, _SIGNATURES))
        for registration in _registrations.values():
            library.register(registration)
        if not _libraries:
            atexit.register(_close, os.getpid())
        _libraries[path] = library
    return _libraries[path]


_SIGNATURES: Signatures = {
    "cjk_register_interpreted": (c_void_p, c_char_p, c_char_p, c_void_p, c_void_p, c_void_p),
    "cjk_interpreted_is_used": (c_int, c_void_p),
    "cjk_open_interpreter": (c_void_p, c_void_p, c_void_p),
    "cjk_close_interpreter": (c_int, c_void_p),
    "cjk_register_words": (c_int, c_char_p, c_void_p, c_void_p),
    "cjk_unregister_segmenter": (c_int, c_char_p),
    "cjk_user_words_free": (None, c_void_p),
}


def _close(owner: int) -> None:
    """Keep C out of this interpreter, and wait for the threads that are inside segmenters."""
    libraries = list(_libraries.values())
    patience = _PATIENCE if os.getpid() == owner else 0  # a forked child has no such threads
    deadline = time.monotonic() + patience
    while sum([library.close_interpreter() for library in libraries]):
        if time.monotonic() >= deadline:
            break
        time.sleep(0.002)
    if _current_interpreter() != ctypes.pythonapi.PyInterpreterState_Main():
        _forget_functions()  # the process goes on


def _forget_functions() -> None:
    with loadable.lock:
        for registration in _registrations.values():
            for library in _libraries.values() if registration.function else ():
                library.functions.cjk_unregister_segmenter(registration.name.encode())


def _current_interpreter() -> int:
    state: int = ctypes.pythonapi.PyInterpreterState_Get()
    return state
