"""Chunks lose nothing, keep their size, and end where a reader would end."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory.chunking import Chunk, chunk_text, options_for_text, rebuild
from cjk_tokenizer.memory.text import BLANKS, clusters, is_border

regex = pytest.importorskip("regex")  # what UAX 29 says, by others

ID = "0123456789abcdef0123456789abcdef"
LINK = re.compile(r"\(:/[a-z0-9]{32}\)|:/[a-z0-9]{32}(?![A-Za-z0-9])")
PIECES = [
    *"学习天气のカーか한글ก",
    "\u3099",
    "ำ",
    "ี",
    "abc",
    "x",
    " ",
    "  ",
    "\u3000",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    ".",
    ". ",
    "!?",
    "。",
    "。」",
    "、",
    "...",
    "e\u0301",
    "👨\u200d👩\u200d👧",
    "🇯🇵🇰🇷",
    "🇯",
    "❤️",
    "क्षि",
    "\u1112\u1161\u11ab",
    "\u0600١",
    f"(:/{ID})",
    f":/{ID}",
    f"[a](:/{ID}) ",
    "(:/",
    "\ud800",
    "\0",
]
texts = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
sizes = st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


def expected_text(text: str) -> str:
    return LINK.sub("", text).strip(BLANKS)


@given(texts, sizes, st.sampled_from(["natural", "exact"]))
@example("。" * 50, (3, 2), "natural")
@example("🇯🇵" * 30, (3, 2), "natural")
def test_nothing_is_lost_and_sizes_hold(text: str, size: tuple[int, int], profile: str) -> None:
    chunks = chunk_text(text, *size, profile=profile)
    assert rebuild(chunks) == expected_text(text)
    for i, chunk in enumerate(chunks):
        assert chunk.ordinal == i
        assert 0 < len(chunk) <= size[0]
        assert 0 <= chunk.overlap <= size[1]
        assert chunk.overlap < len(chunk)
        assert i > 0 or chunk.overlap == 0
        if chunk.overlap:
            assert chunks[i - 1].endswith(chunk[: chunk.overlap])
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))


@given(texts, sizes)
def test_offsets_point_into_the_given_text(text: str, size: tuple[int, int]) -> None:
    for chunk in chunk_text(text, *size):
        source = text[chunk.start : chunk.end]
        kept = iter(source)
        assert source[0] == chunk[0] and source[-1] == chunk[-1]
        assert all(char in kept for char in chunk)  # a subsequence: links are still in it
        if not LINK.search(text):
            assert source == chunk


@given(texts, st.integers(12, 40))
def test_no_grapheme_is_cut(text: str, size: int) -> None:
    cleaned = expected_text(text)
    borders = {0, *(m.end() for m in regex.finditer(r"\X", cleaned))}
    longest = max((len(c) for c in clusters(cleaned)), default=0)
    at = 0
    for chunk in chunk_text(text, size, size // 3):
        at -= chunk.overlap
        if longest <= size:
            assert at in borders and at + len(chunk) in borders
        at += len(chunk)


@given(texts)
def test_borders_are_borders_of_extended_grapheme_clusters(text: str) -> None:
    borders = {m.end() for m in regex.finditer(r"\X", text)}
    ours = {i for i in range(1, len(text)) if is_border(text, i)}
    assert ours <= borders
    # And few are missing: none between a letter and a letter, digit or ideograph.
    for i in range(1, len(text)):
        if text[i - 1].isalnum() and text[i] in "学abx":
            assert i in ours


@given(st.text(max_size=40), st.integers(1, 9), st.integers(0, 8))
def test_exact_profile_steps(text: str, size: int, overlap: int) -> None:
    if overlap >= size:
        with pytest.raises(ArgumentError, match="overlap must be smaller than chunk_size"):
            chunk_text(text, size, overlap, profile="exact")
        return
    cleaned = expected_text(text)
    expected = []
    for start in range(0, len(cleaned), size - overlap):
        expected.append(cleaned[start : start + size])
        if start + size >= len(cleaned):
            break
    assert chunk_text(text, size, overlap, profile="exact") == expected


@pytest.mark.parametrize(
    ("text", "size", "chunks"),
    [
        ("第一段。\n\n第二段很长很长。第三句", 12, ["第一段。\n\n", "第二段很长很长。第三句"]),
        ("今日は晴れ。明日は雨。", 8, ["今日は晴れ。", "明日は雨。"]),
        ("彼は「行く。」と言った。", 9, ["彼は「行く。」", "と言った。"]),
        ("One sentence. Two more.", 18, ["One sentence. ", "Two more."]),
        ("version 3.14 is out", 10, ["version ", "3.14 is ", "out"]),
        ("see example.com now", 17, ["see example.com ", "now"]),
        ("東京タワーへ行く", 5, ["東京タワー", "へ行く"]),
        ("真的吗?是的!好", 6, ["真的吗?", "是的!好"]),
        ("เธอไป ตลาด", 7, ["เธอไป ", "ตลาด"]),
        ("aaaa\r\nbbbb", 7, ["aaaa\r\n", "bbbb"]),
    ],
)
def test_where_chunks_end(text: str, size: int, chunks: list[str]) -> None:
    assert chunk_text(text, size, 0) == chunks


def test_overlap_begins_at_a_sentence() -> None:
    text = "甲乙丙丁。戊己庚。辛壬癸。子丑寅卯辰。"
    chunks = chunk_text(text, 13, 6)
    assert chunks == ["甲乙丙丁。戊己庚。辛壬癸。", "辛壬癸。子丑寅卯辰。"]
    assert [chunk.overlap for chunk in chunks] == [0, 4]


def test_sizes_as_described() -> None:
    assert options_for_text("The quick brown fox") == (1750, 175)
    assert options_for_text("Le renard brun, déjà vu") == (1750, 175)
    assert options_for_text("快速的棕色狐狸跳过了懒惰的狗。") == (600, 60)
    assert options_for_text("素早い茶色のキツネ") == (600, 60)
    assert options_for_text("빠른 갈색 여우가") == (600, 60)
    assert options_for_text("") == (1750, 175)
    # At least 30 %, counted over all characters.
    assert options_for_text("中中中" + "a" * 7) == (600, 60)
    assert options_for_text("中中中" + "a" * 8) == (1750, 175)
    # Characters that only the wider classes have.
    assert options_for_text("𠮷𠮷𠮷") == (600, 60)
    assert options_for_text("𠮷𠮷𠮷", profile="exact") == (1750, 175)
    assert options_for_text("\uf900", profile="exact") == (600, 60)


def test_short_texts_stay_whole() -> None:
    assert chunk_text("") == chunk_text(" \n\t\u3000") == chunk_text(f"(:/{ID})") == []
    assert chunk_text("中" * 600) == ["中" * 600]
    assert [len(chunk) for chunk in chunk_text("中" * 601)] == [600, 61]
    assert [len(c) for c in chunk_text("a" * 1751, profile="exact")] == [1750, 176]


def test_links_are_removed() -> None:
    text = f"![image](:/{ID}), [link](:/{ID}), :/{ID}, and :/{ID}"
    for profile in ("natural", "exact"):
        assert chunk_text(text, profile=profile) == ["![image], [link], , and"]
    assert chunk_text(f'<img src=":/{ID}"/>') == ['<img src=""/>']
    for kept in (f":/{ID}0", f":/{ID[:31]}", f":/{ID.upper()}", f"(:/{ID}x)"):
        assert chunk_text(kept) == [kept]


def test_offsets_with_links() -> None:
    text = f"  ab(:/{ID})cd"
    chunks = chunk_text(text, 2, 0)
    assert [(c.text, c.start, c.end) for c in chunks] == [("ab", 2, 4), ("cd", 40, 42)]
    (whole,) = chunk_text(text)
    assert (whole, whole.start, whole.end) == ("abcd", 2, 42)


def test_a_cluster_longer_than_a_chunk_is_cut() -> None:
    chunks = chunk_text("e" + "\u0301" * 10_000, 100, 10)
    assert rebuild(chunks) == "e" + "\u0301" * 10_000
    assert all(len(chunk) <= 100 for chunk in chunks)


@pytest.mark.parametrize(
    "unit",
    [
        "。",
        ".",
        "...)",
        "\n",
        " ",
        "\u0301",
        "🇯",
        "\u200d",
        "(:/",
        ":/" + "a" * 33,
        "क्",
        "(",
        "中 ",
    ],
)
def test_time_is_linear(unit: str) -> None:
    # Quadratic code would need hours for this.
    text = "a" + unit * (400_000 // len(unit)) + "b"
    assert rebuild(chunk_text(text)) == text
    assert rebuild(chunk_text(text, 50_000, 10)) == text


def test_chunks_are_strings_with_a_place() -> None:
    chunk = chunk_text("abc  ")[0]
    assert isinstance(chunk, str) and hash(chunk) == hash("abc")
    copy = pickle.loads(pickle.dumps(chunk))
    assert (copy, copy.start, copy.end) == ("abc", 0, 3)
    assert type(chunk.text) is str
    assert Chunk("x") == "x"


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_other_types_are_refused(value: Any) -> None:
    for call in (chunk_text, options_for_text):
        with pytest.raises(TypeError, match="text must be str, not"):
            call(value)


def test_wrong_sizes_are_named() -> None:
    for size in (0, -1):
        with pytest.raises(ArgumentError, match=f"chunk_size must be at least 1, not {size}"):
            chunk_text("a", size)
    with pytest.raises(ArgumentError, match="overlap must be at least 0, not -1"):
        chunk_text("a", 10, -1)
    for overlap in (10, 11):
        with pytest.raises(ArgumentError, match=r"overlap must be smaller than chunk_size \(10\)"):
            chunk_text("a", 10, overlap)
    with pytest.raises(ArgumentError, match="overlap must be smaller"):
        chunk_text("a", overlap=2000)
    for wrong in (1.5, "10", True):
        with pytest.raises(TypeError, match="chunk_size must be int"):
            chunk_text("a", wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="profile must be one of natural, exact, not 'old'"):
        chunk_text("a", profile="old")
