"""Languages by script: known texts, the thresholds to the letter, and what never changes."""

from __future__ import annotations

import sys
import unicodedata
import warnings
from pathlib import Path
from typing import Any, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cjk_tokenizer.memory import MissingPackageWarning
from cjk_tokenizer.memory.language import (
    LATIN_LANGUAGES,
    SCRIPT_NAMES,
    SCRIPTS,
    _script_of,
    detect,
    detect_detailed,
    detect_extended,
)

EXPECTED = [
    ("这个项目的架构设计非常优秀", "zh"),
    ("這個專案的架構設計", "zh"),
    ("東京タワーはとても高いです", "ja"),
    ("このPRをdraft化してほしい", "ja"),
    ("ﾃﾞｰﾀ送信", "ja"),
    ("이 프로젝트는 매우 훌륭합니다", "ko"),
    ("회의록 2부 (會議錄)", "ko"),
    ("\u1112\u1161\u11ab", "ko"),
    ("สวัสดีครับ", "th"),
    ("مرحبا بالعالم", "ar"),
    ("नमस्ते दुनिया", "hi"),
    ("Машинное обучение", "ru"),
    ("The quick brown fox", "en"),
    ("Das ist ein guter Tag", "en"),
    ("Αυτό είναι ελληνικό", "en"),
    ("", "en"),
    (" \n\t", "en"),
    ("2026 😀 !?", "en"),
    ("马克・吐温的小说", "zh"),  # a katakana middle dot is no kana
    ("\ud800\udfff", "en"),
]


@pytest.mark.parametrize(("text", "language"), EXPECTED)
def test_known_texts(text: str, language: str) -> None:
    assert detect(text) == detect_detailed(text).language == language


@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("zh-wiki_cmrc", "zh"),
        ("zh_hant-twlaw", "zh"),
        ("ja-aozora", "ja"),
        ("ko-nsmc_reviews", "ko"),
        ("th-thaigov", "th"),
    ],
)
def test_real_lines(shared_dir: Path, file: str, language: str) -> None:
    lines = (shared_dir / "data" / "text" / f"{file}.txt").read_text("utf-8").splitlines()
    lines = [line for line in lines if len(line) > 40][:1000]
    right = sum(detect(line) == language for line in lines)
    assert right / len(lines) > 0.97


@pytest.mark.parametrize(
    ("char", "least", "language"),
    [
        ("の", 11, "ja"),
        ("한", 11, "ko"),
        ("ก", 11, "th"),
        ("ب", 11, "ar"),
        ("क", 11, "hi"),
        ("ж", 11, "ru"),
        ("中", 16, "zh"),
    ],
)
def test_thresholds(char: str, least: int, language: str) -> None:
    assert detect(char * least + "a" * (100 - least)) == language
    assert detect(char * (least - 1) + "a" * (101 - least)) == "en"
    # Blanks, digits and punctuation count for nothing.
    assert detect(char * least + "a" * (100 - least) + " 1234567890,. " * 50) == language


def test_the_order_of_evidence() -> None:
    order = {"の": "ja", "한": "ko", "ก": "th", "ب": "ar", "क": "hi", "ж": "ru", "中": "zh"}
    chars = list(order)
    for i, first in enumerate(chars):
        for later in chars[i + 1 :]:
            assert detect(first * 20 + later * 80) == order[first]


def test_shares_of_scripts() -> None:
    language, scripts, is_mixed = detect_detailed(
        "我在用 TypeScript 给 RecallNest 写 tokenizer hook"
    )
    assert (language, is_mixed) == ("en", True)
    # Five Han characters and 33 letters; blanks count for nothing.
    assert scripts["cjk"] == 5 / 38 and scripts["latin"] == 33 / 38
    assert sum(scripts.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("机器学习在自然语言处理中的应用非常广泛", False),
        ("我在用 TypeScript 给 RecallNest 写 tokenizer hook", True),
        ("The quick brown fox jumps over the lazy dog", False),
        ("東京タワーはとても高いです", False),  # Han belongs to Japanese
        ("회의록 會議錄", False),
        ("a" * 98 + "中中", True),  # scripts that need segmenting: from 2 %
        ("a" * 99 + "中", False),
        ("中" * 85 + "a" * 15, True),  # the others: from 15 %
        ("中" * 86 + "a" * 14, False),
        ("", False),
    ],
)
def test_mixed(text: str, mixed: bool) -> None:
    assert detect_detailed(text).is_mixed is mixed


def test_shares_of_the_example() -> None:
    found = detect_detailed("我在用 TypeScript 给 RecallNest 写 tokenizer hook")
    assert found.language == "en"
    assert found.scripts["cjk"] == pytest.approx(5 / 38)
    assert found.scripts["latin"] == pytest.approx(33 / 38)


@given(st.text())
def test_shares_are_of_all_letters(text: str) -> None:
    language, scripts, _ = detect_detailed(text)
    assert tuple(scripts) == SCRIPT_NAMES
    total = sum(scripts.values())
    assert total == pytest.approx(1) or total == 0
    assert detect(text) == language
    assert detect(text + "  12 ..! ") == language


# Beginning of the Unicode name of a letter -> script.
NAMES = {
    "LATIN ": "latin",
    "FULLWIDTH LATIN ": "latin",
    "CYRILLIC ": "ru",
    "ARABIC LETTER ": "ar",
    "DEVANAGARI LETTER ": "hi",
    "THAI CHARACTER ": "th",
    "HIRAGANA ": "ja",
    "KATAKANA ": "ja",
    "HALFWIDTH KATAKANA ": "ja",
    "HANGUL ": "ko",
    "HALFWIDTH HANGUL ": "ko",
    "CJK UNIFIED IDEOGRAPH": "cjk",
    "CJK COMPATIBILITY IDEOGRAPH": "cjk",
}


def test_the_table_agrees_with_the_names_of_letters() -> None:
    assert [first for first, _, _ in SCRIPTS] == sorted(first for first, _, _ in SCRIPTS)
    assert all(a[1] < b[0] for a, b in zip(SCRIPTS, SCRIPTS[1:]))
    wrong = []
    for code in [*range(0x10000), *range(0x1B000, 0x1B170), *range(0x20000, 0x31400)]:
        name = unicodedata.name(chr(code), "")
        expected = next((script for start, script in NAMES.items() if name.startswith(start)), None)
        # Letters for phoneticians, and superscript ones, are nobody's evidence.
        if expected is None or unicodedata.category(chr(code)) not in ("Lo", "Ll", "Lu"):
            continue
        if _script_of(code) != expected and not 0x1D00 <= code < 0x2190:
            wrong.append((hex(code), name))
    assert not wrong


def test_extended_without_a_detector(only_packages: Callable[..., None]) -> None:
    only_packages()
    with pytest.warns(MissingPackageWarning, match="pip install py3langid"):
        assert detect_extended("Das ist ein guter Tag") == "en"
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once is enough
        assert detect_extended("Le chat est noir") == "en"
        assert detect_extended("東京タワー") == "ja"


@pytest.mark.parametrize("package", ["lingua", "py3langid"])
def test_extended_with_a_detector(only_packages: Callable[..., None], package: str) -> None:
    pytest.importorskip(package)
    only_packages(package)
    for text, language in [
        ("Das ist ein guter Tag für einen Spaziergang", "de"),
        ("Le chat est assis sur la table de la cuisine", "fr"),
        ("El perro come demasiado por la noche", "es"),
        ("This is a plain English sentence", "en"),
        ("Dnes je venku opravdu hezky", "cs"),
        ("To jest zwykłe zdanie po polsku, proszę pana", "en"),  # not one of ours
        ("東京タワー", "ja"),
        ("12 345", "en"),
    ]:
        assert detect_extended(text) == language, text
        assert language in LATIN_LANGUAGES or language == "ja"


def test_a_broken_detector_counts_as_absent(
    only_packages: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    only_packages()
    monkeypatch.setitem(sys.modules, "lingua", object())
    with pytest.warns(MissingPackageWarning):
        assert detect_extended("Guten Tag") == "en"


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_other_types_are_refused(value: Any) -> None:
    for call in (detect, detect_detailed, detect_extended):
        with pytest.raises(TypeError, match="text must be str, not"):
            call(value)
