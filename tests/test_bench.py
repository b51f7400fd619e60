"""The benchmarks run: small text, few rounds, and every stage of them.

No test looks at a clock: what is checked is that figures are there, that they are right where they
have to be (rows found, sizes, slopes), and that nothing stops a run.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_command import COMMAND, environment, run, run_well

from cjk_tokenizer.bench import corpus as corpora
from cjk_tokenizer.bench import plots, report, summary
from cjk_tokenizer.bench.client import WorkerError, WorkerProcess
from cjk_tokenizer.bench.contenders import CJK, CONTENDERS, INSTR, Contender, from_extension
from cjk_tokenizer.bench.record import Record
from cjk_tokenizer.bench.run import Plan, Run
from cjk_tokenizer.bench.worker import FEWEST
from cjk_tokenizer.cli import bench

ROOT = Path(__file__).resolve().parent.parent
WORDS = re.findall(
    r"\w+", "机器 学习 图书馆 天气 数据库 自然语言 处理 今天 适合 散步 备份 檢索 引擎"
)
TINY = Plan((3_000, 6_000), 6_000, rounds=2, queries=4, connections=(1,), serve_seconds=0.05)


@pytest.fixture(scope="module")
def rows() -> list[str]:
    """60 kB of words in any order, clauses between commas."""
    chance = random.Random(7)

    def clause() -> str:
        return "".join(chance.choice(WORDS) for _ in range(chance.randint(2, 6)))

    return [f"{clause()}，{clause()}，C++{clause()}。" for _ in range(500)]


@pytest.fixture(scope="module")
def text(rows: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def named(*names: str) -> list[Contender]:
    return [each for each in CONTENDERS if each.name in names]


# --- text ---


@pytest.mark.parametrize("size", [500, 20_000, 200_000])
def test_a_corpus_has_the_size_that_is_asked_for(rows: list[str], size: int) -> None:
    longest = max(len(row.encode()) for row in rows)
    assert size <= corpora.size_of(corpora.resize(rows, size)) < size + longest


def test_a_larger_corpus_has_all_of_a_smaller_one(rows: list[str]) -> None:
    of_size = [corpora.resize(rows, size) for size in (5_000, 20_000, 100_000)]
    for small, large in zip(of_size, of_size[1:]):
        assert set(small) <= set(large)


def test_dealing_anew_keeps_every_clause(rows: list[str]) -> None:
    have = corpora.size_of(rows)
    more = corpora.resize(rows, 2 * have)[len(rows) :]

    def clauses(some: list[str]) -> list[str]:
        return sorted(clause for row in some for clause in row.replace("。", "，").split("，"))

    assert len(more) == len(rows) and more != rows
    assert clauses(more) == clauses(rows)


def test_queries_are_in_the_text_and_as_long_as_they_say(rows: list[str]) -> None:
    queries = corpora.draw_queries(rows, 20)
    assert queries == corpora.draw_queries(rows, 20)
    for name, (shortest, longest) in corpora.QUERY_LENGTHS.items():
        assert queries[name]
        assert all(shortest <= len(query) <= longest for query in queries[name])
    assert all(len(question) == corpora.QUESTION for question in queries["question"])
    assert all(any(query in row for row in rows) for some in queries.values() for query in some)


def test_text_without_cjk_is_an_error() -> None:
    with pytest.raises(corpora.NoTextError, match="no Chinese, Japanese"):
        corpora.draw_queries(["only Latin words here"], 3)
    with pytest.raises(corpora.NoTextError, match="no text"):
        corpora.resize([], 10)


# --- figures ---


def test_slopes_and_percentiles() -> None:
    assert summary.slope([(1, 5.0), (10, 50.0), (100, 500.0)]) == pytest.approx(1)
    assert summary.slope([(1, 5.0), (4, 10.0)]) == pytest.approx(0.5)
    assert summary.slope([(1, 5.0)]) is None
    assert summary.percentiles([float(n) for n in range(1, 101)]) == {"p50": 50.5, "p95": 95.0}
    assert summary.percentiles([3.0]) == {"p50": 3.0, "p95": 3.0}


def test_only_all_rows_are_a_hundred_per_cent() -> None:
    assert report.percent(1.0) == "100 %"
    assert report.percent(0.99999) == "99.9 %"
    assert report.percent(0.0) == "0 %"


# --- runs ---


def measure(
    rows: list[str], contenders: list[Contender], folder: Path, path: Path | None = None
) -> tuple[Record, dict[str, Any]]:
    record = Record({"text": 1}, path)
    folder.mkdir(exist_ok=True)
    Run(rows, contenders, TINY, record, folder).run()
    assert list(folder.iterdir()) == []
    return record, summary.summarize(record, TINY, contenders)


def test_ours_and_the_scans_find_every_row(rows: list[str], tmp_path: Path) -> None:
    contenders = named(CJK, "cjk, unigrams 0", "cjk, segment unigram", "trigram", "LIKE", INSTR)
    _, figures = measure(rows, contenders, tmp_path / "work")
    assert figures["problems"] == []
    for name, each in figures["contenders"].items():
        found = each["hits"]
        assert set(found) == set(corpora.QUERY_LENGTHS)
        if name == "trigram":
            assert found["1"]["recall"] == found["2"]["recall"] == 0
            assert found["3-4"]["recall"] == 1
        else:
            assert {length["recall"] for length in found.values()} == {1.0}
        assert all(size["bytes"] > 0 and size["build"] > 0 for size in each["sizes"].values())
    cjk = figures["contenders"][CJK]["sizes"]["6000"]
    assert cjk["index"] > 0 and cjk["to_trigram"]["build"] > 0
    assert set(figures["contenders"][CJK]["serve"]) == {"1"}
    assert all(table.rows for table in report.tables(figures))
    assert "█" in plots.text_plots(figures)


def test_a_contender_that_fails_stops_nobody(rows: list[str], tmp_path: Path) -> None:
    broken = [Contender("broken", "no_such_tokenizer", "?"), from_extension("no.so", "no")]
    _, figures = measure(rows, [*named(CJK, "trigram", "LIKE", INSTR), *broken], tmp_path / "work")
    assert any("broken" in problem for problem in figures["problems"])
    assert any("no (no.so)" in problem for problem in figures["problems"])
    assert figures["contenders"][CJK]["hits"]["2"]["recall"] == 1


def test_a_stopped_run_goes_on(rows: list[str], tmp_path: Path) -> None:
    contenders = named(CJK, "trigram", "LIKE", INSTR)
    path = tmp_path / "record.jsonl"
    whole, _ = measure(rows, contenders, tmp_path / "first", path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    half = len(lines) // 2
    path.write_text("".join(lines[:half]) + lines[half][:10], encoding="utf-8")  # cut in a line
    again, figures = measure(rows, contenders, tmp_path / "second", path)
    assert set(again.steps) == set(whole.steps)
    kept = list(whole.steps.items())[: half - 1]
    assert all(again.steps[key] == result for key, result in kept)
    assert figures["problems"] == []


def test_a_record_of_something_else_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    Record({"text": 1}, path).add("step", 1)
    assert Record({"text": 1}, path).steps == {"step": 1}
    assert Record({"text": 2}, path).steps == {}
    assert Record({"text": 1}, path).steps == {}


def test_a_process_that_dies_says_so(tmp_path: Path) -> None:
    with WorkerProcess(named("trigram")[0]) as worker:
        with pytest.raises(WorkerError, match="no such table"):
            worker.ask("query", database=str(tmp_path / "empty.db"), queries=["学习"])
        worker._process.kill()
        worker._process.wait()
        with pytest.raises(WorkerError, match="ended with code"):
            worker.ask("size", database=str(tmp_path / "empty.db"))


def test_slow_queries_are_cut_short_and_asked_once(rows: list[str], tmp_path: Path) -> None:
    contenders = named(CJK, "trigram", "LIKE", INSTR)
    record = Record({})
    hasty = replace(TINY, queries=20, once_seconds=0)
    Run(rows, contenders, hasty, record, tmp_path).run()
    first = record.steps[f"query|{CJK}|6000|2|0"]
    assert len(first) == FEWEST
    assert record.steps[f"query|{CJK}|6000|2|1"] == record.steps[f"build|{CJK}|6000||1"]
    figures = summary.summarize(record, hasty, contenders)
    assert figures["problems"] == []
    assert "2" in figures["contenders"][CJK]["sizes"]["6000"]["queries"]


def test_what_would_be_too_slow_is_left_out(rows: list[str], tmp_path: Path) -> None:
    contenders = named(CJK, "trigram", "LIKE", INSTR)
    record = Record({})
    Run(rows, contenders, replace(TINY, build_seconds=0), record, tmp_path).run()
    figures = summary.summarize(record, TINY, contenders)
    assert figures["contenders"][CJK]["sizes"]["3000"]["build"] > 0
    assert figures["contenders"][CJK]["sizes"]["6000"]["build"] is None
    assert f"{CJK}: left out at 0.006 MB: building would take about 0 s" in figures["problems"]


def test_every_contender_that_is_installed_indexes(rows: list[str], tmp_path: Path) -> None:
    """Those in Python, too: each finds a text that is a token of its own."""
    corpus = tmp_path / "corpus.db"
    corpora.write([*rows[:20], "学习"], corpus)
    tried = 0
    for contender in CONTENDERS:
        if contender.missing():
            continue
        with WorkerProcess(contender) as worker:
            database = tmp_path / f"{contender.slug}.db"
            worker.ask("truth", corpus=str(corpus), queries=["学习"])
            worker.ask("build", database=str(database), corpus=str(corpus))
            arguments = {"database": str(database), "corpus": str(corpus), "queries": ["学习"]}
            ((found, true, both),) = worker.ask("hits", **arguments)
            assert true > 1
            assert both == (0 if contender.name == "trigram" else both) and both <= found
            assert both > 0 or contender.name == "trigram", contender.name
        with closing(sqlite3.connect(database)) as conn:
            names = {name for (name,) in conn.execute("SELECT name FROM sqlite_master")}
            assert "docs" in names
        tried += 1
    assert tried >= 8


# --- the suite of the repository ---


def run_module(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_python("-m", *arguments)


def run_python(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT))))
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_suite_writes_its_page(text: Path, tmp_path: Path) -> None:
    folders = ("--output", tmp_path / "page", "--work", tmp_path / "work")
    arguments = ("benchmarks.suite", "smoke", "--text", text, *folders)
    done = run_module(*arguments)
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "page" / "results.json").read_text("utf-8"))
    page = (tmp_path / "page" / "README.md").read_text("utf-8")
    assert figures["contenders"][CJK]["hits"]["1"]["recall"] == 1
    assert "| recall of 1 character: cjk | 100 % | 100 % | met |" in page
    assert all(f"| {name} |" in page for name in figures["contenders"])
    assert not (tmp_path / "work" / "databases").exists()
    again = run_module(*arguments)
    assert "steps are done already" in again.stdout
    assert json.loads((tmp_path / "page" / "results.json").read_text("utf-8")) == figures


def test_the_suite_names_a_text_that_is_not_there(tmp_path: Path) -> None:
    done = run_module("benchmarks.suite", "smoke", "--text", tmp_path / "none.txt")
    assert done.returncode == 2 and "none.txt: no such file" in done.stderr


@pytest.mark.parametrize("size", ["inf", "nan", "0", "-1"])
def test_the_suite_refuses_sizes_that_are_none(size: str, text: Path) -> None:
    done = run_module("benchmarks.suite", "smoke", "--text", text, f"--size={size}")
    assert done.returncode == 2 and "invalid megabytes value" in done.stderr


def test_pytest_benchmark_runs(text: Path) -> None:
    chosen = "(trigram or cjk) and not Python and not jieba"
    options = ("--benchmark-disable", "--megabytes", "0.02", "--text", text, "-q", "-k", chosen)
    done = run_module("pytest", "benchmarks", *options, "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


# --- the command ---


def test_every_benchmark_reads_broken_bytes(rows: list[str], tmp_path: Path) -> None:
    """As `head -c` leaves them at the end of a text."""
    path = tmp_path / "broken.txt"
    path.write_bytes("\n".join(rows[:20]).encode() + "学".encode()[:2])
    for name in ("words_throughput", "detect_throughput"):
        done = run_python(ROOT / "benchmarks" / f"{name}.py", path)
        assert done.returncode == 0, done.stderr
        assert "MB/s" in done.stdout
    done = run_module("benchmarks.suite", "smoke", "--text", path, "--work", tmp_path / "work",
                      "--output", tmp_path / "page")  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_command_shows_tables_and_bars(text: Path, tmp_path: Path) -> None:
    shown = run_well(
        "bench", text, "--size", "0.02", "--rounds", "1", "--tokenize", "porter unicode61",
        cwd=tmp_path,
    )  # fmt: skip
    for heading in ("Building and size, 0.02 MB", "Searching", "What is found", "Growing"):
        assert heading in shown
    assert "porter unicode61" in shown and "█" in shown
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_gives_json(text: Path, tmp_path: Path) -> None:
    out = run_well("bench", text, "--size", "0.02", "--rounds", "1", "--json", cwd=tmp_path)
    figures = json.loads(out)
    assert figures["contenders"][CJK]["hits"]["2"]["recall"] == 1
    assert figures["environment"]["date"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["few.txt"], "only 6 bytes of text"),
        (["latin.txt"], "no Chinese, Japanese, Korean or Thai text"),
        (["few.txt", "--tokenize", "cjk segment bigrm"], "bigrm"),
        (["few.txt", "--tokenize", "nothing"], "nothing"),
        (["few.txt", "--extension", "few.txt"], "--extension needs --tokenize"),
        (["few.txt", "--extension", "no.so", "--tokenize", "x"], "no.so: no such file"),
        (["few.txt", "--extension", "few.txt", "--tokenize", "x"], "few.txt"),
        (["few.txt", "--extension", "few.txt", "--tokenize", "x"], "few.txt cannot be loaded: "),
        (["few.txt", "--size", "0.001"], "--size"),
        (["few.txt", "--size", "inf"], "--size"),
        (["few.txt", "--size", "-inf"], "--size"),
        (["few.txt", "--size", "nan"], "nan is no number of megabytes"),
        (["few.txt", "--size", "1e308"], "--size"),
        (["few.txt", "--rounds", "99999999999999999999"], "--rounds"),
        (["few.txt", "--encoding", "klingon"], "no text encoding"),
        (["few.txt", "--plot", "folder.png"], "--plot folder.png: cannot be written"),
        (["few.txt", "--plot", "few.jpg"], "must end in"),
        (["few.txt", "--plot", "nowhere/few.png"], "there is no directory nowhere"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("学习", encoding="utf-8")
    (tmp_path / "latin.txt").write_text("Latin words, nothing else.\n" * 2000, encoding="utf-8")
    (tmp_path / "folder.png").mkdir()
    before = sorted(tmp_path.iterdir())
    done = run("bench", *arguments, cwd=tmp_path)
    assert done.code == 2
    assert message in done.stderr and done.stdout == ""
    assert "--prune" not in done.stderr and done.stderr.count("ExtensionLoadingError") <= 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.slow
def test_what_cannot_be_read_is_named_and_the_rest_measured(
    rows: list[str], text: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.txt").write_bytes(b"\0" * 1000)
    files = (text, "missing.txt", "broken.txt")
    done = run("bench", *files, "--size", "0.02", "--rounds", "1", "--json", cwd=tmp_path)
    figures = json.loads(done.stdout)
    assert done.code == 1
    assert "missing.txt: no such file or directory" in figures["problems"]
    assert any(problem.startswith("broken.txt: many NUL bytes") for problem in figures["problems"])
    assert all(problem in done.stderr for problem in figures["problems"])
    environment = figures["environment"]
    assert [Path(file).name for file in environment["files"]] == ["text.txt"]
    assert f"text.txt: {len(rows)} rows, 0.0" in environment["text"]
    assert figures["contenders"][CJK]["hits"]["2"]["recall"] == 1


@pytest.mark.slow
def test_another_encoding_is_read(rows: list[str], tmp_path: Path) -> None:
    (tmp_path / "gbk.txt").write_text("\n".join(rows), encoding="gb18030")
    options = ("--size", "0.02", "--rounds", "1")
    refused = run("bench", "gbk.txt", *options, cwd=tmp_path)
    assert refused.code == 2 and "--encoding gb18030" in refused.stderr
    out = run_well("bench", "gbk.txt", *options, "--encoding", "gb18030", "--json", cwd=tmp_path)
    assert json.loads(out)["contenders"][CJK]["hits"]["1"]["recall"] == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without a signal")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_nothing_behind(text: Path, tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    command = [*COMMAND, "bench", str(text), "--size", "4"]
    process = subprocess.Popen(
        command, env=environment({"TMPDIR": str(tmp_path)}), stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 60
    while not list(tmp_path.glob("cjk-bench-*/corpus-*")) and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    assert process.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_fails_in_the_end_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(figures: dict[str, Any], path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(plots, "write_one_plot", write)
    assert not bench._write_plot({}, "figures.png")
    assert "--plot figures.png: not written" in capsys.readouterr().err


@pytest.mark.slow
def test_a_plot_needs_matplotlib_or_is_one(text: Path, tmp_path: Path) -> None:
    arguments = ("bench", text, "--size", "0.02", "--rounds", "1", "--plot", "figures.png")
    done = run(*arguments, cwd=tmp_path)
    if plots.have_matplotlib():
        assert done.code == 0
        assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
    else:
        assert done.code == 2 and "pip install 'cjk-tokenizer[bench]'" in done.stderr
