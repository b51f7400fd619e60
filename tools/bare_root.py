"""A root directory that holds one Python and the libraries it needs, and nothing else.

    with bare_root(python, wheel) as root:
        root.run("import cjk_tokenizer")

Like a container without a distribution: no shell, no compiler, no other package, no /tmp, /proc or
/dev, no network. The wheel is unpacked where that Python looks for packages; nothing of it is run
before. Needs Linux, util-linux's unshare with user namespaces, and glibc's ldd; `Absent` says what
is missing. A root takes about 40 MB and two seconds.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

UNSHARE = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork"]
LEFT_OUT = shutil.ignore_patterns(
    "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "ensurepip",
    "lib2to3", "__pycache__", "config-*",
)  # fmt: skip
WHERE = """
import json, sys, sysconfig
paths = {name: sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib")}
print(json.dumps({**paths, "python": sys.executable}))
"""


class Absent(Exception):
    """There can be no such root here; the message says why."""


@dataclass(frozen=True)
class BareRoot:
    folder: Path
    python: str

    def run(self, code: str) -> str:
        """What `code` prints. Raises CalledProcessError; its stderr says why."""
        command = [*UNSHARE, f"--root={self.folder}", self.python, "-I", "-B", "-c", code]
        return subprocess.run(
            command, env={}, cwd="/", capture_output=True, text=True, check=True
        ).stdout


def put(root: Path, path: str) -> None:
    """Copy one file to the same place below the root."""
    target = root / path.lstrip("/")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def libraries_of(files: list[Path]) -> set[str]:
    said = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True).stdout
    found = re.findall(r"(?:=>|^)\s*(/\S+) \(0x", said, re.M)
    if not found:
        raise Absent("ldd names no libraries: not glibc's?")
    return set(found)


@contextmanager
def bare_root(python: str, wheel: Path) -> Iterator[BareRoot]:
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
        raise Absent("no namespaces: this needs util-linux, and a Linux that lets users make them")
    said = subprocess.run(
        [python, "-I", "-c", WHERE], capture_output=True, text=True, check=True
    ).stdout
    where = json.loads(said)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        executable = os.path.realpath(where["python"])
        put(root, executable)
        for name in {where["stdlib"], where["platstdlib"]}:
            target = root / name.lstrip("/")
            shutil.copytree(name, target, ignore=LEFT_OUT, dirs_exist_ok=True)
        modules = list((root / where["platstdlib"].lstrip("/")).rglob("*.so"))
        for path in libraries_of([Path(executable), *modules]):
            put(root, path)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(root / where["purelib"].lstrip("/"))
        yield BareRoot(root, executable)
