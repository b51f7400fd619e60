"""Text that the fold leaves alone and that has no CJK, complex or emoji character is unicode61's.

Token for token, offset for offset, against the real unicode61: as the same connection has it, and
called by apsw without our code between. Which characters are meant follows docs/stream.md, but is
worked out here from the `regex` module's Unicode data, not from the tokenizer's tables.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
import regex
from fts import HOSTS, need, open_host, tokens
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.usefixtures("library")

# Folded, dropped, or not a word's: sections 2, 3.1 and 3.5 of docs/stream.md.
NOT_PLAIN = regex.compile(
    r"""
    \p{Default_Ignorable_Code_Point}
    | [\p{Emoji}\p{Extended_Pictographic}&&[\u2000-\U0010ffff]]
    | [\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]
    | [\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Script=Khitan_Small_Script}]
    | [\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}&&[\p{Lo}\p{Lm}]]
    | [\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}]
    | [\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]
    | [\u2010-\u2013\u2212\ufe63\uff0d\u301c\u3030\uff5e\u2015\u2e3a\u2e3b\ufe31\ufe58]
    | [\u2e80-\u2fdf\u31c0-\u31ef\u3000-\u30ff\u3190-\u319f\u3200-\u33ff\uf900-\ufaff]
    | [\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uffef\u2460-\u24ff\U0001f100-\U0001f2ff]
    | [\U0002f800-\U0002fa1f\u2100-\u218f\u20e3]
    """,
    regex.VERBOSE | regex.VERSION1,
)
PLAIN = [
    chr(n)
    for n in range(0x110000)
    if not 0xD800 <= n < 0xE000
    and unicodedata.category(chr(n)) != "Cn"
    and not NOT_PLAIN.match(chr(n))
]
PRIVATE = [c for c in PLAIN if unicodedata.category(c) == "Co"]
PUBLIC = [c for c in PLAIN if unicodedata.category(c) != "Co"]

ARGUMENTS = [
    "",
    "remove_diacritics 0",
    "remove_diacritics 1",
    "remove_diacritics 2",
    "tokenchars '-_.@'",
    "tokenchars '€ß·'",
    "separators 'xyz'",
    "separators 'éא0' tokenchars ''''",
    "categories 'L*'",
    "categories 'L* N* Co Mn Mc'",
    "categories 'N* P*' remove_diacritics 0",
    "categories 'L* S*' tokenchars ' ' separators e",
    "tokenchars 'abc' separators abc",
]


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


@pytest.fixture(scope="module")
def new_sqlite() -> Iterator[Any]:
    conn = open_host("apsw")
    yield conn
    conn.close()


def assert_same(conn: Any, text: str, arguments: str = "") -> None:
    assert tokens(conn, text, f"cjk {arguments}") == tokens(conn, text, f"unicode61 {arguments}")


def test_plain_characters_are_most_of_those_outside_cjk() -> None:
    assert len(PUBLIC) > 25_000
    assert set(map(chr, range(0x20, 0xA0))) <= set(PUBLIC)
    assert not set("学かカ한ㄅꀀกကក😀①Ａー々\u200b\u00ad〜") & set(PLAIN)


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_every_plain_character(conn: Any, arguments: str) -> None:
    """Alone, within a word, at its end, and between separators."""
    for first in range(0, len(PUBLIC), 500):
        some = PUBLIC[first : first + 500]
        assert_same(conn, "".join(f"{c} a{c}b é{c} _{c}-" for c in some), arguments)


def test_private_use_characters(conn: Any) -> None:
    assert len(PRIVATE) > 130_000
    some = PRIVATE[::7]
    for first in range(0, len(some), 2000):
        assert_same(conn, " a".join(some[first : first + 2000]))
        assert_same(conn, " a".join(some[first : first + 2000]), "categories 'L*'")


@given(st.text(st.sampled_from(PLAIN), max_size=40), st.sampled_from(ARGUMENTS))
def test_random_text(new_sqlite: Any, text: str, arguments: str) -> None:
    # unicode61 takes a NUL for a character of category Cc, where the stream breaks.
    assert_same(new_sqlite, text, arguments)


LATIN = [c for c in PUBLIC if c < "\u0250" or "\u0300" <= c < "\u0370" or "\u1e00" <= c < "\u2000"]


@given(
    st.text(st.sampled_from(LATIN + [" "] * 40), max_size=60),
    st.sampled_from(ARGUMENTS),
)
def test_random_latin(new_sqlite: Any, text: str, arguments: str) -> None:
    assert_same(new_sqlite, text, arguments)


@given(
    st.text(st.sampled_from(LATIN + [" "] * 20), max_size=20),
    st.text(st.sampled_from([c for c in LATIN if c.isprintable()]), max_size=6),
    st.text(st.sampled_from([c for c in LATIN if c.isprintable()]), max_size=6),
    st.integers(0, 2),
)
def test_random_token_characters(
    new_sqlite: Any, text: str, tokenchars: str, separators: str, level: int
) -> None:
    arguments = f"remove_diacritics {level}"
    for name, characters in [("tokenchars", tokenchars), ("separators", separators)]:
        doubled = characters.replace("'", "''")
        arguments += f" {name} '{doubled}'"
    assert_same(new_sqlite, text, arguments)


@given(st.text(st.sampled_from(PLAIN), max_size=40))
def test_without_our_code_between(new_sqlite: Any, text: str) -> None:
    need(new_sqlite, "fts5_tokenizer")
    ours, theirs = (new_sqlite.fts5_tokenizer(name, []) for name in ("cjk", "unicode61"))
    for flags in (
        apsw.FTS5_TOKENIZE_DOCUMENT,
        apsw.FTS5_TOKENIZE_QUERY,
        apsw.FTS5_TOKENIZE_QUERY | apsw.FTS5_TOKENIZE_PREFIX,
        apsw.FTS5_TOKENIZE_AUX,
    ):
        assert ours(text.encode(), flags, None) == theirs(text.encode(), flags, None)


@pytest.mark.parametrize("arguments", ["", "remove_diacritics 0", "remove_diacritics 2"])
@pytest.mark.parametrize(
    "name", ["ja_mixed-vue_docs.txt", "ko_mixed-react_docs.txt", "zh_mixed-javaguide.txt"]
)
def test_english_parts_of_real_text(
    new_sqlite: Any, shared_dir: Path, name: str, arguments: str
) -> None:
    text = (shared_dir / "data" / "text" / name).read_text("utf-8")
    is_plain = set(PLAIN)
    # Whole lines of English, and what stands between the CJK parts of the others.
    parts = regex.findall(r"[\x00-\u1fff\u2000-\u2bff\s]{2,}", text)
    plain = ["".join(c for c in part if c in is_plain) for part in parts]
    assert sum(map(len, plain)) > 100_000
    for first in range(0, len(plain), 200):
        assert_same(new_sqlite, "\n".join(plain[first : first + 200]), arguments)
