"""Words of the user on top of jieba's."""

from __future__ import annotations

from typing import Any

import pytest
from callables import make_table
from fts import hits, value

import cjk_tokenizer
from cjk_tokenizer import (
    add_words,
    tokenize,
)

pytestmark = pytest.mark.usefixtures("library")


def test_user_words_have_a_name_and_a_fingerprint(conn: Any) -> None:
    fingerprint = add_words("physics", ["量子点", ("石墨烯", 1000)])
    assert value(conn, "SELECT cjk_dictionary('physics')") == f"physics {fingerprint}"
    assert value(conn, "SELECT cjk_dictionary()") == value(conn, "SELECT cjk_dictionary('jieba')")
    assert value(conn, "SELECT cjk_dictionary('nothing')") is None
    make_table(conn, "segment physics")
    conn.execute("INSERT INTO t VALUES ('石墨烯量子点'), ('石墨')")
    assert hits(conn, "量子点") == [1] and hits(conn, "石墨烯") == [1]
    assert add_words("physics", ["量子点"]) != fingerprint
    assert add_words("physics", ["量子点", ("石墨烯", 1000)]) == fingerprint


@pytest.mark.parametrize("hmm", [0, 1])
def test_user_words_cut_as_the_library_does(hmm: int) -> None:
    words: list[str | tuple[str, int | None]] = ["石墨烯", ("量子", 0), "量子点"]
    add_words("physics", words)
    user = cjk_tokenizer.library.UserWords(words)
    for text in "石墨烯量子点很小", "我来到北京清华大学石墨烯所", "小明硕士毕业于中国科学院":
        whole = set(cjk_tokenizer.library.cut(text, hmm=bool(hmm), words=user))
        found = {token.text for token in tokenize(text, f"segment physics hmm {hmm}")}
        assert whole <= found
        plain = {token.text for token in tokenize(text, f"segment jieba hmm {hmm}")}
        assert ("石墨烯" in found) == ("石墨烯" in text) and "石墨烯" not in plain
