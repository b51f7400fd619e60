"""Outside tokenizers as loadable libraries, out of packages of PyPI and npm.

Each is installed into a folder by its pinned version, without what it depends on; a row of PEERS
says where its library then lies. What cannot be had here is named with the reason.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from cjk_tokenizer.bench.client import WorkerError, WorkerProcess
from cjk_tokenizer.bench.contenders import Contender, from_extension

SECONDS = 180  # for one package manager


class PeerError(Exception):
    """A peer that cannot be had: the message says why."""


@dataclass(frozen=True)
class Peer:
    """A package, how to get it, and what its library offers."""

    name: str
    package: str
    get: Callable[[str, Path], Path]  # (package, folder) -> its library
    tokenize: str
    kind: str
    entry: str | None = None
    note: str = ""


def _run(command: list[str], what: str) -> str:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
        )
    except FileNotFoundError:
        raise PeerError(f"{what}: {command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise PeerError(f"{what}: not done after {SECONDS} s") from None
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise PeerError(f"{what}: {lines[-1].strip() if lines else 'failed'}")
    return done.stdout.strip()


def _find(folder: Path, *patterns: str) -> Path:
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            return path
    raise PeerError(f"the package has no library for {platform.system()} {platform.machine()}")


def _pip(package: str, folder: Path, *options: str) -> Path:
    target = folder / package.replace("==", "-")
    if not target.is_dir():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
        ]
        _run([*pip, *options, f"--target={target}", package], "pip")
    return target


def _get_adhara(package: str, folder: Path) -> Path:
    return _find(_pip(package, folder), "adhara/_adhara*.so", "adhara/_adhara*.pyd")


def _get_simple(package: str, folder: Path) -> Path:
    # Its Python code is a few lines of any version; only the library is used.
    target = _pip(package, folder, "--ignore-requires-python")
    return _find(target, "lode_simple_native/lib/*simple.*")


def _get_cjk_fts(package: str, folder: Path) -> Path:
    """Its wheel has a library for macOS, and the source for all others, which it builds itself."""
    target = _pip(package, folder)
    built = target / "built"
    if not built.is_dir():
        build = f"import sqlite_cjk_fts as s; s.build_extension(output_dir={str(built)!r})"
        _run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(target)!r}); {build}"],
            "cc",
        )
    return _find(built, "libcjkfts.*")


def _get_from_npm(package: str, folder: Path) -> Path:
    target = folder / "npm"
    name, _, version = package.partition("@")
    system = {"Darwin": "darwin", "Linux": "linux", "Windows": "windows"}.get(
        platform.system(), "?"
    )
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}.get(
        platform.machine(), platform.machine()
    )
    inside = target / "node_modules" / f"{name}-{system}-{machine}"
    if not inside.is_dir():
        npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
        _run([*npm, f"--prefix={target}", f"{name}-{system}-{machine}@{version}"], "npm")
    return _find(inside, "*.so", "*.dylib", "*.dll")


PEERS = (
    Peer(
        "sqlite-better-trigram",
        "sqlite-better-trigram@0.0.5",
        _get_from_npm,
        "better_trigram",
        "unigram",
        note="C; single characters of CJK text, trigrams of other text",
    ),
    Peer(
        "simple",
        "lode-simple-native==0.7.1",
        _get_simple,
        "simple",
        "unigram",
        note="C++; single characters and their pinyin",
    ),
    Peer(
        "adhara",
        "adhara==0.1.2",
        _get_adhara,
        "porter adhara",
        "unigram",
        entry="sqlite3_adhara_init",
        note="Rust; single characters of Chinese",
    ),
    Peer(
        "sqlite-cjk-fts",
        "sqlite-cjk-fts==0.3.0",
        _get_cjk_fts,
        "cjk_bigram",
        "unigram",
        entry="sqlite3_cjkfts_init",
        note="C; says bigrams, its tokens are single characters",
    ),
)

# Looked for in vain: neither PyPI nor npm has a package of them.
NOT_PUBLISHED = (
    "fts5-cjk",
    "fts5-icu-tokenizer",
    "libsimple with its jieba dictionary",
    "lindera-sqlite",
    "sqlite-vaporetto",
)


def get_peers(folder: Path) -> tuple[list[Contender], dict[str, str]]:
    """The peers that can be had, tried out; and the others with the reason."""
    folder.mkdir(parents=True, exist_ok=True)
    contenders, reasons = [], dict.fromkeys(NOT_PUBLISHED, "no package on PyPI or npm")
    for peer in PEERS:
        try:
            library = peer.get(peer.package, folder)
            found = from_extension(
                library, peer.tokenize, peer.name, peer.kind, peer.entry, peer.note
            )
            WorkerProcess(found).close()
            contenders.append(found)
        except (PeerError, WorkerError) as error:
            reasons[f"{peer.name} ({peer.package})"] = str(error)
    return contenders, reasons
