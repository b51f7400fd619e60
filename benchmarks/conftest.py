"""What the pytest-benchmark suites share: a corpus, and the processes of the contenders.

pytest benchmarks                                  1 MB of real text, minutes
pytest benchmarks --megabytes 0.05                 seconds
pytest benchmarks --benchmark-autosave             keep the figures;
pytest benchmarks --benchmark-compare              ... and compare later ones with them
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.suite.__main__ import BUILD, TEXT
from cjk_tokenizer.bench import corpus as corpora
from cjk_tokenizer.bench.client import WorkerProcess
from cjk_tokenizer.bench.contenders import CONTENDERS, INSTR, Contender
from cjk_tokenizer.bench.run import MEGABYTE

QUERIES = 50


class Corpus(NamedTuple):
    """A database of rows and true hits, and queries by their length."""

    path: Path
    size: int
    queries: dict[str, list[str]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--megabytes", type=float, default=1.0, help="how much text to measure with")
    parser.addoption("--text", type=Path, default=TEXT, help="a file of UTF-8, a row for each line")


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    text: Path = request.config.getoption("--text")
    if not text.is_file():
        pytest.skip(f"no text to measure with: {text.name} is absent; name one with --text")
    size = int(request.config.getoption("--megabytes") * MEGABYTE)
    rows = corpora.resize(text.read_text("utf-8", "replace").split("\n"), size)
    path = tmp_path_factory.mktemp("corpus") / "corpus.db"
    corpora.write(rows, path)
    queries = corpora.draw_queries(rows, QUERIES)
    scan = next(each for each in CONTENDERS if each.name == INSTR)
    with WorkerProcess(scan) as worker:
        worker.ask("truth", corpus=str(path), queries=queries["1"] + queries["2"])
    return Corpus(path, corpora.size_of(rows), queries)


@pytest.fixture(scope="module", params=CONTENDERS, ids=lambda contender: contender.name)
def worker(request: pytest.FixtureRequest) -> Iterator[WorkerProcess]:
    """The process of each contender in turn."""
    contender: Contender = request.param
    missing = contender.missing()
    if missing is not None:
        pytest.skip(missing)
    with WorkerProcess(contender) as process:
        yield process


@pytest.fixture(scope="module")
def index(worker: WorkerProcess, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database that the contender has built."""
    path = str(tmp_path_factory.mktemp("index") / "index.db")
    worker.ask("build", database=path, corpus=str(corpus.path))
    return path


@pytest.fixture(scope="session")
def counter() -> str:
    """The library that measures tokenizing alone."""
    found = next((BUILD / "benchmarks").glob("*tokenize_alone.*"), None)
    if found is None:
        pytest.skip("benchmarks/tokenize_alone.c is not built: make bench builds it")
    return str(found)
