"""The process of one contender: reads commands as lines of JSON, answers each with one.

    python -m cjk_tokenizer.bench.worker '{"name": "trigram", "tokenize": "trigram", ...}'

The first line that it writes says what getting ready took: milliseconds from loading to the first
indexed row, and kilobytes that the process then has for itself. After it, {"do": NAME, ...} calls
the method of that name of Worker. Times are of this process: `cpu` is processor time, which other
programs disturb least, `wall` what a clock shows; both in seconds.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from cjk_tokenizer import Error

from .connections import load_library, open_plain, set_up, version_of_sqlite
from .contenders import Contender

# Ready means: this text is in an index.
FIRST_ROW = "自然语言处理"
FEWEST = 5  # queries


class Worker:
    """What a contender can be told to do. Databases are given by their path."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self._ours = contender.setup == "native"
        conn = open_plain(contender, ":memory:")
        # What SQLite and FTS5 allocate on first use is not the contender's.
        conn.execute("CREATE VIRTUAL TABLE warm USING fts5(body, tokenize='unicode61')")
        conn.execute("INSERT INTO warm VALUES (?)", (FIRST_ROW,))
        before = private_kilobytes()
        start = time.perf_counter()
        set_up(contender, conn)
        conn.execute(self._create("first"))
        conn.execute("INSERT INTO first VALUES (?)", (FIRST_ROW,))
        self.ready = {
            "milliseconds": (time.perf_counter() - start) * 1000,
            "kilobytes": None if before is None else (private_kilobytes() or 0) - before,
            "sqlite": version_of_sqlite(conn),
        }
        # Where questions are cut into this contender's tokens.
        self._scratch = conn
        if contender.tokenize is not None:
            conn.execute("CREATE VIRTUAL TABLE first_terms USING fts5vocab(first, row)")

    def _create(self, table: str) -> str:
        if self.contender.tokenize is None:
            return f"CREATE TABLE {table}(body TEXT)"
        tokenize = self.contender.tokenize.replace("'", "''")
        return f"CREATE VIRTUAL TABLE {table} USING fts5(body, tokenize='{tokenize}')"

    @contextmanager
    def _open(self, path: str) -> Iterator[Any]:
        conn = open_plain(self.contender, path)
        try:
            set_up(self.contender, conn)
            yield conn
        finally:
            conn.close()

    # ------------------------------------------------------------ building

    def build(self, database: str, corpus: str) -> dict[str, float]:
        """Indexes the whole corpus in one transaction, into a new database."""
        partial = Path(database + ".partial")
        partial.unlink(missing_ok=True)
        with self._open(str(partial)) as conn:
            conn.execute("PRAGMA journal_mode = OFF")
            conn.execute("PRAGMA synchronous = OFF")
            conn.execute("ATTACH ? AS corpus", (corpus,))
            cpu, wall = time.process_time(), time.perf_counter()
            conn.execute("BEGIN")
            conn.execute(self._create("docs"))
            conn.execute("INSERT INTO docs(rowid, body) SELECT id, body FROM corpus.rows")
            conn.execute("COMMIT")
            took = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
        partial.replace(database)
        return {**took, "bytes": self.size(database)}

    def size(self, database: str) -> int:
        """Bytes of the pages in use."""
        with self._open(database) as conn:
            page, pages, free = (
                conn.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_size", "page_count", "freelist_count")
            )
        return int(page) * (int(pages) - int(free))

    def optimize(self, database: str) -> dict[str, float]:
        """Merges the index into one segment."""
        cpu = time.process_time()
        if self.contender.tokenize is not None:
            with self._open(database) as conn:
                conn.execute("PRAGMA synchronous = OFF")
                conn.execute("INSERT INTO docs(docs) VALUES ('optimize')")
        return {"cpu": time.process_time() - cpu, "bytes": self.size(database)}

    # ------------------------------------------------------------ searching

    def _search(self, conn: Any, text: str) -> tuple[str, str]:
        """The condition, and its argument, for rows that have this text."""
        if self.contender.tokenize is None:
            if self.contender.name.startswith("LIKE"):
                return "body LIKE ?", f"%{text}%"
            return "instr(body, ?)", text
        if self._ours:
            return "docs MATCH ?", self._cjk_query(conn, text, "phrase")
        return "docs MATCH ?", quote(text)

    def _cjk_query(self, conn: Any, text: str, mode: str) -> str:
        options = json.dumps({"tokenize": self.contender.tokenize})
        sql = "SELECT cjk_query(?, ?, ?)"
        return str(conn.execute(sql, (text, mode, options)).fetchone()[0])

    def query(self, database: str, queries: list[str], seconds: float = 3600) -> list[float]:
        """Milliseconds of counting the rows of each query; of the first ones where all would take
        longer than `seconds`."""
        with self._open(database) as conn:
            searches = [self._search(conn, text) for text in queries]
            asked = [(f"SELECT count(*) FROM docs WHERE {c}", a) for c, a in searches]
            return _time_each(conn, asked, seconds)

    def question(
        self, database: str, queries: list[str], seconds: float = 3600
    ) -> list[float] | None:
        """Milliseconds of the ten best rows for any of a question's tokens; None for scans. The
        first ones as in `query`."""
        if self.contender.tokenize is None:
            return None
        sql = "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 10"
        with self._open(database) as conn:
            return _time_each(conn, [(sql, self._any_of(conn, text)) for text in queries], seconds)

    def _any_of(self, conn: Any, question: str) -> str:
        """Ours as its users ask; the others by their own tokens, joined with OR."""
        if self._ours:
            return self._cjk_query(conn, question, "any")
        self._scratch.execute("DELETE FROM first")
        self._scratch.execute("INSERT INTO first VALUES (?)", (question,))
        terms = self._scratch.execute("SELECT term FROM first_terms").fetchall()
        return " OR ".join(quote(term) for (term,) in terms) or '""'

    def hits(self, database: str, corpus: str, queries: list[str]) -> list[list[int]]:
        """For each query: rows found, rows that have the text, rows that are both."""
        counts = []
        with self._open(database) as conn:
            conn.execute("ATTACH ? AS corpus", (corpus,))
            for text in queries:
                condition, argument = self._search(conn, text)
                sql = f"SELECT rowid FROM docs WHERE {condition}"
                found = {row for (row,) in conn.execute(sql, (argument,))}
                sql = "SELECT row FROM corpus.truth WHERE text = ?"
                true = {row for (row,) in conn.execute(sql, (text,))}
                counts.append([len(found), len(true), len(found & true)])
        return counts

    def truth(self, corpus: str, queries: list[str]) -> int:
        """Writes down which rows of the corpus have each text, as instr() finds them."""
        with self._open(corpus) as conn:
            conn.execute("BEGIN")
            conn.execute("CREATE TABLE IF NOT EXISTS truth(text, row, PRIMARY KEY(text, row))")
            conn.execute("DELETE FROM truth")
            for text in queries:
                sql = "INSERT INTO truth SELECT ?1, id FROM rows WHERE instr(body, ?1)"
                conn.execute(sql, (text,))
            conn.execute("COMMIT")
        return len(queries)

    # ------------------------------------------------------------ serving

    def use_wal(self, database: str) -> str:
        with self._open(database) as conn:
            return str(conn.execute("PRAGMA journal_mode = WAL").fetchone()[0])

    def read(self, database: str, queries: list[str], seconds: float) -> list[float]:
        """Searches for so long; milliseconds of each query."""
        times: list[float] = []
        with self._open(database) as conn:
            searches = [self._search(conn, text) for text in queries]
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                condition, argument = searches[len(times) % len(searches)]
                sql = f"SELECT count(*) FROM docs WHERE {condition}"
                times.append(_time_one(conn, sql, argument))
        return times

    def write(self, database: str, corpus: str, seconds: float, rows: int = 20) -> int:
        """Adds rows for so long, some a transaction; how many were added."""
        added = 0
        with self._open(database) as conn:
            conn.execute("PRAGMA synchronous = NORMAL")
            conn.execute("ATTACH ? AS corpus", (corpus,))
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                conn.execute("BEGIN IMMEDIATE")
                sql = "INSERT INTO docs(body) SELECT body FROM corpus.rows WHERE id > ? LIMIT ?"
                conn.execute(sql, (added, rows))
                conn.execute("COMMIT")
                added += rows
        return added

    # ------------------------------------------------------------ tokenizing alone

    def tokenize(self, counter: str, corpus: str) -> dict[str, float] | None:
        """Calls the tokenizer for each row, with no index. `counter` is the path of the library
        that benchmarks/tokenize_alone.c becomes. None for scans."""
        if self.contender.tokenize is None:
            return None
        name, *arguments = shlex.split(self.contender.tokenize)
        with self._open(":memory:") as conn:
            load_library(conn, counter, "sqlite3_tokenizealone_init")
            text = _whole_text(conn, corpus)
            marks = ", ?" * (1 + len(arguments))
            sql = f"SELECT tokenize_alone(?{marks})"
            answer = conn.execute(sql, (text, name, *arguments)).fetchone()[0]
        seconds, tokens = json.loads(answer)
        return {"cpu": seconds, "tokens": tokens, "bytes": len(text)}

    def ceilings(self, counter: str, corpus: str) -> dict[str, float]:
        """What copying and what decoding the same bytes takes."""
        with self._open(":memory:") as conn:
            load_library(conn, counter, "sqlite3_tokenizealone_init")
            text = _whole_text(conn, corpus)
            copy, decode = (
                conn.execute(f"SELECT {name}_alone(?)", (text,)).fetchone()[0]
                for name in ("copy", "decode")
            )
        return {"copy": copy, "decode": decode, "bytes": len(text)}


def _whole_text(conn: Any, corpus: str) -> bytes:
    """All rows, a line each."""
    conn.execute("ATTACH ? AS corpus", (corpus,))
    rows = conn.execute("SELECT replace(body, char(10), ' ') FROM corpus.rows")
    return "\n".join(body for (body,) in rows).encode()


def _time_each(conn: Any, asked: list[tuple[str, str]], seconds: float) -> list[float]:
    """Milliseconds of each, or of the first ones, FEWEST at least; the first is asked once before,
    which opens the index."""
    if asked:
        _time_one(conn, *asked[0])
    times: list[float] = []
    for sql, argument in asked:
        if len(times) >= FEWEST and sum(times) > seconds * 1000:
            break
        times.append(_time_one(conn, sql, argument))
    return times


def _time_one(conn: Any, sql: str, argument: str) -> float:
    start = time.perf_counter()
    conn.execute(sql, (argument,)).fetchall()
    return (time.perf_counter() - start) * 1000


def quote(text: str) -> str:
    """A text as an FTS5 string."""
    return '"' + text.replace('"', '""') + '"'


def private_kilobytes() -> int | None:
    """Memory that this process has for itself alone; None where there is no /proc."""
    try:
        with open("/proc/self/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
    except OSError:
        return None


def describe_error(error: Exception) -> str:
    """With the name of its type, unless it is one of ours or says that already."""
    kind, text = type(error).__name__, str(error)
    return text if isinstance(error, Error) or text.startswith(kind) else f"{kind}: {text}"


def serve(worker: Worker, commands: TextIO, answers: TextIO) -> None:
    """Answers commands until there are none left."""
    print(json.dumps({"ok": worker.ready}), file=answers, flush=True)
    for line in commands:
        command = json.loads(line)
        try:
            answer = {"ok": getattr(worker, command.pop("do"))(**command)}
        except Exception as error:
            answer = {"error": describe_error(error)}
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    # What a tokenizer prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    given = json.loads(sys.argv[1])
    given["requires"] = tuple(given["requires"])
    try:
        worker = Worker(Contender(**given))
    except Exception as error:
        print(json.dumps({"error": describe_error(error)}), file=answers, flush=True)
        return
    serve(worker, sys.stdin, answers)


if __name__ == "__main__":
    main()
