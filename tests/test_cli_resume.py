"""`cjk-tokenizer index`, killed: the database is valid; the next run adds what is missing, once.

What counts is that the end is the same as that of a run that nobody stopped: the same rows, and the
same terms in the full-text index.
"""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from cli_command import COMMAND, environment, run_well

import cjk_tokenizer

KILLS = 10
pytestmark = pytest.mark.slow


def write_text(path: Path, lines: int, seed: int) -> None:
    """Lines of Han characters, the frequent ones more often, as in real text."""
    chance = random.Random(seed)
    characters = [chr(0x4E00 + n) for n in range(3000)]
    weights = [1 / (n + 10) for n in range(3000)]
    text = "".join(chance.choices(characters, weights, k=lines * 33))
    path.write_text("".join(text[n : n + 33] + "\n" for n in range(0, lines * 33, 33)), "utf-8")


def index_and_kill(where: Path, seconds: float) -> bool:
    """Starts a run and kills it after so many seconds; whether it was still running."""
    process = subprocess.Popen(
        [*COMMAND, "index", "t.db", "files"],
        cwd=where,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def connect_and_check(database: Path) -> sqlite3.Connection:
    """A connection to a database in which the structure, the index and the records are right."""
    connection = cjk_tokenizer.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert ("docs" in tables) == ("cjk_sources" in tables)
    if "docs" in tables:
        connection.execute("INSERT INTO docs(docs, rank) VALUES ('integrity-check', 1)")
        counts = "SELECT source, count(*) FROM docs GROUP BY source ORDER BY source"
        records = "SELECT id, row_count FROM cjk_sources WHERE row_count > 0 ORDER BY id"
        assert connection.execute(counts).fetchall() == connection.execute(records).fetchall()
    return connection


def contents(database: Path) -> tuple[list[Any], list[Any]]:
    """All rows and all terms with their counts."""
    connection = connect_and_check(database)
    rows = connection.execute(
        "SELECT path, line, title, body FROM docs JOIN cjk_sources ON cjk_sources.id = source "
        "WHERE complete ORDER BY path, docs.rowid"
    ).fetchall()
    connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'docs', 'col')")
    terms = connection.execute("SELECT * FROM terms ORDER BY term, col").fetchall()
    connection.close()
    return rows, terms


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A large file between small ones."""
    files = tmp_path / "files"
    files.mkdir()
    write_text(files / "m.txt", 40_000, seed=1)
    for n in range(50):
        (files / f"a{n}.md").write_text(f"# 見出し {n}\n\n段落 {n}\n\n学習\n")
        (files / f"z{n}.jsonl").write_text(f'{{"text": "行 {n}"}}\n' * n)
    return files


def test_killed_runs_leave_what_an_unbroken_run_leaves(files: Path) -> None:
    where = files.parent
    started = time.monotonic()
    run_well("index", "t.db", "files", cwd=where)
    needed = time.monotonic() - started
    unbroken = contents(where / "t.db")
    assert len(unbroken[0]) == 40_000 + 50 * 2 + sum(range(50))
    (where / "t.db").unlink()

    seed = random.randrange(1_000_000)
    chance = random.Random(seed)
    killed = 0
    for _ in range(KILLS):
        killed += index_and_kill(where, chance.uniform(0.1, 0.3 + needed / 4))
        connect_and_check(where / "t.db").close()
    run_well("index", "t.db", "files", cwd=where)
    assert contents(where / "t.db") == unbroken, f"seed {seed}"
    assert killed > 0
    assert "0 rows added" in run_well("index", "t.db", "files", cwd=where)


def test_runs_killed_while_they_replace_a_file(files: Path) -> None:
    where = files.parent
    run_well("index", "t.db", "files", cwd=where)
    shutil.copy(where / "t.db", where / "old.db")
    write_text(files / "m.txt", 20_000, seed=2)
    (files / "a1.md").write_text("# other\n")
    run_well("index", "fresh.db", "files", cwd=where)
    fresh = contents(where / "fresh.db")

    seed = random.randrange(1_000_000)
    chance = random.Random(seed)
    for _ in range(KILLS // 2):
        index_and_kill(where, chance.uniform(0.1, 1.2))
        connect_and_check(where / "t.db").close()
    run_well("index", "t.db", "files", cwd=where)
    assert contents(where / "t.db") == fresh, f"seed {seed}"
    assert contents(where / "old.db") != fresh


def test_an_interrupted_run_ends_with_a_word(files: Path) -> None:
    where = files.parent
    process = subprocess.Popen(
        [*COMMAND, "index", "t.db", "files"],
        cwd=where,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where the tests run in the background of a script, it would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    process.stderr.readline()  # the first file is done
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith(b"cjk-tokenizer: stopped; the database is valid\n")
    assert b"Traceback" not in errors
    assert b"Exception" not in errors
    connect_and_check(where / "t.db").close()
    run_well("index", "t.db", "files", cwd=where)
    run_well("index", "fresh.db", "files", cwd=where)
    assert contents(where / "t.db") == contents(where / "fresh.db")
