"""What the figures of a run are made into: bars, lines, notes and pictures say what they show."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from cjk_tokenizer.bench import plots, report, summary
from cjk_tokenizer.bench.contenders import CJK, CONTENDERS, INSTR
from cjk_tokenizer.bench.record import Record
from cjk_tokenizer.bench.run import Plan, Run

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.suite import bars, page  # noqa: E402


def contender(kind: str, **figures: Any) -> dict[str, Any]:
    """A contender in a summary, by what bars look at; p50 and build at every size."""
    one = {"build": figures.get("build"), "queries": {"2": {"p50": figures.get("p50")}}}
    speed = figures.get("speed")
    return {
        "kind": kind,
        "ours": figures.get("ours", False),
        "python": figures.get("python", False),
        "sizes": {str(size): one for size in (16_000_000, 150_000_000)},
        "tokenizing": {"megabytes_per_second": speed} if speed else None,
        "hits": figures.get("hits", {}),
        "serve": figures.get("serve", {}),
    }


def test_the_fastest_peer_is_named_whatever_it_is_written_in() -> None:
    own = {"ours": True, "build": 2.0, "p50": 0.2, "speed": 10.0}
    compiled = {
        CJK: contender("bigram", **own),
        "cjk, unigrams 0": contender("bigram", **own),
        "cjk, segment unigram": contender("unigram", **own | {"p50": 3.0}),
        "slow": contender("unigram", build=8.0, p50=2.0, speed=1.0),
    }
    quick = contender("unigram", build=4.0, p50=1.0, speed=5.0, python=True)
    figures = {
        "plan": {"main": 16_000_000},
        "contenders": {**compiled, "quick": quick},
        "paragraphs": {"contenders": compiled},
    }
    found = {bar.what: bar.value for bar in bars.make_bars(figures)}
    assert found["searching 2 characters: cjk / fastest unigram index (quick), 16 MB"] == "0.20"
    building = "building 16 MB, {} a row: cjk, segment unigram / fastest {}"
    assert found[building.format("a line", "unigram peer (quick)")] == "0.50"
    assert found[building.format("five lines", "compiled unigram peer (slow)")] == "0.25"
    what = "tokenizing: fastest unigram peer (quick) / cjk, segment unigram"
    assert found[what] == "0.50"


def test_the_table_of_connections_names_who_finds_nothing() -> None:
    figures: dict[str, Any] = {"plan": {"main": 1, "sizes": [1]}, "contenders": {}}
    for name, recall in (("all", 1.0), ("half", 0.5), ("few", 0.4), ("none", 0.0)):
        each = contender("bigram", serve={"1": {"p95": 1.0}}, hits={"2": {"recall": recall}})
        figures["contenders"][name] = each
    assert ", few, none find less than half" in report._serving(figures).note
    del figures["contenders"]["few"], figures["contenders"]["none"]
    assert "less than half" not in report._serving(figures).note


def test_the_line_of_the_floor_says_what_it_compares() -> None:
    replay = {"sqlite": "3.40.1", "cjk": 2.0, "replay": 1.9, "ratio": 1.053}
    ran = dict.fromkeys(
        ("date", "cpu", "cores", "memory_gb", "system", "python", "text", "plan"), 1
    )
    figures = {
        "plan": {"rounds": 3},
        "environment": {**ran, "cjk_tokenizer": "1", "packages": {}},
        "contenders": {CJK: {"sqlite": "3.54.1"}},
        "replay": replay,
    }
    line = page._environment(figures).splitlines()[-1]
    assert "takes 1.90 s where `cjk` takes 2.00 s (x 1.05)" in line
    assert "system's SQLite 3.40.1 takes" in line and "of SQLite 3.54.1, another" in line


@pytest.mark.skipif(not plots.have_matplotlib(), reason="draws with matplotlib")
def test_what_finds_nothing_is_hollow_in_both_pictures(tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    chance = random.Random(7)
    rows = ["".join(chance.choices("图书馆天气数据库自然语言处理", k=30)) for _ in range(100)]
    plan = Plan((3_000, 6_000), 6_000, rounds=1, queries=4, connections=())
    contenders = [each for each in CONTENDERS if each.name in (CJK, "trigram", "LIKE", INSTR)]
    record = Run(rows, contenders, plan, Record({}), tmp_path).run()
    figures = summary.summarize(record, plan, contenders)
    search = plots._plot_scaling(plt, figures).axes[1]
    hollow = [line for line in search.lines if line.get_markerfacecolor() == "white"]
    (trigram,) = [line for line in search.lines if line.get_label() == "trigram"]
    assert [list(line.get_ydata()) for line in hollow] == [list(trigram.get_ydata())]
    latency = plots._plot_latency(plt, figures).axes[0]
    assert sum(line.get_markerfacecolor() == "white" for line in latency.lines) == 2
    plt.close("all")
