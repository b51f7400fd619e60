"""The example store: questions in four languages find what was told, and nothing stays when told to
forget."""

from __future__ import annotations

import importlib.util
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import strategies
from hypothesis import given

from cjk_tokenizer.memory import detect

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "agent_memory.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agent_memory", PROGRAM)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["agent_memory"] = module
    spec.loader.exec_module(module)
    return module


example = _loaded()
ANSWERS = {
    "她对什么过敏？": "花生",
    "数据库什么时候备份": "凌晨两点",
    "打ち合わせは何曜日ですか": "木曜日",
    "SQLiteのテストはどうなった？": "draft",
    "고양이 이름이 뭐예요?": "보리",
    "민지는 뭘 길렀어?": "방울토마토",
    "Where does Maria live?": "Lisbon",
}


@pytest.fixture
def memory() -> Iterator[Any]:
    with example.Memory() as memory:
        for text in example.TOLD:
            memory.remember(text)
        yield memory


@pytest.mark.parametrize("question", ANSWERS)
def test_the_first_hit_answers(memory: Any, question: str) -> None:
    hit = memory.recall(question)[0]
    assert ANSWERS[question] in hit.text
    assert "[" in hit.snippet and hit.language == detect(hit.text)


@pytest.mark.parametrize(
    "question", ["谁会弹古筝？", "富士山の高さは？", "축구", "xyzzy", "", '"', "?"]
)
def test_what_was_not_told_is_not_answered(memory: Any, question: str) -> None:
    assert memory.recall(question) == []


def test_what_is_forgotten_is_gone(memory: Any) -> None:
    (hit, *_) = memory.recall("她对什么过敏？")
    assert memory.forget(hit.id)
    assert memory.recall("她对什么过敏？") == []
    assert not memory.forget(hit.id) and not memory.forget(12345)
    # Ids are not given again.
    assert memory.remember("她对花生过敏") == len(example.TOLD) + 1
    assert memory.recall("她对什么过敏？")[0].id == len(example.TOLD) + 1


def test_long_texts_are_found_at_every_place_and_once(memory: Any) -> None:
    days = [f"第{i}天，我们在第{i}座山上看见了第{i}只鹰。" for i in range(400)]
    number = memory.remember("".join(days))
    for i in (0, 57, 399):
        hits = memory.recall(f"第{i}座山上看见了什么")
        assert [hit.id for hit in hits] == [number]
        assert f"第{i}座山上" in hits[0].snippet.replace("[", "").replace("]", "")
    assert memory.forget(number)
    assert memory.recall("第57座山上看见了什么") == []
    assert memory._conn.execute("SELECT count(*) FROM chunk").fetchone() == (len(example.TOLD),)


@given(strategies.texts())
def test_any_text_can_be_remembered_and_asked_and_forgotten(text: str) -> None:
    with example.Memory() as memory:
        number = memory.remember(text)
        for hit in memory.recall(text):
            assert (hit.id, hit.text) == (number, text)
        assert memory.forget(number)
        memory._conn.execute("INSERT INTO chunk(chunk, rank) VALUES ('integrity-check', 1)")
        assert memory._conn.execute("SELECT count(*) FROM chunk").fetchone() == (0,)


def test_no_column_holds_anything_but_what_was_told(memory: Any) -> None:
    stored = [row[0] for row in memory._conn.execute("SELECT text FROM chunk")]
    assert stored == list(example.TOLD)
    columns = {row[1] for row in memory._conn.execute("PRAGMA table_info(memory)")}
    assert columns == {"id", "text", "language", "stored"}
    assert [row[1] for row in memory._conn.execute("PRAGMA table_info(chunk)")] == ["text"]


def test_the_program_on_a_file_run_twice(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    runs = [
        subprocess.run(
            [sys.executable, str(PROGRAM), str(path)], capture_output=True, encoding="utf-8"
        )
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
    for question in example.ASKED:
        assert question in runs[0].stdout
    assert "[Maria]" in runs[0].stdout and "[她对]花生[过敏]" in runs[0].stdout
    conn = sqlite3.connect(path)
    assert conn.execute("SELECT count(*) FROM memory").fetchone() == (len(example.TOLD),)
    conn.close()
