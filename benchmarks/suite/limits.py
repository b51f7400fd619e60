"""The floor of a build: FTS5 replaying our tokens from memory (benchmarks/replay.c)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

_LINE = re.compile(r"^(tokenize='cjk'|tokens from memory|ratio|tokenizing alone)\s+([\d.]+)", re.M)


def replay(program: Path, library: Path, text: Path, rounds: int) -> dict[str, Any]:
    """Seconds of building with `tokenize='cjk'` and with the same tokens from memory, and their
    ratio; {"reason"} where the program is not built or fails."""
    if not program.exists():
        return {"reason": f"{program.name} is not built"}
    done = subprocess.run(
        [str(program), str(library), str(text), str(rounds)], capture_output=True, text=True
    )
    if done.returncode != 0:
        return {"reason": done.stderr.strip()}
    found = {name: float(value) for name, value in _LINE.findall(done.stdout)}
    return {
        "cjk": found["tokenize='cjk'"],
        "replay": found["tokens from memory"],
        "ratio": found["ratio"],
        "tokenizing": found["tokenizing alone"],
    }
