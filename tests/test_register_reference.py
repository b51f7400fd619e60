"""The plain Python tokenizer inside SQLite: through apsw, and through sqlitefts.

What concerns the end of a process runs in fresh interpreters.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import apsw
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from cjk_tokenizer.errors import ArgumentError, UnsupportedConnectionError
from cjk_tokenizer.reference import register, sqlitefts_glue, tokenize
from cjk_tokenizer.reference.analyzer import DOCUMENT, QUERY
from cjk_tokenizer.reference.options import split
from cjk_tokenizer.reference.register import register_reference

HOSTS: dict[str, Any] = {"apsw": apsw.Connection, "sqlite3": sqlite3.connect}


def connection(host: str) -> Any:
    conn = HOSTS[host](":memory:")
    register_reference(conn)
    return conn


@pytest.fixture(params=sorted(HOSTS))
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "sqlite3":
        pytest.importorskip("sqlitefts")
    conn = connection(request.param)
    yield conn
    conn.close()


def create(conn: Any, arguments: str = "", name: str = "t") -> None:
    quoted = f"cjk {arguments}".replace('"', '""')
    conn.execute(f'CREATE VIRTUAL TABLE {name} USING fts5(x, tokenize="{quoted}")')


def index(conn: Any, text: bytes) -> set[tuple[str, int]]:
    """(token, position) of all that the index of a new table holds of the text."""
    create(conn, name="i")
    conn.execute("CREATE VIRTUAL TABLE v USING fts5vocab(i, instance)")
    conn.execute("INSERT INTO i VALUES (CAST(? AS TEXT))", (text,))
    found = set(conn.execute("SELECT term, offset FROM v"))
    conn.execute("DROP TABLE v")
    conn.execute("DROP TABLE i")
    return found


def test_the_index_holds_the_stream(conn: Any) -> None:
    for text in NASTY:
        assert index(conn, text) == {(t.token, t.position) for t in tokenize(text)}


def test_queries(conn: Any) -> None:
    create(conn)
    conn.execute("INSERT INTO t VALUES ('全文検索のtest'), ('全文を検索'), ('ＴＥＳＴ')")

    def match(query: str) -> list[int]:
        rows = conn.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", (query,))
        return [rowid for (rowid,) in rows]

    assert match("全文検索") == [1]
    assert match("検索") == [1, 2]
    assert match("索") == [1, 2]
    assert match("検索のtest") == [1]
    assert match("Test") == [1, 3]
    assert match("検索*") == [1, 2]


def test_a_parent_of_the_connection(conn: Any) -> None:
    create(conn, "unigrams 0 porter unicode61 remove_diacritics 2")
    conn.execute("INSERT INTO t VALUES ('学習 ｒｕｎｎｉｎｇ fast')")
    assert list(conn.execute("SELECT rowid FROM t WHERE t MATCH '学習 runs'")) == [(1,)]


def test_it_may_be_a_parent_itself(conn: Any) -> None:
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter cjk')")
    conn.execute("INSERT INTO t VALUES ('学習 running')")
    assert list(conn.execute("SELECT rowid FROM t WHERE t MATCH '学習 runs'")) == [(1,)]


@pytest.mark.parametrize(
    "arguments", ["segment", "segment x", "nonsense", "porter nonsense", "remove_diacritics 7"]
)
def test_wrong_arguments_fail_and_say_why(conn: Any, arguments: str) -> None:
    if isinstance(conn, apsw.Connection):
        with pytest.raises(ArgumentError, match=arguments.split()[-1]):
            create(conn, arguments)
    else:
        with (
            pytest.warns(RuntimeWarning, match=arguments.split()[-1]),
            pytest.raises(sqlite3.OperationalError, match="error in tokenizer constructor"),
        ):
            create(conn, arguments)


def test_an_error_of_ours_fails_the_statement(conn: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    create(conn)
    with conn:
        conn.execute("INSERT INTO t VALUES ('学習')")

    def fail(text: bytes, *, emoji: bool) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("cjk_tokenizer.reference.analyzer.fold_text", fail)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        conn.execute("BEGIN")
        with pytest.raises((RuntimeError, sqlite3.OperationalError)) as caught:
            conn.execute("INSERT INTO t VALUES ('日本')")
    if conn.in_transaction:
        with pytest.raises(apsw.ConstraintError):
            conn.execute("COMMIT")
    assert "broken on purpose" in f"{caught.value} {[str(each.message) for each in warned]}"
    monkeypatch.undo()
    assert list(conn.execute("SELECT x FROM t")) == [("学習",)]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def test_names_and_repetition(conn: Any) -> None:
    register_reference(conn)
    register_reference(conn, "plain_cjk")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='plain_cjk segment unigram')")


@given(strategies.utf8(), strategies.arguments(), st.booleans())
def test_apsw_gets_the_stream(text: bytes, arguments: str, query: bool) -> None:
    conn = connection("apsw")
    tokenizer = conn.fts5_tokenizer("cjk", split(arguments))
    expected = tokenize(text, arguments, query=query)
    found = tokenizer(text, QUERY if query else DOCUMENT, None)
    assert found == register.group_colocated(expected)


@given(strategies.utf8(), strategies.arguments(), st.booleans())
def test_sqlitefts_gets_the_stream(text: bytes, arguments: str, query: bool) -> None:
    """Offsets and flags included: asked through FTS5's own interface, as a parent is."""
    pytest.importorskip("sqlitefts")
    conn = connection("sqlite3")
    glue = sqlitefts_glue.load_glue()
    api = glue.fts5.fts5_api_from_db(conn)
    tokenizer = sqlitefts_glue.NativeParent(glue, api, ["cjk", *split(arguments)])
    found = tokenizer(text, QUERY if query else DOCUMENT, None)
    assert found == [tuple(t)[:4] for t in tokenize(text, arguments, query=query)]
    conn.close()


def test_apsw_passes_the_locale_to_the_parent() -> None:
    conn = connection("apsw")
    seen: list[str | None] = []

    def spy(conn: apsw.Connection, arguments: list[str]) -> Any:
        def tokenizer(utf8: bytes, flags: int, locale: str | None) -> list[str]:
            seen.append(locale)
            return []

        return tokenizer

    conn.register_fts5_tokenizer("spy", spy)
    conn.fts5_tokenizer("cjk", ["spy"])(b"abc", DOCUMENT, "ja")
    assert seen == ["ja"]


@pytest.mark.parametrize("module", ["pysqlite3", "sqlean"])
def test_other_copies_of_sqlite_are_refused(module: str) -> None:
    other = pytest.importorskip(module)
    with pytest.raises(UnsupportedConnectionError, match=module.split(".")[0]):
        register_reference(other.connect(":memory:"))


def test_what_is_no_connection_is_refused() -> None:
    with pytest.raises(UnsupportedConnectionError, match=r"builtins\.str"):
        register_reference("notes.db")


def test_a_closed_connection_is_an_error() -> None:
    pytest.importorskip("sqlitefts")
    conn = sqlite3.connect(":memory:")
    conn.close()
    with pytest.raises(sqlite3.ProgrammingError):
        register_reference(conn)


LATE = """
import atexit, sqlite3
from cjk_tokenizer.reference import register_reference

class Owner:
    def __init__(self):
        self.conn = sqlite3.connect(":memory:")
        register_reference(self.conn)
        self.conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk porter')")
        self.conn.execute("CREATE VIRTUAL TABLE u USING fts5(x, tokenize='cjk')")
        self.conn.execute("INSERT INTO t VALUES ('学習')")
    def __del__(self, error=Exception):
        try:
            self.conn.execute("INSERT INTO u VALUES ('学習')")
        except error:
            pass

owner = Owner()
owner.me = owner
"""


def test_a_connection_may_be_open_at_exit() -> None:
    pytest.importorskip("sqlitefts")
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
