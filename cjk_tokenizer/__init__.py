"""Full-text search over Chinese, Japanese and Korean in SQLite: the FTS5 tokenizer `cjk`.

>>> import sqlite3, cjk_tokenizer
>>> conn = sqlite3.connect(":memory:")
>>> cjk_tokenizer.load(conn)
>>> _ = conn.execute("CREATE VIRTUAL TABLE notes USING fts5(body, tokenize='cjk')")
>>> _ = conn.execute("INSERT INTO notes VALUES ('机器学习很有趣')")
>>> conn.execute("SELECT body FROM notes WHERE notes MATCH '学习'").fetchall()
[('机器学习很有趣',)]

What goes wrong is an `Error`; its kinds (ArgumentError, SegmenterError, MissingPackageError ...)
are in `cjk_tokenizer.errors`.
"""

from __future__ import annotations

from .connect import auto_load, connect, load, loadable_path
from .detect import detect
from .errors import Error
from .failures import last_segmenter_error
from .library import UserWords, cut, tokenize_words
from .query import query
from .search import Highlight, Hit, search
from .segmenting import add_words, register_segmenter, unregister_segmenter
from .tokens import Token, tokenize

__all__ = [
    "Error",
    "Highlight",
    "Hit",
    "Token",
    "UserWords",
    "add_words",
    "auto_load",
    "connect",
    "cut",
    "detect",
    "last_segmenter_error",
    "load",
    "loadable_path",
    "query",
    "register_segmenter",
    "search",
    "tokenize",
    "tokenize_words",
    "unregister_segmenter",
]
