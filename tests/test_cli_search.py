"""`cjk-tokenizer search`: what is found, what is marked, how it is shown."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cli_command import Done, run
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

import cjk_tokenizer
from cjk_tokenizer.cli import find as finding
from cjk_tokenizer.cli.find import Marked, Table

TEXT = """\
机器学习很有趣
深度学习和机器翻译
iPhone15 学习，再学习
東京都の天気
"""


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with an indexed text, Markdown and JSON file."""
    where = tmp_path_factory.mktemp("search")
    (where / "notes.txt").write_text(TEXT)
    (where / "guide.md").write_text("# 学习指南\n\n" + "前言" * 200 + "东西" + "后记" * 200 + "\n")
    (where / "log.jsonl").write_text('{"id": "k7", "title": "日誌", "text": "한국어 검색"}')
    assert run("index", "t.db", "notes.txt", "guide.md", "log.jsonl", cwd=where).code == 0
    return where


def search(where: Path, *arguments: str | bytes, **variables: str) -> Done:
    return run("search", "t.db", *arguments, cwd=where, variables=variables)


def hits(where: Path, *arguments: str | bytes) -> list[dict[str, Any]]:
    done = search(where, "--json", *arguments)
    found = json.loads(done.stdout)
    assert done.code == (0 if found["hits"] else 1)
    assert set(found) == {"expression", "milliseconds", "hits"}
    return list(found["hits"])


# --- what is shown ---


def test_hits_show_their_place_and_marks(where: Path) -> None:
    lines = search(where, "翻译").stdout.splitlines()
    assert lines[:2] == ["notes.txt:2", "    深度学习和机器[翻译]"]
    assert lines[2].startswith("1 row in ")
    assert lines[2].endswith(" ms")


def test_hits_show_id_and_title(where: Path) -> None:
    assert search(where, "검색").stdout.splitlines()[0] == "log.jsonl:1  k7  日誌"
    assert search(where, "指南").stdout.splitlines()[0] == "guide.md:3  学习[指南]"


def test_colours_where_they_are_wanted(where: Path) -> None:
    coloured = search(where, "翻译", FORCE_COLOR="1", TERM="xterm-256color").stdout
    assert "\x1b[" in coloured
    assert "[翻译]" not in coloured
    plain = search(where, "翻译", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1").stdout
    assert "[翻译]" in plain


def test_long_text_is_cut_around_the_hit(where: Path) -> None:
    (hit,) = hits(where, "东西", "--width", "30")
    assert hit["text"].startswith("…")
    assert hit["text"].endswith("…")
    assert len(hit["text"]) == 32
    ((start, end),) = hit["marks"]
    assert hit["text"][start:end] == "东西"
    (whole,) = hits(where, "东西", "--width", "0")
    assert len(whole["text"]) == 802


def test_json_has_all_that_is_known(where: Path) -> None:
    (hit,) = hits(where, "日誌")
    score = hit.pop("score")
    assert score > 0
    assert hit == {
        "rowid": 6,
        "source": str((where / "log.jsonl").resolve()),
        "line": 1,
        "id": "k7",
        "title": "日誌",
        "title_marks": [[0, 2]],
        "column": "body",
        "text": "한국어 검색",
        "marks": [],
    }


def test_the_best_come_first_and_no_more_than_asked_for(where: Path) -> None:
    scores = [hit["score"] for hit in hits(where, "学习")]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    assert [hit["score"] for hit in hits(where, "学习", "--limit", "2")] == scores[:2]


def test_nothing_found_is_exit_code_1(where: Path) -> None:
    done = search(where, "没有")
    assert done.code == 1
    assert done.stdout.startswith("0 rows in ")
    assert done.stderr == ""


# --- modes ---


@pytest.mark.parametrize(
    ("mode", "query", "lines"),
    [
        ("auto", "学习", [1, 2, 3]),
        ("auto", "怎么学习机器翻译？", [1, 2, 3]),
        ("auto", "天気 nowhere", [4]),
        ("auto", "什么", []),
        ("auto", "", []),
        ("all", "学习 机器", [1, 2]),
        ("all", "学习　翻译", [2]),
        ("all", "学习 !!! 翻译", [2]),
        ("any", "翻译 天気", [2, 4]),
        ("any", "翻译 !!!", [2]),
        ("phrase", "学习 再学习", [3]),
        ("phrase", "再学习 学习", []),
        ("prefix", "天気", [4]),
        ("prefix", "学习 iph", [3]),
        ("web", "学习 -翻译", [1, 3]),
        ("web", '"深度学习" OR 天気', [2, 4]),
        ("grams", "学习很", [1]),
        ("all", "iph", []),
        ("all", "京", [4]),
        ("all", '"', []),
        ("all", "", []),
        ("any", "", []),
        ("phrase", " ", []),
        ("prefix", "", []),
    ],
)
def test_modes(mode: str, query: str, lines: list[int], where: Path) -> None:
    found = hits(where, query, "--mode", mode)
    in_notes = [hit["line"] for hit in found if hit["source"].endswith("notes.txt")]
    assert sorted(in_notes) == lines


def test_a_question_is_answered_best_first(where: Path) -> None:
    found = hits(where, "机器翻译怎么学习？")
    assert found[0]["text"] == "深度学习和机器翻译"
    assert found[0]["marks"] == [[2, 4], [5, 9]]
    assert [hit["score"] for hit in found] == sorted((h["score"] for h in found), reverse=True)


def test_rows_with_all_words_come_first(where: Path) -> None:
    assert [hit["line"] for hit in hits(where, "再学习 iphone15")][:1] == [3]


@pytest.mark.parametrize("query", ["-翻译", "-x", "-翻译 学习", "-limit", "--", "-"])
def test_a_query_may_begin_with_a_hyphen(query: str, where: Path) -> None:
    before = [] if query != "--" else ["--"]
    done = search(where, *before, query, "--json") if not before else search(where, "--", query)
    assert done.code in (0, 1), done.stderr
    if "翻译" in query:
        assert "翻译" in done.stdout


def test_a_minus_is_one_in_mode_web(where: Path) -> None:
    assert [hit["line"] for hit in hits(where, "-翻译 机器", "--mode", "web")] == [1]
    assert [hit["line"] for hit in hits(where, "--mode", "web", "--", "-翻译 机器")] == [1]


def test_an_option_that_is_none_is_wrong_usage(where: Path) -> None:
    done = search(where, "x", "--jsn")
    assert done.code == 2
    assert "No such option" in done.stderr
    assert "goes behind --: -- --jsn" in done.stderr


def test_an_unknown_mode_is_wrong_usage(where: Path) -> None:
    assert search(where, "x", "--mode", "nix").code == 2


def test_a_query_that_is_not_utf8(where: Path) -> None:
    assert [hit["line"] for hit in hits(where, b"\xff \xe5\xa4\xa9\xe6\xb0\x97")] == [4]


# --- tables ---


def test_databases_and_tables_that_are_not_there(where: Path, tmp_path: Path) -> None:
    done = run("search", "nix.db", "x", cwd=tmp_path)
    assert done.code == 2
    assert "no such database" in done.stderr
    assert not (tmp_path / "nix.db").exists()
    done = search(where, "x", "--table", "nix")
    assert done.code == 2
    assert "no table nix" in done.stderr
    assert "docs" in done.stderr
    assert run("search", "notes.txt", "x", cwd=where).code == 2


@pytest.mark.parametrize("tokenizer", ["unicode61", "trigram", "porter cjk", "cjk unigrams 0"])
def test_tables_of_others(tokenizer: str, tmp_path: Path) -> None:
    connection = cjk_tokenizer.connect(tmp_path / "t.db")
    connection.execute(f"CREATE VIRTUAL TABLE Notes USING fts5(k, text, tokenize='{tokenizer}')")
    connection.execute("INSERT INTO Notes VALUES ('key', 'the word \x1b here'), ('word', NULL)")
    connection.commit()
    connection.close()
    first, second = sorted(hits(tmp_path, "word"), key=lambda hit: hit["rowid"])
    assert (first["column"], first["text"], first["marks"]) == (
        "text",
        "the word \x1b here",
        [[4, 8]],
    )
    assert (second["column"], second["text"], second["marks"]) == ("k", "word", [[0, 4]])
    assert first["source"] is None
    shown = search(tmp_path, "word").stdout
    assert "row 1\n    the [word] \ufffd here\n" in shown


def test_words_that_trigram_would_drop_are_said(tmp_path: Path) -> None:
    connection = cjk_tokenizer.connect(tmp_path / "t.db")
    connection.execute("CREATE VIRTUAL TABLE x USING fts5(body, tokenize='trigram')")
    connection.execute("INSERT INTO x VALUES ('数据库备份')")
    connection.commit()
    connection.close()
    done = search(tmp_path, "数据库 天气", "--mode", "all")
    assert done.code == 2
    assert 'trigram has no term for "天气"' in done.stderr
    assert [hit["text"] for hit in hits(tmp_path, "数据库 备份文")] == ["数据库备份"]


def test_contentless_tables(tmp_path: Path) -> None:
    connection = cjk_tokenizer.connect(tmp_path / "t.db")
    connection.execute("CREATE VIRTUAL TABLE x USING fts5(body, content='', tokenize='cjk')")
    connection.execute("INSERT INTO x(rowid, body) VALUES (7, '学习')")
    connection.commit()
    connection.close()
    done = search(tmp_path, "学习")
    assert done.code == 0
    assert done.stdout.startswith("row 7\n1 row in")


def test_which_table_is_meant(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute("CREATE TABLE docs(x)")
    connection.execute("CREATE VIRTUAL TABLE a USING fts5(x)")
    connection.execute("INSERT INTO a VALUES ('word')")
    connection.commit()
    assert len(hits(tmp_path, "word")) == 1
    connection.execute("CREATE VIRTUAL TABLE b USING fts5(x)")
    connection.commit()
    connection.close()
    done = search(tmp_path, "word")
    assert done.code == 2
    assert "a, b" in done.stderr
    assert len(hits(tmp_path, "word", "--table", "a")) == 1


# --- marks ---


def table_of(text: str) -> tuple[sqlite3.Connection, Table]:
    connection = cjk_tokenizer.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE docs USING fts5(body, tokenize='cjk')")
    connection.execute("INSERT INTO docs VALUES (?)", [text])
    return connection, finding.find_table(connection, None)


@given(
    st.text("学习机器、 a", max_size=20),
    st.lists(st.text("学习机器", min_size=1, max_size=4), min_size=1, max_size=3),
)
def test_marks_are_the_occurrences(text: str, words: list[str]) -> None:
    """Words of one run: found and marked is what a plain search for substrings finds."""
    connection, table = table_of(text)
    answer = finding.find(connection, table, " ".join(words), "all", 10)
    connection.close()
    want = [False] * len(text)
    for word in words:
        for start in range(len(text) - len(word) + 1):
            if text.startswith(word, start):
                want[start : start + len(word)] = [True] * len(word)
    assert bool(answer.hits) == all(word in text for word in words)
    if answer.hits:
        marks = answer.hits[0].text.marks
        assert [any(s <= n < e for s, e in marks) for n in range(len(text))] == want
        assert marks == finding.merge(marks)


@pytest.mark.parametrize("mode", finding.MODES_WITHOUT_LIBRARY)
def test_no_query_is_an_error(mode: str) -> None:
    text = "".join(data.decode("utf-8", "replace") for data in NASTY)
    connection, table = table_of(text)
    for data in [*NASTY, b"a OR", b"NEAR(a b)", b"-x", b"body:x", b"*", b"(", b'a" OR "b', b"^a"]:
        query = data.decode("utf-8", "replace")
        for hit in finding.find(connection, table, query, mode, 10).hits:
            for start, end in hit.text.marks:
                assert 0 <= start < end <= len(text)
    connection.close()


@given(
    st.text("abc", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))),
    st.integers(1, 12),
)
def test_shortened_text_keeps_its_marks(
    text: str, ranges: list[tuple[int, int]], width: int
) -> None:
    marks = finding.merge([(s, e) for s, e in ranges if s < e <= len(text)])
    part = finding.shorten(Marked(text, marks), width)
    assert len(part.text) <= width + 2
    assert part.text.strip("…") in text
    assert bool(part.marks) == bool(marks)
    whole_marked = "".join(text[s:e] for s, e in marks)
    for start, end in part.marks:
        assert part.text[start:end] in whole_marked
        assert "…" not in part.text[start:end]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--limit", "1000001"), ("--limit", "9" * 30), ("--limit", "nan"), ("--width", "9" * 30)],
)
def test_a_number_out_of_range_is_wrong_usage(option: str, value: str, tmp_path: Path) -> None:
    done = run("search", "none.db", "学习", option, value, cwd=tmp_path)
    assert done.code == 2 and f"Invalid value for '{option}'" in done.stderr
