"""The command as a whole: its help and manual, its exit codes, `tokens` and `doctor`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_command import COMMAND, environment, run, run_well
from nasty import TEXTS

import cjk_tokenizer
from cjk_tokenizer.cli.app import cli

MANUAL = Path(__file__).resolve().parent.parent / "docs" / "command-line.md"
COMMANDS = sorted(cli.commands)


def manual_section(command: str) -> str:
    found = re.search(rf"^## {command}$(.*?)(?=^## |\Z)", MANUAL.read_text("utf-8"), re.M | re.S)
    assert found, f"no section {command}"
    return found[1]


# --- manual and help ---


@pytest.mark.parametrize("name", COMMANDS)
def test_manual_names_every_option_and_no_other(name: str) -> None:
    command = cli.commands[name]
    have = {
        spelling
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for spelling in parameter.opts
    }
    section = manual_section(name)
    told = set(re.findall(r"`(--?[a-z][a-z-]*)[ `]", section)) - {"--prune-"}
    assert told == have


@pytest.mark.parametrize("name", COMMANDS)
def test_manual_shows_arguments_and_choices(name: str) -> None:
    section = manual_section(name)
    usage = [f"cjk-tokenizer {name}"]
    for parameter in cli.commands[name].params:
        if isinstance(parameter, click.Argument):
            usage.append(parameter.metavar or str(parameter.name).upper())
        elif isinstance(parameter.type, click.Choice):
            for choice in parameter.type.choices:
                assert f"`{choice}`" in section
    assert f"```\n{' '.join(usage)}\n```" in section


def test_manual_has_no_section_without_a_command() -> None:
    assert sorted(re.findall(r"^## (.*)$", MANUAL.read_text("utf-8"), re.M)) == COMMANDS


def test_manual_shows_what_the_command_prints(tmp_path: Path) -> None:
    """Runs the examples one after the other in one directory."""
    script = tmp_path / "bin" / "cjk-tokenizer"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    script.chmod(0o755)
    home = tmp_path / "you"
    home.mkdir()
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    blocks = re.findall(r"^```console\n(.*?)^```", MANUAL.read_text("utf-8"), re.M | re.S)
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.M)[1:]]
    assert len(examples) > 5

    def normalize(text: str) -> list[str]:
        text = text.replace(str(home), "/home/you")
        text = re.sub(r"\b\d+\.\d+(?= s\b| ms\b|,)|(?<=score\": )-?[\d.e-]+", "N", text)
        text = re.sub(r"(?<=milliseconds\": )[\d.e-]+", "N", text)
        return [line.rstrip() for line in text.strip("\n").splitlines()]

    for example in examples:
        typed, _, printed = example.partition("\n")
        done = subprocess.run(
            ["sh", "-c", typed],
            cwd=home,
            env=environment({"PATH": path}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
        assert normalize(done.stdout.decode()) == normalize(printed), typed


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples(name: str, tmp_path: Path) -> None:
    shown = run_well(name, "--help", cwd=tmp_path)
    assert f"Usage: cjk-tokenizer {name}" in shown
    assert re.search(rf"Examples:\n +cjk-tokenizer {name}", shown)


def test_version(tmp_path: Path) -> None:
    header = Path(__file__).resolve().parent.parent / "csrc" / "core" / "cjk.h"
    found = re.search(r'CJK_VERSION "(.*)"', header.read_text())
    assert found
    assert run_well("--version", cwd=tmp_path) == f"cjk-tokenizer, version {found[1]}\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_a_missing_package_is_one_line_of_advice(missing: str, tmp_path: Path) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None; from cjk_tokenizer.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "doctor"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert missing in done.stderr
    assert "pip install 'cjk-tokenizer[cli]'" in done.stderr


@pytest.mark.parametrize("arguments", [["nix"], ["tokens"], ["tokens", "a", "b"], ["index", "x"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str], tmp_path: Path) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.code == 2
    assert "Usage:" in done.stderr


# --- tokens ---


def test_tokens_table(tmp_path: Path) -> None:
    rows = [line.split() for line in run_well("tokens", "a学习", cwd=tmp_path).splitlines()]
    assert rows == [
        ["token", "characters", "bytes", "position", "colocated"],
        ["a", "0-1", "0-1", "0"],
        ["学习", "1-3", "1-7", "1"],
        ["学", "1-2", "1-4", "1", "yes"],
        ["习", "2-3", "4-7", "2"],
    ]


@pytest.mark.parametrize("query", [False, True])
@pytest.mark.parametrize("arguments", ["cjk", "cjk segment unigram", "unigrams 0"])
def test_tokens_are_those_of_tokenize(arguments: str, query: bool, tmp_path: Path) -> None:
    text = "\n".join(text for text in TEXTS if "\ud800" not in text)
    options = ["--json", "--tokenize", arguments] + ["--query"] * query
    done = run("tokens", *options, "-", cwd=tmp_path, stdin=text.encode("utf-8", "surrogatepass"))
    text = text.encode("utf-8", "surrogatepass").decode("utf-8-sig", "replace")
    objects = json.loads(done.stdout)
    assert [
        tuple(o[k] for k in ("token", "start", "end", "position", "colocated")) for o in objects
    ] == [
        (t.text, t.start, t.end, t.position, t.colocated)
        for t in cjk_tokenizer.tokenize(text, arguments, query=query)
    ]
    encoded = text.encode()
    for o in objects:
        in_bytes = encoded[o["start_byte"] : o["end_byte"]].decode()
        assert in_bytes == text[o["start"] : o["end"]]


def test_tokens_of_an_argument_that_is_not_utf8(tmp_path: Path) -> None:
    done = run("tokens", "--json", b"\xff\xfe\xe5\xad\xa6", cwd=tmp_path)
    assert [o["token"] for o in json.loads(done.stdout)] == ["学"]


def test_tokens_of_nothing(tmp_path: Path) -> None:
    assert json.loads(run_well("tokens", "--json", "", cwd=tmp_path)) == []


def test_tokens_with_wrong_arguments(tmp_path: Path) -> None:
    done = run("tokens", "--tokenize", "cjk segment nix", "x", cwd=tmp_path)
    assert (done.code, done.stdout) == (2, "")
    assert "nix" in done.stderr


def test_output_that_cannot_show_the_text(tmp_path: Path) -> None:
    def shown(*arguments: str) -> str:
        latin = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
        return run("tokens", *arguments, cwd=tmp_path, variables=latin).stdout

    assert [o["token"] for o in json.loads(shown("--json", "学😀"))] == ["学", "😀"]
    assert r"\u5b66" in shown("学")


def test_a_closed_pipe_is_no_crash(tmp_path: Path) -> None:
    command = " ".join(COMMAND)
    done = subprocess.run(
        ["bash", "-c", f"{command} tokens {'学习' * 20000} | head -n 1"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr


# --- doctor ---


def test_doctor_finds_the_library(tmp_path: Path) -> None:
    shown = run_well("doctor", cwd=tmp_path)
    assert cjk_tokenizer.loadable_path() in shown.replace("\n", "")
    assert "All is well" in shown


def test_doctor_says_what_to_do(tmp_path: Path) -> None:
    done = run(
        "doctor", cwd=tmp_path, variables={"CJK_TOKENIZER_LIBRARY": str(tmp_path / "nix.so")}
    )
    assert done.code == 1
    assert "Not well" in done.stdout
    assert "CJK_TOKENIZER_LIBRARY" in done.stdout
