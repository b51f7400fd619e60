"""What a run leaves behind: results.json, pictures, and the generated part of a page.

A page keeps what stands outside the two markers; without a page, one is begun.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cjk_tokenizer.bench import plots, report
from cjk_tokenizer.bench.contenders import CJK, LIKE, NO_UNIGRAMS, TRIGRAM, UNIGRAM

from . import bars

BEGIN, END = "<!-- begin: made by make bench-full -->", "<!-- end -->"
PICTURES = {
    "build.png": "CPU seconds of building an index, by tokenizer",
    "size.png": "Size of the file with text and index, by tokenizer",
    "latency.png": "Milliseconds of a query by its length",
    "scaling.png": "Building and searching as the text grows",
}


def write(summary: dict[str, Any], folder: Path, readme: Path | None = None) -> None:
    """Writes all of it into the folder; and the short table into a README with markers."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(summary, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")
    pictures = []
    if plots.have_matplotlib():
        pictures = [path.name for path in plots.write_plots(summary, folder)]
    _replace(folder / "README.md", _page(summary, pictures))
    if readme is not None:
        _replace(readme, how_fast(summary))


def _replace(page: Path, generated: str) -> None:
    """Puts the text between the markers of the page."""
    old = page.read_text(encoding="utf-8") if page.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page}: no lines {BEGIN} and {END} to write between")
    page.write_text(f"{before}{BEGIN}\n{generated.strip()}\n{END}{after}", encoding="utf-8")


def _page(summary: dict[str, Any], pictures: list[str]) -> str:
    parts = [_environment(summary), report.as_markdown([bars.as_table(bars.make_bars(summary))])]
    parts += [f"![{PICTURES[name]}]({name})" for name in pictures]
    shown = report.tables(summary)
    longer = report.building(summary["paragraphs"], summary["plan"]["main"])
    title = f"{longer.title}, five lines a row"
    shown.insert(1, longer._replace(title=title))
    parts.append(report.as_markdown(shown))
    if summary["problems"]:
        lines = ["## Left out", "", *(f"* {problem}" for problem in summary["problems"])]
        parts.append("\n".join(lines))
    return "\n\n".join(part.strip() for part in parts)


def _environment(summary: dict[str, Any]) -> str:
    ran = summary["environment"]
    packages = ", ".join(f"{name} {version}" for name, version in ran["packages"].items())
    sqlite = sorted({each["sqlite"] for each in summary["contenders"].values() if each["sqlite"]})
    replay = summary.get("replay", {})
    lines = [
        f"{ran['date']} · {ran['cpu']}, {ran['cores']} cores, {ran['memory_gb']} GB · "
        f"{ran['system']} · cjk_tokenizer {ran['cjk_tokenizer']} · SQLite {' and '.join(sqlite)} · "
        f"Python {ran['python']} · {packages}",
        "",
        f"Text: {ran['text']}. Plan: {ran['plan']}, medians of {summary['plan']['rounds']} rounds.",
    ]
    if "ratio" in replay:
        lines += ["", _floor(replay, summary["contenders"][CJK]["sqlite"])]
    return "\n".join(lines)


def _floor(replay: dict[str, Any], sqlite: str | None) -> str:
    """The line of replay.c, and why its seconds are not those of the tables, which `sqlite` is of:
    the build of SQLite is what differs, an index in memory takes as long as one in a file."""
    own = f"SQLite {replay['sqlite']}" if replay.get("sqlite") else "SQLite"
    return (
        f"The floor of a build: FTS5 that is handed our tokens from memory takes "
        f"{replay['replay']:.2f} s where `cjk` takes {replay['cjk']:.2f} s "
        f"(x {replay['ratio']:.2f}). Compare these two with each other alone: a C program over the "
        f"system's {own} takes them. The tables are of SQLite {sqlite}, another "
        "build, which takes other times for the same work."
    )


def how_fast(summary: dict[str, Any]) -> str:
    """The few lines that the project's README shows."""
    size = str(summary["plan"]["main"])
    lines = [
        f"{int(size) / 1e6:g} MB of Chinese, {summary['environment']['cpu']}:",
        "",
        "| | build | index | 1 character | 2 characters | finds |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name in (CJK, NO_UNIGRAMS, UNIGRAM, TRIGRAM, LIKE):
        each = summary["contenders"].get(name)
        if each is None or not each["sizes"].get(size, {}).get("build"):
            continue
        figures = each["sizes"][size]
        recalls = [each["hits"].get(length, {}).get("recall") for length in ("1", "2")]
        lines.append(
            f"| {name} | {report.number(figures['build'])} s "
            f"| {report.megabytes(figures['index'])} MB "
            f"| {_time(figures, '1')} | {_time(figures, '2')} "
            f"| {', '.join(report.percent(recall) for recall in recalls)} |"
        )
    return "\n".join(lines)


def _time(figures: dict[str, Any], length: str) -> str:
    return f"{report.number(figures['queries'].get(length, {}).get('p50'))} ms"
