"""Damaged databases: a query gives a result or an SQLite error, never a crash, and ends.

Bits of the golden database are flipped at random, in pages of all kinds or in the blobs of FTS5's
shadow tables, and everything that reads an index runs on it, in a process of its own that says
which damage it is at. HYPOTHESIS_PROFILE=long does it for ten thousand databases.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import golden_database
import pytest
from connections import LONG, PRELUDE
from fts import HOSTS

pytestmark = pytest.mark.usefixtures("library")
DATABASES = 10_000 if LONG else 120

PROGRAM = (
    PRELUDE
    + """
import random
from cjk_tokenizer.errors import LoadError

name, original, path, first, n, tables = sys.argv[1:]
golden = open(original, "rb").read()
module = importlib.import_module(name)
errors = (module.Error, UnicodeDecodeError, OverflowError)
OPTIONS = '{"snippet": 9, "highlight": 1}'
counts = {"answers": 0, "errors": 0}

def flip(blob, chance):
    blob = bytearray(blob)
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        if blob:
            blob[chance.randrange(len(blob))] ^= 1 << chance.randrange(8)
    return bytes(blob)

def damage_pages(chance):
    with open(path, "wb") as file:
        file.write(golden[:100] + flip(golden[100:], chance))

def damage_blobs(chance):
    with open(path, "wb") as file:
        file.write(golden)
    conn = opened(name, path)
    for table in tables.split():
        shadow = chance.choice([f"{table}_data"] * 3 + [f"{table}_docsize"])
        column, key = ("block", "id") if shadow.endswith("_data") else ("sz", "id")
        try:
            found = list(conn.execute(f"SELECT {key}, {column} FROM {shadow}"))
        except module.Error:
            continue
        row, blob = chance.choice(found)
        conn.execute(f"UPDATE {shadow} SET {column} = ? WHERE {key} = ?", (flip(blob, chance), row))
    getattr(conn, "commit", int)()
    conn.close()

def attempt(conn, sql, *parameters):
    try:
        for _, _ in zip(range(1000), conn.execute(sql, parameters)):
            pass
        counts["answers"] += 1
    except errors:
        counts["errors"] += 1

def use(conn, table):
    for query in "学习", "サーバー", "검색 OR 東京", "学* 在", "NEAR(机器 学习)":
        attempt(conn, f"SELECT rowid, x FROM {table}(?)", query)
        attempt(conn, f"SELECT cjk_highlight({table}, 0, '[', ']') FROM {table}(?)", query)
        attempt(conn, f"SELECT cjk_snippet({table}, -1, '[', ']', '…', 8) FROM {table}(?)", query)
        attempt(conn, f"SELECT rowid FROM {table}(?) ORDER BY cjk_rank({table}, 2.0)", query)
        attempt(conn, "SELECT * FROM cjk_search(?, ?, ?)", table, query, OPTIONS)
    attempt(conn, f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")
    attempt(conn, f"INSERT INTO {table}(rowid, x) VALUES (77, '学习天气')")
    attempt(conn, f"UPDATE {table} SET x = '猫' WHERE rowid = 1")
    attempt(conn, f"DELETE FROM {table} WHERE rowid = 2")
    attempt(conn, f"INSERT INTO {table}({table}) VALUES ('optimize')")
    attempt(conn, f"INSERT INTO {table}({table}) VALUES ('rebuild')")

for seed in range(int(first), int(first) + int(n)):
    print(seed, flush=True)
    chance = random.Random(seed)
    chance.choice([damage_pages, damage_blobs])(chance)
    try:
        conn = opened(name, path)
        load(conn)
    except (LoadError, *errors):  # not even the schema can be read
        counts["errors"] += 1
        continue
    # Broken lists can be circular: give up after so many steps of SQLite's machine.
    steps = [0]
    def step():
        steps[0] += 1
        return steps[0] > 3000
    getattr(conn, "setprogresshandler" if name == "apsw" else "set_progress_handler")(step, 1000)
    for table in tables.split():
        use(conn, table)
    conn.close()
print(counts)
assert min(counts.values()) > 100, counts
"""
)


@pytest.mark.parametrize("host", HOSTS)
def test_no_damage_crashes(host: str, tmp_path: Path) -> None:
    first = random.randrange(1_000_000_000)
    arguments = [golden_database.path(), tmp_path / "t.db", first, DATABASES]
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", PROGRAM, host, *map(str, arguments),
         " ".join(golden_database.TABLES)],
        capture_output=True,
        text=True,
        timeout=500 + DATABASES,
    )  # fmt: skip
    last = "\n".join(run.stdout.splitlines()[-1:])
    assert run.returncode == 0 and not run.stderr, f"damage {last}\n{run.stderr}"
