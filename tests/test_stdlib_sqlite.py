"""Pythons without load_extension: SQLite's C API is found, and nothing is done on a guess."""

from __future__ import annotations

import sqlite3

import pytest
from connections import assert_searches, run_program

from cjk_tokenizer import errors, loadable, stdlib_sqlite

pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture
def functions() -> stdlib_sqlite.StdlibSQLite:
    """The C API, where it can be reached: also on Pythons that would not need it."""
    return stdlib_sqlite.stdlib_sqlite()


def test_the_c_api_serves_any_connection(functions: stdlib_sqlite.StdlibSQLite) -> None:
    conn = sqlite3.connect(":memory:")
    path = loadable.path_for("sqlite3")
    functions.load_extension(conn, path)
    functions.load_extension(conn, path)
    assert_searches(conn)
    conn.close()
    with pytest.raises(errors.UnsupportedConnectionError, match="closed"):
        functions.load_extension(conn, path)


@pytest.mark.parametrize("times", [0, 2])
def test_an_unknown_layout_is_refused(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The pointer must be found exactly once: not never, not twice."""
    real = stdlib_sqlite._read_pointer
    first = object.__basicsize__

    def read(conn: sqlite3.Connection, offset: int) -> int | None:
        pointer = real(conn, first)
        return pointer if (offset - first) // stdlib_sqlite._POINTER_SIZE < times else None

    monkeypatch.setattr(stdlib_sqlite, "_read_pointer", read)
    with pytest.raises(errors.UnsupportedSQLiteError, match="layout that is not known; use apsw"):
        stdlib_sqlite.StdlibSQLite()
    sqlite3.connect(":memory:").close()


def test_the_c_functions_of_another_sqlite_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = pytest.importorskip("pysqlite3", reason="pysqlite3 is not installed: no other SQLite")
    with monkeypatch.context() as patch:
        patch.setattr("_sqlite3.__file__", other._sqlite3.__file__)
        with pytest.raises(errors.UnsupportedSQLiteError, match="belong to another SQLite"):
            stdlib_sqlite.StdlibSQLite()


def test_audit_events_are_raised_and_obeyed() -> None:
    """Where Python lacks load_extension, security hooks still see the load and can forbid it."""
    run_program("""
        seen = []
        forbidden = []
        def hook(event, args):
            if event == "sqlite3.load_extension":
                seen.append(args)
            if event in forbidden:
                raise PermissionError(event)
        sys.addaudithook(hook)

        conn = sqlite3.connect(":memory:")
        load(conn)
        if seen or not hasattr(conn, "load_extension"):
            assert seen[-1][0] is conn and "cjk" in seen[-1][1], seen
            forbidden.append("sqlite3.load_extension")
        else:
            forbidden.append("sqlite3.enable_load_extension")  # before 3.10
        conn = sqlite3.connect(":memory:")
        try:
            load(conn)
        except Exception as error:
            assert "sqlite3." in str(error), error
        else:
            raise AssertionError("loaded all the same")
        try:
            rows(conn, "SELECT cjk_version()")
        except sqlite3.OperationalError:
            pass
        else:
            raise AssertionError("loaded all the same")
    """)
