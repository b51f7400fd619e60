"""The examples run, and find what their texts say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from cjk_tokenizer import segmenters

ROOT = Path(__file__).resolve().parent.parent


def run(name: str) -> str:
    script = str(ROOT / "examples" / name)
    done = subprocess.run(
        [sys.executable, "-X", "utf8", script], capture_output=True, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_segmenters_prints_what_each_index_finds() -> None:
    lines = [line.split("  ") for line in run("segmenters.py").splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    texts = [row[1] for row in cells if row[0].isdigit()]
    found = {row[0]: row[1:] for row in cells if len(row) > 3}
    chosen = {row[0]: row[1] for row in cells if len(row) == 2}
    assert len(texts) == 9 and chosen["zh"] == "jieba, built in"
    queries = [query for query in found if query not in ("zh", "ja", "ko", "th")]
    assert len(queries) == 17
    for query in queries:  # n-grams find what is there, and nothing else
        rows = [str(number) for number, text in enumerate(texts, 1) if query in text]
        assert found[query][0] == " ".join(rows)
    assert found["研究生"][:2] == ["2", "-"]  # 研究 + 生命
    assert found["自然语言"][:2] == ["1", "1"]
    if chosen["ja"] in segmenters.names():
        assert found["京都"][1:3] == ["4 5", "5"]
    if chosen["ko"] in segmenters.names():
        assert found["소를"][2] == "-"
