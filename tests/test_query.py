"""cjk_query(): any text is a valid query, and asks for what the text says."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import fts
import pytest
import strategies
from hypothesis import assume, example, given
from hypothesis import strategies as st

import cjk_tokenizer
from cjk_tokenizer import query, tokenize
from cjk_tokenizer.errors import ArgumentError

MODES = ["all", "any", "phrase", "prefix", "web", "grams"]
SYNTAX = ['"', "'", "*", "^", ":", "-", "+", "(", ")", "{", "}", "AND", "OR", "NOT", "NEAR(", ","]
DOCUMENTS = [
    "学习C++语言 don't忘记",
    "山田太郎と東京タワー",
    "오류번호q7확인 한국어 검색",
    "จังหวัดเชียงใหม่",
    "标题：周报（三月）NOT 通过",
    "🍐 the quick brown fox",
]


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    conn = fts.open_host(request.param)
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("CREATE VIRTUAL TABLE grams USING fts5(x, tokenize='cjk', detail=column)")
    for i, document in enumerate(DOCUMENTS):
        for table in ("t", "grams"):
            conn.execute(f"INSERT INTO {table}(rowid, x) VALUES (?, ?)", (i, document))
    return conn


def found(conn: Any, expression: str, table: str = "t") -> list[int]:
    sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"
    return fts.column(conn, sql, expression)


def typed() -> st.SearchStrategy[str]:
    syntax = st.lists(st.sampled_from([*SYNTAX, " ", "学习", "q7", "\0"]), max_size=12)
    anything = st.text(max_size=30)
    return st.one_of(syntax.map("".join), strategies.texts(), anything)


@given(text=typed(), mode=st.sampled_from(MODES))
def test_any_text_is_a_valid_query(conn: Any, text: str, mode: str) -> None:
    found(conn, query(text, mode), "grams" if mode == "grams" else "t")


def test_a_great_many_random_texts_are_valid_queries(conn: Any) -> None:
    alphabet = "".join(strategies.PIECES) + "".join(SYNTAX) + "  \0\U0010ffff"
    dice = random.Random(7)
    for i in range(20_000):
        text = "".join(dice.choices(alphabet, k=dice.randint(0, 12)))
        mode = MODES[i % len(MODES)]
        found(conn, query(text, mode), "grams" if mode == "grams" else "t")


@pytest.mark.parametrize("mode", MODES)
def test_long_text_is_a_valid_query(conn: Any, mode: str) -> None:
    table = "grams" if mode == "grams" else "t"
    for piece in ("学习", "学 ", 'a" ', "-x OR ", "เชียง", "🍐", "\0", "("):
        found(conn, query(piece * (100_000 // len(piece.encode())), mode), table)


@pytest.mark.parametrize(
    ("text", "mode", "expression"),
    [
        ("为什么失败?", "all", '"为什么失败?"'),
        ("山田　太郎", "all", '"山田" AND "太郎"'),
        ('say "hi"', "phrase", '"say ""hi"""'),
        ("？！", "all", '""'),
        ("", "any", '""'),
        ("学习 ？", "all", '"学习"'),
        ("机器学 py", "prefix", '"机器学" AND "py"*'),
        ("机器学 py ", "prefix", '"机器学" AND "py"'),
        ("机器学习", "any", '"机器" OR "器学" OR "学习"'),
        ("机器机器", "any", '"机器" OR "器机"'),
        ("学习 C语言", "any", '"学习" OR "C" OR "语言"'),
        ("什么", "any", '"什么"'),
        ("机器学习", "grams", '"机器" AND "器学" AND "学习"'),
        ('"a b" -c d OR e', "web", '("a b") AND ("d" OR "e") NOT ("c")'),
        ("-c", "web", '""'),
        ("OR 学习 OR", "web", '("学习")'),
        ("a\0b", "phrase", '"a\x01b"'),
    ],
)
def test_expressions(text: str, mode: str, expression: str) -> None:
    assert query(text, mode) == expression


@pytest.mark.parametrize(
    ("text", "mode", "rows"),
    [
        ("C++", "all", [0]),
        ("don't忘记", "all", [0]),
        ("太郎 東京", "all", [1]),
        ("東京　太郎", "all", [1]),
        ("NOT 通过", "all", [4]),
        ("标题:周报", "all", [4]),
        ("*学习", "all", [0]),
        ("q7 学习", "all", []),
        ("q7 学习", "any", [0, 2]),
        ("qui", "prefix", [5]),
        ("qui", "all", []),
        ("学习 ？！", "all", [0]),
        ("？！", "all", []),
        ("fox OR 太郎 -山田", "web", [5]),
        ("🍐", "all", [5]),
        ("เชียงใหม่", "all", [3]),
    ],
)
def test_what_is_found(conn: Any, text: str, mode: str, rows: list[int]) -> None:
    assert found(conn, query(text, mode)) == rows


@given(text=strategies.texts(max_size=8))
def test_a_word_finds_the_text_that_holds_it(text: str) -> None:
    """What is typed finds itself: by all words, by any of them, as one phrase."""
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO t(rowid, x) VALUES (1, CAST(? AS TEXT))", (text.encode(),))
    has_tokens = bool(cjk_tokenizer.tokenize(text, query=True))
    for mode in ("all", "any", "phrase", "prefix"):
        assert found(conn, query(text, mode)) == ([1] if has_tokens else []), mode


@pytest.mark.parametrize("arguments", ["cjk unigrams 0", "cjk segment unigram", "porter cjk"])
def test_the_tables_arguments(arguments: str) -> None:
    conn = fts.open_host("sqlite3")
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{arguments}')")
    conn.execute("INSERT INTO t(rowid, x) VALUES (1, '14世紀の機器学習 running')")
    for text in ("14世", "器", "学習", "習", "世紀の", "running 学"):
        assert found(conn, query(text, tokenize=arguments)) == [1], text


def test_max_terms_bounds_the_expression() -> None:
    text = "".join(chr(0x4E00 + i) for i in range(500))
    assert query(text, "any").count(" OR ") + 1 == 64
    assert query(text, "any", max_terms=10).count(" OR ") + 1 == 10


def test_null_is_null(conn: Any) -> None:
    assert fts.value(conn, "SELECT cjk_query(NULL)") is None


@pytest.mark.parametrize(
    ("mode", "options", "said"),
    [
        ("some", None, "all, any, phrase, prefix, web, words, grams"),
        ("all", {"foo": 1}, "tokenize max_terms function_words"),
        ("all", {"max_terms": 0}, "from 1 to"),
        ("all", {"tokenize": "cjk segment zz"}, "bigram unigram"),
        ("all", {"tokenize": 'cjk "'}, "quotes"),
    ],
)
def test_what_is_wrong_is_said(mode: str, options: dict[str, Any] | None, said: str) -> None:
    with pytest.raises(cjk_tokenizer.Error, match=said):
        query("x", mode, **(options or {}))


def test_a_nul_is_refused_and_ends_no_argument() -> None:
    for call in (
        lambda: query("学习", "all\0zzz"),
        lambda: query("学习", tokenize="cjk\0zzz"),
        lambda: tokenize("学习", "unigrams 1\0zzz"),
    ):
        with pytest.raises(ArgumentError, match="has a NUL"):
            call()


def test_options_are_an_object(conn: Any) -> None:
    for options in (json.dumps([1]), "x", ""):
        with pytest.raises(Exception, match="JSON object"):
            fts.value(conn, "SELECT cjk_query('x', 'all', ?)", options)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("Café au lait", '"Café" OR "au" OR "lait"'),
        ("机器学习 naïve", '"机器" OR "学习" OR "naïve"'),
        ("he\U000e0100llo", '"he\U000e0100llo"'),
        ("1\ufe0f\u20e3 👨\u200d👩", '"1\ufe0f\u20e3" OR "👨\u200d👩"'),
        ("①㎏ Ｖｕｅ３", '"①㎏" OR "Ｖｕｅ３"'),
        ("か\u3099 ｶﾞ", '"か\u3099" OR "ｶﾞ"'),
    ],
)
def test_mode_words_leaves_whole_what_the_index_has_in_one(
    conn: Any, text: str, expression: str
) -> None:
    assert query(text, "words") == expression


@pytest.mark.parametrize(
    "arguments",
    ["cjk", "porter cjk tokenchars '#+.'", "cjk categories 'L* N* So' separators 'x'", "unicode61"],
)
@pytest.mark.parametrize(
    "text", ["#m", "C++", "caf\u00e9", "\ufffdned", "①㎏", "axb", "3.14", "😀👍"]
)
def test_mode_words_leaves_whole_what_the_table_takes_for_one(
    conn: Any, arguments: str, text: str
) -> None:
    conn.execute("DROP TABLE IF EXISTS kind")
    conn.execute(f'CREATE VIRTUAL TABLE kind USING fts5(x, tokenize="{arguments}")')
    conn.execute("INSERT INTO kind VALUES (?)", (text,))
    tokens = fts.column(conn, "SELECT count(*) FROM cjk_tokens(?, ?)", text, arguments)
    expected = [1] if tokens != [0] else []
    assert found(conn, query(text, "words", tokenize=arguments), "kind") == expected


@pytest.mark.parametrize("mode", ["any", "grams"])
def test_a_gram_that_is_cut_shorter_alone_is_found(conn: Any, mode: str) -> None:
    arguments = "cjk unigrams 0 fold_prolonged 1"
    conn.execute("DROP TABLE IF EXISTS prolonged")
    conn.execute(f"CREATE VIRTUAL TABLE prolonged USING fts5(x, tokenize='{arguments}')")
    conn.execute("INSERT INTO prolonged VALUES ('サーバ')")
    assert found(conn, query("サーバ", mode, tokenize=arguments), "prolonged") == [1]
    assert found(conn, query("サーバ", mode, tokenize=arguments).split(" ")[0], "prolonged") == [1]


REWRITING = ["cjk fold_kana 1 fold_iteration 1 fold_prolonged 1", "cjk unigrams 0 fold_iteration 1"]


@given(
    text=st.one_of(strategies.texts("kana_marks", "han"), strategies.texts()),
    arguments=st.sampled_from(REWRITING),
)
@example(text="デーヾタ", arguments=REWRITING[0])
@example(text="タをﾞ時々", arguments=REWRITING[0])
def test_grams_of_a_text_find_it(conn: Any, text: str, arguments: str) -> None:
    """What a part of a run is cut to alone may differ from what it is in the run."""
    expression = query(text, "grams", tokenize=arguments)
    assume("\0" not in text and expression != '""')
    conn.execute("DROP TABLE IF EXISTS rewritten")
    conn.execute(
        f"CREATE VIRTUAL TABLE rewritten USING fts5(x, detail=none, tokenize='{arguments}')"
    )
    conn.execute("INSERT INTO rewritten VALUES (?)", (text,))
    assert found(conn, expression, "rewritten") == [1]


def test_a_refusal_is_valid_text_whatever_it_quotes(conn: Any) -> None:
    for broken in (b"\xff\xe5\xad", "学".encode() * 90):
        told = fts.column(conn, "SELECT cjk_check(CAST(? AS TEXT))", broken + b" 1")
        assert "neither an option" in told[0]
        sql = "SELECT cjk_query('x', CAST(? AS TEXT))"
        with pytest.raises(Exception, match="there is no mode"):
            fts.column(conn, sql, broken)


def test_nul_is_no_blank_that_lines_are_joined_over(conn: Any) -> None:
    conn.execute("CREATE VIRTUAL TABLE nul USING fts5(x, tokenize='cjk')")
    for text in ("".join(each) for each in itertools.product("重\0\nﾃ a", repeat=4)):
        if "\0" in text and (expression := query(text, "phrase")) != '""':
            conn.execute("DELETE FROM nul")
            conn.execute("INSERT INTO nul VALUES (?)", (text,))
            found = conn.execute("SELECT rowid FROM nul WHERE nul MATCH ?", (expression,))
            assert found.fetchall(), text
