"""Runs the real command `cjk-tokenizer` in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

COMMAND = [sys.executable, "-m", "cjk_tokenizer.cli"]
NO_CHANGES: Mapping[str, str] = MappingProxyType({})


class Done(NamedTuple):
    """What a run left behind; output is UTF-8, other bytes as surrogates."""

    code: int
    stdout: str
    stderr: str


def environment(changes: Mapping[str, str] = NO_CHANGES) -> dict[str, str]:
    """The environment of a run without a terminal, 100 columns wide."""
    plain = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    return {**plain, "COLUMNS": "100", "PYTHONUTF8": "1", **changes}


def run(
    *arguments: str | bytes | Path,
    cwd: Path,
    stdin: bytes = b"",
    variables: Mapping[str, str] = NO_CHANGES,
) -> Done:
    """Runs the command with these arguments to its end."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        input=stdin,
        env=environment(variables),
        capture_output=True,
        timeout=300,
    )
    stdout, stderr = (out.decode("utf-8", "surrogateescape") for out in (done.stdout, done.stderr))
    assert "Traceback" not in stderr, stderr
    return Done(done.returncode, stdout, stderr)


def run_well(*arguments: str | bytes | Path, cwd: Path) -> str:
    """Runs the command, which must succeed; gives its stdout."""
    done = run(*arguments, cwd=cwd)
    assert done.code == 0, done
    return done.stdout
