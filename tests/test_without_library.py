"""What works where no compiled library can be loaded, and what says that it needs one.

The tokenizer in plain Python serves instead: same tokens, same hits, same marks.
"""

from __future__ import annotations

import json
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from cli_command import run, run_well

import cjk_tokenizer
from cjk_tokenizer import memory, tokenize
from cjk_tokenizer.errors import FallbackWarning, MissingLibraryError

pytestmark = pytest.mark.usefixtures("library")

Result = TypeVar("Result")
TEXTS = [
    "机器学习的方法，和 C++",
    "今天天气很好，我们学习自然语言处理",
    "hello running 学习者 ﾃﾞｰﾀ ㍿🍐",
    "東京都の天気、サーバーを14台",
    "한국어 สวัสดี ünïcödé \ud800 x",
]
NOWHERE = os.path.join(os.sep, "nowhere", "cjk.so")


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Result]], Result]:
    """Calls a function in a thread that finds no library: each looks for itself, this one has."""
    tokenize("x")
    monkeypatch.setenv("CJK_TOKENIZER_LIBRARY", NOWHERE)

    def call(function: Callable[[], Result]) -> Result:
        results: list[Any] = []

        def work() -> None:
            try:
                results.append(function())
            except Exception as error:
                results.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        if isinstance(results[0], Exception):
            raise results[0]
        result: Result = results[0]
        return result

    return call


# --- Python --------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ["", "segment unigram", "fold_kana 1 unigrams 0"])
@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_the_same(in_python: Any, text: str, arguments: str) -> None:
    for query in False, True:
        with pytest.warns(FallbackWarning, match="plain Python"):
            found = in_python(lambda query=query: tokenize(text, arguments, query=query))
        assert found == tokenize(text, arguments, query=query)


def test_what_needs_the_library_says_so(in_python: Any) -> None:
    for name in "detect", "query":
        function = getattr(cjk_tokenizer, name)
        with pytest.warns(FallbackWarning), pytest.raises(MissingLibraryError, match="doctor"):
            in_python(lambda function=function: function("学习"))


@pytest.mark.parametrize("text", [*TEXTS, "", "привет", "مرحبا", "नमस्ते"])
def test_detect_is_that_of_memory(text: str) -> None:
    assert cjk_tokenizer.detect(text) == memory.detect(text.replace("\ud800", "�"))


def test_only_text_has_a_language_or_tokens() -> None:
    wrong: Any = b"bytes"
    with pytest.raises(TypeError, match="must be a str, not bytes"):
        cjk_tokenizer.detect(wrong)
    with pytest.raises(TypeError, match="must be a str, not bytes"):
        tokenize(wrong)


# --- The command ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed")
    lines = [text for text in TEXTS if "\ud800" not in text]
    (folder / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    run_well("index", "t.db", "lines.txt", cwd=folder)
    return folder


def answers(folder: Path, *arguments: str, library: bool) -> dict[int, Any]:
    """Text and marks of the hits, by rowid."""
    variables = {} if library else {"CJK_TOKENIZER_LIBRARY": NOWHERE}
    done = run("search", "t.db", "--json", *arguments, cwd=folder, variables=variables)
    assert done.code in (0, 1), done  # 1: no hits
    assert library or "plain Python" in done.stderr
    return {hit["rowid"]: (hit["text"], hit["marks"]) for hit in json.loads(done.stdout)["hits"]}


WORDS = ["学习", "学", "天气", "サーバー", "hello", "天气 学"]


@pytest.mark.parametrize("mode", ["all", "any", "phrase", "prefix"])
def test_hits_and_marks_are_the_same(indexed: Path, mode: str) -> None:
    for words in WORDS:
        found = answers(indexed, "--mode", mode, words, library=False)
        assert found == answers(indexed, "--mode", mode, words, library=True), words


def test_half_a_word_is_marked(indexed: Path) -> None:
    ((_, marks),) = answers(indexed, "--mode", "prefix", "学习 hel", library=False).values()
    assert marks == [[0, 5], [14, 16]]


def test_auto_finds_the_best_of_what_the_library_finds(indexed: Path) -> None:
    for words in WORDS:
        found = answers(indexed, words, library=False)
        assert found.items() <= answers(indexed, words, library=True).items()


def test_long_rows_are_shortened_around_the_marks(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("前" * 500 + "学习" + "后" * 500, encoding="utf-8")
    run_well("index", "t.db", "long.txt", cwd=tmp_path)
    ((text, marks),) = answers(tmp_path, "学习", library=False).values()
    assert all(text[start:end] == "学习" for start, end in marks) and marks


def test_nothing_to_search_for_finds_nothing(indexed: Path) -> None:
    assert answers(indexed, "。", library=False) == {}


def test_a_mode_of_the_library_is_named(indexed: Path) -> None:
    variables = {"CJK_TOKENIZER_LIBRARY": NOWHERE}
    done = run("search", "t.db", "--mode", "web", "学习", cwd=indexed, variables=variables)
    assert done.code != 0
    said = "--mode web needs the compiled library; without it there are: auto, all, any, phrase"
    assert said in " ".join(done.stderr.split())


def test_no_warning_with_the_library() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tokenize("学习")
