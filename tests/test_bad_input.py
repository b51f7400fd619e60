"""Odd text indexes, odd arguments are refused in words, and nothing crashes or takes for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import apsw
import pytest
from connections import run_program
from fts import HOSTS, add_rows, column, hits, make_table, need, open_host, quoted, tokens, value
from hypothesis import given
from hypothesis import strategies as st
from nasty import INVALID, NASTY, large_texts
from raw_tokenizer import AUX, DOCUMENT, DONE, OK, PREFIX, QUERY, RawTokenizer

from cjk_tokenizer.errors import UnsupportedSQLiteError

pytestmark = pytest.mark.usefixtures("library")


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


def insert_bytes(conn: Any, rowid: int, text: bytes) -> None:
    """Bytes as TEXT, which is how broken UTF-8 gets into real tables."""
    conn.execute("INSERT INTO t(rowid, body) VALUES (?, CAST(? AS TEXT))", (rowid, text))


def check(conn: Any) -> None:
    conn.execute("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")


def terms(conn: Any, text: str | bytes, tokenize: str = "cjk segment unigram") -> list[str]:
    return [token for token, *_ in tokens(conn, text, tokenize)]


# --- Broken text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", [*INVALID, b"\0", b"\0\0", "\ufffd".encode()], ids=repr)
def test_what_is_readable_is_found(conn: Any, broken: bytes) -> None:
    make_table(conn, [])
    # A line feed and a space keep a lead byte at the end from taking what follows.
    insert_bytes(conn, 1, "学習".encode() + broken + b" \n" + "日本語".encode())
    insert_bytes(conn, 2, b"abc" + broken + b" def")
    insert_bytes(conn, 3, "ไทย".encode() + broken + b" " + "😀".encode())
    insert_bytes(conn, 4, broken)
    for query, row in [("学習", 1), ("日本語", 1), ("def", 2), ("ไท", 3), ("😀", 3)]:
        assert row in hits(conn, quoted(query)), query
    assert hits(conn, quoted("習日")) == []
    check(conn)
    conn.execute("DELETE FROM t WHERE rowid IN (1, 3)")
    assert hits(conn, "学* OR ไ* OR 😀") == []
    check(conn)


@pytest.mark.parametrize("broken", INVALID, ids=repr)
def test_broken_bytes_part_runs_and_words(new_sqlite: Any, broken: bytes) -> None:
    """No gram and no word goes over them, and what stands around has its tokens and offsets."""
    for around in ["学", "ก", "a", "é", "가", "😀"]:
        text = around.encode() + broken + b" " + around.encode()
        found = tokens(new_sqlite, text)
        n = len(around.encode())
        lonely = tokens(new_sqlite, around)[0][0]
        assert (lonely, 0, n) == found[0][:3]
        assert (lonely, len(text) - n, len(text)) == found[-1][:3]


def test_a_nul_is_a_border(conn: Any) -> None:
    make_table(conn, ["学\0習", "a\0b", "\0", "学習\0"])
    assert hits(conn, "学習") == [3]
    assert hits(conn, "習") == [0, 3]
    assert hits(conn, "b") == [1]
    check(conn)


@pytest.mark.parametrize("tokenize", ["cjk", "cjk segment unigram", "cjk trigram", "porter cjk"])
def test_every_nasty_text_goes_in_and_out(conn: Any, tokenize: str) -> None:
    make_table(conn, [], tokenize)
    for row, text in enumerate(NASTY):
        insert_bytes(conn, row, text)
    check(conn)
    conn.execute("INSERT INTO t(t) VALUES ('rebuild')")
    check(conn)
    conn.execute("DELETE FROM t WHERE rowid % 2")
    check(conn)
    conn.execute("DELETE FROM t")
    check(conn)


@pytest.mark.parametrize(
    "text", ["", "\u200b\ufeff\u00ad\u2060", "\u202e\u2066", "\ufe0f\u200d" * 50]
)
def test_text_of_nothing(conn: Any, text: str) -> None:
    assert tokens(conn, text) == []
    make_table(conn, [text, "学"])
    assert hits(conn, quoted(text)) == []
    assert hits(conn, quoted(text) + " OR 学") == [1]
    check(conn)


# --- Odd characters ------------------------------------------------------------------------------


def test_lone_jamo_stay_searchable(conn: Any) -> None:
    make_table(conn, ["\u1112", "\u1161x", "a\u11ab", "\u1100\u1100\u1161", "ㅎㅏㄴ"])
    assert hits(conn, "ㅎ") == [0, 4]
    assert hits(conn, "ㅏ") == [1, 4]
    assert hits(conn, "ㄴ") == [2, 4]
    assert hits(conn, quoted("ㄱ가")) == [3]


def test_private_use_and_unassigned_characters(conn: Any) -> None:
    # Private use is a word; of the unassigned, planes 2 and 3 are kept for Han.
    assert terms(conn, "学\ue000\U000f0001習") == ["学", "\ue000\U000f0001", "習"]
    assert terms(conn, "学\U0002fffd\U0003fffd習") == ["学", "\U0002fffd", "\U0003fffd", "習"]
    for unassigned in ["\u0378", "\ufdd0", "\uffff", "\U000e0fff", "\U0010ffff", "\U00012fff"]:
        assert terms(conn, f"学{unassigned}習")[0] == "学"
        make_table(conn, [f"学習{unassigned}日本", f"a{unassigned}"])
        assert hits(conn, "学習") == [0]
        assert hits(conn, "本") == [0]
        check(conn)


def test_selectors_and_marks_without_a_base(conn: Any) -> None:
    for mark in ["\ufe0f", "\U000e0100", "\u0301", "\u3099", "\u20e3", "\u200d", "\U000e0067"]:
        assert "学" in terms(conn, f"{mark}学")
        assert "習" in terms(conn, f"学 {mark * 3} 習")
    assert terms(conn, "\u0e34\u0e48 x") == ["\u0e34\u0e48", "x"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("学" + "\u0301" * 10_000 + "習", ("学習", 0, 20_006)),
        ("学" + "\ufe00" * 10_000 + "習", ("学習", 0, 30_006)),
        ("学" + "\u200b" * 10_000 + "習", ("学習", 0, 30_006)),
        ("か" + "\u3099" * 2 + "\u0301" * 10_000, ("が\u3099", 0, 20_009)),
        ("😀" + "\u0301" * 10_000, ("😀", 0, 20_004)),
        ("❤" + "\ufe0f" * 10_000, ("❤", 0, 30_003)),
        ("a" + "\u0301" * 10_000, ("a", 0, 20_001)),
        ("1" + "\ufe0f" * 10_000 + "\u20e3", ("1\u20e3", 0, 30_004)),
    ],
    ids=["marks", "selectors", "ignorables", "kana", "emoji", "selected", "letter", "keycap"],
)
def test_ten_thousand_marks(conn: Any, text: str, first: tuple[str, int, int]) -> None:
    assert tokens(conn, text)[0][:3] == first
    make_table(conn, [text, "x"])
    assert hits(conn, quoted(text)) == [0]
    check(conn)


@pytest.mark.parametrize("n", [10_000, 20_000])
@pytest.mark.parametrize("text", ["ก{}", "{}", "ก{}ข", "ab{}"], ids=["", "alone", "run", "word"])
def test_a_cluster_of_any_length(conn: Any, text: str, n: int) -> None:
    """FTS5 cuts tokens after 32,768 bytes, in the query as well: what went in is found."""
    long = text.format("\u0e34" * n)
    make_table(conn, [long, "ก", "ข"])
    assert 0 in hits(conn, quoted(long))
    check(conn)
    conn.execute("DELETE FROM t WHERE rowid = 0")
    check(conn)


def test_a_chain_of_ten_thousand_emoji_is_one_token(conn: Any) -> None:
    chain = "\u200d".join("👩" for _ in range(10_000))
    ((token, start, end, _, _),) = tokens(conn, chain)
    assert (token, start, end) == (chain, 0, len(chain.encode()))
    make_table(conn, [chain, "学" + chain + "習"])
    assert hits(conn, quoted(chain)) == [0, 1]
    assert hits(conn, "習") == [1]
    check(conn)


# --- Much text -----------------------------------------------------------------------------------


def test_a_million_runs_of_one_character(new_sqlite: Any) -> None:
    make_table(new_sqlite, [], options="detail=none")
    add_rows(new_sqlite, ["学 " * 1_000_000 + "習"])
    assert hits(new_sqlite, "習") == [0]
    assert value(new_sqlite, "SELECT count(*) FROM cjk_tokens(?)", "学 " * 1_000_000) == 1_000_000


@pytest.mark.parametrize("arguments", ["", "join_spaces 1 bridge_markup 1", "fold_iteration 1"])
def test_time_is_linear(new_sqlite: Any, arguments: str) -> None:
    """A megabyte of what tempts to look far takes about as long as a megabyte of anything.

    Measured: 5 to 60 ms. What is quadratic takes minutes.
    """
    for name, text in large_texts():
        start = time.process_time()
        sql = "SELECT count(*) FROM cjk_tokens(CAST(? AS TEXT), ?)"
        value(new_sqlite, sql, text, f"cjk {arguments}")
        assert time.process_time() - start < 3, name


@pytest.mark.slow
def test_a_hundred_megabytes_in_one_value(new_sqlite: Any) -> None:
    text = "学習日本語" * 3_000_000 + "、" * 5_000_000 + " été😀" * 3_000_000 + "終"
    assert len(text.encode()) > 90_000_000
    make_table(new_sqlite, [], "cjk unigrams 0", "content='', detail=none")
    apsw.memory_high_water(True)
    before = apsw.memory_used()
    add_rows(new_sqlite, [text])
    # SQLite's own copy of the value, and little else.
    assert apsw.memory_high_water() - before < len(text.encode()) + 10_000_000
    for query in ["終", "語学", "été", "😀"]:
        assert hits(new_sqlite, query) == [0]


@pytest.mark.parametrize("word", ["a", "é", "Ａ"])
def test_a_word_of_a_megabyte(conn: Any, word: str) -> None:
    text = word * (1_000_000 // len(word.encode()))
    make_table(conn, [text + "学"])
    assert hits(conn, "学") == [0]
    assert hits(conn, quoted(text)) == [0]
    check(conn)


def test_too_little_memory_is_an_error_and_no_more(new_sqlite: Any) -> None:
    need(apsw, "memory_used", "hard_heap_limit")
    text = "学習日本語" * 100_000
    make_table(new_sqlite, ["学習"])
    for limit in [100_000, 1_000_000, 3_000_000]:
        apsw.hard_heap_limit(apsw.memory_used() + limit)
        try:
            with pytest.raises((MemoryError, apsw.NoMemError)):
                value(new_sqlite, "SELECT count(*) FROM cjk_tokens(?)", text)
        finally:
            apsw.hard_heap_limit(0)
    assert value(new_sqlite, "SELECT count(*) FROM cjk_tokens(?)", text) == 999_999
    assert hits(new_sqlite, "学習") == [0]
    check(new_sqlite)


# --- The callback --------------------------------------------------------------------------------


@pytest.fixture
def raw() -> Iterator[RawTokenizer]:
    conn = open_host("sqlite3")
    try:
        tokenizer = RawTokenizer(conn, "cjk")
    except UnsupportedSQLiteError as error:
        pytest.skip(str(error))
    yield tokenizer
    tokenizer.close()
    conn.close()


class Listener:
    """Notes the tokens; returns `code` at token number `stop_at`."""

    def __init__(self, stop_at: int = 0, code: int = OK) -> None:
        self.seen: list[tuple[int, bytes, int, int]] = []
        self._stop_at = stop_at
        self._code = code

    def __call__(self, flags: int, token: bytes, start: int, end: int) -> int:
        self.seen.append((flags, token, start, end))
        return self._code if len(self.seen) == self._stop_at else OK


STOPPED = [
    "機械学習",
    "abc def ghi",
    "été naïf Ünïcode",
    "ＡＢ ＣＤ Ｅ",
    "ภาษาไทย",
    "😀 1️⃣ 🇯🇵",
    "学abc été学ไทย😀日本ＡＢ x",
]


@pytest.mark.parametrize("text", STOPPED)
@pytest.mark.parametrize(("returned", "expected"), [(1, 1), (7, 7), (4242, 4242), (DONE, OK)])
@pytest.mark.parametrize("flags", [DOCUMENT, AUX, QUERY, QUERY | PREFIX])
def test_what_the_callback_returns_stops_the_loop_and_is_passed_on(
    raw: RawTokenizer, text: str, returned: int, expected: int, flags: int
) -> None:
    """SQLITE_DONE says that the rest isn't wanted, and is no error."""
    whole = Listener()
    assert raw.tokenize(text.encode(), flags, whole) == OK
    for n in range(1, len(whole.seen) + 1):
        stopping = Listener(n, returned)
        assert raw.tokenize(text.encode(), flags, stopping) == expected
        assert stopping.seen == whole.seen[:n]


def test_no_text_at_all(raw: RawTokenizer) -> None:
    assert raw.tokenize(b"", DOCUMENT, lambda *_: 1) == OK


@pytest.mark.parametrize("text", NASTY, ids=repr)
def test_text_that_ends_anywhere(raw: RawTokenizer, text: bytes) -> None:
    """Any start of a text is a text: nothing beyond its end is looked at."""
    for n in range(len(text) + 1):
        listener = Listener()
        assert raw.tokenize(text[:n], DOCUMENT, listener) == OK
        assert all(0 <= start < end <= n for _, _, start, end in listener.seen)


def test_a_tokenizer_may_outlive_its_connection() -> None:
    """apsw keeps tokenizers as Python objects, which go when nothing refers to them any more."""
    conn = open_host("apsw")
    need(conn, "fts5_tokenizer")
    tokenizer = conn.fts5_tokenizer("cjk", [])
    assert tokenizer("学".encode(), DOCUMENT, None) == [(0, 3, "学")]
    conn.close()
    del tokenizer


# --- Arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        # A name without its value, a value that is none, a name that is none.
        ("cjk unigrams", "option unigrams .* has no value"),
        ("cjk segment", "option segment .* has no value"),
        ("cjk emoji 1 version", "option version .* has no value"),
        ("cjk tokenchars", "option tokenchars .* has no value"),
        ("cjk unigrams 2", "option unigrams .*2.* 1 0"),
        ("cjk unigrams ''", "option unigrams"),
        ("cjk unigrams 01", "option unigrams"),
        ("cjk version 2", "option version .*2.* 1"),
        ("cjk segment trigram", "no segmenter .trigram.*known are: .*bigram"),
        ("cjk remove_diacritics 3", "remove_diacritics"),
        ("cjk unigramz 0", "unigramz.* neither an option .* nor a tokenizer .*: version segment"),
        ("cjk unigrams 0 bogus", "bogus.* neither an option"),
        ("bogus", ".bogus. is neither an option"),
        ("porter bogus", "porter"),
        ("porter cjk unigrams 5", "option unigrams"),
        ("cjk porter cjk bogus 1", "bogus"),
        # What is meant for one parent and given to another.
        ("cjk tokenchars '-' porter", "tokenchars .* belongs to unicode61"),
        ("cjk remove_diacritics 0 trigram", "remove_diacritics .* belongs to unicode61"),
        ("cjk unicode61 bogus 1", "unicode61 refused"),
        ("cjk trigram case_sensitive 7", "trigram refused"),
        ("cjk unicode61 categories", "unicode61 refused"),
        # Quotes that do not end, characters that need them.
        ("cjk tokenchars '", "can't be read at"),
        ('cjk tokenchars "ab', "can't be read at"),
        ("cjk tokenchars +", "can't be read at"),
        ("cjk, porter", "can't be read at"),
    ],
)
def test_wrong_arguments(conn: Any, arguments: str, message: str) -> None:
    """cjk_check says what is wrong; FTS5, which knows no messages of tokenizers, refuses too."""
    said = value(conn, "SELECT cjk_check(?)", arguments)
    assert said != "ok"
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(said)
    with pytest.raises(Exception, match=r"tokenizer|parse error|malformed"):
        make_table(conn, [], arguments)
    with pytest.raises(Exception, match=r".+"):
        tokens(conn, "学", arguments)


def test_a_trigram_parent_without_its_value() -> None:
    """Alone, `trigram case_sensitive` crashes SQLite up to 3.40; behind ours it is refused."""
    for host in HOSTS:
        program = """
            conn = opened(sys.argv[1])
            load(conn)
            for arguments in ["cjk trigram case_sensitive", "porter cjk trigram case_sensitive"]:
                [said] = rows(conn, f"SELECT cjk_check('{arguments}')")
                assert said != "ok", said
                try:
                    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(a, tokenize='{arguments}')")
                except Exception as error:
                    assert "tokenizer" in str(error)
                else:
                    raise AssertionError("accepted")
        """
        run_program(program, host)


@pytest.mark.parametrize("words", ["cjk ", "cjk porter ", "cjk unigrams 0 "])
def test_twenty_thousand_tokenizers_in_a_row(words: str) -> None:
    """Arguments come from the schema of a file that anybody may have made."""
    for host in HOSTS:
        program = """
            conn = opened(sys.argv[1])
            load(conn)
            for n in (3, 20_000):
                said = conn.execute("SELECT cjk_check(?)", (sys.argv[2] * n,)).fetchall()[0][0]
                assert n > 3 or said == "ok", said
            assert said != "ok"
        """
        run_program(program, host, words)


def test_what_is_no_text(conn: Any) -> None:
    assert value(conn, "SELECT cjk_check(NULL)") is None
    assert value(conn, "SELECT cjk_check('')") == "ok"
    assert value(conn, "SELECT cjk_check(5)") != "ok"
    assert column(conn, "SELECT token FROM cjk_tokens(NULL)") == []
    assert column(conn, "SELECT token FROM cjk_tokens(12)") == ["12"]
    assert column(conn, "SELECT token FROM cjk_tokens(?)", "学".encode()) == ["学"]
    assert column(conn, "SELECT token FROM cjk_tokens('学', NULL, NULL)") == ["学"]
    for wrong in ["cjk_tokens('学', 'cjk', 'sideways')", "cjk_tokens('学', 5)", "cjk_tokens"]:
        with pytest.raises(Exception, match=r"cjk_tokens|mode|tokenizer|arguments"):
            column(conn, f"SELECT token FROM {wrong}")


WORDS = "cjk porter unicode61 ascii unigrams segment bigram unigram 0 1 version tokenchars emoji"
PIECES = [*WORDS.split(), "'a b'", "'", '"x"', "[y]", "[", "''", "学", "+", "\n"]
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@given(st.one_of(st.text(CHARACTERS, max_size=30), st.lists(st.sampled_from(PIECES)).map(" ".join)))
def test_any_arguments_are_checked_as_fts5_takes_them(new_sqlite: Any, arguments: str) -> None:
    """`ok` says that a table can be made, and any other answer that it can't."""
    value(new_sqlite, "SELECT cjk_check(?)", arguments)
    said = value(new_sqlite, "SELECT cjk_check(?)", f"cjk {arguments}")
    try:
        make_table(new_sqlite, ["学習"], f"cjk {arguments}")
    except apsw.Error:
        assert said != "ok"
    else:
        assert said == "ok"
        assert hits(new_sqlite, "習") == [0]


def test_arguments_in_quotes(conn: Any) -> None:
    """FTS5 knows one kind of quotes here, doubled for one of themselves."""
    for written in ["cjk tokenchars '-+'", "  cjk   tokenchars '-+' ", "'cjk' 'tokenchars' '-+'"]:
        assert value(conn, "SELECT cjk_check(?)", written) == "ok"
        make_table(conn, ["a-b c"], written)
        assert hits(conn, quoted("a-b")) == [0]
        assert hits(conn, "a") == []
    doubled = "cjk tokenchars ''''"
    make_table(conn, ["don't"], doubled)
    assert hits(conn, quoted("don't")) == [0]
    assert terms(conn, "don't", doubled) == ["don't"]
    for refused in ['cjk tokenchars "-+"', "cjk tokenchars [-+]", "cjk\tunigrams 0"]:
        assert value(conn, "SELECT cjk_check(?)", refused) != "ok"
        with pytest.raises(Exception, match="tokenize"):
            make_table(conn, [], refused)
