"""Every public function has an example, and the examples are true."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import cjk_tokenizer.memory as memory
from cjk_tokenizer.memory import prompts

MODULES = sorted(module.name for module in pkgutil.iter_modules(memory.__path__))
# Their examples show what comes out with the segmenters installed.
NEEDS = {"pretokens": ["jieba"], "pretokenize": ["jieba", "fugashi", "snowballstemmer", "icu"]}
PACKAGE = Path(memory.__file__).resolve().parents[1]
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    for package in NEEDS.get(name, []):
        pytest.importorskip(package)
    module = importlib.import_module(f"cjk_tokenizer.memory.{name}")
    assert doctest.testmod(module).failed == 0


def test_examples_in_the_manual() -> None:
    pytest.importorskip("jieba")
    pytest.importorskip("fugashi")
    result = doctest.testfile(str(DOCS / "memory.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 10


def test_every_public_function_has_an_example() -> None:
    public = [getattr(memory, name) for name in memory.__all__]
    public += [prompts.kg_prompt, prompts.session_prompt]
    functions = [thing for thing in public if inspect.isfunction(thing)]
    assert len(functions) >= 19
    for function in functions:
        assert ">>> " in (function.__doc__ or ""), function.__name__


def imported(path: Path) -> set[str]:
    """The modules that a file of the package imports, by their full names."""
    package = ["cjk_tokenizer", *path.relative_to(PACKAGE).parent.parts]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            names.update({module, *(f"{module}.{alias.name}" for alias in node.names)})
    return names


def test_nothing_else_imports_this_room_or_the_prompts() -> None:
    memory_room = "cjk_tokenizer.memory"
    for path in PACKAGE.rglob("*.py"):
        names = imported(path)
        if path.parent.name == "memory":
            assert f"{memory_room}.prompts" not in names, path
        else:
            assert not any(f"{name}.".startswith(f"{memory_room}.") for name in names), path
    assert f"{memory_room}.text" in imported(PACKAGE / "memory" / "chunking.py")


def test_the_core_in_c_does_not_know_the_helpers() -> None:
    helpers = {"chunks", "detect", "relevance"}  # traits.c is but a table
    core = Path(__file__).resolve().parents[2] / "csrc" / "core"
    assert helpers <= {path.stem for path in core.glob("*.c")}
    for path in core.glob("*.[ch]"):
        included = set(re.findall(r'#include "(\w+)\.h"', path.read_text("utf-8")))
        assert path.stem in helpers or not included & helpers, path


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "en", "zh-TW", "ja_JP", "klingon"])
def test_prompts_speak_the_language_and_keep_predicates_english(language: str) -> None:
    for prompt in (prompts.kg_prompt(language), prompts.session_prompt(language)):
        expected = language[:2] if language[:2] in ("zh", "ja") else "en"
        has_kana = any("\u3041" <= char <= "\u30fa" for char in prompt.system)
        has_han = any("\u4e00" <= char <= "\u9fff" for char in prompt.system)
        assert (has_kana, has_han) == {
            "zh": (False, True),
            "ja": (True, True),
            "en": (False, False),
        }[expected]
        assert prompt.user_template.count("{text}") == 1
        assert prompt.user_template.format(text="a{b}") == prompt.render("a{b}")
        assert prompt.render("{text}").count("{text}") == 1
    assert "lives_in" in prompts.kg_prompt(language).system
    session = prompts.session_prompt(language)
    assert tuple(session.dimensions) == prompts.DIMENSIONS and len(prompts.DIMENSIONS) == 9
    for name, label in session.dimensions.items():
        assert f"- {name}: {label}" in session.system


def test_prompts_refuse_what_is_no_code() -> None:
    for call in (prompts.kg_prompt, prompts.session_prompt):
        with pytest.raises(TypeError, match="language must be str, not NoneType"):
            call(None)  # type: ignore[arg-type]
