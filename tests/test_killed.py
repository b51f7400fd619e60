"""Killed at any moment: what was committed is there, nothing else is, and the index is whole.

A program in a process of its own changes a table, transaction after transaction (bulk inserts,
updates, deletes, optimize), and says each commit; SIGKILL comes at a random time. Transaction n is
the same in every run, so that what must be in the table is known. The next program goes on where
the killed one ended. HYPOTHESIS_PROFILE=long kills a hundred times in each mode. The command line
has tests of its own (test_cli_resume.py).
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import fts
import pytest
from connections import LONG, PRELUDE

pytestmark = [
    pytest.mark.no_sanitizer,  # what a killed process would have said is lost
    pytest.mark.usefixtures("library"),
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there"),
]
KILLS = 100 if LONG else 6

# Run here and in the killed programs.
CHANGES = '''
import random

WORDS = ["学习", "天气", "自然语言", "東京都", "サーバー", "한국어", "검색", "ภาษาไทย", "a", "b"]


def make_text(chance):
    return "，".join("".join(chance.choices(WORDS, k=4)) for _ in range(chance.randint(1, 12)))


def change(n, rows):
    """Changes the dictionary of rows as transaction n does; the statements that do the same."""
    chance = random.Random(n)
    kind = n % 5
    if kind in (0, 1):
        added = {1000 * n + i: make_text(chance) for i in range(400 if kind else 20)}
        rows.update(added)
        return [("INSERT INTO t(rowid, x) VALUES (?, ?)", row) for row in added.items()]
    picked = chance.sample(sorted(rows), min(30, len(rows)))
    if kind == 2:
        changed = {row: make_text(chance) for row in picked}
        rows.update(changed)
        return [("UPDATE t SET x = ?2 WHERE rowid = ?1", row) for row in changed.items()]
    if kind == 3:
        picked = chance.sample(sorted(rows), len(rows) // 3)
        for row in picked:
            del rows[row]
        return [("DELETE FROM t WHERE rowid = ?", (row,)) for row in picked]
    return [("INSERT INTO t(t) VALUES ('%s')" % ("optimize" if n % 2 else "rebuild"), ())]
'''
PROGRAM = (
    PRELUDE
    + CHANGES
    + """
name, path, journal = sys.argv[1:]
conn = sqlite3.connect(path, isolation_level=None) if name == "sqlite3" else opened(name, path)
load(conn)
conn.execute(f"PRAGMA journal_mode = {journal}")
conn.execute("PRAGMA cache_size = 20")  # pages: changes reach the file before the commit
print("ready", flush=True)
content = dict(conn.execute("SELECT rowid, x FROM t"))
done = rows(conn, "SELECT n FROM done")[0]
while True:
    conn.execute("BEGIN IMMEDIATE")
    for sql, parameters in change(done + 1, content):
        conn.execute(sql, parameters)
    conn.execute("UPDATE done SET n = n + 1")
    conn.execute("COMMIT")
    done += 1
    print(done, flush=True)
"""
)


def change_and_kill(host: str, path: Path, journal: str, chance: random.Random) -> int:
    """Lets the program make some commits and a bit more; the last commit that it told of."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, host, str(path), journal],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        lines = [process.stdout.readline() for _ in range(1 + chance.randrange(4))]
        time.sleep(chance.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
        assert process.wait() == -signal.SIGKILL, process.stderr.read()
    whole = [line for line in lines if line.endswith("\n")]
    return int(whole[-1]) if len(whole) > 1 else 0


def expected_rows(n: int) -> dict[int, str]:
    program: dict[str, Any] = {}
    exec(CHANGES, program)
    rows: dict[int, str] = {}
    for each in range(1, n + 1):
        program["change"](each, rows)
    return rows


def check(host: str, path: Path, told: int, tokenize: str) -> int:
    """The transactions that the table has are 1 to n, whole, with all that was told; n."""
    conn = fts.open_host(host, str(path))
    n: int = fts.value(conn, "SELECT n FROM done")
    assert n >= told
    expected = expected_rows(n)
    assert dict(fts.rows(conn, "SELECT rowid, x FROM t")) == expected
    assert fts.rows(conn, "PRAGMA integrity_check") == [("ok",)]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    if tokenize == "cjk":  # words do not find every substring
        found = set(fts.column(conn, "SELECT rowid FROM t WHERE t MATCH '学习天气'"))
        assert found == {row for row, text in expected.items() if "学习天气" in text}
    conn.close()
    return n


@pytest.mark.parametrize("tokenize", ["cjk", "cjk segment jieba"])
@pytest.mark.parametrize("journal", ["wal", "delete", "truncate"])
def test_killed_at_any_moment(tmp_path: Path, journal: str, tokenize: str) -> None:
    host = "sqlite3" if tokenize == "cjk" else "apsw"
    path = tmp_path / "t.db"
    conn = fts.open_host(host, str(path))
    conn.execute("CREATE TABLE done(n)")
    conn.execute("INSERT INTO done VALUES (0)")
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{tokenize}')")
    conn.close()
    seed = random.randrange(1_000_000)
    print(f"seed {seed}")
    chance = random.Random(seed)
    n = 0
    for _ in range(KILLS):
        told = change_and_kill(host, path, journal, chance)
        n = check(host, path, told, tokenize)
    assert n > 0
