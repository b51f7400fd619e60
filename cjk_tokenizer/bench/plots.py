"""The figures as pictures: PNG where matplotlib is installed, bars of characters where it is not.

Ours are blue, the others grey; lengths are comparable, since each picture has one scale.
"""

from __future__ import annotations

import importlib.util
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .report import LENGTH_NAMES, number
from .summary import LENGTHS, finds_little

OURS, OTHERS = "#1f6fb4", "#9a9a9a"
DOTS_PER_INCH = 110
BAR = 40  # characters


def have_matplotlib() -> bool:
    return importlib.util.find_spec("matplotlib") is not None


def _values(summary: dict[str, Any], size: int, name: str, scale: float) -> dict[str, float]:
    """A figure of each contender at that size."""
    found = {}
    for contender, each in summary["contenders"].items():
        value = each["sizes"].get(str(size), {}).get(name)
        if value:
            found[contender] = value * scale
    return found


# ---------------------------------------------------------------- characters


def text_bars(title: str, values: dict[str, float], unit: str) -> str:
    """A bar for each value, the shortest first."""
    longest = max(values.values(), default=0)
    width = max((_cells(name) for name in values), default=0)
    lines = [title]
    for name, value in sorted(values.items(), key=lambda item: item[1]):
        eighths = round(value / longest * BAR * 8) if longest else 0
        full, rest = divmod(max(eighths, 1), 8)
        bar = "█" * full + " ▏▎▍▌▋▊▉"[rest].strip()
        lines.append(f"{name}{' ' * (width - _cells(name))}  {bar} {number(value)} {unit}")
    return "\n".join(lines)


def _cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def text_plots(summary: dict[str, Any]) -> str:
    """Building, size, and the time of queries of two characters."""
    size = summary["plan"]["main"]
    queries = {
        name: each["sizes"][str(size)]["queries"]["2"]["p50"]
        for name, each in summary["contenders"].items()
        if "2" in each["sizes"].get(str(size), {}).get("queries", {})
    }
    parts = [
        text_bars("Building", _values(summary, size, "build", 1), "s"),
        text_bars("Size of the file", _values(summary, size, "bytes", 1e-6), "MB"),
    ]
    if queries:
        parts.append(text_bars("Searching for 2 characters, p50", queries, "ms"))
    return "\n\n".join(parts)


# ---------------------------------------------------------------- pictures


def write_plots(summary: dict[str, Any], folder: Path) -> list[Path]:
    """Writes build.png, size.png, latency.png and, for more than one size, scaling.png. Raises
    ImportError without matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    makers = {
        "build.png": _plot_build,
        "size.png": _plot_size,
        "latency.png": _plot_latency,
        "scaling.png": _plot_scaling,
    }
    written = []
    for name, draw in makers.items():
        if name == "scaling.png" and len(summary["plan"]["sizes"]) < 2:
            continue
        figure = draw(plt, summary)
        path = folder / name
        figure.savefig(path, dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)
        written.append(path)
    return written


def write_one_plot(summary: dict[str, Any], path: Path) -> None:
    """Building, size and latency in one picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    size = summary["plan"]["main"]
    rows = len(_values(summary, size, "build", 1))
    figure, (build, disk, latency) = plt.subplots(3, 1, figsize=(8, 1.1 * rows + 4))
    _draw_bars(build, summary, _values(summary, size, "build", 1), "CPU s")
    build.set_title(f"Building an index, {size / 1e6:g} MB")
    _draw_bars(disk, summary, _values(summary, size, "bytes", 1e-6), "MB")
    disk.set_title("Size of the file")
    _draw_latency(latency, summary, size)
    figure.tight_layout()
    figure.savefig(path, dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def _draw_bars(axes: Any, summary: dict[str, Any], values: dict[str, float], unit: str) -> None:
    """Horizontal bars, the shortest on top, each with its figure."""
    ordered = sorted(values.items(), key=lambda item: -item[1])
    names = [name for name, _ in ordered]
    colours = [OURS if summary["contenders"][name]["ours"] else OTHERS for name in names]
    bars = axes.barh(names, [value for _, value in ordered], color=colours)
    axes.bar_label(bars, [f" {number(value)}" for _, value in ordered], fontsize=8)
    axes.set_xlabel(unit)
    axes.margins(x=0.12)
    axes.spines[["top", "right"]].set_visible(False)


def _plot_build(plt: Any, summary: dict[str, Any]) -> Any:
    size = summary["plan"]["main"]
    values = _values(summary, size, "build", 1)
    figure, axes = plt.subplots(figsize=(8, 0.32 * len(values) + 1.2))
    _draw_bars(axes, summary, values, "CPU seconds (logarithmic)")
    axes.set_xscale("log")
    axes.set_title(f"Building an index over {size / 1e6:g} MB of text")
    return figure


def _plot_size(plt: Any, summary: dict[str, Any]) -> Any:
    size = summary["plan"]["main"]
    values = _values(summary, size, "bytes", 1e-6)
    figure, axes = plt.subplots(figsize=(8, 0.32 * len(values) + 1.2))
    _draw_bars(axes, summary, values, "MB")
    text = summary["contenders"].get("LIKE", {}).get("sizes", {}).get(str(size), {}).get("bytes")
    if text:
        axes.axvline(text / 1e6, color="black", linewidth=0.8, linestyle=":")
    axes.set_title(f"File with {size / 1e6:g} MB of text and its index (dotted: the text alone)")
    return figure


def _plot_latency(plt: Any, summary: dict[str, Any]) -> Any:
    figure, axes = plt.subplots(figsize=(8, 4.5))
    _draw_latency(axes, summary, summary["plan"]["main"])
    return figure


def _draw_latency(axes: Any, summary: dict[str, Any], size: int) -> None:
    """p50 by length: a line a contender; hollow where it finds less than half of the rows."""
    for name, each in summary["contenders"].items():
        queries = each["sizes"].get(str(size), {}).get("queries", {})
        lengths = [length for length in LENGTHS if length in queries]
        if not lengths:
            continue
        style = _line_style(summary, name)
        (line,) = axes.plot(
            [LENGTHS.index(length) for length in lengths],
            [queries[length]["p50"] for length in lengths],
            label=name,
            **style,
        )
        for length in lengths:
            if finds_little(each, length):
                _draw_hollow(axes, line, [LENGTHS.index(length)], [queries[length]["p50"]])
    axes.set_xticks(range(len(LENGTHS)), [LENGTH_NAMES[length] for length in LENGTHS])
    axes.set_yscale("log")
    axes.set_ylabel("ms, p50 (logarithmic)")
    axes.set_title(f"Searching {size / 1e6:g} MB (hollow: finds less than half of the rows)")
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_hollow(axes: Any, line: Any, x: Sequence[float], y: Sequence[float]) -> None:
    """Marks over a line, for times that are hardly those of finding."""
    axes.plot(
        x,
        y,
        linestyle="none",
        marker="o",
        markersize=7,
        markerfacecolor="white",
        color=line.get_color(),
    )


_DASHES = {"scan": ":", "trigram": "--", "unigram": "-.", "words": (0, (1, 1))}


def _line_style(summary: dict[str, Any], name: str) -> dict[str, Any]:
    import matplotlib

    each = summary["contenders"][name]
    number_of = list(summary["contenders"]).index(name)
    style: dict[str, Any] = {
        "color": matplotlib.colormaps["tab20"](number_of % 20),
        "marker": "o",
        "markersize": 3,
        "linestyle": _DASHES.get(each["kind"], "-"),
        "linewidth": 2 if each["ours"] and not each["python"] else 1,
    }
    return style


def _plot_scaling(plt: Any, summary: dict[str, Any]) -> Any:
    """Building and searching over sizes, both logarithmic; hollow as in _draw_latency (what is
    found is counted at the main size alone)."""
    figure, (build, search) = plt.subplots(1, 2, figsize=(11, 4.5))
    for name, each in summary["contenders"].items():
        sizes = [size for size in map(str, summary["plan"]["sizes"]) if size in each["sizes"]]
        style = _line_style(summary, name)
        for axes, values in (
            (build, [each["sizes"][size].get("build") for size in sizes]),
            (search, [each["sizes"][size]["queries"].get("2", {}).get("p50") for size in sizes]),
        ):
            points = [(int(size) / 1e6, value) for size, value in zip(sizes, values) if value]
            x, y = [x for x, _ in points], [y for _, y in points]
            (line,) = axes.plot(x, y, label=name, **style)
            if axes is search and finds_little(each, "2"):
                _draw_hollow(axes, line, x, y)
    for axes, title, unit in (
        (build, "Building", "CPU s"),
        (search, "Searching for 2 characters (hollow: finds less than half)", "ms, p50"),
    ):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("MB of text")
        axes.set_ylabel(unit)
        axes.set_title(title)
        axes.spines[["top", "right"]].set_visible(False)
    search.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.tight_layout()
    return figure
