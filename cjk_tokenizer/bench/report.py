"""The figures as tables: rows of text, which become Markdown here and rich tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .summary import LENGTHS, finds_little

LENGTH_NAMES = {
    "1": "1 character",
    "2": "2",
    "3-4": "3-4",
    "10": "10",
    "question": "question of 20",
}


class Table(NamedTuple):
    """Cells are text; the first column is a name, the others are aligned to the right."""

    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""


def number(value: float | None, digits: int = 3) -> str:
    """A figure with so many digits that count; a dash for none."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    return f"{float(f'{value:.{digits}g}'):,.10g}"


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def percent(value: float | None) -> str:
    """100 % only for all of them."""
    if value is None:
        return "-"
    return f"{min(value * 100, 99.9 if value < 1 else 100):.3g} %"


def megabytes(size: float | None) -> str:
    return number(None if size is None else size / 1e6)


def tables(summary: dict[str, Any]) -> list[Table]:
    """All tables for which something was measured."""
    size = summary["plan"]["main"]
    makers = (
        building(summary, size),
        _latency(summary, size, "p50"),
        _latency(summary, size, "p95"),
        _hits(summary),
        _tokenizing(summary),
        _starting(summary),
        _growing(summary),
        _serving(summary),
    )
    return [table for table in makers if table.rows]


def _each_at(summary: dict[str, Any], size: int) -> Iterable[tuple[str, dict[str, Any]]]:
    """Contenders that were built at that size, and their figures."""
    for name, each in summary["contenders"].items():
        figures = each["sizes"].get(str(size), {})
        if figures.get("build") is not None:
            yield name, figures


def building(summary: dict[str, Any], size: int) -> Table:
    """CPU seconds and bytes at a size."""
    rows = []
    for name, each in _each_at(summary, size):
        trigram, like = each.get("to_trigram", {}), each.get("to_like", {})
        rows.append(
            [
                name,
                number(each["build"]),
                ratio(trigram.get("build")),
                ratio(like.get("build")),
                megabytes(each["bytes"]),
                megabytes(each["optimized"]),
                megabytes(each["index"]),
                ratio(trigram.get("index")),
            ]
        )
    return Table(
        f"Building and size, {size / 1e6:g} MB of text",
        ["", "CPU s", "x trigram", "x LIKE", "file MB", "optimized MB", "index MB", "x trigram"],
        rows,
        "The index is what the file has more than the plain table of LIKE.",
    )


def _latency(summary: dict[str, Any], size: int, which: str) -> Table:
    lengths = _lengths(summary, size)
    rows = []
    for name, each in _each_at(summary, size):
        cells = [number((each["queries"].get(length) or {}).get(which)) for length in lengths]
        against = [ratio(each.get("to_like", {}).get(length)) for length in lengths]
        if which == "p50":
            cells += [against[i] for i, length in enumerate(lengths) if length in ("1", "2", "3-4")]
        rows.append([name, *cells])
    head = ["", *(LENGTH_NAMES[length] for length in lengths)]
    if which == "p50":
        head += [f"{length}: x LIKE" for length in lengths if length in ("1", "2", "3-4")]
    return Table(
        f"Searching, {size / 1e6:g} MB of text: {which}, milliseconds, by characters of the query",
        head,
        rows,
        "A query counts its rows; a question gets the ten best rows for any of its tokens. Where a "
        "tokenizer cannot find so short a text, the time is that of finding nothing."
        if which == "p50"
        else "",
    )


def _lengths(summary: dict[str, Any], size: int) -> list[str]:
    have = {length for _, each in _each_at(summary, size) for length in each["queries"]}
    return [length for length in LENGTHS if length in have]


def _hits(summary: dict[str, Any]) -> Table:
    lengths = [length for length in LENGTHS if length != "question"]
    rows = []
    for name, each in summary["contenders"].items():
        if each["hits"]:
            rows.append(
                [name]
                + [percent(each["hits"].get(length, {}).get("recall")) for length in lengths]
                + [percent(each["hits"].get(length, {}).get("precision")) for length in lengths]
            )
    return Table(
        "What is found, against instr()",
        ["", *(f"recall {length}" for length in lengths), *(f"precision {le}" for le in lengths)],
        rows,
        "Recall: of the rows that have the text, those that are found. Precision: of the rows that "
        "are found, those that have the text; a dash where nothing is found. By characters of the "
        "query, which is asked as a phrase.",
    )


def _tokenizing(summary: dict[str, Any]) -> Table:
    rows = [
        [
            name,
            number(each["tokenizing"]["megabytes_per_second"]),
            number(each["tokenizing"]["tokens"] * 1000),
        ]
        for name, each in summary["contenders"].items()
        if each["tokenizing"]
    ]
    ceilings = summary.get("ceilings", {})
    if rows and ceilings:
        rows.append(["limit: decoding UTF-8", number(ceilings["decode"]), "-"])
        rows.append(["limit: memcpy", number(ceilings["copy"]), "-"])
    return Table(
        "Tokenizing alone",
        ["", "MB/s", "tokens a kB"],
        rows,
        "xTokenize for each row with a callback that only counts.",
    )


def _starting(summary: dict[str, Any]) -> Table:
    rows = [
        [name, number(each["start"]["milliseconds"]), number(each["start"]["kilobytes"])]
        for name, each in summary["contenders"].items()
        if each["start"]["milliseconds"] is not None
    ]
    return Table(
        "Starting",
        ["", "ms to the first row", "private kB"],
        rows,
        "In a new process: loading, creating a table, indexing one short row.",
    )


def _growing(summary: dict[str, Any]) -> Table:
    sizes = [str(size) for size in summary["plan"]["sizes"]]
    if len(sizes) < 2:
        return Table("Growing", [], [])
    rows = []
    for name, each in summary["contenders"].items():
        builds = [each["sizes"][size].get("build") for size in sizes]
        if any(builds):
            slopes = each["slopes"]
            queries = [each["sizes"][size]["queries"].get("2", {}).get("p50") for size in sizes]
            rows.append(
                [
                    name,
                    *map(number, builds),
                    ratio(slopes["build"]),
                    *map(number, queries),
                    ratio(slopes["2"]),
                ]
            )
    names = [f"{int(size) / 1e6:g} MB" for size in sizes]
    return Table(
        "Growing: CPU seconds of building, milliseconds (p50) of 2 characters",
        ["", *names, "slope", *names, "slope"],
        rows,
        "Slope: of the logarithms; 1 is linear.",
    )


def _serving(summary: dict[str, Any]) -> Table:
    numbers = sorted(
        {readers for each in summary["contenders"].values() for readers in each["serve"]}, key=int
    )
    rows = []
    for name, each in summary["contenders"].items():
        if each["serve"]:
            cells = [name]
            for readers in numbers:
                found = each["serve"].get(readers, {})
                cells += [
                    number(found.get(key))
                    for key in ("queries_per_second", "p95", "rows_per_second")
                ]
            rows.append(cells)
    few = [name for name, *_ in rows if finds_little(summary["contenders"][name], "2")]
    note = (
        f" For queries of 2 characters, about half of them, {', '.join(few)} "
        f"{'finds' if len(few) == 1 else 'find'} less than half of the rows, or none, and "
        f"{'is' if len(few) == 1 else 'are'} quick for that reason."
        if few
        else ""
    )
    head = [
        f"{readers}: {what}" for readers in numbers for what in ("queries/s", "p95 ms", "rows/s")
    ]
    return Table(
        "Connections that search while one writes",
        ["", *head],
        rows,
        "Each in a process of its own, on one optimized database in WAL mode; queries of 2 to 4 "
        f"characters, 20 rows a transaction.{note}",
    )


def as_markdown(found: Sequence[Table], level: int = 2) -> str:
    """The tables as a page's part."""
    parts = []
    for table in found:
        lines = [f"{'#' * level} {table.title}", ""]
        if table.note:
            lines += [table.note, ""]
        lines.append("| " + " | ".join(table.head) + " |")
        lines.append("|---|" + "---:|" * (len(table.head) - 1))
        lines += ["| " + " | ".join(row) + " |" for row in table.rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
