"""Each contender by itself under pytest-benchmark: for comparing one commit with another.

Comparing contenders with each other is what `python -m benchmarks.suite` is for, which lets them
take turns. Both ask the same processes (cjk_tokenizer.bench).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cjk_tokenizer.bench.client import WorkerProcess

if TYPE_CHECKING:
    from benchmarks.conftest import Corpus

ROUNDS = 3


@pytest.mark.benchmark(group="tokenizing alone")
def test_tokenizing(benchmark: Any, worker: WorkerProcess, corpus: Corpus, counter: str) -> None:
    if worker.contender.tokenize is None:
        pytest.skip("a scan has no tokenizer")
    arguments = {"counter": counter, "corpus": str(corpus.path)}
    found = benchmark.pedantic(worker.ask, ("tokenize",), arguments, rounds=ROUNDS)
    assert found["tokens"] > 0
    benchmark.extra_info["megabytes_per_second"] = found["bytes"] / found["cpu"] / 1e6


@pytest.mark.benchmark(group="building")
def test_building(benchmark: Any, worker: WorkerProcess, corpus: Corpus, tmp_path: Path) -> None:
    arguments = {"database": str(tmp_path / "index.db"), "corpus": str(corpus.path)}
    found = benchmark.pedantic(worker.ask, ("build",), arguments, rounds=ROUNDS)
    assert found["bytes"] > corpus.size  # the text is in it
    benchmark.extra_info.update(cpu=found["cpu"], bytes=found["bytes"])


@pytest.mark.parametrize("length", ["1", "2", "3-4", "10"])
@pytest.mark.benchmark(group="searching")
def test_searching(
    benchmark: Any, worker: WorkerProcess, corpus: Corpus, index: str, length: str
) -> None:
    queries = corpus.queries[length]
    arguments = {"database": index, "queries": queries}
    found = benchmark.pedantic(worker.ask, ("query",), arguments, rounds=ROUNDS)
    assert len(found) == len(queries)


@pytest.mark.benchmark(group="answering questions")
def test_answering(benchmark: Any, worker: WorkerProcess, corpus: Corpus, index: str) -> None:
    if worker.contender.tokenize is None:
        pytest.skip("a scan has no ranking")
    queries = corpus.queries["question"]
    arguments = {"database": index, "queries": queries}
    found = benchmark.pedantic(worker.ask, ("question",), arguments, rounds=ROUNDS)
    assert len(found) == len(queries)


def test_ours_find_every_row(worker: WorkerProcess, corpus: Corpus, index: str) -> None:
    """Recall of one and two characters is whole for every n-gram of ours; no rate, no clock."""
    if not worker.contender.is_ours or worker.contender.kind == "words":
        pytest.skip("holds for our n-grams alone")
    if worker.contender.setup == "reference":
        pytest.skip("cjk_query() is in the compiled library alone")
    for length in ("1", "2"):
        arguments = {"database": index, "corpus": str(corpus.path)}
        counts = worker.ask("hits", **arguments, queries=corpus.queries[length])
        assert all(true == both for _, true, both in counts)
