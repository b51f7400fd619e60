"""The committed character tables are what the tool writes, of the classes as they stand now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UCD = Path("/usr/share/unicode")


@pytest.mark.skipif(
    not (UCD / "UnicodeData.txt").exists(), reason="no Unicode database (package unicode-data)"
)
def test_tables_are_current() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make_memory_tables.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
