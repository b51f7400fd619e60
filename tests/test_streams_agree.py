"""The compiled library and the plain Python tokenizer make the same token stream.

Neither was written from the other: both were written from docs/stream.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st
from nasty import NASTY, large_texts

import cjk_tokenizer
from cjk_tokenizer import unicode_tables
from cjk_tokenizer.reference import tokenize

Stream = list[tuple[str, int, int, bool, int]]

ARGUMENTS = [
    "",
    "unigrams 0",
    "segment unigram",
    "join_lines 0",
    "join_spaces 1",
    "bridge_markup 1",
    "join_spaces 1 bridge_markup 1",
    "emoji 0",
    "fold_kana 1",
    "fold_iteration 1",
    "fold_prolonged 1",
    "fold_kana 1 fold_iteration 1 fold_prolonged 1 bridge_markup 1",
    "remove_diacritics 0",
    "remove_diacritics 2",
    "tokenchars '+#.'",
    "categories 'L* N* Co Mn So'",
]
REAL_TEXTS = [
    "zh-niutrans_modern.txt",
    "zh-wiki_cmrc.txt",
    "zh_hant-twlaw.txt",
    "zh_mixed-javaguide.txt",
    "ja-aozora.txt",
    "ja_mixed-vue_docs.txt",
    "ko-nsmc_reviews.txt",
    "ko_mixed-react_docs.txt",
    "th-thaigov.txt",
]


@pytest.fixture(scope="module")
def conn() -> Iterator[apsw.Connection]:
    conn = apsw.Connection(":memory:")
    cjk_tokenizer.load(conn)
    yield conn
    conn.close()


def compiled(conn: apsw.Connection, text: bytes, arguments: str, query: bool) -> Stream:
    rows = conn.execute(
        'SELECT token, start, "end", colocated, position FROM cjk_tokens(CAST(?1 AS TEXT), ?2, ?3)',
        (text, f"cjk {arguments}", "query" if query else "document"),
    )
    return [(token, start, end, bool(flag), position) for token, start, end, flag, position in rows]


def plain(text: bytes, arguments: str, query: bool) -> Stream:
    return [(*token,) for token in tokenize(text, arguments, query=query)]


def assert_agree(conn: apsw.Connection, text: bytes, arguments: str) -> None:
    for query in (False, True):
        assert compiled(conn, text, arguments, query) == plain(text, arguments, query)


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_nasty_text(conn: apsw.Connection, arguments: str) -> None:
    for text in NASTY:
        assert_agree(conn, text, arguments)


@given(strategies.utf8(), strategies.arguments())
@example("ㆍ가".encode(), "fold_kana 1")
@example("一<b>ㆍC".encode(), "bridge_markup 1")
@example("をﾞ時".encode(), "fold_kana 1")
@example("をﾞ時".encode(), "fold_kana 1 fold_prolonged 1")
@example("バーゞ".encode(), "fold_iteration 1 fold_prolonged 1")
@example("バーカゞゞ".encode(), "fold_iteration 1 fold_prolonged 1")
def test_generated_text(conn: apsw.Connection, text: bytes, arguments: str) -> None:
    assert_agree(conn, text, arguments)


@given(strategies.assigned_text(), st.sampled_from(ARGUMENTS))
def test_text_of_all_assigned_code_points(conn: apsw.Connection, text: str, arguments: str) -> None:
    assert_agree(conn, text.encode(), arguments)


@pytest.mark.parametrize(
    "pattern", ["学{}習", "a{}b", "ก{}ข", "カ{}カ", "가{}각", "😀{}😀", "1{} "]
)
def test_code_points_between_neighbours(conn: apsw.Connection, pattern: str) -> None:
    """Letters and signs below U+3400, folds, and both ends of each range of equal properties."""
    ends = {end for start in unicode_tables.RANGE_STARTS for end in (start - 1, start, start + 1)}
    chosen = sorted(
        {*range(1, 0x3400), *unicode_tables.FOLDS, *ends} - {-1, *range(0xD800, 0xE000)}
    )
    for first in range(0, len(chosen), 0x400):
        block = map(chr, chosen[first : first + 0x400])
        # A break on either side keeps one piece from touching the next.
        text = b"\xff".join(pattern.format(each).encode() for each in block)
        assert_agree(conn, text, "")


def test_every_code_point(conn: apsw.Connection) -> None:
    for first in range(0, 0x110000, 0x400):
        block = [chr(n) for n in range(first, first + 0x400) if not 0xD800 <= n < 0xE000]
        text = b"\xff".join(each.encode() for each in block)
        assert compiled(conn, text, "", False) == plain(text, "", False)


@pytest.mark.parametrize("name", REAL_TEXTS)
def test_real_text(conn: apsw.Connection, shared_dir: Path, name: str) -> None:
    data = (shared_dir / "data" / "text" / name).read_bytes()
    for start in range(0, len(data), len(data) // 8 + 1):
        assert_agree(conn, data[start : start + 20_000], "")
        assert_agree(conn, data[start : start + 5_000], "bridge_markup 1 join_spaces 1 fold_kana 1")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["", *ARGUMENTS[-5:]])
def test_large_text(conn: apsw.Connection, arguments: str) -> None:
    for name, text in large_texts(20_000):
        for query in (False, True):
            same = compiled(conn, text, arguments, query) == plain(text, arguments, query)
            assert same, f"{name}: {text[:40]!r}..."
