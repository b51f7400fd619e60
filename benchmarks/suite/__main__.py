"""Runs the benchmarks and writes their page.

    python -m benchmarks.suite quick        minutes; into build/bench/quick
    python -m benchmarks.suite full         up to an hour; into docs/benchmarks and README.md
    python -m benchmarks.suite smoke        seconds; shows that all of it still works

A run that was stopped, in whatever way, goes on where it was with the same command; when all is
measured already, the page is written anew. --fresh begins again. Databases are below the output's
folder in build/bench and are removed as the run goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cjk_tokenizer
from cjk_tokenizer.bench import machine, report
from cjk_tokenizer.bench.contenders import CONTENDERS, Contender, from_extension, split_available
from cjk_tokenizer.bench.record import Record
from cjk_tokenizer.bench.run import MEGABYTE, Plan, Run
from cjk_tokenizer.bench.summary import summarize

from . import bars, limits, page
from .peers import get_peers

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = ROOT.parent / "shared" / "data" / "text" / "zh-niutrans_modern.txt"
BUILD = ROOT / "build" / "bench"
SECONDS_BETWEEN_LINES = 10.0
LINES_OF_A_PARAGRAPH = 5


@dataclass(frozen=True)
class Length:
    """A plan, and where its results go."""

    plan: Plan
    output: Path
    readme: Path | None = None
    with_python: bool = True
    with_peers: bool = True


LENGTHS = {
    "smoke": Length(
        Plan((25_000, 50_000), 50_000, rounds=1, queries=5, connections=(1,), serve_seconds=0.1),
        BUILD / "smoke",
        with_python=False,
        with_peers=False,
    ),
    "quick": Length(
        Plan(
            (MEGABYTE, 4 * MEGABYTE),
            4 * MEGABYTE,
            rounds=3,
            build_seconds=30,
            once_seconds=5,
            serve_seconds=1,
        ),
        BUILD / "quick",
    ),
    "full": Length(
        Plan(
            tuple(size * MEGABYTE for size in (1, 4, 16, 150)),
            16 * MEGABYTE,
            rounds=3,
            queries=100,
            build_seconds=60,
            once_seconds=20,
        ),
        ROOT / "docs" / "benchmarks",
        ROOT / "README.md",
    ),
}


def megabytes(text: str) -> float:
    """A size that there can be; ValueError for others."""
    if not 0.001 <= (size := float(text)) <= 1e6:  # nan is in no range
        raise ValueError(text)
    return size


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.suite",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("length", choices=LENGTHS)
    parser.add_argument("--text", type=Path, default=TEXT, help="UTF-8, a row for each line")
    parser.add_argument("--size", type=megabytes, help="megabytes: instead of the plan's sizes")
    parser.add_argument("--output", type=Path, help="folder for the page, pictures and JSON")
    parser.add_argument("--work", type=Path, help="folder for the record and the databases")
    parser.add_argument("--build", type=Path, default=BUILD, help="where the C programs are")
    parser.add_argument("--extension", type=Path, action="append", default=[])
    parser.add_argument("--tokenize", action="append", default=[], help="one for each --extension")
    parser.add_argument("--no-peers", action="store_true", help="install nothing")
    parser.add_argument("--no-python", action="store_true", help="no tokenizers in Python")
    parser.add_argument("--fresh", action="store_true", help="forget what is measured already")
    given = parser.parse_args(arguments)
    if len(given.extension) != len(given.tokenize):
        parser.error("give one --tokenize for each --extension, in order")
    for path in (given.text, *given.extension):
        if not path.is_file():
            parser.error(f"{path}: no such file")
    return given


def choose_contenders(
    given: argparse.Namespace, length: Length
) -> tuple[list[Contender], dict[str, str]]:
    """Those that are measured, and the others with the reason."""
    with_python = length.with_python and not given.no_python
    ours = [each for each in CONTENDERS if with_python or not each.is_python]
    found, missing = split_available(ours)
    if length.with_peers and not given.no_peers:
        print("installing peers", flush=True)
        peers, reasons = get_peers(BUILD / "peers")
        found += peers
        missing.update(reasons)
    found += [from_extension(*pair) for pair in zip(given.extension, given.tokenize)]
    return found, missing


def identity_of(plan: Plan, text: Path, found: list[Contender]) -> dict[str, Any]:
    """What must be the same for figures to belong to one run; the day may pass."""
    library = Path(cjk_tokenizer.loadable_path())
    ran_on = {name: value for name, value in machine.describe(found).items() if name != "date"}
    return {
        "plan": plan.as_dict(),
        "text": hashlib.sha256(text.read_bytes()).hexdigest(),
        "library": hashlib.sha256(library.read_bytes()).hexdigest(),
        "machine": ran_on,
        "contenders": [(each.name, each.tokenize) for each in found],
    }


def measure_paragraphs(
    rows: list[str], found: list[Contender], plan: Plan, record: Record, databases: Path
) -> dict[str, Any]:
    """Building and size once more with several lines a row: the shorter the rows, the more of an
    index are row numbers. For native tokenizers alone. Its record lies beside that of the run."""
    native = [each for each in found if not each.is_python]
    once = replace(plan, sizes=(plan.main,), queries=5, connections=())
    longer = [
        "\n\n".join(rows[i : i + LINES_OF_A_PARAGRAPH])
        for i in range(0, len(rows), LINES_OF_A_PARAGRAPH)
    ]
    path = databases.parent / "paragraphs.jsonl"
    longer_record = Record({**record.identity, "lines": LINES_OF_A_PARAGRAPH}, path)
    Run(longer, native, once, longer_record, databases, progress=Lines().show).run()
    return summarize(longer_record, once, native)


class Lines:
    """Progress as lines, one every ten seconds."""

    def __init__(self) -> None:
        self._started = self._shown_at = time.monotonic()

    def show(self, share: float, what: str) -> None:
        now = time.monotonic()
        if now - self._shown_at >= SECONDS_BETWEEN_LINES:
            self._shown_at = now
            print(f"{(now - self._started) / 60:5.1f} min {share:4.0%}  {what}", flush=True)


def main(arguments: list[str]) -> None:
    given = parse_arguments(arguments)
    length = LENGTHS[given.length]
    plan = length.plan
    if given.size:
        size = int(given.size * MEGABYTE)
        plan = replace(plan, sizes=(size // 4, size), main=size)
    output = given.output or length.output
    work = given.work or BUILD / given.length
    databases = work / "databases"
    if given.fresh:
        shutil.rmtree(work, ignore_errors=True)
    databases.mkdir(parents=True, exist_ok=True)

    found, missing = choose_contenders(given, length)
    record = Record(identity_of(plan, given.text, found), work / "record.jsonl")
    if record.steps:
        print(f"going on: {len(record.steps):,} steps are done already", flush=True)
    rows = [row for row in given.text.read_text("utf-8", "replace").split("\n") if row.strip()]
    counter = next((given.build / "benchmarks").glob("*tokenize_alone.*"), None)
    run = Run(rows, found, plan, record, databases, counter, Lines().show)
    try:
        summary = summarize(run.run(), plan, found)
        paragraphs = measure_paragraphs(rows, found, plan, record, databases)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
    if "replay" not in record.steps:
        program = given.build / "benchmarks" / "replay"
        library = Path(cjk_tokenizer.loadable_path())
        record.add("replay", limits.replay(program, library, given.text, plan.rounds))
    shutil.rmtree(databases, ignore_errors=True)

    text_size = given.text.stat().st_size / MEGABYTE
    summary["paragraphs"] = paragraphs
    summary["replay"] = record.steps["replay"]
    summary["environment"] = {
        **machine.describe(found),
        "text": f"{given.text.name}, {text_size:.0f} MB, a row for each line",
        "plan": given.length,
    }
    summary["problems"] += [f"{name}: {reason}" for name, reason in missing.items()]
    page.write(summary, output, length.readme if given.output is None else None)
    print(report.as_markdown([bars.as_table(bars.make_bars(summary))]))
    for problem in summary["problems"]:
        print(f"* {problem}")
    print(f"written: {output}")


if __name__ == "__main__":
    main(sys.argv[1:])
