"""The file of the compiled library: where it is, and copies of it for a second SQLite.

One mapped library serves one copy of SQLite (csrc/sqlite/extension.c says why). A process that
holds two, `sqlite3` and `apsw` say, needs a second file with an inode of its own: a symbolic link
is the same library to the dynamic loader. Such a copy lives in a temporary directory until the
process exits. Its owner holds a lock on it, which the kernel drops however the process ends, so
that the next process which needs a copy removes what a killed one left behind.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
import threading
from importlib.resources import files

from .errors import MissingLibraryError

try:
    import fcntl
except ImportError:  # Windows itself keeps a loaded library from being removed.
    fcntl = None  # type: ignore[assignment]

ENTRY_POINT = "sqlite3_cjk_init"
AUTO_ENTRY_POINT = "sqlite3_cjk_auto_init"
LIBRARY_VARIABLE = "CJK_TOKENIZER_LIBRARY"

_SUFFIX = {"win32": ".dll", "cygwin": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_DIRECTORY_PREFIX = "cjk_tokenizer-"

# (host, original path) -> path of its copy.
_copies: dict[tuple[str, str], str] = {}

# A fork while another thread holds the lock must not leave it locked in the child. Reentrant, so
# that a fork from inside (an audit hook may do anything) gets through.
lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
    )


def loadable_path() -> str:
    """Return the path of the compiled library, for any program's `load_extension`.

    The environment variable CJK_TOKENIZER_LIBRARY names another file than the installed one; its
    name must start with `cjk` or `libcjk`, since SQLite derives the entry point's name from it.

    Raises MissingLibraryError when there is no such file.

        >>> conn.load_extension(loadable_path())                                # doctest: +SKIP
    """
    path = os.environ.get(LIBRARY_VARIABLE)
    if path:
        _check_named_file(path)
        return os.path.abspath(path)
    # Through importlib.resources, since an editable install keeps the library elsewhere.
    path = str(files(__package__).joinpath("cjk" + _SUFFIX))
    if not os.path.isfile(path):
        raise MissingLibraryError(
            f"no compiled library at {path}: install a wheel (pip install --force-reinstall "
            f"cjk_tokenizer; from source it needs a C compiler and SQLite's headers), or name a "
            f"built one in the environment variable {LIBRARY_VARIABLE}"
        )
    return path


def _check_named_file(path: str) -> None:
    if not os.path.isfile(path):
        raise MissingLibraryError(
            f"the environment variable {LIBRARY_VARIABLE} names {path!r}, which is no file: "
            f"correct it or unset it"
        )
    # What SQLite does: the letters of the name before the first dot, without "lib".
    name = re.sub(r"^lib", "", os.path.basename(path).lower()).partition(".")[0]
    if re.sub(r"[^a-z]", "", name) != "cjk":
        raise MissingLibraryError(
            f"the environment variable {LIBRARY_VARIABLE} names {path!r}: call the file "
            f"cjk{_SUFFIX}, since SQLite derives the entry point's name from it"
        )


def path_for(host: str) -> str:
    """Return the path to load for `host` (a name for its copy of SQLite): its copy if it has one.

    Raises MissingLibraryError.
    """
    original = loadable_path()
    copy = _copies.get((host, original))
    return copy if copy and os.path.isfile(copy) else original


def copy_for(host: str) -> str:
    """Return the path of the copy that belongs to `host`; the first call makes it.

    A forked child whose parent has removed the file gets one of its own.
    """
    original = loadable_path()
    with lock:
        copy = _copies.get((host, original))
        if not copy or not os.path.isfile(copy):
            copy = _copies[host, original] = _make_copy(original)
        return copy


def _make_copy(original: str) -> str:
    _remove_abandoned()
    directory = tempfile.mkdtemp(prefix=_DIRECTORY_PREFIX)
    atexit.register(_remove_at_exit, directory, os.getpid())
    copy = os.path.join(directory, os.path.basename(original))
    # Locked first, named afterwards: nobody ever sees it without its lock.
    unnamed = copy + ".part"
    shutil.copyfile(original, unnamed)
    if fcntl is not None:
        # Never closed: the lock is to live as long as the process and its children.
        fcntl.flock(os.open(unnamed, os.O_RDONLY | os.O_CLOEXEC), fcntl.LOCK_SH)
    os.replace(unnamed, copy)
    return copy


def _remove_at_exit(directory: str, owner: int) -> None:
    if os.getpid() == owner:  # not in a forked child
        shutil.rmtree(directory, ignore_errors=True)


def _remove_abandoned() -> None:
    """Remove the directories of processes that were killed."""
    with os.scandir(tempfile.gettempdir()) as entries:
        mine = [entry.path for entry in entries if _is_mine(entry)]
    for directory in mine:
        if not _is_in_use(directory):
            shutil.rmtree(directory, ignore_errors=True)


def _is_mine(entry: os.DirEntry[str]) -> bool:
    if not entry.name.startswith(_DIRECTORY_PREFIX):
        return False
    try:
        owner = entry.stat(follow_symlinks=False).st_uid
        return entry.is_dir(follow_symlinks=False) and owner == getattr(os, "getuid", int)()
    except OSError:
        return False  # gone meanwhile


def _is_in_use(directory: str) -> bool:
    """Is the library in it locked, or not there: not yet, or removed by its owner meanwhile?"""
    if fcntl is None:
        return False
    try:
        names = [name for name in os.listdir(directory) if not name.endswith(".part")]
        if not names:
            return True
        with open(os.path.join(directory, names[0]), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
