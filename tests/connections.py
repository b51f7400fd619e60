"""Connections of every module that we load into, and programs for fresh interpreters.

`Host` opens connections in this process. `run_program` runs a piece of Python in a new one, for
what concerns a whole process; it finds `opened`, `rows` and `search` defined.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Seconds that a program may take: hundreds of times what it needs, since on a machine that is busy
# with other things one second of work can take minutes.
LIMIT = 600

# Tests that could go on for hours (kills, failures, damage) try all that they can.
LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"

HOSTS = ["sqlite3", "apsw", "pysqlite3", "sqlean"]


class Host:
    """One module that opens SQLite connections."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(name)

    def open(self, path: str | Path = ":memory:") -> Any:
        return (self.module.Connection if self.name == "apsw" else self.module.connect)(str(path))

    def define_function(self, conn: Any, name: str, function: Callable[..., Any] | None) -> None:
        """An SQL function of one argument; None takes it away."""
        if self.name == "apsw":
            conn.create_scalar_function(name, function, 1)
        else:
            conn.create_function(name, 1, function)


def rows(conn: Any, sql: str) -> list[Any]:
    return [row[0] for row in conn.execute(sql)]


def assert_searches(conn: Any, table: str = "notes") -> None:
    """An index made over this connection finds what is there, and nothing else."""
    conn.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(body, tokenize='cjk')")
    conn.execute(f"INSERT INTO {table} VALUES ('今天天气很好'), ('東京都'), ('plain words')")
    for query, expected in [("天气", [1]), ("京", [2]), ("words", [3]), ("气天", [])]:
        found = rows(conn, f"SELECT rowid FROM {table} WHERE {table} MATCH '{query}'")
        assert found == expected, query


def run_python(code: str, *args: str, env: dict[str, str] | None = None, limit: int = LIMIT) -> str:
    """Run a program in a fresh interpreter; it must end well, and within `limit` seconds.

    One that does not end is aborted together with the children that it has forked, and says on its
    way out where each of its threads was.
    """
    with subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            _send(process, "SIGABRT")
            output, errors = process.communicate(timeout=limit)
            errors = f"did not end within {limit} seconds\n{errors}"
        finally:
            if process.poll() is None:
                _send(process, "SIGKILL")
    assert process.returncode == 0, errors
    return output


def _send(process: subprocess.Popen[str], name: str) -> None:
    """Send a signal to a program in a session of its own and to its children."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, getattr(signal, name))
    else:
        process.kill()


# Precedes the programs below: `opened(name)` is a new connection of a module, by its name.
PRELUDE = """
import importlib, os, sqlite3, sys, threading
from cjk_tokenizer.connect import auto_load, connect, load

def opened(name, path=":memory:"):
    module = importlib.import_module(name)
    return (module.Connection if name == "apsw" else module.connect)(path)

def rows(conn, sql):
    return [row[0] for row in conn.execute(sql)]

def search(conn, table="notes", schema="main"):
    conn.execute(f"CREATE VIRTUAL TABLE {schema}.{table} USING fts5(body, tokenize='cjk')")
    conn.execute(f"INSERT INTO {schema}.{table} VALUES ('今天天气很好'), ('東京都')")
    assert rows(conn, f"SELECT rowid FROM {schema}.{table}('天气')") == [1]
    assert rows(conn, f"SELECT rowid FROM {schema}.{table}('京')") == [2]
"""


def run_program(code: str, *args: str, env: dict[str, str] | None = None) -> str:
    return run_python(PRELUDE + textwrap.dedent(code), *args, env=env)
