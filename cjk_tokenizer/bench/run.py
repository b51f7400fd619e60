"""A run: the plan as a list of steps, done in order, each recorded when it is done.

Contenders take turns: each round of building or searching goes through all of them, each round
beginning with another one, so that a busy minute of the machine hurts all alike. A contender that
fails or dies is left out of the rest of that size with its message, and the run goes on; one that
would be too slow (building it would take longer than the plan allows, judged by the next smaller
size) is left out of the larger sizes.

Databases are made in a directory of the run and removed after each size.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Callable

from . import corpus as corpora
from .client import WorkerError, WorkerProcess
from .contenders import CJK, INSTR, Contender
from .record import Record

MEGABYTE = 1_000_000
SERVING_KINDS = ("bigram", "trigram", "unigram")
FAILED, SKIPPED = "failed", "skipped"
ENOUGH = "enough"  # a reason to skip a round that the median can do without


@dataclass(frozen=True)
class Plan:
    """How much is measured. Sizes are in bytes of text, rising. `main` is the one that tables of
    one size show, and the only one for which hits are counted and connections are served."""

    sizes: tuple[int, ...]
    main: int
    rounds: int = 3
    queries: int = 50
    build_seconds: float = 60.0
    """A contender takes part in a size when it will be built in less."""
    once_seconds: float = 10.0
    """What takes longer is done once, not in every round; and of queries that take longer
    together, the first ones."""
    connections: tuple[int, ...] = (1, 2, 4)
    serve_seconds: float = 3.0
    scan_queries: int = 10
    """So many queries are enough for scans, which take the same time for each."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Step:
    """One thing to do: `stage` is a key of Run.stages."""

    stage: str
    contender: Contender
    size: int = 0
    round: int = 0
    detail: str = ""
    weight: float = 1.0

    @property
    def key(self) -> str:
        return "|".join(
            (self.stage, self.contender.name, str(self.size), self.detail, str(self.round))
        )


Progress = Callable[[float, str], None]  # share that is done, what is being done


def _no_progress(share: float, what: str) -> None:
    return None


class Run:
    """A run of a plan over rows of text. `counter` is the library that measures tokenizing alone,
    where it is built."""

    def __init__(
        self,
        rows: Sequence[str],
        contenders: Sequence[Contender],
        plan: Plan,
        record: Record,
        directory: Path,
        counter: Path | None = None,
        progress: Progress = _no_progress,
    ) -> None:
        self._rows = rows
        self._contenders = list(contenders)
        self._plan = plan
        self._record = record
        self._directory = directory
        self._counter = counter
        self._progress = progress
        self._workers: dict[str, WorkerProcess] = {}
        # The smaller corpora are parts of the larger ones: so each query has rows in all of them.
        self._queries = corpora.draw_queries(corpora.resize(rows, min(plan.sizes)), plan.queries)
        self._stages: dict[str, Callable[[Step], Any]] = {
            "start": self._start,
            "ceilings": self._ceilings,
            "tokenize": self._tokenize,
            "build": self._build,
            "query": self._query,
            "question": self._question,
            "truth": self._truth,
            "hits": self._hits,
            "serve": self._serve,
            "optimize": self._optimize,
            "clean": self._clean,
        }

    # ------------------------------------------------------------ the list of steps

    def steps(self) -> list[Step]:
        """All that is to be done, in order."""
        plan = self._plan
        found = [*self._in_turn("start", 0, plan.rounds)]
        if self._counter is not None:
            size = min(plan.main, 16 * MEGABYTE)
            native = [each for each in self._contenders if each.tokenize is not None]
            found.append(Step("ceilings", self._by_name(CJK), size))
            found += self._in_turn("tokenize", size, plan.rounds, contenders=native, cost=0.1)
        for size in plan.sizes:
            found += self._steps_of_size(size)
        return found

    def _steps_of_size(self, size: int) -> Iterator[Step]:
        plan = self._plan
        yield from self._in_turn("build", size, plan.rounds, cost=1.0)
        for name, queries in self._queries.items():
            if queries:
                stage = "question" if name == "question" else "query"
                yield from self._in_turn(stage, size, plan.rounds, name, cost=0.2)
        if size == plan.main:
            yield Step("truth", self._by_name(INSTR), size, weight=size)
            yield from self._in_turn("hits", size, 1, cost=0.5)
        yield from self._in_turn("optimize", size, 1, cost=0.5)
        if size == plan.main:
            # Last, since it adds rows.
            serving = [
                each
                for each in self._contenders
                if not each.is_python and each.kind in SERVING_KINDS
            ]
            for number in plan.connections:
                yield from self._in_turn("serve", size, 1, str(number), serving, cost=0.3)
        yield Step("clean", self._by_name(INSTR), size, weight=1)

    def _in_turn(
        self,
        stage: str,
        size: int,
        rounds: int,
        detail: str = "",
        contenders: Sequence[Contender] | None = None,
        cost: float = 1.0,
    ) -> Iterator[Step]:
        """Rounds of a stage; each begins with another contender."""
        chosen = list(self._contenders if contenders is None else contenders)
        for number in range(rounds):
            first = number * len(chosen) // rounds
            for contender in chosen[first:] + chosen[:first]:
                slow = 8.0 if contender.is_python else 1.0
                weight = max(cost * slow * size, MEGABYTE * 0.2)
                yield Step(stage, contender, size, number, detail, weight)

    def _by_name(self, name: str) -> Contender:
        return next(each for each in self._contenders if each.name == name)

    # ------------------------------------------------------------ doing them

    def run(self) -> Record:
        """Does what the record does not have yet."""
        steps = self.steps()
        total, done = sum(step.weight for step in steps), 0.0
        try:
            for step in steps:
                self._progress(done / total, _describe(step))
                if step.key not in self._record.steps or step.stage == "clean":
                    self._record.add(step.key, self._result(step))
                done += step.weight
            self._progress(1.0, "done")
        finally:
            for worker in self._workers.values():
                worker.close()
        return self._record

    def _result(self, step: Step) -> Any:
        reason = self._reason_to_skip(step)
        if reason is not None:
            return {SKIPPED: reason}
        try:
            return self._stages[step.stage](step)
        except WorkerError as error:
            self._drop(step.contender)
            return {FAILED: str(error)}

    def _reason_to_skip(self, step: Step) -> str | None:
        if step.stage in ("start", "ceilings", "tokenize", "clean", "truth"):
            return None
        builds = self._builds(step.contender, step.size)
        for result in builds:
            for problem in (FAILED, SKIPPED):
                if problem in result:
                    return str(result[problem])
        if step.stage == "build":
            return self._too_slow(step) if not builds else self._enough(builds[0]["wall"])
        if step.round > 0 and step.stage in ("query", "question"):
            times = self._first_round(step)
            return self._enough(sum(times) / 1000) if times else None
        return None

    def _enough(self, seconds: float) -> str | None:
        return ENOUGH if seconds > self._plan.once_seconds else None

    def _first_round(self, step: Step) -> list[float] | None:
        """Times of the step's first round."""
        found = self._record.steps.get(replace(step, round=0).key)
        return found if isinstance(found, list) else None

    def _builds(self, contender: Contender, size: int) -> list[dict[str, Any]]:
        """The results of building it so far; those that were not needed left out."""
        found = []
        for number in range(self._plan.rounds):
            result = self._record.steps.get(Step("build", contender, size, number).key)
            if result is not None and result.get(SKIPPED) != ENOUGH:
                found.append(result)
        return found

    def _too_slow(self, step: Step) -> str | None:
        smaller = [size for size in self._plan.sizes if size < step.size]
        if not smaller:
            return None
        builds = self._builds(step.contender, smaller[-1])
        if not builds or "wall" not in builds[0]:
            return str(builds[0].get(SKIPPED) or builds[0].get(FAILED)) if builds else None
        expected = builds[0]["wall"] * step.size / smaller[-1]
        if expected > self._plan.build_seconds:
            return f"building would take about {expected:.0f} s"
        return None

    def _worker(self, contender: Contender) -> WorkerProcess:
        worker = self._workers.get(contender.name)
        if worker is None or not worker.is_alive:
            worker = self._workers[contender.name] = WorkerProcess(contender)
        return worker

    def _drop(self, contender: Contender) -> None:
        worker = self._workers.pop(contender.name, None)
        if worker is not None:
            worker.close()

    # ------------------------------------------------------------ files

    def _corpus(self, size: int) -> str:
        path = self._directory / f"corpus-{size}.db"
        if not path.exists():
            corpora.write(corpora.resize(self._rows, size), path)
        return str(path)

    def _database(self, step: Step) -> str:
        """The contender's index of that size; made where a stopped run left none."""
        path = self._database_path(step)
        if not path.exists():
            self._ask(step, "build", database=str(path), corpus=self._corpus(step.size))
        return str(path)

    def _database_path(self, step: Step) -> Path:
        return self._directory / f"{step.contender.slug}-{step.size}.db"

    def _ask(self, step: Step, what: str, **arguments: Any) -> Any:
        return self._worker(step.contender).ask(what, **arguments)

    # ------------------------------------------------------------ stages

    def _start(self, step: Step) -> Any:
        with WorkerProcess(step.contender) as worker:
            return worker.ready

    def _ceilings(self, step: Step) -> Any:
        return self._ask(
            step, "ceilings", counter=str(self._counter), corpus=self._corpus(step.size)
        )

    def _tokenize(self, step: Step) -> Any:
        # Python's would take minutes; what they do in a second does not depend on the size.
        size = min(step.size, MEGABYTE) if step.contender.is_python else step.size
        return self._ask(step, "tokenize", counter=str(self._counter), corpus=self._corpus(size))

    def _build(self, step: Step) -> Any:
        path = self._database_path(step)
        path.unlink(missing_ok=True)
        return self._ask(step, "build", database=str(path), corpus=self._corpus(step.size))

    def _some_queries(self, step: Step) -> list[str]:
        queries = self._queries[step.detail]
        return queries[: self._plan.scan_queries] if step.contender.kind == "scan" else queries

    def _query(self, step: Step) -> Any:
        return self._ask_queries(step, self._some_queries(step))

    def _question(self, step: Step) -> Any:
        return self._ask_queries(step, self._queries["question"])

    def _ask_queries(self, step: Step, queries: list[str]) -> Any:
        database, seconds = self._database(step), self._plan.once_seconds
        return self._ask(step, step.stage, database=database, queries=queries, seconds=seconds)

    def _texts(self) -> list[str]:
        return [text for name in corpora.QUERY_LENGTHS for text in self._queries[name]]

    def _truth(self, step: Step) -> Any:
        return self._ask(step, "truth", corpus=self._corpus(step.size), queries=self._texts())

    def _hits(self, step: Step) -> Any:
        corpus, database = self._corpus(step.size), self._database(step)
        return {
            name: self._ask(
                step, "hits", database=database, corpus=corpus, queries=self._queries[name]
            )
            for name in corpora.QUERY_LENGTHS
            if self._queries[name]
        }

    def _serve(self, step: Step) -> Any:
        """Some connections search while one adds rows."""
        database, corpus = self._database(step), self._corpus(step.size)
        queries = self._queries["2"] + self._queries["3-4"]
        seconds = self._plan.serve_seconds
        writer = self._worker(step.contender)
        writer.ask("use_wal", database=database)
        with contextlib.ExitStack() as stack:
            readers = [
                stack.enter_context(WorkerProcess(step.contender)) for _ in range(int(step.detail))
            ]
            writer.start("write", database=database, corpus=corpus, seconds=seconds)
            for reader in readers:
                reader.start("read", database=database, queries=queries, seconds=seconds)
            times = [time for reader in readers for time in reader.result()]
            return {"written": writer.result(), "times": _sample(times), "queries": len(times)}

    def _optimize(self, step: Step) -> Any:
        return self._ask(step, "optimize", database=self._database(step))

    def _clean(self, step: Step) -> Any:
        for contender in self._contenders:
            self._drop(contender)
        for path in self._directory.iterdir():
            if f"-{step.size}." in path.name:
                path.unlink() if path.is_file() else shutil.rmtree(path)
        return {}


def _sample(times: list[float], number: int = 1000) -> list[float]:
    """Evenly spread ones of the sorted times: their percentiles are those of all."""
    ordered = sorted(times)
    if len(ordered) <= number:
        return ordered
    return [ordered[i * (len(ordered) - 1) // (number - 1)] for i in range(number)]


def _describe(step: Step) -> str:
    what = step.stage + (f" {step.detail}" if step.detail else "")
    size = f", {step.size / MEGABYTE:g} MB" if step.size else ""
    return f"{step.contender.name}: {what}{size}"
