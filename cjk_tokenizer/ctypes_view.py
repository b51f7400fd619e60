"""What the ctypes views of the library have in common (library.py, segmenting.py)."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p
from typing import Any

from .errors import LoadError

Signatures = dict[str, tuple[Any, ...]]
"""By the name of a C function: what it returns, then its arguments, as ctypes types."""


def open_library(path: str, signatures: Signatures) -> ctypes.CDLL:
    """Load the library at `path` and declare the types of its functions.

    Raises LoadError when it cannot be loaded or lacks one of them.
    """
    try:
        library = ctypes.CDLL(path)
        declare(library, signatures)
    except (OSError, AttributeError) as error:
        raise LoadError(f"{path} is no library of this version: {error}") from error
    return library


def declare(library: ctypes.CDLL, signatures: Signatures) -> None:
    """Declare the types of functions; AttributeError for one that the library lacks."""
    for name, (result, *arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


def python_functions(*names: str) -> ctypes.Array[c_void_p]:
    """The addresses of functions of this interpreter: in C a struct of pointers to them."""
    functions = [getattr(ctypes.pythonapi, name) for name in names]
    addresses = [ctypes.cast(function, c_void_p) for function in functions]
    return (c_void_p * len(addresses))(*addresses)
