"""What can go wrong, as exceptions whose messages say what happened and what to do.

Everything that this package raises on purpose is an `Error`; bad values are a `ValueError` as
well. Falling back to the slower tokenizer in plain Python is a warning, `FallbackWarning`.
"""

from __future__ import annotations


class Error(Exception):
    """The base of all errors of this package."""


class LoadError(Error):
    """The library did not get into the connection."""


class MissingLibraryError(LoadError):
    """There is no compiled library at the place where it should be."""


class UnsupportedSQLiteError(LoadError):
    """This SQLite offers no way to load a library into it."""


class UnsupportedConnectionError(LoadError):
    """This object is no open connection of a kind that we know."""


class ArgumentError(Error, ValueError):
    """An argument has a value that is not allowed: the message names the allowed ones."""


class SegmenterError(Error):
    """A segmenter did not give the words of its text: the message says what was wrong."""


class MissingPackageError(Error):
    """An optional package is absent or does not work: the message says what to install."""


class FallbackWarning(UserWarning):
    """The tokenizer in plain Python serves this connection: same tokens, many times slower."""
