#!/usr/bin/env python3
"""Write the library as one C file, for programs that link it into themselves.

    python tools/amalgamate.py build/single [--generated build/dev/generated]

The directory gets

    cjk_tokenizer.c     all of csrc: C11, and C++17 just as well
    cjk_tokenizer.h     its interface: the entry points, and the tokenizer without SQLite
    cjk_dictionary.c    the words of `segment jieba` as an array, to compile and link with it
    cjk_dictionary.bin  the same as bytes: CJK_DICTIONARY_IMAGE names the file to the assembler
    cjk_licenses.txt    the terms of all that

docs/embedding.md says how they are built. --generated names a directory where CMake has left what
it makes of other packages; without it that is made anew (half a minute), which needs the packages
of build-system.requires in pyproject.toml. The same input gives the same bytes.

Sources are taken in the order of their names, core first. A header stands where it is first
included. Nothing is renamed: csrc keeps each name for one thing, and a compiler tells where it
does not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.make_dictionary import array_text  # noqa: E402

CSRC = ROOT / "csrc"
PUBLIC = [CSRC / "core" / "cjk.h", CSRC / "sqlite" / "entry.h"]
GENERATED = {
    "han_table.h": "make_han_fold.py",
    "dictionary.bin": "make_dictionary.py",
    "opencc_license.txt": "make_opencc_license.py",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')

SOURCE_HEAD = """\
/*
** cjk_tokenizer.c, version {version}: the SQLite FTS5 tokenizer `cjk` in one file, written by
** tools/amalgamate.py. How to build it: docs/embedding.md.
**
**   SQLITE_CORE            link it into the program that SQLite is linked into; without it the file
**                          makes a loadable extension
**   CJK_DICTIONARY_IMAGE   path of cjk_dictionary.bin, in quotes, for the assembler to include.
**                          Without it compile cjk_dictionary.c, too, and link it
**   CJK_OMIT_DICTIONARY    no dictionary: `segment jieba` is an error, 4 MB are saved
**   CJK_OMIT_HAN_FOLD      no table of Han variants: `fold_han 1` is an error, 70 kB are saved
**
** The table of Han variants is made of data of OpenCC (Apache License 2.0), the tables of
** characters are made of data of Unicode (Unicode License), the dictionary is that of jieba (MIT
** License): see cjk_licenses.txt.
**
{licence}
*/
#if !defined(_POSIX_C_SOURCE) && !defined(__cplusplus)
#define _POSIX_C_SOURCE 200809L
#endif

#include "cjk_tokenizer.h"

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* {{0}} is complete, in C */
#endif
"""

HEADER_HEAD = """\
/*
** cjk_tokenizer.h, version {version}: the interface of cjk_tokenizer.c, written by
** tools/amalgamate.py. SPDX-License-Identifier: MIT
*/
#ifndef CJK_TOKENIZER_H
#define CJK_TOKENIZER_H

#ifndef CJK_API
#define CJK_API /* no library, whose functions are to be exported */
#endif
"""


class Unit:
    """One file in the making: text in which every local header stands once."""

    def __init__(self, head: str, folders: list[Path], done: list[Path]) -> None:
        self.lines = head.splitlines()
        self.folders = folders
        self.done = set(done)

    def resolve(self, includer: Path, name: str) -> Path | None:
        """The header, None for one that is not ours (SQLite's)."""
        for folder in (includer.parent, *self.folders):
            if (folder / name).is_file():
                return (folder / name).resolve()
        return None

    def add(self, path: Path) -> None:
        if path in self.done:
            return
        self.done.add(path)
        folder = "generated" if path.parent in self.folders[1:] else path.parent.name
        self.lines += ["", f"/************** {folder}/{path.name} **************/", ""]
        for line in path.read_text(encoding="utf-8").splitlines():
            match = INCLUDE.match(line)
            header = self.resolve(path, match[1]) if match else None
            if header is None:
                self.lines.append(line)
            elif header not in self.done:
                self.add(header)
                self.lines += ["", f"/************** {path.name} goes on **************/", ""]

    def text(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines) + "\n")


def make_header(version: str) -> str:
    unit = Unit(HEADER_HEAD.format(version=version), [], [])
    for path in PUBLIC:
        unit.add(path)
    return unit.text() + "\n#endif\n"


def make_source(version: str, generated: Path) -> str:
    words = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    licence = "\n".join(f"** {line}".rstrip() for line in words)
    head = SOURCE_HEAD.format(version=version, licence=licence)
    unit = Unit(head, [CSRC / "core", generated], PUBLIC)
    for folder in ("core", "sqlite"):
        for path in sorted((CSRC / folder).glob("*.c")):
            unit.add(path)
    return unit.text()


def make_licenses(generated: Path) -> str:
    files = [ROOT / "LICENSE", *sorted((ROOT / "licenses").glob("*.txt"))]
    files.append(generated / "opencc_license.txt")
    rule = "\n" + "=" * 80 + "\n\n"
    return rule.join(path.read_text(encoding="utf-8") for path in files)


def generate(folder: Path) -> None:
    """Make what CMake makes before it compiles."""
    for output, script in GENERATED.items():
        command = [sys.executable, str(ROOT / "tools" / script), str(folder / output)]
        subprocess.run(command, check=True)


def amalgamate(out: Path, generated: Path) -> None:
    found = re.search(r'#define CJK_VERSION "([^"]+)"', PUBLIC[0].read_text(encoding="utf-8"))
    assert found
    for name in GENERATED:
        if not (generated / name).is_file():
            raise SystemExit(f"amalgamate: {generated} has no {name}: build the library first")
    image = (generated / "dictionary.bin").read_bytes()
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("cjk_tokenizer.h", make_header(found[1])),
        ("cjk_tokenizer.c", make_source(found[1], generated)),
        ("cjk_dictionary.c", array_text(image)),
        ("cjk_licenses.txt", make_licenses(generated)),
    ):
        (out / name).write_bytes(text.encode())
    shutil.copyfile(generated / "dictionary.bin", out / "cjk_dictionary.bin")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the directory to write to")
    parser.add_argument("--generated", type=Path, help="directory of han_table.h and so on")
    options = parser.parse_args()
    if options.generated:
        amalgamate(options.out, options.generated.resolve())
        return
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        amalgamate(options.out, Path(folder))


if __name__ == "__main__":
    main()
