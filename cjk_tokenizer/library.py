"""Words as jieba cuts them, from the compiled library: `cut()` and `tokenize_words()`.

The words are those of jieba 0.42.1, token for token, on any text (`cut`, `cut_all`,
`cut_for_search`, with and without the hidden Markov model), without its second of start-up and its
hundred megabytes: the dictionary is a read-only part of the library, shared by all processes.
Offsets count characters. Time is linear in the text. Any thread may call anything here at any time.
"""

from __future__ import annotations

import ctypes
import math
import operator
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from functools import cache
from typing import Any, NoReturn, Union

from .connect import loadable_path
from .ctypes_view import Signatures, declare, open_library, python_functions
from .errors import ArgumentError, LoadError

_MODES = {"default": 0, "search": 1, "all": 2}
_UTF32 = f"utf-32-{sys.byteorder[0]}e"
_ERROR, _NOMEM = 1, 7
_Log = ctypes.CFUNCTYPE(c_double, c_double)
_WORD_MAX = 63
# Longer texts do not leave their scratch memory to the thread.
_KEPT = 1 << 16

Entries = Union[Iterable[Union[str, tuple[str, Union[int, None]]]], Mapping[str, Union[int, None]]]
"""Words, some with their frequencies."""


def cut(
    text: str, mode: str = "default", hmm: bool = True, *, words: UserWords | None = None
) -> list[str]:
    """Cut `text` into words.

    `mode` is "default" (jieba's `cut`), "search" (`cut_for_search`: long words follow the shorter
    ones inside them) or "all" (`cut(cut_all=True)`: every word there is). `hmm` finds words that
    the dictionary does not know; "all" never does. `words` are laid over the dictionary.

    Raises TypeError when `text` is no str or `words` no UserWords, ArgumentError for another mode,
    MissingLibraryError when there is no compiled library.

    >>> cut("我来到北京清华大学")
    ['我', '来到', '北京', '清华大学']
    >>> cut("清华大学", mode="search")
    ['清华', '华大', '大学', '清华大学']
    """
    if words is None and text.__class__ is str and len(text) <= _KEPT and mode in _MODES:
        return _thread_segmenter().words(text, _MODES[mode], bool(hmm))
    offsets = _offsets(text, mode, hmm, words)
    return [text[start:end] for start, end in zip(offsets, offsets)]


def tokenize_words(
    text: str, mode: str = "default", hmm: bool = True, *, words: UserWords | None = None
) -> list[tuple[str, int, int]]:
    """Cut `text` into words with their places: (word, start, end), counted in characters.

    Arguments and errors are those of `cut`; it holds that `text[start:end] == word`.

    >>> tokenize_words("学习C++")
    [('学习', 0, 2), ('C++', 2, 5)]
    """
    offsets = _offsets(text, mode, hmm, words)
    return [(text[start:end], start, end) for start, end in zip(offsets, offsets)]


def dictionary_fingerprint() -> str:
    """Return 16 hexadecimal digits that change when the dictionary of the library does."""
    library = _library()
    fingerprint: bytes = library.cjk_dictionary_fingerprint(library.cjk_dictionary_builtin())
    return fingerprint.decode("ascii")


class UserWords:
    """Words laid over the dictionary, as jieba's `add_word` does it; they never change afterwards.

    Each word is a str, or a pair of it and its frequency; a dict is taken as such pairs. Without a
    frequency, or with None, it gets the one that keeps it together (jieba's `suggest_freq`);
    frequency 0 takes a word away. The order counts. A copy is the object itself.
    Words are made of Han characters of U+4E00..9FD5, ASCII letters, digits and `+#&._%-`, since
    jieba finds no others, and have at most 63 characters.

    Raises TypeError, ArgumentError with the word and the reason, MissingLibraryError.

    >>> cut("石墨烯量子点"), cut("石墨烯量子点", words=UserWords(["量子点"]))
    (['石墨', '烯', '量子', '点'], ['石墨', '烯', '量子点'])
    """

    def __init__(self, words: Entries) -> None:
        if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
            raise TypeError(
                f"words are a list of str and (str, frequency), or a dict, not {_quoted(words)}"
            )
        self._pointer = None
        self._library = _library()
        self._pointer = _create_user_words(self._library)
        self._words: list[tuple[str, int]] = []
        for entry in words.items() if isinstance(words, Mapping) else words:
            word, frequency = _word_and_frequency(entry)
            self._words.append((word, self._add(word, frequency)))

    def _add(self, word: str, frequency: int | None) -> int:
        if not word or len(word) > _WORD_MAX:
            raise ArgumentError(
                f"the word {word!r} has {len(word)} characters: 1 to 63 are allowed"
            )
        if frequency is None:
            frequency = self._suggest(word)
        if not 0 <= frequency <= 2**32:
            raise ArgumentError(f"the frequency {frequency} of {word!r} is not between 0 and 2**32")
        rc = self._library.cjk_user_words_add(self._pointer, _encoded(word), len(word), frequency)
        _check(rc, word)
        return frequency

    def _suggest(self, word: str) -> int:
        frequency = c_uint64()
        segmenter = _Segmenter(self._library, self._pointer)
        rc = self._library.cjk_words_suggest_frequency(
            segmenter.pointer, _encoded(word), len(word), byref(frequency)
        )
        _check(rc, word)
        return frequency.value

    @property
    def words(self) -> list[tuple[str, int]]:
        """The words in their order, each with the frequency that it got."""
        return list(self._words)

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that depend on the dictionary and on the words in their order."""
        fingerprint: bytes = self._library.cjk_user_words_fingerprint(self._pointer)
        return fingerprint.decode("ascii")

    # A second object with the same address would free it a second time.

    def __copy__(self) -> UserWords:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> UserWords:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("UserWords cannot be pickled: send its `words` and make it of them again")

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self._library.cjk_user_words_free(self._pointer)


def _word_and_frequency(entry: Any) -> tuple[str, int | None]:
    pair = entry if isinstance(entry, tuple) else (entry, None)
    if len(pair) == 2 and isinstance(pair[0], str):
        try:
            return pair[0], None if pair[1] is None else operator.index(pair[1])
        except TypeError:
            pass
    raise TypeError(f"a word is a str or a pair (str, int), not {_quoted(entry)}")


def _quoted(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:60] + '...'}"


# The logarithm that words are weighed with while they are added: never called afterwards.
_log = _Log(math.log)


def _create_user_words(library: ctypes.CDLL) -> int:
    dictionary = library.cjk_dictionary_builtin()
    pointer: int | None = library.cjk_user_words_create(dictionary, _log, None, None)
    if not pointer:
        raise MemoryError("no memory for user words")
    return pointer


def make_user_words(library: ctypes.CDLL, words: Iterable[tuple[str, int]]) -> int:
    """Make the words of a UserWords once more, in another copy of the library.

    Returns the address; the caller owns it.
    """
    declare(library, _SIGNATURES)
    pointer = _create_user_words(library)
    for word, frequency in words:
        _check(library.cjk_user_words_add(pointer, _encoded(word), len(word), frequency), word)
    return pointer


class _Segmenter:
    """A CjkWords of the library: its scratch memory serves one thread at a time."""

    def __init__(self, library: ctypes.CDLL, words: int | None) -> None:
        self._library = library
        self._spans, self._n_spans = POINTER(c_uint32)(), c_size_t()
        self._result = byref(self._spans), byref(self._n_spans)
        self._cut_to_list = _cut_to_list()
        self._strings = ctypes.addressof(_STRINGS)
        dictionary = library.cjk_dictionary_builtin()
        if not dictionary:
            raise LoadError(
                "the library was built without its dictionary: tools/make_dictionary.py"
            )
        self.pointer = library.cjk_words_create(dictionary, words, None, None)
        if not self.pointer:
            raise MemoryError("no memory to cut text")

    def offsets(self, text: str, mode: int, hmm: bool) -> list[int]:
        """Return start and end of each word in turn."""
        rc = self._library.cjk_words_cut(
            self.pointer, _encoded(text), len(text), mode, hmm, *self._result
        )
        if rc:
            _check(rc, text)
        return self._spans[: 2 * self._n_spans.value] if self._spans else []

    def words(self, text: str, mode: int, hmm: bool) -> list[str]:
        """Return the words, made without a detour over offsets."""
        found: Any = self._cut_to_list(self.pointer, self._strings, text, mode, hmm)
        if found.__class__ is int:
            _check(found, text)
        return found  # type: ignore[no-any-return]

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self._library.cjk_words_free(self.pointer)


class _Thread(threading.local):
    """What each thread keeps: a segmenter, so that many short texts are cut at little cost."""

    segmenter: _Segmenter | None = None


_thread = _Thread()


def _thread_segmenter() -> _Segmenter:
    segmenter = _thread.segmenter
    if segmenter is None:
        segmenter = _thread.segmenter = _Segmenter(_library(), None)
    return segmenter


def _offsets(text: str, mode: str, hmm: bool, words: UserWords | None) -> Iterator[int]:
    """Check the arguments and return the start and the end of each word in turn."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    number = _MODES.get(mode)
    if number is None:
        raise ArgumentError(f"mode {mode!r} is not one of {', '.join(map(repr, _MODES))}")
    if not isinstance(words, (UserWords, type(None))):
        raise TypeError(f"words must be UserWords(...), made once of them, not {_quoted(words)}")
    if words is not None:
        segmenter = _Segmenter(words._library, words._pointer)
    elif len(text) > _KEPT:
        segmenter = _Segmenter(_library(), None)
    else:
        segmenter = _thread_segmenter()
    return iter(segmenter.offsets(text, number, bool(hmm)))


def _encoded(text: str) -> bytes:
    return text.encode(_UTF32, "surrogatepass")


def _check(rc: int, text: str) -> None:
    if rc == _NOMEM:
        raise MemoryError(f"no memory to cut {len(text)} characters")
    if rc == _ERROR:
        raise ArgumentError(
            f"the word {text!r} has a character that words never contain: Han of U+4E00..9FD5, "
            f"ASCII letters, digits and +#&._%- are allowed"
        )
    if rc != 0:
        raise ArgumentError(f"a text of {len(text)} characters is too long: cut it in parts")


# CjkPythonStrings.
_STRINGS = python_functions(
    "PyUnicode_GetLength",
    "PyUnicode_AsUCS4Copy",
    "PyMem_Free",
    "PyUnicode_Substring",
    "PyList_New",
    "PyList_SetItem",
    "PyLong_FromLong",
    "Py_DecRef",
)


@cache
def _cut_to_list() -> Any:
    """The function of the library that holds on to the interpreter's lock."""
    function = ctypes.PyDLL(loadable_path()).cjk_words_cut_to_list
    function.restype = ctypes.py_object
    function.argtypes = c_void_p, c_void_p, ctypes.py_object, c_int, c_int
    return function


@cache
def _library() -> ctypes.CDLL:
    """Return the library, loaded once, with the types of its functions declared."""
    return open_library(loadable_path(), _SIGNATURES)


_SIGNATURES: Signatures = {
    "cjk_dictionary_builtin": (c_void_p,),
    "cjk_dictionary_fingerprint": (c_char_p, c_void_p),
    "cjk_user_words_create": (c_void_p, c_void_p, _Log, c_void_p, c_void_p),
    "cjk_user_words_free": (None, c_void_p),
    "cjk_user_words_add": (c_int, c_void_p, c_char_p, c_size_t, c_uint64),
    "cjk_user_words_fingerprint": (c_char_p, c_void_p),
    "cjk_words_create": (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    "cjk_words_free": (None, c_void_p),
    "cjk_words_cut": (
        c_int, c_void_p, c_char_p, c_size_t, c_int, c_int,
        POINTER(POINTER(c_uint32)), POINTER(c_size_t),
    ),
    "cjk_words_suggest_frequency": (c_int, c_void_p, c_char_p, c_size_t, POINTER(c_uint64)),
}  # fmt: skip
