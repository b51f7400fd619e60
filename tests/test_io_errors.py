"""Every read, write, sync and truncation fails once: the error comes back, nothing is half written.

A short script of statements runs on a file system of ours (apsw's VFS) that lets the n-th call of a
kind fail, for n = 1, 2, ... until none is left to fail. After each failure the table is as it was
before the statement or after it, the index is whole, the statement runs when it is tried again, and
the script ends as it does without failures. HYPOTHESIS_PROFILE=long tries every n, else some forty.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from connections import LONG

import cjk_tokenizer

pytestmark = pytest.mark.usefixtures("library")

TEXT = "今天天气很好，我们在東京都学习自然语言处理。サーバーを再起動した。한국어 검색 "
SCRIPT = [
    "INSERT INTO t(rowid, title, body) SELECT 100 + value, 'new', ?1 || value FROM numbers",
    "SELECT count(*) FROM t WHERE t MATCH cjk_query('天气 学习')",
    "UPDATE t SET body = 'changed 改变' || rowid WHERE rowid % 3 = 0",
    "SELECT cjk_highlight(t, 1, '[', ']') FROM t WHERE t MATCH '天气'",
    "DELETE FROM t WHERE rowid % 5 = 0",
    "SELECT cjk_snippet(t, -1, '[', ']', '…', 20) FROM t WHERE t MATCH '学习' "
    "ORDER BY cjk_rank(t) LIMIT 9",
    "INSERT INTO t(t) VALUES ('optimize')",
    "SELECT group_concat(rowid || snippet || highlights) FROM cjk_search('t', '学习自然语言方法', "
    """'{"snippet": 20, "highlight": 1, "limit": 5}')""",
    "SELECT count(*), sum(end) FROM cjk_tokens(?1, 'segment jieba')",
    "INSERT INTO t(t) VALUES ('rebuild')",
    "SELECT count(*) FROM t WHERE t MATCH '改变'",
]
KINDS = ["read", "write", "sync", "truncate", "full"]


class FailingFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: Disk) -> None:
        self.disk = disk
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self.disk.count("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.count("write")
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self.disk.count("truncate")
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self.disk.count("sync")
        super().xSync(flags)


class Disk(apsw.VFS):
    """Files as the system has them, until `fail(kind, n)`: then the n-th call fails, once."""

    NAME = "failing"

    def __init__(self) -> None:
        super().__init__(self.NAME, "")
        self.fail("", 0)

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:
        return FailingFile(name, flags, self)

    def fail(self, kind: str, n: int) -> None:
        self.kind, self.left, self.counts = kind, n, dict.fromkeys(KINDS, 0)

    def stop(self) -> None:
        self.kind = ""

    def count(self, kind: str) -> None:
        self.counts[kind] += 1
        if kind != self.kind and not (kind == "write" and self.kind == "full"):
            return
        self.left -= 1
        if self.left == 0:
            if self.kind == "full":
                raise apsw.FullError("injected")
            error: Any = apsw.IOError("injected")
            name = {"sync": "FSYNC"}.get(kind, kind.upper())
            error.extendedresult = getattr(apsw, f"SQLITE_IOERR_{name}")
            raise error


@pytest.fixture(scope="module")
def disk() -> Iterator[Disk]:
    disk = Disk()
    yield disk
    disk.unregister()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("io") / "original.db"
    conn = apsw.Connection(str(path))
    cjk_tokenizer.load(conn)
    conn.execute("CREATE TABLE numbers(value)")
    conn.executemany("INSERT INTO numbers VALUES (?)", [(n,) for n in range(30)])
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize='cjk')")
    conn.execute(
        "INSERT INTO t(rowid, title, body) SELECT value, 'old', ?1 || value FROM numbers", (TEXT,)
    )
    conn.close()
    return path


def copy_to(path: Path, original: Path) -> Path:
    for suffix in ("-journal", "-wal"):
        Path(str(path) + suffix).unlink(missing_ok=True)
    return Path(shutil.copy(original, path))


def open_file(path: Path, journal: str) -> apsw.Connection:
    conn = apsw.Connection(str(path), vfs=Disk.NAME)
    cjk_tokenizer.load(conn, fallback=False)
    # No shared memory in a VFS of ours: WAL needs the file for itself.
    conn.execute(f"PRAGMA locking_mode = {'EXCLUSIVE' if journal == 'wal' else 'NORMAL'}")
    conn.execute(f"PRAGMA journal_mode = {journal}")
    conn.execute("PRAGMA cache_size = 5")  # pages: most reads reach the file
    return conn


def run(conn: apsw.Connection, statement: str) -> list[Any]:
    return list(conn.execute(statement, (TEXT,) if "?1" in statement else ()))


def contents(conn: apsw.Connection) -> list[Any]:
    return list(conn.execute("SELECT rowid, title, body FROM t ORDER BY rowid"))


def check(conn: apsw.Connection) -> None:
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    assert list(conn.execute("PRAGMA integrity_check")) == [("ok",)]


def run_unbroken(conn: apsw.Connection) -> tuple[list[Any], list[Any]]:
    """What each statement gives, and what the table holds before and after each."""
    given, states = [], [contents(conn)]
    for statement in SCRIPT:
        given.append(run(conn, statement))
        states.append(contents(conn))
    return given, states


def run_failing(
    disk: Disk, kind: str, n: int, path: Path, journal: str, given: list[Any], states: list[Any]
) -> str | None:
    """Runs the script with one failure; the error that came back, or None when there was none."""
    conn, failure = open_file(path, journal), None
    disk.fail(kind, n)
    try:
        for i, statement in enumerate(SCRIPT):
            try:
                assert run(conn, statement) == given[i], statement
                continue
            except apsw.Error as error:
                assert isinstance(error, (apsw.IOError, apsw.FullError)) or "injected" in str(error)
                failure = f"{type(error).__name__} from: {statement}"
            assert conn.getautocommit(), failure
            assert contents(conn) in (states[i], states[i + 1]), failure
            # A new connection goes on: after a failed read FTS5 itself, with any tokenizer, may
            # take the number of rows for 0 until something is read.
            conn.close()
            conn = open_file(path, journal)
            check(conn)
            if contents(conn) == states[i]:
                assert run(conn, statement) == given[i], failure
        return failure
    finally:
        disk.stop()
        conn.close()


def each_n(most: int) -> Iterator[int]:
    """1, 2, ... most; with gaps that grow unless all are wanted."""
    n = 1
    while n <= most:
        yield n
        n += 1 if LONG else 1 + n // 12


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_each_failure_comes_back_and_leaves_a_whole_index(
    disk: Disk, original: Path, tmp_path: Path, journal: str, kind: str
) -> None:
    path = tmp_path / "t.db"
    conn = open_file(copy_to(path, original), journal)
    given, states = run_unbroken(conn)
    conn.close()
    assert all(given[i] for i in (1, 3, 5, 7, 8, 10)), "statements that find nothing test nothing"

    copy_to(path, original)
    assert run_failing(disk, "", 0, path, journal, given, states) is None
    most = disk.counts["write" if kind == "full" else kind]

    failures = []
    for n in each_n(most):
        copy_to(path, original)
        failures.append(run_failing(disk, kind, n, path, journal, given, states))
        conn = open_file(path, journal)
        check(conn)
        assert contents(conn) == states[-1], failures[-1]
        conn.close()
    # What is only for later (a truncated journal, say) may fail in silence.
    assert most == 0 or any(failures) or kind == "truncate", (kind, most)
