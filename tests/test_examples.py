"""The examples run, and print what their texts say."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import ROOT

from cjk_tokenizer import segmenters

sys.path.insert(0, str(ROOT / "examples"))
import segmenters as example


@pytest.fixture(scope="module")
def printed() -> dict[str, list[str]]:
    """The columns that the example prints for each query, whatever is installed."""
    script = ROOT / "examples" / "segmenters.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("  ") for line in done.stdout.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    return {row[0]: row[1:] for row in cells if len(row) > 2}
