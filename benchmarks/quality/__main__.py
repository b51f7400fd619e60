"""How good is the ranking? R@1, nDCG@10 and MRR@10 on retrieval sets, beside other engines.

    python -m benchmarks.quality                        bm25 and cjk_search on all sets
    python -m benchmarks.quality --engine evidence --set jsquad --limit 300
    python -m benchmarks.quality --engine search --halves
    python -m benchmarks.quality --engine evidence --perturb --limit 300
    python -m benchmarks.quality --tokenize "cjk fold_han 1" --set hans-in-hant

Sets are looked for in ../shared/data/retrieval, or in --folder, or made of others (derived.py has
their names); those that are missing are said so and left out. `halves` gives each half of the
queries by itself; `perturb` changes one constant of evidence.py after the other. With cjk_search a
set takes seconds; evidence.py takes minutes.

Peers were measured on the same sets with all of a set's first 2,000 queries, in another run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from . import evidence
from .derived import read_any_set
from .engines import ENGINES, Engine, make_evidence
from .sets import SHARED, RetrievalSet, Scores, mean_scores, score_ranking

PEERS = {
    "cmrc2018": (("SmartChinese words (Lucene)", 0.961, 0.982),),
    "jsquad": (("MeCab lemmas", 0.894, 0.939),),
    "iapp-th": (("PyThaiNLP newmm words", 0.911, 0.943),),
    "cmrc2018-title": (("best dictionary engine", 0.949, None),),
    "jsquad-title": (("best dictionary engine", 0.991, None),),
}


def evaluate(engine: Engine, data: RetrievalSet, tokenize: str) -> tuple[list[Scores], float]:
    """Rank for every question; return the scores and the mean milliseconds of a query."""
    rank = engine(data.passages, tokenize)
    began = time.perf_counter()
    scores = [score_ranking(rank(q.text), q.relevant) for q in data.questions]
    return scores, (time.perf_counter() - began) * 1000 / max(1, len(data.questions))


def report(name: str, scores: Sequence[Scores], milliseconds: float | None = None) -> None:
    mean = mean_scores(scores)
    took = "" if milliseconds is None else f"{milliseconds:9.2f} ms"
    print(f"  {name:28} {mean.r1:.4f}  {mean.ndcg:.4f}  {mean.mrr:.4f}{took}", flush=True)


def report_set(data: RetrievalSet, engines: dict[str, Engine], tokenize: str, halves: bool) -> None:
    print(f"{data.name}: {len(data.passages)} passages, {len(data.questions)} queries")
    print(f"  {'':28} R@1     nDCG@10 MRR@10")
    for name, r1, ndcg in PEERS.get(data.name, ()):
        print(f"  {name:28} {r1:.3f}   {'' if ndcg is None else format(ndcg, '.3f')}")
    for name, engine in engines.items():
        scores, milliseconds = evaluate(engine, data, tokenize)
        report(name, scores, milliseconds)
        if halves:
            report("  first half", scores[: len(scores) // 2])
            report("  second half", scores[len(scores) // 2 :])


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks.quality",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--engine", action="append", choices=list(ENGINES), help="may be repeated")
    parser.add_argument("--set", action="append", dest="names", help="may be repeated")
    parser.add_argument("--tokenize", default="cjk", help="of the table (default: cjk)")
    parser.add_argument("--folder", type=Path, default=SHARED)
    parser.add_argument("--limit", type=int, default=2000, help="queries of a set")
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--perturb", action="store_true", help="evidence.py, constants changed")
    given = parser.parse_args()
    engines = {name: ENGINES[name] for name in given.engine or ("bm25", "search")}
    if given.perturb:
        engines["evidence"] = ENGINES["evidence"]
        engines |= {name: make_evidence(settings) for name, settings in evidence.perturbed()}
    for name in given.names or PEERS:
        try:
            data = read_any_set(given.folder, name, given.limit)
        except (FileNotFoundError, ImportError) as error:
            print(f"{name}: left out ({error})")
            continue
        report_set(data, engines, given.tokenize, given.halves)


if __name__ == "__main__":
    main()
