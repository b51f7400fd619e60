"""Optional packages: imported at first use, one warning for each that is missing.

A package that is absent, or that does not work (a dictionary is missing, an old release), never
raises: the caller gets None and goes on to its next best way.
"""

from __future__ import annotations

import threading
import warnings
from typing import Any, Callable

_lock = threading.RLock()
_loaded: dict[str, Any] = {}
_warned: set[str] = set()


class MissingPackageWarning(UserWarning):
    """An optional package is missing or does not work; the message says what to install."""


def load_package(name: str, make: Callable[[], Any]) -> Any | None:
    """What `make` returns, made once for each name; None when it cannot be made."""
    with _lock:
        if name not in _loaded:
            try:
                _loaded[name] = make()
            except Exception:  # whatever an absent or broken package raises
                _loaded[name] = None
        return _loaded[name]


def is_loaded(name: str) -> bool:
    """Whether `load_package` has made this one already."""
    return _loaded.get(name) is not None


def warn_missing(package: str, consequence: str) -> None:
    """One warning for a package: what happens without it, and what to install."""
    with _lock:
        if package in _warned:
            return
        _warned.add(package)
    warnings.warn(
        f"{package} is not installed or does not work: {consequence}. Install it: "
        f"pip install {package}",
        MissingPackageWarning,
        stacklevel=4,
    )


def forget_packages() -> None:
    """Forget what was loaded and what was warned of: for tests."""
    with _lock:
        _loaded.clear()
        _warned.clear()
