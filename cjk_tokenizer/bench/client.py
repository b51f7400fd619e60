"""Starting and asking the process of a contender."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from cjk_tokenizer import Error

from .contenders import Contender

PACKAGES = Path(__file__).resolve().parent.parent.parent
SECONDS = 3600.0  # that a step may take
SECONDS_TO_END = 5.0  # for a process without work


class WorkerError(Error):
    """The process of a contender failed, died or took too long: the message says which."""


class WorkerProcess:
    """The process of one contender. `ready` is what it said of its start."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        path = os.pathsep.join(filter(None, (str(PACKAGES), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "cjk_tokenizer.bench.worker",
                json.dumps(contender.as_dict()),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        )
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._said = ""
        for read in (self._read_answers, self._read_messages):
            threading.Thread(target=read, daemon=True).start()
        try:
            self.ready: dict[str, Any] = self.result()
        except BaseException:
            self.close()
            raise

    def _read_answers(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(b"")

    def _read_messages(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said = line.decode("utf-8", "replace").strip() or self._said

    def start(self, what: str, **arguments: Any) -> None:
        """Tells the process what to do; `result` waits for it."""
        assert self._process.stdin is not None
        command = json.dumps({"do": what, **arguments}) + "\n"
        with contextlib.suppress(BrokenPipeError):  # result() says what happened
            self._process.stdin.write(command.encode())
            self._process.stdin.flush()

    def result(self, timeout: float = SECONDS) -> Any:
        """The answer to what was started. Raises WorkerError."""
        try:
            line = self._answers.get(timeout=timeout)
        except queue.Empty:
            self._process.kill()
            self.close()
            raise WorkerError(f"not done after {timeout:.0f} s") from None
        if not line:
            code = self._process.wait()
            raise WorkerError(f"its process ended with code {code} ({self._said or 'no message'})")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer["ok"]

    def ask(self, what: str, **arguments: Any) -> Any:
        """Has something done. Raises WorkerError."""
        self.start(what, **arguments)
        return self.result()

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """Ends the process, which ends with its input; where it goes on it is killed."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=SECONDS_TO_END)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
