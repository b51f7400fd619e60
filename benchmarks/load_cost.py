"""What `load` costs: time for the first and for later connections, and memory of this process.

    python benchmarks/load_cost.py

Prints one line for each module that is installed, each measured in a fresh process. Warm time is
the median of 500 new connections; memory is what the process has for itself alone (private pages,
so not the read-only part of the library, which all processes share): for the first connection,
with everything that is allocated once, and for each of 100 open ones. Linux only for memory.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import subprocess
import sys
import time
from typing import Any

from cjk_tokenizer.connect import load

HOSTS = ["sqlite3", "apsw", "pysqlite3", "sqlean"]
WARM_CONNECTIONS = 500
OPEN_CONNECTIONS = 100


def private_kilobytes() -> int:
    """Private pages of this process, in kB; 0 where there is no /proc."""
    try:
        with open("/proc/self/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
    except OSError:
        return 0


def timed(conn: Any) -> float:
    """Milliseconds of one load."""
    start = time.perf_counter()
    load(conn, fallback=False)
    return (time.perf_counter() - start) * 1000


def measure(name: str) -> str:
    module = importlib.import_module(name)
    connect = module.Connection if name == "apsw" else module.connect

    def opened() -> Any:
        conn = connect(":memory:")
        # Allocate what SQLite allocates when a connection is first used.
        conn.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
        return conn

    opened()
    before = private_kilobytes()
    first_conn = opened()
    plain = private_kilobytes()
    first = timed(first_conn)
    loaded = private_kilobytes()

    warm = []
    for _ in range(WARM_CONNECTIONS):
        conn = opened()
        warm.append(timed(conn))
        conn.close()

    conns = [opened() for _ in range(OPEN_CONNECTIONS)]
    many_plain = private_kilobytes()
    for conn in conns:
        load(conn, fallback=False)
    each = (private_kilobytes() - many_plain) / OPEN_CONNECTIONS
    return (
        f"{name:10} first {first:6.2f} ms, later {statistics.median(warm):6.3f} ms; "
        f"first {loaded - plain:5} kB, each {each:6.1f} kB "
        f"(a connection by itself {plain - before:5} kB)"
    )


def main() -> None:
    if len(sys.argv) > 1:
        print(measure(sys.argv[1]))
        return
    for name in HOSTS:
        if importlib.util.find_spec(name):
            subprocess.run([sys.executable, __file__, name], check=True)
        else:
            print(f"{name:10} not installed")


if __name__ == "__main__":
    main()
