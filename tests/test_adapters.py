"""The adapters of outside segmenters: any text is the sum of its words, plain text has theirs.

Each runs with the real package, and is skipped where that is absent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty import TEXTS

from cjk_tokenizer import Error, segmenters
from cjk_tokenizer.errors import ArgumentError, MissingPackageError
from cjk_tokenizer.segmenters import icu, nagisa
from cjk_tokenizer.segmenters.partition import PIECE, by_pieces, cut_at, pieces, with_gaps

NAMES = segmenters.names()

# One sentence in each language, and words that any sensible dictionary finds in it.
PLAIN = {
    "zh": ("我们在北京学习自然语言处理，很有意思。", {"北京", "学习", "语言", "自然语言", "处理"}),
    "ja": ("私は東京の大学で日本語を勉強しています。", {"東京", "大学", "勉強"}),
    "ko": ("서울에서 한국어 형태소를 분석했습니다.", {"서울", "한국어", "분석"}),
    "th": ("ผมชอบเรียนภาษาไทยที่กรุงเทพฯ มาก", {"ชอบ", "เรียน", "มาก"}),
    "lo": ("ຂ້ອຍມັກຮຽນພາສາລາວ", {"ຮຽນ", "ພາສາ"}),
    "km": ("ខ្ញុំចូលចិត្តរៀនភាសាខ្មែរ", {"រៀន", "ខ្មែរ"}),
    "my": ("ကျွန်တော်မြန်မာစာသင်တယ်", {"မြန်မာ"}),
}

MODULES = {
    "rjieba": ["rjieba"],
    "python_jieba": ["jieba"],
    "fugashi": ["fugashi"],
    "sudachi": ["sudachipy"],
    "janome": ["janome", "janome.tokenizer"],
    "nagisa": ["nagisa"],
    "kiwi": ["kiwipiepy"],
    "pythainlp": ["pythainlp", "pythainlp.tokenize", "pythainlp.tokenize.newmm"],
    "icu": ["icu", "icu4py", "icu4py.breakers"],
}


def cut_of(name: str) -> Callable[[str], list[str]]:
    try:
        return segmenters.adapter(name).callable
    except MissingPackageError as error:
        pytest.skip(str(error))


def sentence(name: str) -> str:
    return PLAIN[segmenters.languages(name)[0]][0]


# -- any text is the sum of its words --


def assert_partition(words: list[str], text: str) -> None:
    assert "".join(words) == text
    assert all(words)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(text=strategies.texts(max_size=40) | strategies.assigned_text())
def test_the_words_are_the_text(name: str, text: str) -> None:
    assert_partition(cut_of(name)(text), text)


@pytest.mark.parametrize("name", NAMES)
def test_the_words_of_nasty_text_are_the_text(name: str) -> None:
    cut = cut_of(name)
    for text in [*TEXTS, "", " ", "\0", "a\0b", "\0\0東\0", "\r\n", "\u3000", " 東京 \t大阪\n"]:
        assert_partition(cut(text), text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "unit", ["sentence", "a", "漢", "😀", "ด้านหน้า", "  ", "한국어를분석합니다", "か\u3099"]
)
def test_long_text(name: str, unit: str) -> None:
    """100 kB, with blanks and without: some segmenters refuse it, some take a second a kilobyte."""
    cut = cut_of(name)
    unit = sentence(name) if unit == "sentence" else unit
    size = 20_000 if name in ("janome", "nagisa", "kiwi") else 100_000
    text = unit * (size // len(unit.encode()))
    assert_partition(cut(text), text)


# -- plain text has the segmenter's own words --


@pytest.mark.parametrize("name", NAMES)
def test_plain_text(name: str) -> None:
    cut = cut_of(name)
    for language in segmenters.languages(name):
        text, known = PLAIN[language]
        words = cut(text)
        assert known & set(words), (language, words)
        assert len(words) > 3


def own_words(name: str) -> Callable[[str], list[str]]:
    """What the package itself gives, asked in the most ordinary way."""
    module: Any = import_module(MODULES[name][0])
    if name == "rjieba":
        return lambda text: list(module.cut(text))
    if name == "python_jieba":
        return lambda text: list(module.cut(text))
    if name == "fugashi":
        tagger = module.Tagger()
        return lambda text: [word.surface for word in tagger(text)]
    if name == "sudachi":
        tokenizer = module.Dictionary(dict="core").create()
        mode = module.SplitMode.A
        return lambda text: [word.surface() for word in tokenizer.tokenize(text, mode)]
    if name == "janome":
        janome = import_module("janome.tokenizer").Tokenizer()
        return lambda text: [token.surface for token in janome.tokenize(text)]
    if name == "nagisa":
        return lambda text: list(module.tagging(text).words)
    assert name == "pythainlp"
    word_tokenize = import_module("pythainlp.tokenize").word_tokenize
    return lambda text: list(word_tokenize(text, engine="newmm-safe"))


@pytest.mark.filterwarnings("ignore:Dictionary.create:DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("icu", "kiwi")])
def test_the_words_are_the_segmenter_s_own(name: str, shared_dir: Any) -> None:
    cut = cut_of(name)
    own = own_words(name)
    folder = {"zh": "ud_zh_gsdsimp", "ja": "ud_ja_gsd", "th": "ud_th_pud"}
    path = shared_dir / "data" / "segmentation" / folder[segmenters.languages(name)[0]] / "raw.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines[: 100 if name in ("janome", "nagisa") else 500]:
        stretch = "".join(line.split())  # their ways with blanks differ
        if unicode_stable(stretch):
            assert cut(stretch) == own(stretch)


def unicode_stable(text: str) -> bool:
    return nagisa.same_length(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("한국어를 분석했습니다", ["한국어", "를", " ", "분석", "했", "습니다"]),
        ("학교에서는 예뻤다", ["학교", "에서", "는", " ", "예뻤", "다"]),
        ("가까운 스타벅스가", ["가까운", " ", "스타벅스", "가"]),
    ],
)
def test_kiwi_cuts_where_no_morpheme_lies_across(text: str, words: list[str]) -> None:
    assert cut_of("kiwi")(text) == words


@pytest.mark.parametrize("make", [icu.make_pyicu, icu.make_icu4py])
def test_both_packages_for_icu(make: Callable[[str], Callable[[str], list[str]]]) -> None:
    try:
        cut = make("")
    except ImportError as error:
        pytest.skip(str(error))
    for text in [*TEXTS, "", "a\0b", "😀東京👨‍👩‍👧𠮷野家で"]:
        assert_partition(cut(text), text)
    assert cut("東京タワーへ行く 2026年") == ["東京タワー", "へ", "行く", " ", "2026", "年"]


def test_words_of_a_text_in_pieces_are_those_of_the_whole() -> None:
    cut = cut_of("fugashi")
    text = sentence("fugashi") * 200
    assert cut(text) == cut(sentence("fugashi")) * 200


# -- threads --


@pytest.mark.parametrize("name", NAMES)
def test_threads(name: str) -> None:
    cut = cut_of(name)
    text = sentence(name)
    texts = [text[i:] + text[:i] for i in range(len(text))] * (
        2 if name in ("janome", "nagisa") else 20
    )
    expected = [cut(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(cut, texts)) == expected


# -- what is missing --


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_package_says_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in MODULES[name]:
        monkeypatch.setitem(sys.modules, module, None)
    segmenters._adapter.cache_clear()
    try:
        with pytest.raises(MissingPackageError) as caught:
            segmenters.adapter(name)
        assert f"pip install 'cjk_tokenizer[{segmenters.extra(name)}]'" in str(caught.value)
        assert isinstance(caught.value, Error)
        assert name not in segmenters.installed()
    finally:
        segmenters._adapter.cache_clear()


@pytest.mark.parametrize(
    ("name", "dictionary"), [("sudachi", "sudachidict_"), ("kiwi", "kiwipiepy_model")]
)
def test_a_missing_dictionary_says_so_at_once(
    name: str, dictionary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_of(name)
    module = import_module(f"cjk_tokenizer.segmenters.{name}")
    real = module.find_spec
    monkeypatch.setattr(
        module, "find_spec", lambda n: None if n.startswith(dictionary) else real(n)
    )
    segmenters._adapter.cache_clear()
    try:
        with pytest.raises(MissingPackageError, match=dictionary):
            segmenters.adapter(name)
    finally:
        segmenters._adapter.cache_clear()


def test_an_unknown_name() -> None:
    for call in (segmenters.adapter, segmenters.languages, segmenters.extra):
        with pytest.raises(ArgumentError, match=r"'mecab'.*fugashi"):
            call("mecab")


def test_extras_are_those_of_the_project() -> None:
    """pyproject.toml has an extra for each adapter, and one for all of them."""
    root = Path(__file__).resolve().parent.parent
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"\n{segmenters.extra(name)} = [" in text
    every = ",".join(sorted(segmenters.extra(name) for name in NAMES))
    assert f'\nsegmenters = ["cjk_tokenizer[{every}]"]' in text


# -- what they share --


@given(st.text(), st.lists(st.integers(-3, 30)))
def test_cut_at(text: str, cuts: list[int]) -> None:
    words = cut_at(text, cuts)
    assert_partition(words, text)
    inner = {sum(map(len, words[:i])) for i in range(1, len(words))}
    assert inner == {cut for cut in cuts if 0 < cut < len(text)}


@given(st.text("ab ", max_size=12), st.lists(st.text("abc", max_size=3), max_size=6))
def test_with_gaps(text: str, words: list[str]) -> None:
    assert_partition(with_gaps(text, words), text)


@given(st.text("ab ", max_size=12))
def test_with_gaps_finds_the_words(text: str) -> None:
    assert [word for word in with_gaps(text, text.split()) if not word.isspace()] == text.split()


@given(strategies.texts(), st.integers(1, 5))
def test_pieces(text: str, size: int) -> None:
    parts = list(pieces(text, size))
    assert_partition(parts, text)
    assert all(len(part) <= size for part in parts)


def test_pieces_end_behind_punctuation() -> None:
    assert list(pieces("今日は、晴れ。です", 6)) == ["今日は、", "晴れ。です"]
    assert list(pieces("กำกำกำ", 3)) == ["กำ", "กำ", "กำ"]
    seen: list[str] = []

    def see(text: str) -> list[str]:
        seen.append(text)
        return [text]

    by_pieces(see)("a" * PIECE + "b")
    assert seen == ["a" * PIECE, "b"]


@given(strategies.texts())
def test_nagisa_gets_a_text_of_the_same_length(text: str) -> None:
    assert len(nagisa.same_length(text)) == len(text)
