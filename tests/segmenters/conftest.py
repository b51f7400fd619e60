"""Connections for tests of segmenters, and what Python reports that it cannot raise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fts import open_host

import cjk_tokenizer


@pytest.fixture(params=["connect", "load", "apsw"])
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A connection of each kind, without transactions of its own."""
    if request.param == "connect":
        conn: Any = cjk_tokenizer.connect(":memory:", isolation_level=None)
    else:
        conn = open_host("apsw" if request.param == "apsw" else "sqlite3")
    yield conn
    conn.close()


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What sys.unraisablehook was told: (exception, what raised it)."""
    told: list[Any] = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: told.append((args.exc_value, args.object))
    )
    return told
