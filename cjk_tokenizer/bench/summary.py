"""From the steps of a record to the figures that tables and plots show.

A figure of a round is what was measured in it; what is shown is the median of the rounds. A query's
time is the median of its rounds, and p50 and p95 are those of all queries of a length. Ratios are
between contenders of the same run, size and text. A slope is that of the logarithm of a time over
the logarithm of the size: 1 means that twice the text takes twice the time.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from .contenders import LIKE, TRIGRAM, Contender
from .record import Record
from .run import ENOUGH, FAILED, SKIPPED, Plan

LENGTHS = ("1", "2", "3-4", "10", "question")


def summarize(record: Record, plan: Plan, contenders: Sequence[Contender]) -> dict[str, Any]:
    """All figures, by contender and size, as they go into the JSON file.

    `{"contenders": {name: {"kind", "ours", "start", "tokenize", "serve", "hits", "sizes": {size:
    {"build", "bytes", "optimized", "queries": {length: {"p50", "p95"}}}}, "slopes"}}, "problems"}`;
    what was not measured is absent. Seconds, bytes, milliseconds, kilobytes.
    """
    steps = _sort_steps(record)
    found = {
        each.name: _of_contender(each, steps[each.name], plan)
        for each in contenders
        if each.name in steps
    }
    for size in map(str, plan.sizes):
        _add_ratios(found, size)
    return {
        "plan": plan.as_dict(),
        "contenders": found,
        "problems": _problems(steps),
        "ceilings": _ceilings(record),
    }


Results = dict[tuple[str, str, str], list[Any]]  # (stage, size, detail) -> one a round


def _sort_steps(record: Record) -> dict[str, Results]:
    """The results by contender."""
    found: dict[str, Results] = defaultdict(lambda: defaultdict(list))
    for key, result in record.steps.items():
        stage, rest = key.split("|", 1)
        name, size, detail, _round = rest.rsplit("|", 3)
        found[name][stage, size, detail].append(result)
    return found


def _measured(results: Iterable[Any]) -> list[Any]:
    """Those that are figures."""
    return [
        result
        for result in results
        if result and not (isinstance(result, dict) and (SKIPPED in result or FAILED in result))
    ]


def _median_of(results: Iterable[dict[str, Any]], name: str) -> float | None:
    values = [result[name] for result in _measured(results) if result.get(name) is not None]
    return statistics.median(values) if values else None


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """p50 and p95 of some times."""
    ordered = sorted(times)
    return {
        "p50": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, math.ceil(len(ordered) * 0.95) - 1)],
    }


def _of_contender(contender: Contender, steps: Results, plan: Plan) -> dict[str, Any]:
    main = str(plan.main)
    starts = steps["start", "0", ""]
    figures: dict[str, Any] = {
        "kind": contender.kind,
        "ours": contender.is_ours,
        "python": contender.is_python,
        "tokenize": contender.tokenize,
        "sqlite": next((start["sqlite"] for start in _measured(starts)), None),
        "start": {name: _median_of(starts, name) for name in ("milliseconds", "kilobytes")},
        "tokenizing": _tokenizing(steps),
        "hits": _hits(steps["hits", main, ""]),
        "serve": _serve(steps, main, plan.serve_seconds),
        "sizes": {str(size): _of_size(steps, str(size)) for size in plan.sizes},
    }
    figures["slopes"] = _slopes(figures["sizes"])
    return figures


def _tokenizing(steps: Results) -> dict[str, float] | None:
    for (stage, _size, _detail), results in steps.items():
        if stage == "tokenize" and (seconds := _median_of(results, "cpu")):
            first = _measured(results)[0]
            return {
                "megabytes_per_second": first["bytes"] / seconds / 1e6,
                "tokens": first["tokens"] / first["bytes"],
            }
    return None


def _of_size(steps: Results, size: str) -> dict[str, Any]:
    queries = {}
    for length in LENGTHS:
        stage = "question" if length == "question" else "query"
        rounds = _measured(steps[stage, size, length])
        if rounds:
            queries[length] = percentiles([statistics.median(times) for times in zip(*rounds)])
    return {
        "build": _median_of(steps["build", size, ""], "cpu"),
        "bytes": _median_of(steps["build", size, ""], "bytes"),
        "optimized": _median_of(steps["optimize", size, ""], "bytes"),
        "queries": queries,
    }


def _hits(results: list[Any]) -> dict[str, dict[str, float | None]]:
    """Recall and precision by length, over all queries together."""
    found = {}
    for lengths in _measured(results):
        for length, counts in lengths.items():
            hits, true, both = (sum(column) for column in zip(*counts))
            found[length] = {
                "recall": both / true if true else None,
                "precision": both / hits if hits else None,
            }
    return found


def finds_little(figures: dict[str, Any], length: str) -> bool:
    """Whether a contender, by its figures, finds less than half of the rows that have a text of
    that length: its times are then largely those of finding nothing."""
    recall = (figures["hits"].get(length) or {}).get("recall")
    return recall is not None and recall < 0.5


def _serve(steps: Results, size: str, seconds: float) -> dict[str, dict[str, float]]:
    found = {}
    for (stage, at, readers), results in sorted(steps.items()):
        if stage == "serve" and at == size and (measured := _measured(results)):
            result = measured[0]
            if result["times"]:
                found[readers] = {
                    "queries_per_second": result["queries"] / seconds,
                    "rows_per_second": result["written"] / seconds,
                    **percentiles(result["times"]),
                }
    return found


def slope(points: Iterable[tuple[float, float]]) -> float | None:
    """Least squares through the logarithms; None for fewer than two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x, mean_y = (statistics.fmean(column) for column in zip(*logs))
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def _slopes(sizes: dict[str, dict[str, Any]]) -> dict[str, float | None]:
    """Of building, size on disk, and the p50 of each length."""
    found = {
        name: slope((int(size), each[name]) for size, each in sizes.items() if each[name])
        for name in ("build", "bytes")
    }
    for length in LENGTHS:
        found[length] = slope(
            (int(size), each["queries"][length]["p50"])
            for size, each in sizes.items()
            if length in each["queries"]
        )
    return found


def _add_ratios(contenders: dict[str, dict[str, Any]], size: str) -> None:
    """How many times trigram's and LIKE's figures; of sizes, what is more than the text's own."""
    of_size = {name: each["sizes"][size] for name, each in contenders.items()}
    text = of_size.get(LIKE, {}).get("bytes")
    for each in of_size.values():
        each["index"] = each["bytes"] - text if text and each["bytes"] else None
        each["index_optimized"] = each["optimized"] - text if text and each["optimized"] else None
    for name, short in ((TRIGRAM, "trigram"), (LIKE, "like")):
        other = of_size.get(name)
        for each in of_size.values():
            each[f"to_{short}"] = _ratios(each, other) if other else {}


def _ratios(one: dict[str, Any], other: dict[str, Any]) -> dict[str, float]:
    ratios = {
        name: one[name] / other[name]
        for name in ("build", "bytes", "index")
        if one.get(name) is not None and other.get(name)
    }
    for length, times in one["queries"].items():
        if length in other["queries"]:
            ratios[length] = times["p50"] / other["queries"][length]["p50"]
    return ratios


def _problems(steps: dict[str, Results]) -> list[str]:
    """What failed and what was left out, each once, for people."""
    found: dict[str, None] = {}
    for name, results in steps.items():
        for (stage, size, _detail), rounds in results.items():
            for result in rounds:
                if not isinstance(result, dict) or result.get(SKIPPED) == ENOUGH:
                    continue
                at = f" at {int(size) / 1e6:g} MB" if size != "0" else ""
                if FAILED in result:
                    found[f"{name}: {stage}{at} failed: {result[FAILED]}"] = None
                elif SKIPPED in result and stage == "build":
                    found[f"{name}: left out{at}: {result[SKIPPED]}"] = None
    return list(found)


def _ceilings(record: Record) -> dict[str, float]:
    """Megabytes a second of copying and of decoding the text."""
    for key, result in record.steps.items():
        if key.startswith("ceilings|") and _measured([result]):
            return {
                name: result["bytes"] / max(result[name], 1e-9) / 1e6 for name in ("copy", "decode")
            }
    return {}
