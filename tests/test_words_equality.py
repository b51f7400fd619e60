"""The words are jieba's: compared with Python jieba 0.42.1 itself, token for token.

On lines of real text, picked by their hash, and on generated text: all modes, with and without the
hidden Markov model, with user words. The finest cut, which is ours, is compared with its rule
written down once more in Python.
"""

from __future__ import annotations

import copy
import ctypes
import os
import pickle
import re
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from math import log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nasty import TEXTS
from strategies import assigned_text, texts

from cjk_tokenizer import add_words, library
from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.library import UserWords, cut, tokenize_words

FILES = [
    "zh-niutrans_modern.txt",
    "zh-wiki_cmrc.txt",
    "zh_hant-twlaw.txt",
    "zh_mixed-javaguide.txt",
    "ja-aozora.txt",
    "ko_mixed-react_docs.txt",
]
# One line in so many is compared, five times over: 11 MB in all.
SAMPLE = 20
MODES = [("default", True), ("default", False), ("search", True), ("search", False), ("all", False)]

# Words of all kinds, pieces of words, and what jieba's expressions treat apart.
WORDS = "自然语言处理 乒乓球拍 卖完 了 的 和 尚未 中国科学院 计算所 一心一意 李小福 杭研 石墨烯"
HAN = "的是一不在人有我他这中大来上国和地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
RARE = "龘靐齉龥\u9fa6\u9fd5\u9fd6〇㐀\U00020000\U0002a6d6\uf900⼀"
LATIN = "abZ059.+#&_%-"
NAMES = "C++ c# AT&T T恤 AA制 卡拉OK 3.14 50% a.b γ射线 K歌之王"
SPACES = " \t\n\r\x0b\x1c\x1f\x85\xa0\u1680\u180e\u2007\u2028\u202f\u205f\u3000"
BETWEEN = SPACES + "，。、！·—あカ한ก😀\0\ud800"
PIECES = [*WORDS.split(), *HAN, *RARE, *LATIN, *NAMES.split(), *BETWEEN, "\r\n"]


@pytest.fixture(scope="module")
def jieba(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The package, its dictionary loaded, its cache file out of the way."""
    if not os.environ.get("CI"):  # there it must not be missing
        pytest.importorskip("jieba", reason="jieba is not installed")
    package: Any = import_module("jieba")
    assert package.__version__ == "0.42.1"
    package.setLogLevel(60)
    package.dt.tmp_dir = str(tmp_path_factory.mktemp("jieba"))
    package.initialize()
    return package


def by_jieba(tokenizer: Any, text: str, mode: str, hmm: bool) -> list[str]:
    if mode == "search":
        words: list[str] = tokenizer.lcut_for_search(text, HMM=hmm)
    else:
        words = tokenizer.lcut(text, cut_all=mode == "all", HMM=hmm)
    return words


def assert_equal(tokenizer: Any, text: str, words: UserWords | None = None) -> None:
    for mode, hmm in MODES:
        expected = by_jieba(tokenizer, text, mode, hmm)
        assert cut(text, mode, hmm, words=words) == expected, (mode, hmm)


def sampled_lines(path: Path) -> Iterator[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            if zlib.crc32(line.encode()) % SAMPLE == 0:
                yield line


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_real_text(jieba: Any, shared_dir: Path, name: str) -> None:
    n = 0
    for line in sampled_lines(shared_dir / "data" / "text" / name):
        assert_equal(jieba.dt, line)
        n += 1
    assert n > 10


def mixed_text(max_size: int = 24) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PIECES), max_size=max_size).map("".join)


@given(text=mixed_text())
def test_mixed_text(jieba: Any, text: str) -> None:
    assert_equal(jieba.dt, text)


@given(text=st.text(alphabet=HAN + RARE, max_size=40))
def test_han_text(jieba: Any, text: str) -> None:
    assert_equal(jieba.dt, text)


@given(text=st.text(alphabet=LATIN + "的型座", max_size=20))
def test_latin_text(jieba: Any, text: str) -> None:
    assert_equal(jieba.dt, text)


@given(text=st.one_of(texts(), assigned_text(), st.text()))
def test_any_text(jieba: Any, text: str) -> None:
    assert_equal(jieba.dt, text)


@pytest.mark.parametrize("text", TEXTS)
def test_nasty_text(jieba: Any, text: str) -> None:
    assert_equal(jieba.dt, text)


@pytest.mark.parametrize("text", ["一一一这保的情", "日日日D社川子拿当子帝果CDComicalive"])
def test_where_rounding_decides(jieba: Any, text: str) -> None:
    """Added in another order, the same numbers give other words."""
    assert_equal(jieba.dt, text)


def test_a_long_stretch_without_a_break(jieba: Any) -> None:
    assert_equal(jieba.dt, "自然语言处理的研究" * 8000 + "x1" * 500)


@given(text=mixed_text())
def test_offsets(jieba: Any, text: str) -> None:
    for mode, hmm in MODES[:4]:
        expected = list(jieba.tokenize(text, mode=mode, HMM=hmm))
        assert tokenize_words(text, mode, hmm) == expected


def test_many_threads() -> None:
    lines = ["自然语言处理的研究" * n for n in range(200)]
    expected = [cut(line, "search") for line in lines]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert list(pool.map(lambda line: cut(line, "search"), lines)) == expected


# --- User words ----------------------------------------------------------------------------------


@contextmanager
def fresh_tokenizer(jieba: Any) -> Iterator[Any]:
    """A tokenizer without user words; jieba keeps the words to split in one place for all."""
    split: set[str] = import_module("jieba.finalseg").Force_Split_Words
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = dict(jieba.dt.FREQ), jieba.dt.total
    tokenizer.initialized = True
    split.clear()
    yield tokenizer
    split.clear()


USER_TEXT = "李小福是石墨烯乒乓球拍卖完了iPhone15的中国科学院杭研龘龘"
user_entries = st.lists(
    st.tuples(
        st.integers(0, len(USER_TEXT) - 1).flatmap(
            lambda start: st.integers(1, 6).map(lambda n: USER_TEXT[start : start + n])
        ),
        st.one_of(st.none(), st.sampled_from([0, 1, 5, 1000, 10**6])),
    ),
    min_size=1,
    max_size=6,
)


@example(entries=[("的的", 10**6)], text="的的的")  # two ways, equally likely
@example(entries=[("龘龘", 4 * 10**9)], text="在不大的一一一这保的情")  # all others grow rare
@example(entries=[("不大", 0)], text="在不大")  # the model would find it
@example(entries=[("不大", 0), ("不大", 1)], text="在不大")  # and still must not
@given(entries=user_entries, text=st.one_of(st.just(USER_TEXT), st.text(USER_TEXT, max_size=30)))
def test_user_words(jieba: Any, entries: list[tuple[str, int]], text: str) -> None:
    words = UserWords(entries)
    latin = any(word.isascii() for word, _ in entries)
    with fresh_tokenizer(jieba) as tokenizer:
        for word, frequency in entries:
            tokenizer.add_word(word, frequency)
        for mode, hmm in MODES[:4] if latin else MODES:
            assert cut(text, mode, hmm, words=words) == by_jieba(tokenizer, text, mode, hmm)


def test_user_words_are_checked() -> None:
    for words, message in (
        ([""], "0 characters"),
        (["学" * 64], "64 characters"),
        (["莱昂·内托"], "Han of U"),
        ([("学", -1)], "not between 0"),
        ([("学", 2**33)], "not between 0"),
    ):
        with pytest.raises(ArgumentError, match=message):
            UserWords(words)


@pytest.mark.parametrize(
    "words",
    ["量子点", b"x", 3, None, [("量子点",)], [("量子点", "1")], [("学", 1.5)], [["学", 1]], [()]],
)
def test_what_is_no_words_is_refused(words: Any) -> None:
    for take in UserWords, lambda words: add_words("x", words):
        with pytest.raises(TypeError, match=r"words are a list of str|a word is a str or a pair"):
            take(words)


@pytest.mark.parametrize("words", [["量子点"], "量子点", {"量子点": 1}, ()])
def test_words_to_cut_with_must_be_made_before(words: Any) -> None:
    for function in cut, tokenize_words:
        with pytest.raises(TypeError, match=r"UserWords\(\.\.\.\)"):
            function("石墨烯量子点", words=words)


def test_a_dict_is_its_items() -> None:
    words = UserWords({"石墨烯": 1000, "量子点": None})
    assert words.words == UserWords([("石墨烯", 1000), "量子点"]).words
    assert cut("石墨烯量子点", words=words) == ["石墨烯", "量子点"]


def test_user_words_are_copied_by_reference_and_not_pickled() -> None:
    words = UserWords(["量子点"])
    copies = [copy.copy(words), copy.deepcopy(words), copy.deepcopy([words])[0]]
    assert all(each is words for each in copies)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(words, protocol)
    del words
    assert [cut("量子点", words=copies.pop()) for _ in range(3)] == [["量子点"]] * 3


def test_fingerprints_tell_dictionaries_apart() -> None:
    layers: list[list[Any]] = [["学"], [("学", 1)], ["学", "习"], ["习", "学"]]
    prints = [library.dictionary_fingerprint()]
    prints += [UserWords(words).fingerprint for words in layers]
    assert all(len(each) == 16 for each in prints)
    assert len(set(prints)) == len(prints)
    assert UserWords(["学"]).fingerprint == prints[1]


def test_arguments_are_checked() -> None:
    with pytest.raises(ArgumentError, match="'default', 'search', 'all'"):
        cut("学", "full")
    with pytest.raises(TypeError, match="bytes"):
        cut(b"abc")  # type: ignore[arg-type]


# --- The finest cut ------------------------------------------------------------------------------

_OnWord = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_uint32
)
Piece = tuple[int, int, int]  # colocated, start, end


def cut_run(text: str, hmm: bool = True, longer: bool = True) -> list[Piece]:
    pieces: list[Piece] = []

    def on_word(_: Any, flags: int, start: int, end: int) -> int:
        pieces.append((flags, start, end))
        return 0

    loaded = library._library()
    words = loaded.cjk_words_create(loaded.cjk_dictionary_builtin(), None, None, None)
    code_points = library._encoded(text)
    rc = loaded.cjk_words_cut_run(
        ctypes.c_void_p(words), code_points, ctypes.c_size_t(len(text)), hmm, longer, None,
        _OnWord(on_word),
    )  # fmt: skip
    loaded.cjk_words_free(words)
    assert rc == 0
    return pieces


def divided(jieba: Any, word: str) -> list[str]:
    """The pieces of a word on the best path, by the rule in words.h."""
    frequency, total = jieba.dt.FREQ, log(jieba.dt.total)
    if len(word) <= 2:
        return [word]
    best: list[tuple[float, list[str]]] = [(0.0, [])]  # for the rest of the word, longer and longer
    for start in reversed(range(len(word))):
        options = []
        for n in (1, 2):
            piece = word[start : start + n]
            if n == 1 or (len(piece) == 2 and frequency.get(piece)):
                score, rest = best[-n]
                weight = log(frequency.get(piece) or 1) - total
                options.append((weight + score, n, [piece, *rest]))
        score, _, pieces = max(options)
        best.append((score, pieces))
    return best[-1][1]


def words_in_a_row() -> st.SearchStrategy[str]:
    words = [*WORDS.split(), *HAN, "莎士比亚全集", "冰淇淋"]
    return st.lists(st.sampled_from(words), min_size=1, max_size=12).map("".join)


def expected_run(jieba: Any, text: str, hmm: bool) -> list[Piece]:
    expected: list[Piece] = []
    best_path = set(jieba.tokenize(text, HMM=False))
    searched = {(start, end) for _, start, end in jieba.tokenize(text, "search", HMM=hmm)}
    for word in jieba.tokenize(text, HMM=hmm):
        start = word[1]
        for piece in divided(jieba, word[0]) if word in best_path else word[0]:
            span = start, start + len(piece)
            longer = sorted(s for s in searched - {span} if span[0] <= s[0] < span[1])
            expected += [(0, *span), *((1, *s) for s in longer)]
            start = span[1]
    return expected


@given(text=words_in_a_row())
def test_finest_cut(jieba: Any, text: str) -> None:
    for hmm in (True, False):
        expected = expected_run(jieba, text, hmm)
        assert cut_run(text, hmm) == expected
        assert cut_run(text, hmm, longer=False) == [piece for piece in expected if not piece[0]]


def test_finest_cut_of_words(jieba: Any) -> None:
    words = [word for word in jieba.dt.FREQ if len(word) > 2 and not re.search("[!-~γ]", word)]
    for word in words[::50]:
        assert cut_run(word) == expected_run(jieba, word, True)


@given(text=words_in_a_row(), data=st.data())
def test_words_of_a_document_are_found_in_it(text: str, data: Any) -> None:
    """Whole words of a document, as a query, have the pieces that the document has there."""
    spans = tokenize_words(text, hmm=False)
    first = data.draw(st.integers(0, len(spans) - 1))
    last = data.draw(st.integers(first, len(spans) - 1))
    start, end = spans[first][1], spans[last][2]
    document = [piece for piece in cut_run(text, longer=False) if start <= piece[1] < end]
    query = cut_run(text[start:end], longer=False)
    assert [(0, start + s, start + e) for _, s, e in query] == document
