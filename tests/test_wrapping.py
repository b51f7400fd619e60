"""cjk around other tokenizers and inside them, several deep, built in and of the host's making.

What a wrapped tokenizer makes of words is compared with that tokenizer by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw
import pytest
import strategies
from fts import HOSTS, hits, make_table, need, open_host, quoted, tokens, value
from hypothesis import assume, given
from hypothesis import strategies as st

pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture(params=HOSTS)
def conn(request: pytest.FixtureRequest) -> Iterator[Any]:
    conn = open_host(request.param)
    yield conn
    conn.close()


@pytest.fixture
def new_sqlite() -> Iterator[Any]:
    conn = open_host("apsw")
    need(conn, "register_fts5_tokenizer")
    yield conn
    conn.close()


@pytest.fixture(scope="module")
def long_lived() -> Iterator[Any]:
    conn = open_host("apsw")
    yield conn
    conn.close()


def terms(conn: Any, text: str, tokenize: str, mode: str = "document") -> str:
    return " ".join(("+" if c else "") + t for t, _, _, _, c in tokens(conn, text, tokenize, mode))


# --- Built-in tokenizers ------------------------------------------------------------------------

PARENTS = [
    "porter",
    "porter unicode61 remove_diacritics 2",
    "porter ascii",
    "unicode61 remove_diacritics 0 tokenchars '-_'",
    "unicode61 categories 'L* N* Mn'",
    "ascii tokenchars '-' separators x",
    "trigram",
    "trigram case_sensitive 1",
]
ENGLISH = "The RUNNERS' Café-au-lait was running; x-ray_17, naïve Ünïcödé über-cool 2024."


@pytest.mark.parametrize("parent", PARENTS)
def test_words_are_the_parents(conn: Any, parent: str) -> None:
    assert tokens(conn, ENGLISH, f"cjk {parent}") == tokens(conn, ENGLISH, parent)
    assert value(conn, "SELECT cjk_check(?)", f"cjk {parent}") == "ok"


@pytest.mark.parametrize("parent", PARENTS)
@given(words=st.text(st.sampled_from(" -_.xé'ÀbcDingsed\t9"), max_size=30))
def test_any_words_are_the_parents(long_lived: Any, parent: str, words: str) -> None:
    assert tokens(long_lived, words, f"cjk {parent}") == tokens(long_lived, words, parent)


@pytest.mark.parametrize("parent", PARENTS)
@given(
    pieces=st.lists(st.tuples(st.sampled_from(["学习", "ไทย", "한국어"]), st.sampled_from(ENGLISH)))
)
def test_each_stretch_is_tokenized_by_itself(
    long_lived: Any, parent: str, pieces: list[tuple[str, str]]
) -> None:
    """Between runs the parent sees what stands there, and its offsets are moved to their place."""
    text, expected, position = "", [], 0
    for run, word in pieces:
        for part, tokenize in [(run, "cjk"), (word, parent)]:
            found = tokens(long_lived, part, tokenize)
            at = len(text.encode())
            expected += [(t, at + s, at + e, position + p, c) for t, s, e, p, c in found]
            position += sum(not c for _, _, _, _, c in found)
            text += part
    assert tokens(long_lived, text, f"cjk {parent}") == expected


@pytest.mark.parametrize(
    ("tokenize", "text", "expected"),
    [
        ("cjk porter unicode61 remove_diacritics 2", "Crèmes 学习 ran", "creme 学习 +学 习 ran"),
        ("cjk porter", "runners学习running", "runner 学习 +学 习 run"),
        ("cjk trigram", "hello世界C++", "hel ell llo 世界 +世 界 c++"),
        ("cjk unigrams 0 porter ascii", "Runs学习", "run 学习 习"),
        # The porter stemmer leaves alone what is not English.
        ("porter cjk", "runners学习running", "runner 学习 +学 习 run"),
        ("porter cjk unigrams 0 remove_diacritics 0", "Crèmes学习", "crème 学习 习"),
        ("porter cjk trigram", "walked学习", "wal alk lke ked 学习 +学 习"),
        # Three deep, and cjk twice: the inner one sees words only.
        ("porter cjk porter unicode61", "running学习 nationally", "run 学习 +学 习 nation"),
        ("cjk porter cjk", "running学习", "run 学习 +学 习"),
        ("cjk cjk cjk unigrams 0", "学习abc", "学习 +学 习 abc"),
        ("porter cjk cjk porter unicode61 remove_diacritics 2", "Ｃrèmes学", "creme 学"),
    ],
)
def test_examples(conn: Any, tokenize: str, text: str, expected: str) -> None:
    assert terms(conn, text, tokenize) == expected
    assert value(conn, "SELECT cjk_check(?)", tokenize) == "ok"


@pytest.mark.parametrize("tokenize", ["porter cjk", "porter cjk segment unigram", "cjk porter cjk"])
@given(text=strategies.texts())
def test_runs_pass_through_a_wrapper(long_lived: Any, tokenize: str, text: str) -> None:
    inner = "cjk segment unigram" if "unigram" in tokenize else "cjk"
    # docs/stream.md, 5.2: what a cjk inside a cjk reads a second time.
    assume(tokenize != "cjk porter cjk" or "\u20e3" not in text)
    for mode in ("document", "query"):
        wrapped = [each[1:] for each in tokens(long_lived, text, tokenize, mode)]
        assert wrapped == [each[1:] for each in tokens(long_lived, text, inner, mode)]


@pytest.mark.parametrize(
    ("tokenize", "query", "found"),
    [
        ("cjk porter", "runs", [0, 1]),
        ("cjk porter", "runners学习", [0]),
        ("cjk porter", "学习running", [1]),
        ("cjk porter", "学习ran", []),
        ("porter cjk", "习", [0, 1]),
        ("porter cjk", "learned", [0]),
        ("porter cjk", "机器学", [1]),
        ("cjk trigram", "unn", [0, 1]),
        ("cjk trigram", "learns!", [0]),
        ("cjk trigram", "器学习", [1]),
        ("porter cjk porter", "learning", [0]),
        ("cjk unicode61 tokenchars '!'", "learns!", [0]),
        ("cjk unicode61 tokenchars '!'", "learns", []),
    ],
)
def test_search(conn: Any, tokenize: str, query: str, found: list[int]) -> None:
    make_table(conn, ["Runner学习 learns! run", "机器学习running", "其他"], tokenize)
    assert hits(conn, quoted(query)) == found
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


# --- Tokenizers of the host ----------------------------------------------------------------------


def backwards(conn: apsw.Connection, args: list[str]) -> Any:
    """A parent: words in reverse, a synonym beside each."""

    def tokenize(utf8: bytes, flags: int, locale: str | None) -> Iterator[Any]:
        at = 0
        for word in utf8.decode().split(" "):
            n = len(word.encode())
            if word:
                yield at, at + n, word[::-1], f"syn{len(word)}"
            at += n + 1

    return tokenize


def test_a_parent_that_the_host_registered(new_sqlite: Any) -> None:
    new_sqlite.register_fts5_tokenizer("backwards", backwards)
    found = tokens(new_sqlite, "abc def学习gh", "cjk backwards")
    assert found == [
        ("cba", 0, 3, 0, 0),
        ("syn3", 0, 3, 0, 1),
        ("fed", 4, 7, 1, 0),
        ("syn3", 4, 7, 1, 1),
        ("学习", 7, 13, 2, 0),
        ("学", 7, 10, 2, 1),
        ("习", 10, 13, 3, 0),
        ("hg", 13, 15, 4, 0),
        ("syn2", 13, 15, 4, 1),
    ]
    make_table(new_sqlite, ["abc def学习gh", "学习"], "cjk backwards")
    assert hits(new_sqlite, "学习gh") == [0]
    assert hits(new_sqlite, "学习") == [0, 1]


def test_a_parent_sees_folded_text_and_offsets_are_of_the_source(new_sqlite: Any) -> None:
    new_sqlite.register_fts5_tokenizer("backwards", backwards)
    # Full-width letters have three bytes, the soft hyphen goes, ㎏ is two letters.
    found = tokens(new_sqlite, "ＡＢ c\u00add㎏", "cjk backwards")
    assert [each[:3] for each in found if not each[4]] == [("BA", 0, 6), ("gkdc", 7, 14)]


def test_a_parent_gets_flags_and_locale(new_sqlite: Any) -> None:
    calls: list[tuple[bytes, int, str | None]] = []

    def create(conn: apsw.Connection, args: list[str]) -> Any:
        def tokenize(utf8: bytes, flags: int, locale: str | None) -> list[str]:
            calls.append((utf8, flags, locale))
            return []

        return tokenize

    new_sqlite.register_fts5_tokenizer("listening", create)
    make_table(new_sqlite, ["a学b"], "cjk listening", "locale=1")
    assert {flags for _, flags, _ in calls} == {apsw.FTS5_TOKENIZE_DOCUMENT}
    assert [text for text, _, _ in calls] == [b"a", b"b"]
    calls.clear()
    new_sqlite.execute("INSERT INTO t(body) VALUES (fts5_locale('ja_JP', 'x学'))")
    assert calls == [(b"x", apsw.FTS5_TOKENIZE_DOCUMENT, "ja_JP")]
    calls.clear()
    hits(new_sqlite, quoted("x学"))
    hits(new_sqlite, quoted("x学") + "*")
    prefix = apsw.FTS5_TOKENIZE_QUERY | apsw.FTS5_TOKENIZE_PREFIX
    assert [flags for _, flags, _ in calls] == [apsw.FTS5_TOKENIZE_QUERY, prefix]


def test_a_parent_gets_its_arguments(new_sqlite: Any) -> None:
    seen: list[list[str]] = []

    def create(conn: apsw.Connection, args: list[str]) -> Any:
        seen.append(args)
        return backwards(conn, args)

    new_sqlite.register_fts5_tokenizer("arguing", create)
    tokens(new_sqlite, "学", "cjk unigrams 0 arguing one 'two three' unigrams 0")
    assert seen == [["one", "two three", "unigrams", "0"]]


def test_a_wrapper_of_the_host_around_cjk(new_sqlite: Any) -> None:
    """Three deep: the host's, cjk, porter."""

    def create(conn: apsw.Connection, args: list[str]) -> Any:
        inner = conn.fts5_tokenizer(args[0], args[1:])

        def tokenize(utf8: bytes, flags: int, locale: str | None) -> Iterator[Any]:
            groups: Any = inner(utf8, flags, locale)
            for start, end, *several in groups:
                yield start, end, *(each.upper() for each in several)

        return tokenize

    new_sqlite.register_fts5_tokenizer("loud", create)
    assert terms(new_sqlite, "running学习", "loud cjk porter") == "RUN 学习 +学 习"
    make_table(new_sqlite, ["running学习"], "loud cjk porter")
    assert hits(new_sqlite, "runs学") == [0]


def test_names_are_the_same_in_any_case_of_letters(new_sqlite: Any) -> None:
    assert tokens(new_sqlite, "Running 学", "CJK UniGrams 0 PORTER Unicode61") == tokens(
        new_sqlite, "Running 学", "cjk unigrams 0 porter unicode61"
    )


# --- When a parent fails -------------------------------------------------------------------------


def failing(on: bytes) -> Any:
    def create(conn: apsw.Connection, args: list[str]) -> Any:
        if args == ["refuse"]:
            raise ValueError("no such dialect")

        def tokenize(utf8: bytes, flags: int, locale: str | None) -> Any:
            if on in utf8:
                raise RuntimeError("parent failed")
            return [(0, len(utf8), utf8.decode())]

        return tokenize

    return create


def test_a_failing_parent_fails_the_statement_and_no_more(new_sqlite: Any) -> None:
    new_sqlite.register_fts5_tokenizer("failing", failing(b"bad"))
    make_table(new_sqlite, ["good学习"], "cjk failing")
    for text in ["bad学习", "学习bad", "good学习bad学习good"]:
        with pytest.raises(RuntimeError, match="parent failed"):
            new_sqlite.execute("INSERT INTO t(body) VALUES (?)", (text,))
        with pytest.raises(RuntimeError, match="parent failed"):
            hits(new_sqlite, quoted(text))
        with pytest.raises(RuntimeError, match="parent failed"):
            tokens(new_sqlite, text, "cjk failing")
    new_sqlite.execute("INSERT INTO t(rowid, body) VALUES (7, '学习good')")
    assert hits(new_sqlite, "学习") == [0, 7]
    new_sqlite.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def test_a_parent_that_refuses_its_arguments(new_sqlite: Any) -> None:
    new_sqlite.register_fts5_tokenizer("failing", failing(b"bad"))
    with pytest.raises((ValueError, apsw.Error)):
        make_table(new_sqlite, [], "cjk failing refuse")
    make_table(new_sqlite, ["学习"], "cjk failing")
    assert hits(new_sqlite, "学") == [0]


def test_a_parent_with_nonsense_offsets_is_kept_inside(new_sqlite: Any) -> None:
    """Offsets are the parent's to say; ours stay within the text whatever they are."""

    def create(conn: apsw.Connection, args: list[str]) -> Any:
        return lambda utf8, flags, locale: [(0, 0, "empty"), (0, len(utf8), "whole")]

    new_sqlite.register_fts5_tokenizer("odd", create)
    for text in ["ab", "ＡＢ", "学ab", "学ＡＢ㎏"]:
        for _, start, end, _, _ in tokens(new_sqlite, text, "cjk odd"):
            assert 0 <= start <= end <= len(text.encode())
