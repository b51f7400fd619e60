"""Databases made to do harm: nothing in them reads another file, loads code, or crashes.

A database brings tokenize= strings, views, triggers and FTS5's configuration with it; whoever opens
it runs them. What they reach here is what the connection knows already. Damage at random is the
matter of test_damaged.py.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from connections import LIMIT, PRELUDE, run_program
from fts import HOSTS, column, literal, make_table, open_host, rows, value

from cjk_tokenizer.errors import LoadError

pytestmark = pytest.mark.usefixtures("library")

ERRORS = (sqlite3.Error, apsw.Error, UnicodeDecodeError)
LONG_WORD = "学" * 60
# Arguments that a schema may have behind tokenize=; all of them are refused.
HOSTILE_ARGUMENTS = [
    "cjk segment /etc/passwd",
    "cjk segment '/etc/passwd'",
    "cjk segment '../../../../etc/passwd'",
    "cjk segment 'file:///etc/passwd'",
    "cjk segment 'https://example.org/'",
    "cjk segment 'jieba:/etc/passwd'",
    "cjk segment 'os.system'",
    "cjk segment ''",
    "cjk segment jieba\0/etc/passwd",
    "cjk no_such_option 1",
    "cjk unigrams",
    "cjk unigrams ''",
    "cjk unigrams 99999999999999999999",
    "cjk unigrams 1 unigrams -1",
    "cjk version 2",
    f"cjk segment {LONG_WORD}",
    f"cjk {LONG_WORD} 1",
    "cjk 'unterminated",
    "cjk '%s%n%d' 1",
    "cjk ; DROP TABLE t",
    "cjk " + "cjk " * 20,
    "cjk " + "porter " * 200_000 + "unicode61",
    "cjk " + "unigrams 1 " * 100_000 + "nonsense",
    "cjk nonsense " + "x" * 1_000_000,
    "porter " * 90 + "cjk " + "porter " * 200_000,
    "cjk trigram case_sensitive",
    "cjk unicode61 remove_diacritics 3",
]


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


def open_untrusting(name: str, path: str = ":memory:") -> Any:
    """As SQLite advises for files of strangers."""
    conn = open_host(name, path)
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute("PRAGMA cell_size_check = ON")
    if name == "apsw":
        conn.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    elif sys.version_info >= (3, 12):
        conn.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    return conn


# --- Arguments of the tokenizer -------------------------------------------------------------------


@pytest.mark.parametrize("arguments", HOSTILE_ARGUMENTS, ids=lambda text: text[:40])
def test_hostile_arguments_are_refused_in_words(conn: Any, arguments: str) -> None:
    if arguments.startswith("porter") and value(conn, "SELECT sqlite_version()") < "3.46":
        pytest.skip("FTS5 itself has no bound there, and overflows the stack")
    if "\0" not in arguments:  # SQL ends there
        with pytest.raises(ERRORS):
            conn.execute(f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize="{arguments}")')
        said = value(conn, "SELECT cjk_check(?)", arguments)
        assert said != "ok"
        assert len(said) < 1000
        with pytest.raises(ERRORS, match=re.escape(said[:20])):
            rows(conn, "SELECT * FROM cjk_tokens('a', ?)", arguments)
    assert rows(conn, "SELECT count(*) FROM cjk_tokens('学习')") == [(3,)]


def test_no_tokenizer_wraps_without_end(conn: Any) -> None:
    """SQLite 3.40 overflows the stack over 200,000 porters; what we hand on is bounded."""
    for arguments in "porter " * 200_000 + "unicode61", "cjk " + "porter " * 200_000:
        assert "more than 100 arguments" in value(conn, "SELECT cjk_check(?)", arguments)
        for sql in (
            "SELECT * FROM cjk_tokens('a', ?)",
            "SELECT cjk_query('a', 'all', json_object('tokenize', ?))",
        ):
            with pytest.raises(ERRORS, match="more than 100 arguments"):
                rows(conn, sql, arguments)
    assert value(conn, "SELECT cjk_check(?)", "cjk " + "porter " * 50 + "unicode61") == "ok"


@pytest.mark.parametrize("position", range(3))
def test_what_is_quoted_in_messages_is_whole_characters(conn: Any, position: int) -> None:
    text = "a" * position + LONG_WORD
    for arguments in text, f"cjk segment {text}", f"'{text}", f"{text} x", f"porter {text}":
        assert value(conn, "SELECT cjk_check(?)", arguments) != "ok"
        for sql in (
            "SELECT * FROM cjk_tokens('a', ?)",
            "SELECT cjk_query('a', 'all', json_object('tokenize', ?))",
        ):
            with pytest.raises((sqlite3.Error, apsw.Error)):
                rows(conn, sql, arguments)
    make_table(conn, ["学习"])
    for sql in (
        "SELECT cjk_query('a', ?)",
        "SELECT cjk_query('a', 'all', json_object(?, 1))",
        "SELECT * FROM cjk_chunks('a', json_object(?, 1))",
        "SELECT * FROM cjk_chunks('a', json_object('profile', ?))",
        "SELECT * FROM cjk_search(?, 'a')",
        "SELECT * FROM cjk_search('t', 'a', json_object('mode', ?))",
        "SELECT * FROM cjk_search('t', 'a', json_object('columns', ?))",
        "SELECT * FROM cjk_search('t', 'a', json_object('weights', ?))",
        "SELECT * FROM cjk_search('t', 'a', json_object('schema', ?))",
    ):
        with pytest.raises((sqlite3.Error, apsw.Error)):
            rows(conn, sql, text)


@pytest.mark.parametrize("host", HOSTS)
def test_a_schema_rewritten_by_hand(host: str, tmp_path: Path) -> None:
    """Each string stands in the file already when it is opened."""
    for n, arguments in enumerate(HOSTILE_ARGUMENTS):
        if arguments.startswith("porter"):
            continue  # FTS5's own bounds, above
        path = str(tmp_path / f"{n}.db")
        conn = sqlite3.connect(path, isolation_level=None)
        conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='unicode61')")
        conn.execute("INSERT INTO t VALUES ('学习 abc')")
        conn.execute("PRAGMA writable_schema = ON")
        sql = f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize="{arguments}")'
        conn.execute("UPDATE sqlite_master SET sql = ? WHERE name = 't'", (sql,))
        conn.close()
        try:
            conn = open_untrusting(host, path)
        except (LoadError, sqlite3.DatabaseError) as error:  # linked in: opening says so
            assert "malformed database schema" in str(error) and "\0" in arguments
            continue
        for statement in (
            "SELECT * FROM t",
            "SELECT * FROM t('abc')",
            "INSERT INTO t VALUES ('x')",
            "SELECT * FROM cjk_search('t', 'abc')",
            "DROP TABLE t",
        ):
            try:
                rows(conn, statement)
            except ERRORS:
                continue
            # FTS5 asks for the tokenizer at the first need of it, from SQLite 3.47 on.
            assert statement in ("SELECT * FROM t", "DROP TABLE t"), (arguments, statement)
        conn.close()


# --- Views and triggers ---------------------------------------------------------------------------


def own_functions(conn: Any) -> dict[str, int]:
    sql = "SELECT name, flags FROM pragma_function_list WHERE name LIKE 'cjk%' AND type = 's'"
    return dict(rows(conn, sql))


def test_functions_of_a_schema_are_innocuous_ones(conn: Any) -> None:
    innocuous = 0x200000
    functions = own_functions(conn)
    assert set(functions) >= {"cjk_query", "cjk_check", "cjk_version", "cjk_detect"}
    others = {name for name, flags in functions.items() if not flags & innocuous}
    # FTS5's auxiliary functions, which work in queries of their table alone, as bm25() does.
    assert others <= {"cjk_highlight", "cjk_snippet", "cjk_rank", "cjk_spans", "cjk_totals"}


CALLS = [
    "cjk_query('学习 \"x')", "cjk_query('学习', 'any', '{\"tokenize\": \"cjk segment jieba\"}')",
    "cjk_check('segment /etc/passwd')", "cjk_version()", "cjk_dictionary()", "cjk_detect('学习')",
    "cjk_relevance('学习', '学习天气')", "(SELECT count(*) FROM cjk_tokens('学习'))",
    "(SELECT count(*) FROM cjk_options())", "(SELECT count(*) FROM cjk_chunks('学习。天气。'))",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_views_and_triggers_that_call_everything(host: str) -> None:
    conn = open_untrusting(host)
    conn.execute("CREATE TABLE log(x)")
    conn.execute("CREATE TABLE base(x)")
    for n, call in enumerate(CALLS):
        conn.execute(f"CREATE VIEW v{n} AS SELECT {call} AS x")
        conn.execute(
            f"CREATE TRIGGER r{n} AFTER INSERT ON base BEGIN INSERT INTO log SELECT {call}; END"
        )
        assert value(conn, f"SELECT x FROM v{n}") is not None
    conn.execute("INSERT INTO base VALUES (1)")
    assert value(conn, "SELECT count(x) FROM log") == len(CALLS)


def test_a_search_is_not_for_schemas(conn: Any) -> None:
    """It reads whatever table it is told to, and one that is searched could have for its content a
    view that searches, without end: no view and no trigger may use it."""
    make_table(conn, ["学习天气"])
    conn.execute("CREATE VIEW v AS SELECT rowid, snippet AS x FROM cjk_search('t', '学习')")
    conn.execute("CREATE VIRTUAL TABLE outer USING fts5(x, content=v, tokenize='cjk')")
    conn.execute("INSERT INTO outer(rowid, x) VALUES (0, '学习')")
    assert column(conn, "SELECT rowid FROM cjk_search('t', '学习')") == [0]
    for sql in (
        "SELECT * FROM v",
        "SELECT * FROM outer",
        "SELECT * FROM cjk_search('outer', '学习')",
    ):
        with pytest.raises((sqlite3.Error, apsw.Error), match="unsafe use of"):
            rows(conn, sql)


# --- FTS5's own tables ----------------------------------------------------------------------------

RANKS = [
    "cjk_rank()", "cjk_rank(1, 2, 3, 4, 5, 6, 7, 8, 9)", "cjk_rank('a', NULL, x'00')",
    "cjk_rank(-1e308, 1e308)", "cjk_rank", "cjk_rank(", "cjk_totals(1)", "cjk_totals()",
    "cjk_totals(x'0000000000000000')", "cjk_spans()", "cjk_spans(1)", "cjk_highlight()",
    "cjk_highlight(0, 'a', 'b')", "cjk_highlight(-1, NULL, NULL)", "cjk_highlight(99, 'a', 'b')",
    "cjk_snippet(0, 'a', 'b', 'c', 5)", "cjk_snippet(0, 'a', 'b', 'c', -5)",
    "cjk_snippet(0, 'a', 'b', 'c', 9223372036854775807)", "no_such(1)", "load_extension('x')",
    "cjk_search('t')", "",
]  # fmt: skip


@pytest.mark.parametrize("rank", [*RANKS, None, 5, 2.5, b"\0\xff" * 50])
def test_hostile_ranks_in_the_configuration(conn: Any, rank: Any) -> None:
    make_table(conn, ["学习天气", "天气", "学习" * 50])
    conn.execute("INSERT INTO t_config VALUES ('rank', ?)", (rank,))
    conn.execute("CREATE VIRTUAL TABLE again USING fts5(x)")  # the configuration is read anew
    for sql in (
        "SELECT rowid FROM t('学习') ORDER BY rank",
        "SELECT rank FROM t('学习')",
        "SELECT * FROM cjk_search('t', '学习天气')",
    ):
        try:
            rows(conn, sql)
        except ERRORS as error:
            assert str(error)
    conn.execute("DELETE FROM t_config WHERE k = 'rank'")
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("rank", RANKS)
def test_hostile_ranks_in_a_query(conn: Any, rank: str) -> None:
    make_table(conn, ["学习天气", "天气"])
    try:
        found = column(
            conn, f"SELECT rowid FROM t('学习') WHERE rank MATCH {literal(rank)} ORDER BY rank"
        )
        assert found == [0]
    except ERRORS as error:
        assert str(error)


def test_the_version_and_key_of_the_configuration(conn: Any) -> None:
    make_table(conn, ["学习天气"])
    for key, entry in [("version", 99), ("version", "x"), ("pgsz", -1), ("pgsz", 10**9),
                       ("automerge", "y"), ("hashsize", -5), ("cjk", "z"), ("", None)]:  # fmt: skip
        conn.execute("DELETE FROM t_config WHERE k IS NOT 'version'")
        conn.execute("INSERT OR REPLACE INTO t_config VALUES (?, ?)", (key, entry))
        for sql in "SELECT * FROM t('学习')", "SELECT * FROM cjk_search('t', '学习')":
            try:
                rows(conn, sql)
            except ERRORS as error:
                assert str(error)


def test_names_are_names(conn: Any) -> None:
    """Of tables, columns and schemas: none of them becomes SQL."""
    nasty = "x\"; DROP TABLE kept; --'`[]"
    quoted = '"' + nasty.replace('"', '""') + '"'
    conn.execute("CREATE TABLE kept(x)")
    conn.execute(f"CREATE VIRTUAL TABLE {quoted} USING fts5(\"a b\", body, tokenize='cjk')")
    conn.execute(f"INSERT INTO {quoted} VALUES ('学习', '天气')")
    options = '{"snippet": 9, "highlight": 1, "columns": "a b, body"}'
    sql = "SELECT snippet, highlights FROM cjk_search(?, '学习', ?)"
    assert rows(conn, sql, nasty, options) == [("[学习]", "[[0,0,6]]")]
    for name in ["kept", "sqlite_master", "no_such", "", nasty + "x", "main.kept", "a\0b"]:
        with pytest.raises((sqlite3.Error, apsw.Error), match=r"no FTS5 table|no table|malformed"):
            rows(conn, sql, name, options)
    assert column(conn, "SELECT count(*) FROM kept") == [0]


@pytest.mark.parametrize("host", HOSTS)
def test_all_works_in_defensive_mode(host: str, tmp_path: Path) -> None:
    conn = open_untrusting(host, str(tmp_path / "t.db"))
    make_table(conn, ["今天天气很好", "学习"])
    conn.execute("INSERT INTO t(t, rank) VALUES ('rank', 'cjk_rank()')")
    conn.execute("UPDATE t SET body = '天气' WHERE rowid = 1")
    conn.execute("INSERT INTO t(t) VALUES ('optimize')")
    assert column(conn, "SELECT rowid FROM t('天气') ORDER BY rank") == [1, 0]
    assert column(conn, "SELECT rowid FROM cjk_search('t', '天气')") == [1, 0]
    assert column(conn, "SELECT cjk_highlight(t, 0, '[', ']') FROM t('今天')") == ["[今天]天气很好"]
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


# --- Files ----------------------------------------------------------------------------------------

OPENS = re.compile(r'\b(?:open|openat|execve|connect|creat)\([^"]*"([^"]*)"')


def test_no_file_is_opened(tmp_path: Path) -> None:
    """The system calls of a process that opens a hostile database and uses it."""
    strace = shutil.which("strace")
    if not strace or subprocess.run([strace, "-qq", "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not trace here")
    program = (
        PRELUDE
        + f"""
path = sys.argv[1]
def attempt(conn, sql, *parameters):
    try:
        return list(conn.execute(sql, parameters))
    except (sqlite3.Error, UnicodeDecodeError):
        pass
arguments = {[a for a in HOSTILE_ARGUMENTS if len(a) < 1000 and chr(0) not in a]!r}
conn = sqlite3.connect(path, isolation_level=None)
load(conn)
list(conn.execute("SELECT cjk_query('学习', 'words')"))
try:
    os.stat("/begin")
except OSError:
    pass
for n, each in enumerate(arguments):
    attempt(conn, f'CREATE VIRTUAL TABLE t{{n}} USING fts5(x, tokenize="{{each}}")')
    attempt(conn, "SELECT cjk_check(?)", each)
    attempt(conn, "SELECT * FROM cjk_tokens('学习', ?)", each)
attempt(conn, "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk segment jieba')")
attempt(conn, "INSERT INTO t VALUES ('学习天气')")
for rank in {RANKS!r}:
    attempt(conn, "SELECT rowid FROM t('学习') WHERE rank MATCH ?", rank)
assert attempt(conn, "SELECT rowid FROM cjk_search('t', '学习天气')") == [(1,)]
for name in "/etc/passwd", "file:/etc/passwd":
    attempt(conn, "SELECT * FROM cjk_search(?, 'root')", name)
try:
    os.stat("/end")
except OSError:
    pass
"""
    )
    log = tmp_path / "calls"
    traced = [strace, "-f", "-o", str(log), sys.executable, "-c", program, str(tmp_path / "t.db")]
    run = subprocess.run(traced, capture_output=True, text=True, timeout=LIMIT)
    assert run.returncode == 0, run.stderr
    calls = log.read_text(errors="replace").splitlines()
    begin = next(n for n, line in enumerate(calls) if '"/begin"' in line)
    end = next(n for n, line in enumerate(calls) if '"/end"' in line)
    opened = {match[1] for line in calls[begin:end] if (match := OPENS.search(line))}
    # The database, its journal, its directory (to sync it), and SQLite's random numbers.
    others = {p for p in opened if not p.startswith(str(tmp_path)) and p != "/dev/urandom"}
    assert opened, "nothing was traced"
    assert others == set()


def test_the_audit_hook_sees_no_file_either() -> None:
    """Python's side: nothing is imported or opened on behalf of a schema."""
    run_program("""
        conn = connect(":memory:", isolation_level=None)
        search(conn)
        seen = []
        sys.addaudithook(lambda event, args: seen.append((event, args))
                         if event in ("open", "import", "os.system", "subprocess.Popen") else None)
        for arguments in "cjk segment /etc/passwd", "cjk segment os", "no_such_module":
            try:
                conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{arguments}')")
            except sqlite3.OperationalError:
                pass
            else:
                raise AssertionError(arguments)
        assert seen == [], seen
    """)
