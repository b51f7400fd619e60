"""The library as one C file: compilers take it, and linked into a program it gives the stream."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import golden_files
import hosts
import pytest
import single_file
from nasty import NASTY
from single_file import BUILD, COMPILERS, WARNINGS, Compiler

import cjk_tokenizer

# They compile and link programs of their own.
pytestmark = [pytest.mark.no_sanitizer, pytest.mark.slow]

OMIT = ["-DCJK_OMIT_DICTIONARY", "-DCJK_OMIT_HAN_FOLD"]
CORE = ["-DSQLITE_CORE"]
# Without load_extension SQLite has no table of its calls, so that only linking is left.
BARE = ["-DSQLITE_OMIT_LOAD_EXTENSION"]
BARE_SQLITE = [*BARE, "-DSQLITE_THREADSAFE=0"]


@pytest.fixture(scope="session")
def files() -> Path:
    with single_file.alone():
        single_file.amalgamate(BUILD)
    return BUILD


@pytest.fixture(scope="session")
def sqlite(files: Path) -> Path:
    try:
        return single_file.sqlite_source()
    except hosts.Absent as reason:
        pytest.skip(str(reason))


@pytest.fixture(params=COMPILERS, ids=lambda compiler: compiler.name)
def compiler(request: pytest.FixtureRequest) -> Compiler:
    chosen: Compiler = request.param
    if not chosen.found:
        pytest.skip(f"no {chosen.command[0]}: install it")
    return chosen


Shell = Callable[..., list[str]]


@pytest.fixture
def shell(sqlite: Path) -> Shell:
    """Builds the shell and runs it: its lines."""

    def build_and_run(
        compiler: Compiler, flags: list[str], sqlite_flags: list[str], lines: list[str], *argv: str
    ) -> list[str]:
        with single_file.alone():
            has_dictionary = "-DCJK_OMIT_DICTIONARY" not in flags
            program = single_file.build_shell(compiler, flags, sqlite_flags, has_dictionary)
        done = subprocess.run(
            [program, *argv], input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return build_and_run


def literal(text: str) -> str:
    return f"CAST(x'{text.encode('utf-8', 'surrogatepass').hex()}' AS TEXT)"


def golden_cases(without: str = "") -> list[golden_files.Case]:
    cases = [
        case
        for path in sorted(golden_files.DIRECTORY.glob("*.stream"))
        for case in golden_files.read(path)
    ]
    return [case for case in cases if not without or not re.search(without, case.arguments)]


def golden_statement(case: golden_files.Case) -> str:
    line = "iif(colocated, '+', position) || ' ' || token || ' ' || start || '-' || \"end\""
    tokens = f"cjk_tokens({literal(case.text)}, {literal(case.arguments)}, '{case.mode}')"
    return f"SELECT json_group_array({line}) FROM {tokens}"


def assert_golden(lines: list[str], cases: list[golden_files.Case]) -> None:
    assert len(lines) == len(cases) > 100
    for line, case in zip(lines, cases):
        tokens = json.loads(line) or [golden_files.NOTHING]
        assert tokens == case.tokens, (case.arguments, case.text)


def test_same_input_same_bytes(files: Path, tmp_path: Path) -> None:
    single_file.amalgamate(tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == [
        "cjk_dictionary.bin",
        "cjk_dictionary.c",
        "cjk_licenses.txt",
        "cjk_tokenizer.c",
        "cjk_tokenizer.h",
    ]
    for name in made:
        assert (tmp_path / name).read_bytes() == (files / name).read_bytes(), name


def test_every_source_is_in_it_once_with_its_comment(files: Path) -> None:
    text = "".join((files / name).read_text() for name in ("cjk_tokenizer.c", "cjk_tokenizer.h"))
    for path in (single_file.ROOT / "csrc").rglob("*.[ch]"):
        opening = path.read_text(encoding="utf-8").partition("*/")[0]
        assert text.count(opening) == 1, path.name
    own = {path.name for path in (single_file.ROOT / "csrc").rglob("*.h")}
    assert own.isdisjoint(re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M))


@pytest.mark.parametrize(
    "flags",
    [[*CORE, *OMIT], [], ['-DCJK_DICTIONARY_IMAGE="cjk_dictionary.bin"']],
    ids=["nothing of data", "loadable", "bytes"],
)
def test_compiles_without_a_warning(
    compiler: Compiler, flags: list[str], files: Path, sqlite: Path
) -> None:
    command = [*compiler.command, "-fsyntax-only", *WARNINGS, *flags]
    single_file.run(*command, "-isystem", sqlite, files / "cjk_tokenizer.c")


def test_linked_into_a_program_it_gives_the_stream(compiler: Compiler, shell: Shell) -> None:
    cases = golden_cases()
    statements = [golden_statement(case) for case in cases]
    assert_golden(shell(compiler, CORE, [], statements), cases)


def test_an_sqlite_without_threads_and_load_extension(shell: Shell) -> None:
    cases = golden_cases()
    statements = [golden_statement(case) for case in cases]
    assert_golden(shell(COMPILERS[0], BARE, BARE_SQLITE, statements), cases)


def test_linked_into_a_program_it_does_what_the_library_does(shell: Shell) -> None:
    script = hosts.make_script([*(text.encode() for text in hosts.PLAIN_TEXTS), *NASTY])
    conn = cjk_tokenizer.connect(":memory:")
    *statements, last = script
    for statement in statements:
        conn.execute(statement)
    ((expected,),) = conn.execute(last)
    (value,) = shell(COMPILERS[0], CORE, [], script)
    assert json.loads(value) == json.loads(expected)


def test_core_without_sqlite(compiler: Compiler, shell: Shell) -> None:
    lines = shell(compiler, CORE, [], ["学习SQLite"], "core")
    assert lines == ["学习 0-6", "+学 0-3", "习 3-6", "sqlite 6-12"]


def test_without_data_the_rest_is_the_same(shell: Shell) -> None:
    cases = golden_cases(without="jieba|fold_han")
    statements = [golden_statement(case) for case in cases]
    assert_golden(shell(COMPILERS[0], [*CORE, *OMIT], [], statements), cases)


def test_without_data_it_says_what_is_missing(shell: Shell) -> None:
    asked = ["segment jieba", "fold_han 1", "fold_han 0"]
    lines = [f"SELECT cjk_check({literal(arguments)})" for arguments in asked]
    lines.append("SELECT coalesce(cjk_dictionary(), 'none')")
    jieba, han, no_han, dictionary = shell(COMPILERS[0], [*CORE, *OMIT], [], lines)
    assert "dictionary" in jieba
    assert "fold_han" in han
    assert (no_han, dictionary) == ("ok", "none")


def test_names_for_the_linker_are_ours(sqlite: Path, files: Path) -> None:
    """A program that links the file gets no names that could be its own."""
    if not shutil.which("nm"):
        pytest.skip("reads symbols with binutils' nm")
    with single_file.alone():
        command = ["gcc", "-std=c11", "-c", *CORE, *OMIT, "-isystem", str(sqlite)]
        path = single_file.compiled("names.o", command, [files / "cjk_tokenizer.c"])
    symbols = single_file.run("nm", "-g", "--defined-only", path).splitlines()
    names = {line.split()[-1] for line in symbols}
    assert {"sqlite3_cjk_init", "sqlite3_cjk_auto_init", "cjk_analyze"} <= names
    assert [name for name in names if not re.match("cjk_|sqlite3_cjk_", name)] == []


PAGE = single_file.ROOT / "docs" / "embedding.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_documentation(sqlite: Path, files: Path, tmp_path: Path) -> None:
    """Those that are followed by what they print, in one directory, one after the other."""
    if not all(map(shutil.which, ("cc", "c++"))):
        pytest.skip("no compilers named cc and c++")
    with single_file.alone():
        shutil.copyfile(single_file.sqlite_object([]), tmp_path / "sqlite3.o")
    for path in [*files.glob("cjk_*.*"), sqlite / "sqlite3.h", sqlite / "sqlite3ext.h"]:
        shutil.copy(path, tmp_path)
    blocks = FENCE.findall(PAGE.read_text(encoding="utf-8"))
    program = next(text for language, text in blocks if language == "c")
    (tmp_path / "notes.c").write_text(program, encoding="utf-8")
    commands = [(a[1], b[1]) for a, b in zip(blocks, blocks[1:]) if (a[0], b[0]) == ("sh", "text")]
    assert len(commands) == 4
    for script, printed in commands:
        quick = script.replace("-O2", "-O0")
        done = subprocess.run(["sh", "-ec", quick], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed, script
