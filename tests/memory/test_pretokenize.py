"""Pre-tokenised text: the described examples, every tier, and no text that breaks it."""

from __future__ import annotations

import sys
import unicodedata
import warnings
from types import SimpleNamespace
from typing import Any, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory import (
    LANGUAGES,
    MissingPackageWarning,
    icu_with_bigrams,
    init,
    loaded_segmenters,
    segment_with_icu,
    tokenize_for_fts,
    tokenize_indexing,
    tokenize_query,
)
from cjk_tokenizer.memory.pretokenize import SNOWBALL
from cjk_tokenizer.memory.stopwords import QUESTION_BIGRAMS, STOPWORDS, stopwords

MIXED = "I fixed 机器学习模型 using TensorFlow"


def need(*packages: str) -> None:
    for package in packages:
        pytest.importorskip(package)


def test_twenty_two_languages() -> None:
    assert len(LANGUAGES) == len(set(LANGUAGES)) == 22
    assert set(SNOWBALL) < set(LANGUAGES)


@pytest.mark.parametrize(
    ("text", "language", "stop", "expected"),
    [
        ("机器学习很有趣", "zh", False, "机器 学习 很 有趣"),
        ("机器学习的应用", "zh", True, "机器 学习 应用"),
        ("東京タワー", "ja", False, "東京 タワー"),
        ("機械学習", "ja", False, "機械 学習"),  # Han alone
        ("Maschinelles Lernen", "de", False, "maschinell lern"),
        ("Das Haus, die Häuser!", "de", True, "haus haus"),
        ("프로젝트는", "ko", False, "프 로 젝 트 는"),
        ("check 프로젝트 status", "en", False, "check 프 로 젝 트 status"),
        ("just a plain English sentence, really", "en", False, None),
        ("the cat and the dog", "en", True, "cat dog"),
        ("to be or not to be", "en", True, None),  # nothing would remain
        ("हिन्दी में लिखा", "hi", False, None),
        ("Машинное обучение", "ru", False, "машин обучен"),
        ("ＡＢＣ ﾃﾞｰﾀ", "en", False, "ABC データ"),
        ("", "zh", False, ""),
        ("İstanbul'da IŞIK", "tr", False, "istanbul ışık"),
        ("ทำน้ำแข็ง", "th", False, "ทำ น้ำแข็ง"),
    ],
)
def test_examples(text: str, language: str, stop: bool, expected: str | None) -> None:
    need("jieba", "fugashi", "snowballstemmer", "pythainlp")
    assert tokenize_for_fts(text, language, stop) == (text if expected is None else expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_chinese_in_any_language_is_findable(language: str) -> None:
    need("jieba")
    words = tokenize_for_fts(MIXED, language).split()
    assert {"机器", "学习", "模型"} <= set(words)
    assert any(word.lower().startswith("tensorflow") for word in words)


def test_runs_of_other_scripts_go_to_their_segmenters() -> None:
    need("fugashi", "pythainlp", "jieba")
    assert "タワー" in tokenize_for_fts("deploy した後で 東京タワー を見た", "en").split()
    assert "ครับ" in tokenize_for_fts("note: ขอบคุณ ครับ end", "en").split()
    # Simplified characters that Japanese does not have are Chinese, whatever was named.
    assert tokenize_for_fts("机器学习", "ja") == "机器 学习"


@pytest.mark.parametrize(("alias", "code"), [("pt-BR", "pt"), ("zh_Hant", "zh"), ("NB", "no")])
def test_longer_codes(alias: str, code: str) -> None:
    need("jieba", "snowballstemmer")
    text = "機器學習 e os carros"
    assert tokenize_for_fts(text, alias) == tokenize_for_fts(text, code)


def test_second_tier_is_icu(only_packages: Callable[..., None]) -> None:
    need("icu")
    only_packages("icu")
    with pytest.warns(MissingPackageWarning, match="pip install jieba"):
        words = tokenize_for_fts("机器学习很有趣", "zh").split()
    assert {"机器", "学习"} <= set(words)
    with pytest.warns(MissingPackageWarning, match=r"pip install fugashi\[unidic-lite\]"):
        assert {"東京", "タワ", "ワー"} <= set(tokenize_for_fts("東京タワー", "ja").split())
    with pytest.warns(MissingPackageWarning, match="pip install pythainlp"):
        assert "สวัสดี" in tokenize_for_fts("สวัสดีชาวโลก", "th").split()
    assert loaded_segmenters() == ["icu"]


@pytest.mark.parametrize("package", ["icu", "icu4py"])
def test_both_packages_for_icu_agree(only_packages: Callable[..., None], package: str) -> None:
    need(package)
    only_packages(package)
    text = "😀東京タワーへ行く 2026年 hello, world!"
    assert segment_with_icu(text, "ja") == "東京タワー へ 行く 2026 年 hello world"
    assert icu_with_bigrams("東京タワーへ", "ja") == "東京タワー 東京 京タ タワ ワー へ"
    assert segment_with_icu("!?", "en") is icu_with_bigrams("", "zh") is None


def test_third_tier_is_characters(only_packages: Callable[..., None]) -> None:
    only_packages()
    with pytest.warns(MissingPackageWarning) as caught:
        assert tokenize_for_fts("学習abc東京", "zh") == "学 習 abc 東 京"
        assert tokenize_for_fts("タワー", "ja") == "タ ワ ー"
        assert tokenize_for_fts("ทำน้ำ", "th") == "ทำ น้ำ"
        assert tokenize_for_fts("Maschinelles Lernen", "de") == "maschinelles lernen"
        assert segment_with_icu("学習", "ja") is None
    named = sorted(str(w.message).split(" is not")[0] for w in caught)
    assert named == ["PyICU", "fugashi[unidic-lite]", "jieba", "pythainlp", "snowballstemmer"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # each package once
        for language in LANGUAGES:
            tokenize_for_fts(MIXED + " 東京タワー ทำ", language)
    assert loaded_segmenters() == []


def test_the_compiled_library_has_the_words_of_jieba(only_packages: Callable[..., None]) -> None:
    need("cjk_tokenizer.library", "jieba")
    text = "机器学习很有趣，我来到北京清华大学。T恤 C++ hello_world"
    only_packages("cjk_tokenizer")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tokenize_for_fts(text, "zh"), tokenize_indexing(text)
    assert loaded_segmenters() == ["builtin"]
    only_packages("jieba")
    assert found == (tokenize_for_fts(text, "zh"), tokenize_indexing(text))


@pytest.mark.parametrize("package", ["fugashi", "sudachipy", "janome"])
def test_japanese_segmenters(only_packages: Callable[..., None], package: str) -> None:
    need(package)
    only_packages(package)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tokenize_for_fts("東京タワー", "ja") == "東京 タワー"
        assert tokenize_for_fts("機械学習は楽しい", "ja") == "機械 学習 は 楽しい"
    assert loaded_segmenters() == [package]


def test_a_package_that_does_not_work_counts_as_absent(
    only_packages: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_dictionary() -> None:
        raise RuntimeError("no dictionary")

    only_packages()
    monkeypatch.setitem(sys.modules, "fugashi", SimpleNamespace(Tagger=no_dictionary))
    with pytest.warns(MissingPackageWarning):
        assert tokenize_for_fts("タワー", "ja") == "タ ワ ー"


def test_a_stemmer_that_the_release_lacks(
    only_packages: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stemmer(name: str) -> Any:
        if name == "czech":
            raise KeyError(name)
        return SimpleNamespace(stemWord=lambda word: word[:3])

    only_packages()
    monkeypatch.setitem(sys.modules, "snowballstemmer", SimpleNamespace(stemmer=stemmer))
    with pytest.warns(MissingPackageWarning, match="snowballstemmer.*czech") as caught:
        assert tokenize_for_fts("Dobrý den, velcí psi", "cs") == "dobrý den velcí psi"
        assert tokenize_for_fts("Guten Morgen", "de") == "gut mor"
    assert len(caught) == 1


def test_every_stemmer_is_installed() -> None:
    need("snowballstemmer")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        init(SNOWBALL)
    assert "snowball" in loaded_segmenters()
    assert tokenize_for_fts("velkými ženami", "cs") == tokenize_for_fts("velký ženám", "cs")


def test_init_loads_what_is_asked_for(only_packages: Callable[..., None]) -> None:
    need("jieba", "snowballstemmer")
    only_packages("jieba", "snowballstemmer")
    assert loaded_segmenters() == []
    init(["zh"])
    assert loaded_segmenters() == ["jieba"]
    init(["zh", "de", "en"])
    assert loaded_segmenters() == ["jieba", "snowball"]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(list("学习のカー한ㅋกำี abé1,'-\ud800\0😀ß")), max_size=30).map("".join)
    | st.text(max_size=30),
    st.sampled_from(LANGUAGES),
    st.booleans(),
)
def test_no_text_breaks_it(text: str, language: str, stop: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingPackageWarning)
        out = tokenize_for_fts(text, language, stop)
        indexed = tokenize_indexing(text)
    out.encode("utf-8")
    if not stop:
        # Runs without spaces are only cut: no character of them is lost or changed.
        normal = unicodedata.normalize("NFKC", text)
        for first, last in (("\u4e00", "\u9fff"), ("\u3041", "\u30fa"), ("\uac00", "\ud7a3")):
            kept = [char for char in out if first <= char <= last]
            assert kept == [char for char in normal if first <= char <= last]
    listed = indexed.split(" ") if indexed else []
    assert len(listed) == len(set(listed))
    assert all(char.isalnum() or char == "_" for word in listed for char in word)
    assert tokenize_query(text).split(" ") == ([f'"{word}"' for word in listed] or [""])


def test_long_runs_are_cut_in_pieces() -> None:
    need("jieba", "fugashi")
    for run, language in (("学习" * 50_000, "zh"), ("タワー" * 30_000, "ja")):
        assert tokenize_for_fts(run, language).replace(" ", "") == run


def test_word_pretokens(only_packages: Callable[..., None]) -> None:
    need("jieba")
    assert tokenize_indexing("我的项目，项目偏好") == "我 的 项目 偏好"
    assert tokenize_indexing("自然语言处理") == "自然 语言 自然语言 处理"
    assert tokenize_indexing("hello, world! 3.14 hello") == "hello world"
    assert tokenize_query("项目 偏好") == '"项目" "偏好"'
    assert tokenize_query('say "hi"') == '"say" "hi"'
    assert tokenize_indexing("  \n") == tokenize_query("") == tokenize_query("!?") == ""
    only_packages()
    with pytest.warns(MissingPackageWarning) as caught:
        assert tokenize_indexing("项目, hello_w 项目") == "项 目 hello_w"
    assert [str(w.message).split()[0] for w in caught] == ["jieba", "PyICU"]


def test_stopwords_are_words_of_their_language() -> None:
    for language, words in STOPWORDS.items():
        assert language in LANGUAGES
        assert 20 <= len(words) <= 80
        assert all(word == word.lower() and word.strip() == word for word in words)
    assert stopwords("xx") == frozenset()
    assert all(len(bigram) == 2 for bigram in QUESTION_BIGRAMS)


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_other_types_are_refused(value: Any) -> None:
    for one in (tokenize_indexing, tokenize_query):
        with pytest.raises(TypeError, match="text must be str, not"):
            one(value)
    for two in (segment_with_icu, icu_with_bigrams, tokenize_for_fts):
        with pytest.raises(TypeError, match="text must be str, not"):
            two(value, "zh")
    with pytest.raises(TypeError, match="language must be str, not"):
        tokenize_for_fts("text", value)


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"language must be one of zh, ja, .*, not 'pl'"):
        tokenize_for_fts("tekst", "pl")
    with pytest.raises(ArgumentError, match="language must be one of"):
        init(["zh", "klingon"])
    with pytest.raises(TypeError, match="languages must be a collection of str, not str"):
        init("zh")
