"""The floor of a build: FTS5 replaying our tokens from memory (benchmarks/replay.c)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

_VERSION = re.compile(r"^SQLite ([\d.]+),", re.M)
_LINE = re.compile(r"^(tokenize='cjk'|tokens from memory|ratio|tokenizing alone)\s+([\d.]+)", re.M)


def replay(program: Path, library: Path, text: Path, rounds: int) -> dict[str, Any]:
    """Seconds of building with `tokenize='cjk'` and with the same tokens from memory, their ratio,
    and the SQLite that the program runs in (the system's); {"reason"} where the program is not
    built or fails."""
    if not program.exists():
        return {"reason": f"{program.name} is not built"}
    done = subprocess.run(
        [str(program), str(library), str(text), str(rounds)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode != 0:
        return {"reason": done.stderr.strip()}
    found = {name: float(value) for name, value in _LINE.findall(done.stdout)}
    version = _VERSION.search(done.stdout)
    return {
        "sqlite": version[1] if version else None,
        "cjk": found["tokenize='cjk'"],
        "replay": found["tokens from memory"],
        "ratio": found["ratio"],
        "tokenizing": found["tokenizing alone"],
    }
