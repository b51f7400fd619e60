"""The SQL functions give what the Python functions give, for any text and any bytes."""

from __future__ import annotations

import json
import random
import re
import time
import unicodedata
from pathlib import Path
from typing import Any

import fts
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st
from nasty import NASTY, large_texts

from cjk_tokenizer.memory import chunk_text, detect, relevance
from cjk_tokenizer.memory.language import SCRIPTS
from cjk_tokenizer.memory.text import kind_of, lower_of

ID = "0123456789abcdef0123456789abcdef"
LINK_PIECES = [f"(:/{ID})", f":/{ID}", f":/{ID}x", f"((:/{ID})", "(:/", ":/", f"(:/{ID}", ID, "("]
# What the borders of chunks are about, and what the strategies of the token stream lack.
CHUNK_PIECES = [
    *("。", "！」", "...", ".", "!?", ". ", ".」", "\n", "\n\n", "\r\n", "\n \u3000\n", " ", "\t"),
    *("、", "・", "abc", "x1", "한국", "カー", "漢字", "かな", "क्षि", "\u094d", "\u0600", "ำ"),
    *("🇯🇵", "🇯", "👨\u200d👩", "e\u0301", "\u1112\u1161\u11ab", "\u1160", "\ufeff", "Ａ", "»"),
    *("\U0001f3fd", "\U000e0067", "\ua960", "\xa0", "\0"),
]
pieces = st.sampled_from([*CHUNK_PIECES, *LINK_PIECES, *strategies.PIECES])
dense_texts = st.lists(pieces, max_size=80).map("".join)
anything = st.one_of(dense_texts, st.text(max_size=60).filter(lambda text: _encodable(text)))
broken = st.one_of(anything.map(str.encode), strategies.utf8())

LARGE = {
    **dict(large_texts(300_000)),
    **{
        f"many {unit!r}": unit.encode() * 300_000 + b"a" for unit in (".", ".)", "。", "(:/", "\n ")
    },
}

DETECT = "SELECT cjk_detect(CAST(? AS TEXT))"
RELEVANCE = "SELECT cjk_relevance(CAST(? AS TEXT), CAST(? AS TEXT))"
CHUNKS = 'SELECT ordinal, start, "end", CAST(text AS BLOB) FROM cjk_chunks(CAST(? AS TEXT), ?)'


def _encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def decoded(text: bytes) -> str:
    """What SQL takes for the text: a replacement character for each maximal broken sequence."""
    return text.decode("utf-8", "replace")


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    return fts.open_host(request.param)


def byte_places(text: bytes) -> list[int]:
    """Where each decoded character stands in the bytes, and the end."""
    places, at = [], 0
    for char in decoded(text):
        places.append(at)
        if char == "\ufffd" and not text.startswith(b"\xef\xbf\xbd", at):
            rest = text[at : at + 4]
            # The maximal broken sequence: the longest prefix that decodes to one replacement, and
            # goes on being one whatever follows.
            at += max(
                n
                for n in range(1, len(rest) + 1)
                if decoded(rest[:n]) == "\ufffd" and decoded(rest[:n] + b"a") == "\ufffda"
            )
        else:
            at += len(char.encode())
    return [*places, at]


def expected_chunks(text: bytes, **options: Any) -> list[tuple[int, int, int, str]]:
    places = byte_places(text)
    return [
        (chunk.ordinal, places[chunk.start], places[chunk.end], chunk.text)
        for chunk in chunk_text(decoded(text), **options)
    ]


def chunks(conn: Any, text: bytes, **options: Any) -> list[tuple[int, int, int, str]]:
    found = fts.rows(conn, CHUNKS, text, json.dumps(options))
    return [(ordinal, start, end, decoded(cut)) for ordinal, start, end, cut in found]


# --- the same answers --------------------------------------------------------------------------


@given(text=broken)
def test_detect_agrees(conn: Any, text: bytes) -> None:
    assert fts.value(conn, DETECT, text) == detect(decoded(text))


def test_code_points_count_for_the_same_script(conn: Any) -> None:
    borders = [(first - 1, first, last, last + 1) for first, last, _ in SCRIPTS]
    codes = {code for border in borders for code in border} | set(range(1, 0x20000, 5))
    scalars = sorted(code for code in codes if not 0xD800 <= code <= 0xDFFF)
    # The first text tells what is counted at all, the second which script decides.
    texts = [chr(code) * 20 + "a" * 80 + "中" * n for code in scalars for n in (16, 0)]
    found = fts.column(
        conn, "SELECT cjk_detect(value) FROM json_each(?) ORDER BY key", json.dumps(texts)
    )
    assert found == [detect(text) for text in texts]
    assert set(found) == {"zh", "ja", "ko", "th", "ar", "hi", "ru", "en"}


@pytest.mark.parametrize("char", "の한กبकж中")
def test_detect_agrees_at_its_thresholds(conn: Any, char: str) -> None:
    for n in range(8, 19):
        text = char * n + "a" * (100 - n)
        assert fts.value(conn, "SELECT cjk_detect(?)", text) == detect(text)


@given(query=broken, text=broken)
@example(query="İx".encode(), text="i\u0307x".encode())
@example(query="今天天气怎么样".encode(), text="今天天气好".encode())
def test_relevance_agrees(conn: Any, query: bytes, text: bytes) -> None:
    expected = relevance(decoded(query), decoded(text)).score
    assert fts.value(conn, RELEVANCE, query, text) == expected


@given(parts=st.lists(anything, min_size=1, max_size=6), data=st.data())
def test_relevance_of_parts_agrees(conn: Any, parts: list[str], data: st.DataObject) -> None:
    query = " ".join(data.draw(st.permutations(parts))[:3])
    text = "".join(parts).swapcase()
    if _encodable(text):
        expected = relevance(query, text).score
        assert fts.value(conn, RELEVANCE, query.encode(), text.encode()) == expected


def test_relevance_of_long_texts_agrees(conn: Any) -> None:
    dice = random.Random(1)
    alphabet = "学习天气 \0aAİ\u3000é,"
    for n in (1198, 1199, 1200, 1201, 2400, 5000):
        for _ in range(20):
            query, text = ("".join(dice.choices(alphabet, k=n)) for _ in range(2))
            for asked in (query, query[:7], text[1190:1202], text[:1300]):
                expected = relevance(asked, text).score
                assert fts.value(conn, RELEVANCE, asked.encode(), text.encode()) == expected


@given(
    text=broken,
    size=st.integers(1, 40),
    overlap=st.integers(0, 39),
    profile=st.sampled_from(["natural", "exact"]),
)
@example(text=("🇯🇵" * 30).encode(), size=3, overlap=2, profile="natural")
@example(text=f"  ab(:/{ID})cd  :/{ID} ".encode(), size=2, overlap=0, profile="natural")
def test_chunks_agree(conn: Any, text: bytes, size: int, overlap: int, profile: str) -> None:
    options = {"chunk_size": size, "overlap": overlap % size, "profile": profile}
    assert chunks(conn, text, **options) == expected_chunks(text, **options)


@pytest.mark.parametrize("profile", ["natural", "exact"])
def test_chunks_of_long_texts_agree(conn: Any, profile: str) -> None:
    dice = random.Random(2)
    weights = [5 if piece in CHUNK_PIECES else 1 for piece in [*CHUNK_PIECES, *LINK_PIECES]]
    for _ in range(40):
        text = "".join(dice.choices([*CHUNK_PIECES, *LINK_PIECES], weights, k=3000)).encode()
        assert chunks(conn, text, profile=profile) == expected_chunks(text, profile=profile)
        size = dice.choice([dice.randrange(1, 30), dice.randrange(1, 300)])
        options = {"profile": profile, "chunk_size": size, "overlap": dice.randrange(size)}
        assert chunks(conn, text, **options) == expected_chunks(text, **options)


def test_how_far_back_a_virama_is_seen(conn: Any) -> None:
    for n in range(60, 70):
        text = ("a" * 80 + "क\u094d" + "\u0301" * n + "ष" * 100).encode()
        options = {"chunk_size": 82 + n, "overlap": 0}
        assert chunks(conn, text, **options) == expected_chunks(text, **options)


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_agree(conn: Any, text: bytes) -> None:
    assert fts.value(conn, DETECT, text) == detect(decoded(text))
    for size in (1, 2, 5, 12):
        assert chunks(conn, text, chunk_size=size) == expected_chunks(text, chunk_size=size)
    for other in NASTY[:: len(NASTY) // 12]:
        expected = relevance(decoded(text), decoded(other)).score
        assert fts.value(conn, RELEVANCE, text, other) == expected


@pytest.mark.parametrize(
    "name",
    [
        *("zh-wiki_cmrc", "zh_hant-twlaw", "zh_mixed-javaguide", "ja-aozora", "ja_mixed-vue_docs"),
        *("ko-nsmc_reviews", "ko_mixed-react_docs", "th-thaigov"),
    ],
)
def test_real_text_agrees(conn: Any, shared_dir: Path, name: str) -> None:
    text = (shared_dir / "data" / "text" / f"{name}.txt").read_bytes()[:400_000]
    text = decoded(text).strip("\ufffd").encode()
    assert fts.value(conn, DETECT, text) == detect(text.decode())
    for options in ({}, {"profile": "exact"}, {"chunk_size": 100, "overlap": 40}):
        assert chunks(conn, text, **options) == expected_chunks(text, **options)
    lines = [line for line in text.decode().splitlines() if line.strip()][:400]
    for line, other in zip(lines, lines[1:]):
        assert fts.value(conn, "SELECT cjk_detect(?)", line) == detect(line)
        for query in (line[:20], line[3:9] + other[:4], other):
            found = fts.value(conn, "SELECT cjk_relevance(?, ?)", query, line)
            assert found == relevance(query, line).score


# --- the tables behind both ------------------------------------------------------------------


def test_kinds_and_lower_case_are_those_of_this_python_where_both_know_the_character() -> None:
    is_newer = tuple(map(int, unicodedata.unidata_version.split("."))) > (15, 0, 0)
    for code in range(0x110000):
        char = chr(code)
        category = unicodedata.category(char)
        if category == "Cn" or (is_newer and kind_of(char) == "-"):
            continue
        virama = unicodedata.combining(char) == 9
        expected = "V" if virama else category[0] if category[0] in "LNM" else "-"
        assert kind_of(char) == expected, hex(code)
        assert lower_of(char) == char.lower(), hex(code)


# --- chunks, by themselves -------------------------------------------------------------------


def test_rows_of_chunks(conn: Any) -> None:
    sql = 'SELECT rowid, ordinal, start, "end", text FROM cjk_chunks(?, ?)'
    text = f"今日は晴れ。(:/{ID})明日は雨。"
    assert fts.rows(conn, sql, text, '{"chunk_size": 8, "overlap": 0}') == [
        (0, 0, 0, 18, "今日は晴れ。"),
        (1, 1, 54, 69, "明日は雨。"),
    ]
    assert fts.rows(conn, "SELECT text FROM cjk_chunks(?)", f"[a](:/{ID}) b") == [("[a] b",)]


def test_chunks_of_every_row_of_a_table(conn: Any) -> None:
    sql = """
        WITH notes(id, body) AS (VALUES (1, '甲。乙。丙。'), (2, NULL), (3, 'abc'), (4, ' '))
        SELECT id, ordinal, text FROM notes, cjk_chunks(body, '{"chunk_size": 4}') ORDER BY 1, 2
    """
    assert fts.rows(conn, sql) == [(1, 0, "甲。乙。"), (1, 1, "丙。"), (3, 0, "abc")]


def test_sizes_follow_the_text(conn: Any) -> None:
    sql = "SELECT length(text) FROM cjk_chunks(?)"
    assert fts.column(conn, sql, "中" * 601) == [600, 61]
    assert fts.column(conn, sql, "a" * 1751) == [1750, 176]


def test_the_text_may_end_before_the_rows_are_read(conn: Any) -> None:
    rows = conn.execute("SELECT text FROM cjk_chunks(?, '{\"chunk_size\": 2}')", ("abcdef" * 9,))
    assert next(rows) == ("ab",)
    conn.execute("SELECT zeroblob(100000)").fetchall()
    assert "".join(row[0] for row in rows) == ("abcdef" * 9)[2:]


# --- other arguments ---------------------------------------------------------------------------


def test_null_gives_null(conn: Any) -> None:
    assert fts.rows(conn, "SELECT cjk_detect(NULL)") == [(None,)]
    for sql in ("cjk_relevance(NULL, 'a')", "cjk_relevance('a', NULL)"):
        assert fts.rows(conn, f"SELECT {sql}") == [(None,)]
    assert fts.rows(conn, "SELECT * FROM cjk_chunks(NULL)") == []
    assert fts.rows(conn, "SELECT text FROM cjk_chunks('a', NULL)") == [("a",)]


def test_numbers_and_blobs_are_text(conn: Any) -> None:
    assert fts.value(conn, "SELECT cjk_detect(12.5)") == "en"
    assert fts.value(conn, "SELECT cjk_detect(?)", "学".encode()) == "zh"
    assert fts.value(conn, "SELECT cjk_relevance(123, ?)", b"x 123") == 1.0
    assert fts.rows(conn, "SELECT text FROM cjk_chunks(123)") == [("123",)]
    assert fts.rows(conn, "SELECT text FROM cjk_chunks(x'616263', '{\"chunk_size\": 2}')") == [
        ("ab",),
        ("c",),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ('{"size": 3}', '"size" is no option; options are: chunk_size overlap profile'),
        ('{"chunk_size": 0}', "option chunk_size is a number from 1 to 1000000000"),
        ('{"chunk_size": -1}', "option chunk_size is a number from 1"),
        ('{"chunk_size": "9"}', "option chunk_size is a number from 1"),
        ('{"overlap": -1}', "option overlap is a number from 0"),
        ('{"overlap": 600}', "option overlap must be smaller than chunk_size (600), not 600"),
        ('{"chunk_size": 3, "overlap": 3}', "overlap must be smaller than chunk_size (3), not 3"),
        ('{"profile": "old"}', 'option profile is one of natural, exact, not "old"'),
        ('{"profile": 1}', "option profile is a text"),
        ("[]", 'options are a JSON object, as in {"chunk_size": ...}'),
        ("600", "options are a JSON object"),
        ("nonsense", "options are a JSON object"),
    ],
)
def test_wrong_options_are_named(conn: Any, options: str, message: str) -> None:
    with pytest.raises(Exception, match=re.escape(message)) as caught:
        fts.rows(conn, "SELECT * FROM cjk_chunks('中文', ?)", options)
    assert "cjk_chunks()" in str(caught.value)


def test_a_text_is_needed(conn: Any) -> None:
    with pytest.raises(Exception, match=r"cjk_chunks\(\) needs a text"):
        fts.rows(conn, "SELECT * FROM cjk_chunks")
    with pytest.raises(Exception, match="arguments"):
        fts.rows(conn, "SELECT cjk_detect()")


def test_scalar_functions_can_be_indexed(conn: Any) -> None:
    """Deterministic and innocuous: usable in an index and in the schema of a table."""
    conn.execute("CREATE TEMP TABLE said(body TEXT, lang TEXT AS (cjk_detect(body)))")
    conn.execute("CREATE INDEX temp.said_lang ON said(lang)")
    conn.execute("INSERT INTO said(body) VALUES ('東京タワー'), ('天气'), ('hello')")
    assert fts.column(conn, "SELECT lang FROM said ORDER BY body") == ["en", "zh", "ja"]
    conn.execute("DROP TABLE said")


# --- cost ----------------------------------------------------------------------------------------


def seconds(conn: Any, sql: str, *parameters: Any) -> float:
    """Time of the processor, the best of three, so that a busy machine does not count."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        fts.rows(conn, sql, *parameters)
        times.append(time.process_time() - begun)
    return min(times)


@pytest.mark.parametrize("name", LARGE)
def test_time_is_linear(conn: Any, name: str) -> None:
    text = LARGE[name]
    # Quadratic code takes minutes for one of these.
    assert seconds(conn, "SELECT cjk_relevance(CAST(?1 AS TEXT), CAST(?1 AS TEXT))", text) < 2
    for options in ("{}", '{"chunk_size": 300000, "overlap": 10}'):
        sql = "SELECT sum(length(text)) FROM cjk_chunks(CAST(? AS TEXT), ?)"
        assert seconds(conn, sql, text, options) < 2


@pytest.mark.slow
def test_a_hundred_megabytes(conn: Any) -> None:
    unit = "第三章、天气很好。Next line.\n"
    text = unit * (100_000_000 // len(unit.encode()))
    assert fts.value(conn, "SELECT cjk_detect(?)", text) == "zh"
    assert fts.value(conn, "SELECT cjk_relevance(?1, ?1)", text) == 1
    (ends,) = fts.column(conn, 'SELECT max("end") FROM cjk_chunks(?)', text)
    assert ends == len(text.encode()) - 1
