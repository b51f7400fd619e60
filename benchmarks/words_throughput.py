"""Cutting into words: this package beside rjieba and Python jieba, in one run.

    python benchmarks/words_throughput.py FILE [HARNESS]

Cuts each line of FILE for search (with the hidden Markov model) and prints the best processor time
of three rounds as MB/s; Python jieba gets every 16th line, once. HARNESS is the program built from
words_throughput.c; it cuts with the same library, without Python. Packages that are not installed
are left out.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from cjk_tokenizer import library, loadable_path


def megabytes_per_second(cut: Callable[[str], Any], lines: list[str], rounds: int) -> float:
    size = sum(len(line.encode()) for line in lines)
    cut("一开始的准备")
    best = min(timed(cut, lines) for _ in range(rounds))
    return size / best / 1e6


def timed(cut: Callable[[str], Any], lines: list[str]) -> float:
    start = time.process_time()
    for line in lines:
        cut(line)
    return time.process_time() - start


def main(file: str, harness: str | None = None) -> None:
    lines = Path(file).read_text("utf-8", "replace").split("\n")
    report("cjk_tokenizer, Python", megabytes_per_second(search, lines, 3))
    for name, some, rounds in (("rjieba", lines, 3), ("jieba", lines[::16], 1)):
        try:
            module: Any = import_module(name)
        except ImportError:
            print(f"{name} is not installed")
            continue
        function = getattr(module, "lcut_for_search", None) or module.cut_for_search
        report(name, megabytes_per_second(function, some, rounds))
    if harness:
        subprocess.run([harness, loadable_path(), file], check=True)


def search(line: str) -> list[str]:
    return library.cut(line, "search")


def report(name: str, speed: float) -> None:
    print(f"{name:28} {speed:7.2f} MB/s", flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
