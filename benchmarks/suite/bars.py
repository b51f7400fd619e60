"""What must be reached: ratios within one run, each with its limit and whether it was met."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cjk_tokenizer.bench.contenders import CJK, INSTR, LIKE, NO_UNIGRAMS, TRIGRAM, UNIGRAM
from cjk_tokenizer.bench.report import Table, percent, ratio

JIEBA = "cjk, segment jieba"
EPSILON = 1e-9


class Bar(NamedTuple):
    """`value` None: not measured in this run."""

    what: str
    limit: str
    value: str
    met: bool | None

    def row(self) -> list[str]:
        met = {True: "met", False: "**missed**", None: "not measured"}[self.met]
        return [self.what, self.limit, self.value, met]


def _at_most(what: str, value: float | None, limit: float) -> Bar:
    return Bar(
        what,
        f"at most {limit:g}",
        ratio(value),
        None if value is None else value <= limit + EPSILON,
    )


def make_bars(summary: dict[str, Any]) -> list[Bar]:
    """All bars, in the order in which they are shown."""
    size = str(summary["plan"]["main"])
    found = summary["contenders"]
    at = {name: each["sizes"].get(size, {}) for name, each in found.items()}
    bars = []
    for rows, one in (("a line", summary), ("five lines", summary["paragraphs"])):
        bars += _building_bars(one["contenders"], size, f"{int(size) / 1e6:g} MB, {rows} a row")
    for text, limit in ((16_000_000, 0.3), (150_000_000, 0.15)):
        for length in ("2", "3-4"):
            name, value = _to_unigram_index(found, str(text), length)
            bars.append(
                _at_most(
                    f"searching {length} characters: cjk / fastest unigram index{name}, "
                    f"{text / 1e6:g} MB",
                    value,
                    limit,
                )
            )
    bars += [_recall(found), _one_character(at)]
    bars += _tokenizing(found)
    bars.append(
        _at_most(
            "building: cjk / FTS5 replaying its tokens from memory",
            summary.get("replay", {}).get("ratio"),
            1.05,
        )
    )
    return bars


def _building_bars(found: dict[str, Any], size: str, text: str) -> list[Bar]:
    at = {name: each["sizes"].get(size, {}) for name, each in found.items()}

    def to_trigram(name: str, what: str) -> float | None:
        value: float | None = at.get(name, {}).get("to_trigram", {}).get(what)
        return value

    bars = [_at_most(f"building {text}: cjk / trigram", to_trigram(CJK, "build"), 0.75)]
    for name, kind in ((NO_UNIGRAMS, "bigram"), (UNIGRAM, "unigram")):
        if _peers(found, kind):
            peer, value = _to_fastest(found, at, name, kind)
            what = f"building {text}: {name} / {_fastest(found, kind)}{peer}"
            bars.append(_at_most(what, value, 1))
    for name, limit in ((CJK, 0.8), (NO_UNIGRAMS, 0.55)):
        bars.append(
            _at_most(f"index of {text}: {name} / trigram", to_trigram(name, "index"), limit)
        )
    return bars


def as_table(bars: Iterable[Bar]) -> Table:
    return Table("What must be reached", ["", "limit", "is", ""], [bar.row() for bar in bars])


def _peers(found: dict[str, Any], kind: str) -> list[str]:
    return [name for name, each in found.items() if each["kind"] == kind and not each["ours"]]


def _fastest(found: dict[str, Any], kind: str) -> str:
    """Those in Python are among the peers where they were measured."""
    compiled = not any(found[peer]["python"] for peer in _peers(found, kind))
    return f"fastest {'compiled ' if compiled else ''}{kind} peer"


def _named(times: dict[str, float]) -> tuple[str, float | None]:
    """The name of the shortest, as it stands in a label, and its time."""
    if not times:
        return "", None
    name = min(times, key=lambda each: times[each])
    return f" ({name})", times[name]


def _to_fastest(
    found: dict[str, Any], at: dict[str, dict[str, Any]], name: str, kind: str
) -> tuple[str, float | None]:
    """The peer that builds fastest, and how many times its time ours is."""
    builds = {peer: at[peer]["build"] for peer in _peers(found, kind) if at[peer].get("build")}
    peer, theirs = _named(builds)
    ours = at.get(name, {}).get("build")
    return peer, ours / theirs if ours and theirs else None


def _to_unigram_index(found: dict[str, Any], size: str, length: str) -> tuple[str, float | None]:
    """As _to_fastest. Ours and those in Python included: `segment unigram` is a unigram index."""

    def p50(name: str) -> float | None:
        sizes = found.get(name, {}).get("sizes", {})
        value: float | None = sizes.get(size, {}).get("queries", {}).get(length, {}).get("p50")
        return value

    times = {
        name: time
        for name, each in found.items()
        if each["kind"] == "unigram" and (time := p50(name))
    }
    name, theirs = _named(times)
    ours = p50(CJK)
    return name, ours / theirs if ours and theirs else None


def _recall(found: dict[str, Any]) -> Bar:
    value = found.get(CJK, {}).get("hits", {}).get("1", {}).get("recall")
    return Bar(
        "recall of 1 character: cjk", "100 %", percent(value), None if value is None else value == 1
    )


def _one_character(at: dict[str, dict[str, Any]]) -> Bar:
    """Against the faster of the two scans."""
    times = {
        name: at.get(name, {}).get("queries", {}).get("1", {}).get("p50")
        for name in (CJK, LIKE, INSTR)
    }
    scans = [times[name] for name in (LIKE, INSTR) if times[name]]
    value = times[CJK] / min(scans) if times[CJK] and scans else None
    return _at_most("searching 1 character: cjk / LIKE", value, 0.1)


def _tokenizing(found: dict[str, Any]) -> list[Bar]:
    """Each at its own work: n-grams, single characters, words."""

    def speed(name: str) -> float | None:
        each = found.get(name, {}).get("tokenizing")
        return each["megabytes_per_second"] if each else None

    def bar(ours: str, what: str, others: list[str]) -> Bar:
        speeds = {name: found_speed for name in others if (found_speed := speed(name))}
        own = speed(ours)
        value = max(speeds.values()) / own if own and speeds else None
        if speeds and others != [what]:
            what += f" ({max(speeds, key=lambda name: speeds[name])})"
        return Bar(
            f"tokenizing: {what} / {ours}",
            "below 1",
            ratio(value),
            None if value is None else value < 1,
        )

    return [
        bar(CJK, "unicode61", ["unicode61"]),
        bar(CJK, "trigram", [TRIGRAM]),
        bar(NO_UNIGRAMS, _fastest(found, "bigram"), _peers(found, "bigram")),
        bar(UNIGRAM, _fastest(found, "unigram"), _peers(found, "unigram")),
        bar(JIEBA, _fastest(found, "words"), _peers(found, "words")),
    ]
