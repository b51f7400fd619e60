"""Use the installed package, in any Python that has it: index, search, say which SQLite it was.

Needs nothing but the wheel. It must be this interpreter's own package, not a tree that lies about.
"""

from __future__ import annotations

import sqlite3
import sys
from importlib.metadata import version

import cjk_tokenizer
from cjk_tokenizer import reference

assert cjk_tokenizer.__file__.startswith(sys.prefix), cjk_tokenizer.__file__
path = str(cjk_tokenizer.loadable_path())
assert path.startswith(sys.prefix), path

ROWS = ["我在学习自然语言处理", "東京都の天気は晴れです", "한국어 검색", "ภาษาไทยง่าย", "words"]
EXPECTED: list[tuple[str, int | None]] = [
    ("学", 1),
    ("语言", 1),
    ("自然语言处理", 1),
    ("京都", 2),
    ("天気は晴れ", 2),
]
EXPECTED += [("국어", 3), ("검색", 3), ("ไทย", 4), ("words", 5), ("天语", None), ("word", None)]

opened = sqlite3.connect(":memory:")
cjk_tokenizer.load(opened)
connected = cjk_tokenizer.connect(":memory:")
for conn in opened, connected:
    assert conn.execute("SELECT cjk_version()").fetchone()[0].startswith(version("cjk_tokenizer"))
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='cjk')")
    for row in ROWS:
        conn.execute("INSERT INTO t(body) VALUES (?)", (row,))
    for query, expected in EXPECTED:
        found = conn.execute("SELECT rowid FROM t WHERE t MATCH ?", ('"' + query + '"',)).fetchall()
        assert found == ([(expected,)] if expected else []), (query, found)
# What is compiled in, and what lies beside it.
SQL = "SELECT group_concat(token) FROM cjk_tokens(?, ?)"
assert opened.execute(SQL, ("自然语言", "segment jieba")).fetchone() == ("自然,自然语言,语言",)
assert opened.execute(SQL, ("體", "fold_han 1")).fetchone() == ("体",)
assert [each.token for each in reference.tokenize("體", "fold_han 1")] == ["体"]
print(
    "SQLite",
    sqlite3.sqlite_version + ",",
    "load_extension" if hasattr(opened, "enable_load_extension") else "no load_extension",
)
