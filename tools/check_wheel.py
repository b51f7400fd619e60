"""Look into a wheel, and into the sdist it was made of: is all there, and nothing that must not be?

    python tools/check_wheel.py dist/NAME.whl [dist/NAME.tar.gz]

The wheel holds the library, its data and the terms of what is compiled in; it is for every Python
and, on Linux, for every distribution; no file names a path of the machine that built it. Last, it
is used in a root directory with one Python and nothing else (tools/bare_root.py). Exit status 1
when something is wrong; each line says what.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.bare_root import Absent, bare_root  # noqa: E402
from tools.load_test import USE  # noqa: E402

LIBRARY = re.compile(r"cjk_tokenizer/cjk\.(so|dylib|dll)$")
NEEDED = ["cjk_tokenizer/__init__.py", "cjk_tokenizer/py.typed", "cjk_tokenizer/han_fold.txt"]
# What each file of terms must say.
TERMS = {
    "LICENSE": "MIT License",
    "licenses/jieba.txt": "Copyright (c) 2013 Sun Junyi",
    "licenses/opencc.txt": "Apache License",
    "licenses/unicode.txt": "Unicode, Inc.",
}
PLATFORM = re.compile(r"(manylinux|musllinux|macosx|win)_?\w+")
FOLDERS = rb"/(?:home|root|tmp|work|build|Users|private|opt|mnt)/"
MACHINE = re.compile(rb"(?:%s|[A-Z]:\\\w+\\)[ -~]*" % FOLDERS)
# In an sdist: data that is fetched or made, or that is not ours.
FOREIGN = re.compile(r"(^|/)(shared|build|dist|\.venv|\.cache)/|dict\.txt$|\.(so|o|a|whl|pyc|bin)$")
LARGEST_SDIST = 2 << 20


def check_wheel(wheel: Path) -> Iterator[str]:
    """What is wrong with it."""
    python, abi, platform = wheel.stem.split("-")[-3:]
    if (python, abi) != ("py3", "none"):
        yield f"it is for {python}-{abi} alone, not for every Python"
    if not all(PLATFORM.fullmatch(part) for part in platform.split(".")):
        yield f"no index takes a wheel for {platform}: auditwheel has not named it"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    (metadata,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    info = metadata.rpartition("/")[0]
    if len([name for name in files if LIBRARY.search(name)]) != 1:
        yield "it does not hold one library"
    yield from (f"{name} is missing" for name in NEEDED if name not in files)
    for name, words in TERMS.items():
        if words not in files.get(f"{info}/licenses/{name}", b"").decode():
            yield f"the terms of {name} are missing"
    yield from (
        f"{name} is no part of the package"
        for name in files
        if not name.startswith(("cjk_tokenizer/", f"{info}/"))
    )
    for name, data in files.items():
        if LIBRARY.search(name) or name.startswith(f"{info}/"):
            yield from (f"{name} names {path.decode()!r}" for path in MACHINE.findall(data))


def check_sdist(sdist: Path) -> Iterator[str]:
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    yield from (f"{name} must not be in the sdist" for name in names if FOREIGN.search(name))
    if sdist.stat().st_size > LARGEST_SDIST:
        yield f"{sdist.stat().st_size} bytes: what else is in it?"


def check_use(wheel: Path) -> Iterator[str]:
    """In bare roots: of this Python, and of the system's, whose sqlite3 can load extensions."""
    candidates = [getattr(sys, "_base_executable", sys.executable), "/usr/bin/python3"]
    pythons = {Path(path).resolve(): path for path in candidates if Path(path).exists()}
    for python in pythons.values():
        try:
            with bare_root(python, wheel) as root:
                print(f"  bare root  ok  {root.run(USE).strip()}  ({python})")
        except Absent as reason:
            print(f"  bare root  skipped: {reason}")
        except subprocess.CalledProcessError as error:
            yield f"it fails in a bare root of {python}: {error.stderr.strip()}"


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    wrong = [f"{paths[0].name}: {what}" for what in check_wheel(paths[0])]
    wrong += [f"{path.name}: {what}" for path in paths[1:] for what in check_sdist(path)]
    wrong += [f"{paths[0].name}: {what}" for what in check_use(paths[0])]
    print("\n".join(wrong) or f"  contents   ok  {', '.join(path.name for path in paths)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
