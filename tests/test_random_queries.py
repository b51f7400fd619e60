"""Any bytes are a query, in every mode: random_queries.py, shorter."""

from __future__ import annotations

import fts
import pytest
import random_queries


@pytest.mark.slow
@pytest.mark.parametrize("host", fts.HOSTS)
def test_random_texts_never_raise(host: str) -> None:
    n, failures = random_queries.run_random(fts.open_host(host), 6_000 // len(fts.HOSTS), seed=1)
    assert n == 3_000
    assert failures == []


@pytest.mark.slow
def test_time_is_linear_in_the_text() -> None:
    """In processor time: 16 times the text takes no more than 16 times as long, and some slack."""
    conn = fts.open_host("sqlite3")
    slow = []
    for what, first, second in random_queries.run_long(conn, small=1 << 11):
        if second > 0.1 and second > 40 * first:
            slow.append((what, first, second))
    assert slow == []
