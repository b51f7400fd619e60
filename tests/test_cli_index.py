"""`cjk-tokenizer index`: which rows files give, what odd input gives, what a second run does."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_command import COMMAND, Done, environment, run, run_well
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

import cjk_tokenizer
from cjk_tokenizer.cli import sources
from cjk_tokenizer.cli.sources import Fields, Reader, Row

Rows = list[tuple[Any, ...]]


def index(where: Path, *arguments: str | bytes | Path) -> Done:
    return run("index", "t.db", *arguments, cwd=where)


def rows_in(where: Path, sql: str = "SELECT title, body, line, id FROM docs") -> Rows:
    """Rows of the table, which must be whole: FTS5 checks the index against the text."""
    connection = cjk_tokenizer.connect(where / "t.db")
    try:
        connection.execute("INSERT INTO docs(docs, rank) VALUES ('integrity-check', 1)")
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def read(
    data: bytes, format_name: str, encoding: str | None = None, **names: str
) -> tuple[Rows, list[str]]:
    """The rows that a reader makes of bytes, and what it reports."""
    reports: list[str] = []
    fields = Fields(**{kind: (name,) for kind, name in names.items()})
    rows = sources.read_rows(
        io.BytesIO(data),
        Reader(format_name, encoding, fields),
        lambda line, text: reports.append(f"{line}: {text}"),
    )
    return [tuple(row) for row in rows], reports


# --- readers ---


def test_text_has_a_row_for_each_line_that_is_not_blank() -> None:
    assert read("一\r\n\n \u3000\n　二 \n三".encode(), "text") == (
        [("", "一", 1, None), ("", "　二 ", 4, None), ("", "三", 5, None)],
        [],
    )


MARKDOWN = """\
前書き
続き

# 題 #
段落

```py
# no heading

x = 1
```
after
~~~
```
~~~
## 空
### 次
- a
- b
***
[x]: y

Under
=====
text
Under too
---
#no heading
#######  none either
# last
"""


def test_markdown_has_a_row_for_each_paragraph_under_its_heading() -> None:
    assert read(MARKDOWN.encode(), "markdown") == (
        [
            ("", "前書き\n続き", 1, None),
            ("題", "段落", 5, None),
            ("題", "```py\n# no heading\n\nx = 1\n```\nafter\n~~~\n```\n~~~", 7, None),
            ("空", "", 16, None),
            ("次", "- a\n- b", 18, None),
            ("次", "[x]: y", 21, None),
            ("Under", "text\nUnder too", 25, None),
            ("Under", "#no heading\n#######  none either", 28, None),
            ("last", "", 30, None),
        ],
        [],
    )


@given(st.lists(st.sampled_from(["# a", "b", "", "```", "c", "---", "  ", "~~~~"])))
def test_markdown_loses_no_paragraph_text(lines: list[str]) -> None:
    rows, reports = read("\n".join(lines).encode(), "markdown")
    kept = "\n".join(f"{title}\n{body}" for title, body, _, _ in rows)
    for letter in "bc":
        # A line above a rule is a heading: kept as a title, on each of its rows.
        assert kept.count(letter) >= lines.count(letter)
    assert reports == []


def test_jsonl_has_a_row_for_each_object() -> None:
    data = """\
{"text": "甲", "title": "乙", "id": 7}

{"body": "b", "text": "t", "content": "c"}
{"Content": ["一", 2, null, {"k": "v"}], "id": null}
{"title": "only"}
{"text": ""}
"""
    assert read(data.encode(), "jsonl") == (
        [
            ("乙", "甲", 1, "7"),
            ("", "b", 3, None),
            ("", '一\n2\n\n{"k": "v"}', 4, None),
            ("only", "", 5, None),
        ],
        [],
    )


def test_jsonl_takes_the_fields_that_are_named() -> None:
    data = '{"m": "甲", "who": "乙", "n": "x", "text": "no"}'.encode()
    assert read(data, "jsonl", body="m", title="who", id="n") == ([("乙", "甲", 1, "x")], [])


def test_jsonl_reports_what_it_leaves_out() -> None:
    data = (
        b'{"text": "a\n[1]\n"x"\n{"foo": 1}\n{}\n'
        + b"[" * 100_000
        + b'\n{"text": "\\ud800\\u0000"}'
    )
    rows, reports = read(data, "jsonl")
    assert rows == [("", "\ufffd\ufffd", 7, None)]
    assert [report.split(":")[0] for report in reports] == ["1", "2", "3", "4", "5", "6"]
    assert "foo" in reports[3]


def test_csv_has_a_row_for_each_record() -> None:
    data = '\ufeffID,Title,"Body"\r\n1,題,"a\r\n""本"", c"\r\n\r\n2,x\r\n3,,z\r\n'
    assert read(data.encode(), "csv") == (
        [("題", 'a\n"本", c', 2, "1"), ("x", "", 5, "2"), ("", "z", 6, "3")],
        [],
    )


def test_tsv_and_named_columns() -> None:
    assert read("k\tvon\n甲\t1\n".encode(), "tsv", body="k", id="von") == ([("", "甲", 2, "1")], [])


def test_csv_reports_a_quote_that_is_never_closed() -> None:
    rows, reports = read(b'text\na\n"b\nc\n', "csv")
    assert rows == [("", "a", 2, None), ("", "b\nc\n", 3, None)]
    assert len(reports) == 1
    assert reports[0].startswith("3: a quote")


def test_csv_reports_too_many_fields() -> None:
    rows, reports = read(b"text\na,b\n", "csv")
    assert rows == [("", "a", 2, None)]
    assert reports == ["2: 2 fields under 1 columns, the last left out"]


def test_csv_without_the_column_is_refused() -> None:
    with pytest.raises(
        sources.SourceError, match=r"no column body, text or content .*a, b.*--body"
    ):
        read(b"a,b\n1,2\n", "csv")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_name_the_encoding(encoding: str) -> None:
    data = "学習\n機械".encode(encoding)
    assert read(data, "text") == ([("", "学習", 1, None), ("", "機械", 2, None)], [])
    assert read(data, "text", "gb18030") == read(data, "text")


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("gb18030", "机器学习"),
        ("shift_jis", "機械学習"),
        ("euc_kr", "기계 학습"),
        ("utf-16-le", "学習"),
    ],
)
def test_other_encodings_must_be_named(encoding: str, line: str) -> None:
    data = "\n".join([line] * 100).encode(encoding)
    assert [row[1] for row in read(data, "text", encoding)[0]] == [line] * 100
    with pytest.raises(sources.SourceError, match="encoding"):
        read(data, "text")


@pytest.mark.parametrize("data", [bytes(5000), bytes(range(256)) * 20])
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(sources.SourceError):
        read(data, "text")


def test_broken_bytes_and_nul_are_replaced_and_reported() -> None:
    rows, reports = read(b"a\xff\xe5\xad\n" + "学\0習".encode() + b" and more" * 20, "text")
    assert [row[1][:3] for row in rows] == ["a\ufffd\ufffd", "学\ufffd習"]
    assert len(reports) == 2
    assert "2 places" in reports[0]
    assert "NUL in 1 place," in reports[1]


def test_a_reader_that_is_left_after_its_file_ends_quietly() -> None:
    """As an interrupt leaves it."""
    file = io.BytesIO("一\n二\n".encode())
    lines = iter(sources.Lines(file, None, lambda line, text: None))
    assert next(lines) == "一"
    file.close()
    lines.close()  # type: ignore[attr-defined]


def test_lines_that_are_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_ROW", 10)
    rows, reports = read(
        b"short\n" + b"x" * 9 + b"\n" + b"y" * 10 + b"\n" + b"z" * 35 + b"\nend", "text"
    )
    assert rows == [("", "short", 1, None), ("", "x" * 9, 2, None), ("", "end", 5, None)]
    assert [report.split(":")[0] for report in reports] == ["3", "4"]


def test_paragraphs_that_are_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_ROW", 10)
    rows, reports = read(b"a\nb\n\n" + b"long\n" * 3 + b"\nend", "markdown")
    assert rows == [("", "a\nb", 1, None), ("", "end", 8, None)]
    assert [report.split(":")[0] for report in reports] == ["4"]


@pytest.mark.parametrize("format_name", list(sources.READERS))
@given(
    data=st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(NASTY)), max_size=8).map(
        b"\n".join
    )
)
def test_any_bytes_give_rows_that_sqlite_takes(format_name: str, data: bytes) -> None:
    if format_name in ("csv", "tsv"):
        data = b"text\n" + data
    try:
        rows, _ = read(data, format_name)
    except sources.SourceError:
        return
    assert rows == read(data, format_name)[0]
    lines = [line for _, _, line, _ in rows]
    assert lines == sorted(lines)
    for row in rows:
        assert "\0" not in row[0] + row[1]
        (row[0] + row[1]).encode()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50))
def test_text_rows_are_the_lines(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    want = [(line, n) for n, line in enumerate(lines, 1) if line and not line.isspace()]
    rows, _ = read(text.encode("utf-8-sig"), "text")
    assert [(body, line) for _, body, line, _ in rows] == want


# --- files and directories ---


def test_directories_give_the_files_that_have_a_reader(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for name in ("b.txt", "a.md", "sub/c.TXT", "sub/d.png", ".hidden/e.txt", ".f.txt", "g"):
        path = notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"学習 {path.name}")
    (notes / "link.txt").symlink_to("b.txt")
    (notes / "loop").symlink_to(".")
    done = index(tmp_path, "notes", "notes/g", "notes")
    assert done.code == 0
    assert {body for _, body, _, _ in rows_in(tmp_path)} == {
        "学習 a.md",
        "学習 b.txt",
        "学習 c.TXT",
        "学習 g",
    }
    assert "1 other file left out (.png 1)" in done.stderr


def test_rows_say_where_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("甲\n\n乙\n")
    index(tmp_path, "a.txt")
    found = rows_in(
        tmp_path, "SELECT path, line, body FROM docs JOIN cjk_sources ON cjk_sources.id = source"
    )
    path = str((tmp_path / "a.txt").resolve())
    assert found == [(path, 1, "甲"), (path, 3, "乙")]


def test_nothing_to_index_makes_no_database(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(b"x")
    for path, word in (("nix", "nix"), ("empty", "nothing"), ("pictures", ".png 1")):
        done = index(tmp_path, path)
        assert (done.code, done.stdout) == (2, "")
        assert word in done.stderr
    assert not (tmp_path / "t.db").exists()


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    done = index(tmp_path, "a.txt")
    assert done.code == 0
    assert "a.txt: new, 0 rows added" in done.stderr
    assert "empty" in done.stderr


def test_files_that_cannot_be_read_do_not_stop_the_others(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_bytes(bytes(100))
    (tmp_path / "c.txt").symlink_to("nix")
    (tmp_path / "d.txt").write_text("学習")
    done = index(tmp_path, "a.txt", "b.txt", "c.txt", "d.txt")
    assert done.code == 1
    assert "a.txt: not a regular file" in done.stderr
    assert "b.txt: many NUL bytes" in done.stderr
    assert "No such file" in done.stderr
    assert "1 new" in done.stdout
    assert rows_in(tmp_path) == [("", "学習", 1, None)]


def test_names_that_are_not_utf8_or_would_fool_a_terminal(tmp_path: Path) -> None:
    names = [b"\xff\xfe.txt", "学\x1b[31m.txt".encode()]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("学習")
    done = index(tmp_path, *names)
    assert done.code == 0
    assert "\x1b" not in done.stderr
    assert "2 new" in done.stdout
    assert "2 unchanged" in index(tmp_path, *names).stdout
    found = run("search", "t.db", "学習", cwd=tmp_path)
    assert found.code == 0
    assert "\\udcff\\udcfe.txt:1" in found.stdout
    assert "\x1b" not in found.stdout


def test_databases_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    for name in (b"\xff.db", "学 ?*#%.db".encode(), b"file:x.db"):
        assert run("index", name, "a.txt", cwd=tmp_path).code == 0
        assert os.path.exists(os.fsencode(tmp_path) + b"/" + name)
        assert run("search", name, "学習", cwd=tmp_path).code == 0


@pytest.mark.parametrize("table", ["学習", "a \"b\" 'c'; --", "select", "a.b", "DOCS"])
def test_tables_may_have_any_name(table: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    assert index(tmp_path, "a.txt", "--table", table).code == 0
    assert "1 unchanged" in index(tmp_path, "a.txt", "--table", table).stdout
    (tmp_path / "a.txt").write_text("学習 2")
    assert "1 changed" in index(tmp_path, "a.txt", "--table", table).stdout
    assert "[学習]" in run_well("search", "t.db", "学習", "--table", table, cwd=tmp_path)


def test_many_messages_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("x\n" * 1000 + '{"text": "学習"}\n')
    done = index(tmp_path, "a.jsonl")
    assert done.code == 1
    assert done.stderr.count("no JSON") == 5
    assert "a.jsonl:5: no JSON" in done.stderr
    assert "995 more" in done.stderr
    assert len(rows_in(tmp_path)) == 1


def test_quiet_shows_problems_only(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    assert index(tmp_path, "a.txt", "--quiet") == (0, "", "")
    (tmp_path / "a.txt").write_bytes(b"\xff")
    done = index(tmp_path, "a.txt", "-q")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("a.txt: not utf-8 in 1 place")


# --- databases that do not fit ---


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習" * 1000)
    done = run("index", "a.txt", "a.txt", cwd=tmp_path)
    assert done.code == 2
    assert done.stderr == "cjk-tokenizer: a.txt: not an SQLite database\n"


def test_databases_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    for name, word in ((".", "a directory"), ("nix/t.db", "no directory nix")):
        done = run("index", name, "a.txt", cwd=tmp_path)
        assert done.code == 2
        assert word in done.stderr


@pytest.fixture
def indexed(tmp_path: Path) -> Iterator[Path]:
    """A directory with a file of two rows, a database, and its index."""
    (tmp_path / "a.txt").write_text("甲\n乙\n")
    assert index(tmp_path, "a.txt").code == 0
    yield tmp_path


def test_a_table_with_another_tokenizer(indexed: Path) -> None:
    done = index(indexed, "a.txt", "--tokenize", "cjk segment unigram")
    assert done.code == 2
    assert "tokenize='cjk'" in done.stderr
    assert "'cjk segment unigram'" in done.stderr
    other = ["--table", "other", "--tokenize", "cjk  tokenchars '+#'"]
    assert index(indexed, "a.txt", *other).code == 0
    assert index(indexed, "a.txt", *other).code == 0
    assert index(indexed, "a.txt", *other[:2]).code == 0


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ("CREATE TABLE x(title, body, source, line, id)", "no FTS5 table"),
        ("CREATE VIEW x AS SELECT 1", "no FTS5 table"),
        ("CREATE VIRTUAL TABLE x USING fts5(title, body)", "columns title, body"),
        ("CREATE VIRTUAL TABLE y USING fts5(a); CREATE VIEW x AS SELECT 1", "no FTS5 table"),
    ],
)
def test_a_table_of_another_kind(schema: str, word: str, indexed: Path) -> None:
    connection = sqlite3.connect(indexed / "t.db")
    connection.executescript(schema)
    connection.close()
    done = index(indexed, "a.txt", "--table", "x")
    assert done.code == 2
    assert word in done.stderr
    assert "--table" in done.stderr


@pytest.mark.parametrize("name", ["", "body", "cjk_sources", "sqlite_x"])
def test_names_that_a_table_cannot_have(name: str, indexed: Path) -> None:
    assert index(indexed, "a.txt", "--table", name).code == 2


@pytest.mark.parametrize("arguments", ["cjk segment nix", "cjk unigrams", "nix", ""])
def test_wrong_tokenizer_arguments_are_explained(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    done = index(tmp_path, "a.txt", "--tokenize", arguments)
    assert done.code == 2
    assert "--tokenize" in done.stderr
    assert arguments in done.stderr
    assert "tokenizer constructor" not in done.stderr
    assert not (tmp_path / "t.db").exists()


def test_tables_that_cannot_be_made_leave_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    for arguments in ("--table", "sqlite_x"), ("--table", "cjk_sources"), ("--tokenize", "cjk ("):
        done = index(tmp_path, "a.txt", *arguments)
        assert done.code == 2 and len(done.stderr.splitlines()) == 1, done
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt"]


@pytest.mark.parametrize("command", [["index", "t.db", "a.txt"], ["search", "t.db", "学習"]])
def test_a_table_of_a_segmenter_that_is_not_built_in(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    cjk_tokenizer.register_segmenter("mine", list)
    connection = cjk_tokenizer.connect(tmp_path / "t.db", isolation_level=None)
    connection.execute(
        "CREATE VIRTUAL TABLE docs USING fts5("
        "title, body, source UNINDEXED, line UNINDEXED, id UNINDEXED, tokenize='cjk segment mine')"
    )
    connection.close()
    done = run(*command, cwd=tmp_path)
    assert done.code == 2 and len(done.stderr.splitlines()) == 1
    assert "t.db: " in done.stderr and 'there is no segmenter "mine"' in done.stderr
    assert "the program that registers" in done.stderr


def test_a_wrong_encoding_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("学習")
    for name in ("nix", "hex", ""):
        done = index(tmp_path, "a.txt", "--encoding", name)
        assert done.code == 2
        assert "no text encoding" in done.stderr


# --- the next run ---


def test_an_unchanged_file_is_skipped(indexed: Path) -> None:
    assert "0 rows added" in index(indexed, "a.txt").stdout
    os.utime(indexed / "a.txt")
    done = index(indexed, "a.txt")
    assert "0 rows added" in done.stdout
    assert "1 unchanged" in done.stdout
    assert len(rows_in(indexed)) == 2


def test_a_changed_file_is_indexed_anew(indexed: Path) -> None:
    (indexed / "b.txt").write_text("丙\n")
    index(indexed, "b.txt")
    (indexed / "a.txt").write_text("丁\n")
    done = index(indexed, "a.txt", "b.txt")
    assert "a.txt: changed, 1 row added" in done.stderr
    assert "1 row added, 2 removed" in done.stdout
    assert sorted(body for _, body, _, _ in rows_in(indexed)) == sorted("丙丁")


def test_a_file_read_in_another_way_has_changed(indexed: Path) -> None:
    (indexed / "c.jsonl").write_text('{"text": "一", "other": "二"}')
    index(indexed, "c.jsonl")
    assert "1 changed" in index(indexed, "c.jsonl", "--body-column", "other").stdout
    assert "1 changed" in index(indexed, "c.jsonl", "--format", "text").stdout
    assert "1 changed" in index(indexed, "c.jsonl", "--encoding", "gb18030").stdout


def test_a_file_that_has_become_unreadable_has_no_rows(indexed: Path) -> None:
    (indexed / "a.txt").write_bytes(bytes(100))
    assert index(indexed, "a.txt").code == 1
    assert rows_in(indexed) == []
    (indexed / "a.txt").write_text("丁\n")
    assert index(indexed, "a.txt").code == 0
    assert len(rows_in(indexed)) == 1


def test_a_table_that_was_dropped_is_filled_anew(indexed: Path) -> None:
    connection = cjk_tokenizer.connect(indexed / "t.db")
    connection.execute("DROP TABLE docs")
    connection.close()
    assert "1 new" in index(indexed, "a.txt").stdout
    assert len(rows_in(indexed)) == 2


def test_a_table_is_the_same_in_any_case_of_letters(indexed: Path) -> None:
    assert "1 unchanged" in index(indexed, "a.txt", "--table", "DOCS").stdout
    assert "a.txt:1" in run_well("search", "t.db", "甲", "--table", "Docs", cwd=indexed)


def test_files_that_are_gone_are_removed_when_asked(indexed: Path) -> None:
    for name in ("sub/x.txt", "subway.txt", "sub/y.txt"):
        (indexed / name).parent.mkdir(exist_ok=True)
        (indexed / name).write_text(name)
    index(indexed, ".")
    for name in ("sub/x.txt", "subway.txt", "a.txt"):
        (indexed / name).unlink()
    done = index(indexed, "sub")
    assert done.code == 0
    assert "1 file gone; --prune" in done.stderr
    assert index(indexed, "a.txt").code == 2
    assert "1 gone" in index(indexed, "sub", "--prune").stdout
    assert {body for _, body, _, _ in rows_in(indexed)} == {"甲", "乙", "subway.txt", "sub/y.txt"}
    assert "2 gone" in index(indexed, ".", "--prune").stdout
    assert {body for _, body, _, _ in rows_in(indexed)} == {"sub/y.txt"}
    assert "1 unchanged" in index(indexed, ".", "--prune").stdout


def test_two_runs_at_once_add_no_row_twice(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.txt").write_text("".join(f"{name} 学習 {n}\n" for n in range(20_000)))
    command = [*COMMAND, "index", "t.db", "."]
    runs = [
        subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in runs:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0 or b"another `cjk-tokenizer index`" in errors
    assert index(tmp_path, ".").code == 0
    assert len(rows_in(tmp_path)) == len(set(rows_in(tmp_path))) == 80_000


def test_rows_are_plain_fts5_rows(indexed: Path) -> None:
    found = rows_in(indexed, "SELECT title, body, source, line, id FROM docs WHERE docs MATCH '甲'")
    assert found == [("", "甲", 1, 1, None)]


def test_row_is_a_tuple_of_four() -> None:
    assert Row("t", "b", 1)._fields == ("title", "body", "line", "id")
