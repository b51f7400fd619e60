"""What was measured so far: a file of lines of JSON, one for each step, written as it is done.

The first line says what is being measured (machine, versions, text, plan); a file whose first line
says something else is begun anew, so that no run mixes what cannot be compared.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Record:
    """The results of steps by their keys. With a path, they outlive the process."""

    def __init__(self, identity: dict[str, Any], path: Path | None = None) -> None:
        self.steps: dict[str, Any] = {}
        self.identity: dict[str, Any] = json.loads(json.dumps(identity))
        self._path = path
        if path is None:
            return
        if not self._read(path):
            self.steps.clear()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"identity": self.identity}) + "\n", encoding="utf-8")

    def _read(self, path: Path) -> bool:
        """Takes over what the file has, if it is of the same run."""
        try:
            first, *lines = path.read_text(encoding="utf-8").splitlines()
            if json.loads(first).get("identity") != self.identity:
                return False
            for line in lines:
                step = json.loads(line)
                self.steps[step["key"]] = step["result"]
        except (OSError, ValueError, KeyError):
            # Not there, or cut off in the middle of a line: what came before that line counts.
            pass
        return bool(path.is_file() and self.steps)

    def add(self, key: str, result: Any) -> None:
        self.steps[key] = result
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "result": result}) + "\n")
