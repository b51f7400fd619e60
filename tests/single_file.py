"""The single-file build (tools/amalgamate.py), compiled and linked with an SQLite.

Everything lands in build/single: the four files of the amalgamation, SQLite as object files (half a
minute for each set of flags, once), programs. SQLite's source is that of the npm package
better-sqlite3, fetched once into the cache of hosts.py, or the directory that $CJK_SQLITE_SOURCE
names. `Absent` says what cannot be had.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import hosts
from hosts import Absent

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "single"
GENERATED = ROOT / "build" / "dev" / "generated"
SQLITE_PACKAGE = "better-sqlite3@12.11.1"
SHELL = ROOT / "tests" / "c" / "single_shell.c"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic-errors"]


@dataclass(frozen=True)
class Compiler:
    name: str
    command: tuple[str, ...]

    @property
    def found(self) -> bool:
        return shutil.which(self.command[0]) is not None


COMPILERS = [
    Compiler("gcc C11", ("gcc", "-std=c11")),
    Compiler("gcc C++17", ("g++", "-x", "c++", "-std=c++17")),
    Compiler("clang C11", ("clang", "-std=c11")),
    Compiler("clang C++17", ("clang++", "-x", "c++", "-std=c++17")),
]


@contextmanager
def alone() -> Iterator[None]:
    """One process at a time: the others find what it has made."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def amalgamate(out: Path) -> None:
    """From what `make build` has generated, where it has."""
    command: list[str | Path] = [sys.executable, ROOT / "tools" / "amalgamate.py", out]
    if (GENERATED / "dictionary.bin").is_file():
        command += ["--generated", GENERATED]
    run(*command)


def sqlite_source() -> Path:
    """Directory of sqlite3.c, sqlite3.h and sqlite3ext.h."""
    if "CJK_SQLITE_SOURCE" in os.environ:
        return Path(os.environ["CJK_SQLITE_SOURCE"])
    folder = hosts.CACHE / SQLITE_PACKAGE

    def fetch(into: Path) -> None:
        npm = shutil.which("npm")
        if not npm:
            raise Absent("no source of SQLite: install npm, or set CJK_SQLITE_SOURCE")
        quiet = ["--silent", "--pack-destination", str(into)]
        hosts._run_installer([npm, "pack", *quiet, SQLITE_PACKAGE])
        (archive,) = into.glob("*.tgz")
        with tarfile.open(archive) as packed:
            for name in ("sqlite3.c", "sqlite3.h", "sqlite3ext.h"):
                member = packed.extractfile(f"package/deps/sqlite3/{name}")
                assert member
                (into / name).write_bytes(member.read())
        archive.unlink()

    hosts._fetch_once(folder, fetch)
    return folder


def compiled(output: str, command: Sequence[str | Path], sources: list[Path]) -> Path:
    """The object file or program that `command` makes of `sources`; made once for these bytes."""
    digest = hashlib.sha256(repr([str(word) for word in command]).encode())
    for source in sources:
        digest.update(source.read_bytes())
    path = BUILD / f"{output}-{digest.hexdigest()[:12]}"
    if not path.exists():
        new = path.with_suffix(".new")
        run(*command, *sources, "-o", new)
        new.rename(path)
    return path


def sqlite_object(flags: list[str]) -> Path:
    source = sqlite_source() / "sqlite3.c"
    command = ["gcc", "-O0", "-w", "-c", "-DSQLITE_ENABLE_FTS5", *flags]
    return compiled("sqlite3.o", command, [source])


def build_shell(
    compiler: Compiler, flags: list[str], sqlite_flags: list[str], with_dictionary: bool
) -> Path:
    """tests/c/single_shell.c with SQLite and the tokenizer in it."""
    include: list[str | Path] = ["-I", BUILD, "-isystem", sqlite_source()]
    sources = [BUILD / "cjk_tokenizer.c", SHELL]
    objects = []
    for source in sources:
        command = [*compiler.command, "-O1", "-c", *WARNINGS, *flags, *include]
        objects.append(compiled(source.stem + ".o", command, [source]))
    if with_dictionary:
        dictionary = BUILD / "cjk_dictionary.c"
        command = [*compiler.command, "-c", *WARNINGS]
        objects.append(compiled("cjk_dictionary.o", command, [dictionary]))
    linker = compiler.command[0]
    libraries: list[str | Path] = ["-pthread", "-ldl", "-lm"]
    objects.append(sqlite_object(sqlite_flags))
    name = "shell-" + hashlib.sha256(repr((compiler, flags, objects)).encode()).hexdigest()[:12]
    run(linker, *objects, *libraries, "-o", BUILD / name)
    return BUILD / name
