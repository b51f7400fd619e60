"""examples/native_segmenter.c compiles, links and finds what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.no_sanitizer,
    pytest.mark.skipif(sys.platform == "win32", reason="compiles as on Unix"),
]


def compile_and_run(source: Path, library: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler:
        pytest.skip("no C compiler")
    program = folder / "program"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-Wl,-rpath,{library.parent}"]
    include = ["-I", str(ROOT / "csrc" / "core")]
    made = subprocess.run(
        [compiler, *flags, *include, str(source), str(library), "-lsqlite3", "-o", str(program)],
        capture_output=True,
        text=True,
    )
    if "sqlite3.h" in made.stderr or "-lsqlite3" in made.stderr:
        pytest.skip("no SQLite to compile and link with: install libsqlite3-dev")
    assert made.returncode == 0, made.stderr
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    return subprocess.run([str(program)], capture_output=True, text=True, env=environment)


def test_the_example_prints_its_words(library: Path, tmp_path: Path) -> None:
    run = compile_and_run(ROOT / "examples" / "native_segmenter.c", library, tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "東京 kinds",
        "タワー kinds",
        "へ kinds",
        "行 kinds",
        "く kinds",
        "1 東京タワーへ行く",
    ]
