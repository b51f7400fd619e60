"""cjk_search() and cjk_rank(): the right rows, best first, and what they say of bad input."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import apsw
import fts
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cjk_tokenizer
from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.search import Highlight, search

NOTES = [
    ("机器学习", "机器学习的方法有很多种"),
    ("天气", "今天天气很好，适合学习"),
    ("机器", "C++ 机器"),
    ("東京", "東京都の人口は何人ですか"),
    ("ภาษา", "ภาษาไทยเป็นภาษาราชการ"),
    ("한국", "한국의 수도는 서울이다"),
]


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    conn = fts.open_host(request.param)
    conn.execute("CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize='cjk')")
    conn.executemany("INSERT INTO notes VALUES (?, ?)", NOTES)
    return conn


def found(conn: Any, text: str | None, table: str = "notes", **options: Any) -> list[int]:
    given = json.dumps(options) if options else None
    return fts.column(conn, "SELECT rowid FROM cjk_search(?, ?, ?)", table, text, given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("机器学习", [1, 3, 2]),
        ("学习的方法是什么？", [1, 2]),
        ("東京の人口は？", [4]),
        ("ภาษาไทย", [5]),
        ("서울", [6]),
        ("c++", [3]),
        ("天", [2]),
        ("nothing of it", []),
    ],
)
def test_rows_come_best_first(conn: Any, text: str, expected: list[int]) -> None:
    assert found(conn, text) == expected


@pytest.mark.parametrize("text", [None, "", " ", "？！", "\0", "​"])
def test_nothing_to_search_for_finds_nothing(conn: Any, text: str | None) -> None:
    for mode in ("auto", "any", "all", "phrase", "prefix", "web"):
        assert found(conn, text, mode=mode) == []


@pytest.mark.parametrize(
    ("mode", "text", "expected"),
    [
        ("any", "机器 天气", {1, 2, 3}),
        ("all", "机器 方法", {1}),
        ("phrase", "学习的方法", {1}),
        ("phrase", "方法学习", set()),
        ("prefix", "机器 c", {3}),
        ("web", "学习 -天气", {1}),
        ("web", "東京 OR 서울", {4, 6}),
    ],
)
def test_modes_find_what_their_query_finds(
    conn: Any, mode: str, text: str, expected: set[int]
) -> None:
    assert set(found(conn, text, mode=mode)) == expected


def test_whole_text_then_all_words_then_the_rest(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS tiers")
    conn.execute("CREATE VIRTUAL TABLE tiers USING fts5(x, tokenize='cjk')")
    texts = ["数据", "库的数据", "数据 仓库", "仓库和数据", "仓库 数据 仓库"]
    conn.executemany("INSERT INTO tiers VALUES (?)", [(text,) for text in texts])
    got = found(conn, "数据 仓库", "tiers")
    assert set(got[:2]) == {3, 5}  # the whole text
    assert got[2] == 4  # both words
    assert set(got[3:]) == {1, 2}


def test_scores_never_rise_and_pages_join(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS many")
    conn.execute("CREATE VIRTUAL TABLE many USING fts5(x, tokenize='cjk')")
    generator = random.Random(1)
    for _ in range(400):
        text = "".join(generator.choice("学习机器天气很好") for _ in range(12))
        conn.execute("INSERT INTO many VALUES (?)", (text,))
    sql = "SELECT rowid, score FROM cjk_search('many', '机器学习很好', ?)"
    whole = fts.rows(conn, sql, '{"limit": 400}')
    assert [row[1] for row in whole] == sorted((row[1] for row in whole), reverse=True)
    assert len({row[0] for row in whole}) == len(whole) > 100
    pages = [found(conn, "机器学习很好", "many", limit=30, offset=o) for o in range(0, 420, 30)]
    assert [row for page in pages for row in page] == [row[0] for row in whole]
    assert fts.rows(conn, sql + " ORDER BY score DESC", '{"limit": 400}') == whole


def test_columns_and_weights(conn: Any) -> None:
    assert found(conn, "机器学习", columns="title") == [1, 3]
    assert found(conn, "机器", columns=" BODY , title ", weights="1, 1") in ([3, 1], [1, 3])
    assert found(conn, "天气", weights="0") == [2]


def test_snippets_and_highlights(conn: Any) -> None:
    sql = "SELECT snippet, highlights FROM cjk_search('notes', '天气', ?)"
    assert fts.rows(conn, sql, None) == [(None, None)]
    options = '{"snippet": 8, "highlight": 1, "open": "<", "close": ">", "ellipsis": "~"}'
    assert fts.rows(conn, sql, options) == [("<天气>", "[[0,0,6],[1,6,12]]")]


NAMES = ["a b", "a.b", 'a"b', "a'b", "a;--", "选择", "select", "main.t", "[x]", "a`b"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_names(conn: Any, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    conn.execute(f"CREATE VIRTUAL TABLE {quoted} USING fts5('co''l', tokenize=\"cjk\")")
    conn.execute(f"INSERT INTO {quoted} VALUES ('机器学习')")
    assert found(conn, "学习", name, columns="co'l", snippet=10) == [1]
    [hit] = search(conn, name, "学习", highlight=True)
    assert hit.highlights == (Highlight(0, 2, 4),)
    conn.execute(f"DROP TABLE {quoted}")


def test_schemas_in_the_order_of_sqlite(conn: Any) -> None:
    conn.execute("ATTACH ':memory:' AS \"ot.her\"")
    for schema, text in (("main", "天地"), ("temp", "天气"), ('"ot.her"', "天文")):
        conn.execute(f"CREATE VIRTUAL TABLE {schema}.placed USING fts5(x, tokenize='cjk')")
        conn.execute(f"INSERT INTO {schema}.placed VALUES (?)", (text,))
    sql = "SELECT snippet FROM cjk_search('placed', '天', ?)"

    def snippet(**options: Any) -> list[Any]:
        return fts.column(conn, sql, json.dumps({"snippet": 9, **options}))

    assert snippet() == ["[天]气"]
    assert snippet(schema="main") == ["[天]地"]
    assert snippet(schema="ot.her") == ["[天]文"]
    conn.execute("DROP TABLE temp.placed")
    conn.execute("DROP TABLE main.placed")
    assert snippet() == ["[天]文"]
    conn.execute('DETACH "ot.her"')


@pytest.mark.parametrize(
    "declared",
    [
        "x, tokenize='cjk unigrams 0'",
        "x, tokenize='cjk segment unigram'",
        "x, tokenize='porter cjk fold_kana 1'",
        "x, tokenize = \"cjk 'porter' unicode61\"",
        "x, tokenize='cjk', prefix='1 2', columnsize=0",
        "'x', y UNINDEXED /* , tokenize='no' */, tokenize='cjk'",
        "x, tokenize='cjk', detail=column",
        "x, tokenize='cjk', detail=none",
    ],
)
def test_tables_of_every_kind(conn: Any, declared: str) -> None:
    conn.execute("DROP TABLE IF EXISTS kind")
    conn.execute(f"CREATE VIRTUAL TABLE kind USING fts5({declared})")
    conn.execute("INSERT INTO kind(x) VALUES ('机器学习的方法'), ('天气 running'), ('学校')")
    for text, expected in [
        ("机器学习", [1]),
        ("学", [3, 1]),
        ("running", [2]),
        ("天气怎么样", [2]),
    ]:
        assert found(conn, text, "kind") == expected, text


def test_characters_inside_words_count_in_an_index_of_words(conn: Any) -> None:
    """学 is common and 法 is not, though neither is a word by itself in any row."""
    conn.execute("DROP TABLE IF EXISTS kind")
    conn.execute("CREATE VIRTUAL TABLE kind USING fts5(x, tokenize='cjk segment jieba')")
    texts = ["天气科学", "天气法律", "方法", *["学习"] * 50]
    conn.executemany("INSERT INTO kind VALUES (?)", [(text,) for text in texts])
    got = found(conn, "天气 学习 方法", "kind", mode="any")
    assert got.index(2) < got.index(1)


@pytest.mark.parametrize("columnsize", [0, 1])
@pytest.mark.parametrize("mode", ["auto", "any", "all", "phrase", "prefix", "web"])
def test_contentless_tables_rank_by_the_index(conn: Any, mode: str, columnsize: int) -> None:
    conn.execute("DROP TABLE IF EXISTS bare")
    conn.execute(
        "CREATE VIRTUAL TABLE bare USING fts5(x, tokenize='cjk', content='', columnsize="
        f"{columnsize})"
    )
    conn.execute("INSERT INTO bare(rowid, x) VALUES (5, '机器学习'), (6, '学习'), (7, '机器')")
    sql = "SELECT rowid, snippet, highlights FROM cjk_search('bare', '机器学习', ?)"
    rows = fts.rows(conn, sql, f'{{"snippet": 9, "highlight": 1, "mode": "{mode}"}}')
    assert rows[0] == (5, None, None)
    assert {row[0] for row in rows} == ({5, 6, 7} if mode in ("auto", "any") else {5})


def test_external_content(conn: Any) -> None:
    conn.execute("CREATE TABLE source(id INTEGER PRIMARY KEY, x)")
    conn.execute("INSERT INTO source VALUES (3, '机器学习'), (4, '学习')")
    conn.execute(
        "CREATE VIRTUAL TABLE outer USING fts5(x, tokenize='cjk', content='source',"
        " content_rowid='id')".replace("outer", "outside")
    )
    conn.execute("INSERT INTO outside(outside) VALUES ('rebuild')")
    assert found(conn, "机器学习", "outside") == [3, 4]
    conn.execute("DELETE FROM source WHERE id = 3")  # behind the index's back
    assert set(found(conn, "机器学习", "outside")) == {3, 4}


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ("missing", {}, 'there is no table "missing"'),
        ("notes", {"schema": "nowhere"}, 'no table "notes" in schema nowhere'),
        ("plain", {}, '"plain" is no FTS5 table'),
        ("words", {}, "does not use the tokenizer cjk (unicode61)"),
        ("bare_words", {}, "has no tokenize="),
        ("notes", {"mode": "best"}, 'no mode "best"; modes are: auto, all, any'),
        ("notes", {"limit": -1}, "option limit is a number from 0"),
        ("notes", {"weights": "1,x"}, "weights are numbers"),
        ("notes", {"weights": "1,1,1"}, "weights are numbers"),
        ("notes", {"columns": "body, text"}, 'has no column "text"'),
        ("notes", {"colour": 1}, '"colour" is no option'),
    ],
)
def test_errors_say_what_is_wrong(
    conn: Any, table: str, options: dict[str, Any], message: str
) -> None:
    conn.execute("CREATE TABLE IF NOT EXISTS plain(x)")
    conn.execute("CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(x, tokenize='unicode61')")
    conn.execute("CREATE VIRTUAL TABLE IF NOT EXISTS bare_words USING fts5(x)")
    with pytest.raises(Exception) as error:
        found(conn, "学习", table, **options)
    assert "cjk_search()" in str(error.value)
    assert message in str(error.value)


# ---- against the definition ----


@pytest.fixture(scope="module")
def evidence() -> Any:
    return pytest.importorskip("benchmarks.quality.evidence")


def assert_ranked(evidence: Any, table: Any, text: str, got: list[int]) -> None:
    """The definition's rows in its order, but for sums that differ in the last bits."""
    query = evidence.read_query(text)
    settings = evidence.Settings()
    candidates = evidence.choose_candidates(table, query, settings.candidates)
    scores = evidence.score_candidates(table, query, candidates, settings)
    assert sorted(got) == sorted(candidates), text
    for before, after in zip(got, got[1:]):
        assert scores[before] >= scores[after] * (1 - 1e-12), (text, before, after)


ALPHABETS = ["学习机器方法天气", "東京の人口は何", "กขคงจ", "한국어수도"]


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_ranking_is_that_of_the_definition(conn: Any, evidence: Any, alphabet: str) -> None:
    generator = random.Random(alphabet)
    letters = [*alphabet, *alphabet, "，", " word ", " ii "]
    for _ in range(12):
        texts = [
            "".join(generator.choice(letters) for _ in range(generator.randrange(1, 30)))
            for _ in range(generator.randrange(1, 90))
        ]
        texts += ["無"] * generator.choice([0, 400])  # short lines beside which all texts are long
        conn.execute("DROP TABLE IF EXISTS model")
        conn.execute("CREATE VIRTUAL TABLE model USING fts5(x, tokenize='cjk')")
        conn.executemany("INSERT INTO model(rowid, x) VALUES (?, ?)", list(enumerate(texts)))
        table = evidence.Table(texts)
        for _ in range(5):
            n = generator.randrange(1, 15)
            query = "".join(generator.choice(letters) for _ in range(n)) + "什么"
            got = found(conn, query, "model", mode="any", limit=100)
            assert_ranked(evidence, table, query, got)


def test_ranking_of_real_text_is_that_of_the_definition(
    conn: Any, evidence: Any, shared_dir: Path
) -> None:
    from benchmarks.quality.sets import read_set

    data = read_set(shared_dir / "data" / "retrieval" / "jsquad", 40)
    texts = data.passages[:200]
    conn.execute("CREATE VIRTUAL TABLE real_text USING fts5(x, tokenize='cjk')")
    conn.executemany("INSERT INTO real_text(rowid, x) VALUES (?, ?)", list(enumerate(texts)))
    table = evidence.Table(texts)
    for question in data.questions:
        got = found(conn, question.text, "real_text", mode="any", limit=100)
        assert_ranked(evidence, table, question.text, got)


# ---- anything typed ----


@given(st.text(max_size=40), st.sampled_from(["auto", "any", "all", "phrase", "prefix", "web"]))
def test_any_text_is_a_query(conn: Any, text: str, mode: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert set(found(conn, text, mode=mode)) <= {1, 2, 3, 4, 5, 6}


def test_long_texts_are_queries(conn: Any) -> None:
    assert found(conn, "机器学习" * 5000)[0] == 1
    assert found(conn, "word " * 20000) == []


# ---- cjk_rank ----


def test_rank_orders_by_coverage(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS r")
    conn.execute("CREATE VIRTUAL TABLE r USING fts5(a, b, tokenize='cjk')")
    texts = [("机器机器机器", ""), ("机器学习", ""), ("", "学习机器"), ("天气", "好")]
    conn.executemany("INSERT INTO r VALUES (?, ?)", texts)
    sql = "SELECT rowid FROM r WHERE r MATCH '机器 OR 学习' ORDER BY "
    assert fts.column(conn, sql + "cjk_rank(r)")[-1] == 1
    assert fts.column(conn, sql + "cjk_rank(r, 1.0, 5.0)")[0] == 3
    where = sql.replace("ORDER BY ", "AND rank MATCH 'cjk_rank(9.0, 1.0)' ORDER BY rank")
    assert fts.column(conn, where)[0] == 2
    conn.execute("INSERT INTO r(r, rank) VALUES ('rank', 'cjk_rank(1.0, 5.0)')")
    assert fts.column(conn, sql + "rank")[0] == 3
    values = fts.column(conn, "SELECT rank FROM r WHERE r MATCH '机器 OR 学习'")
    assert all(value < 0 for value in values)


def test_inner_functions_cannot_be_misused(conn: Any) -> None:
    with pytest.raises(Exception, match="for cjk_search"):
        fts.rows(conn, "SELECT cjk_totals(notes, 1) FROM notes WHERE notes MATCH '机器'")


# ---- Python ----


def test_python_counts_characters_or_utf16(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS offsets")
    conn.execute("CREATE VIRTUAL TABLE offsets USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO offsets VALUES ('😀𠮷 abc 学习机器')")
    [hit] = search(conn, "offsets", "学习机器", highlight=True, snippet=4)
    assert (hit.rowid, hit.snippet) == (1, "…[学习机器]")
    assert hit.highlights == (Highlight(0, 7, 11),)
    [hit] = search(conn, "offsets", "学习机器", highlight=True, utf16=True)
    assert hit.highlights == (Highlight(0, 9, 13),)


UNITS = [
    "😀",
    "𠮷",
    "𩸽",
    "学",
    "习",
    "a",
    "é",
    "か\u3099",
    "葛\U000e0100",
    "👨\u200d👩",
    "한",
    "ｶﾞ",
    " ",
    "，",
]


@given(st.lists(st.sampled_from(UNITS), max_size=12).map("".join), st.sampled_from(UNITS[:11]))
def test_python_offsets_are_those_of_characters_and_utf16(text: str, typed: str) -> None:
    """Both cut the same piece out of the text, each in its own units."""
    conn = fts.open_host("sqlite3")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, y, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES (?, ?)", ("𠮷" + typed, text))
    [hit] = search(conn, "t", typed, highlight=True)
    [other] = search(conn, "t", typed, highlight=True, utf16=True)
    assert len(hit.highlights) == len(other.highlights) > 0
    texts = ["𠮷" + typed, text]
    for one, two in zip(hit.highlights, other.highlights):
        assert one.column == two.column
        piece = texts[one.column][one.start : one.end]
        encoded = texts[one.column].encode("utf-16-le")
        assert encoded[2 * two.start : 2 * two.end].decode("utf-16-le") == piece
        assert piece


def test_python_errors(conn: Any) -> None:
    with pytest.raises(TypeError, match="text must be a str"):
        search(conn, "notes", b"x")  # type: ignore[arg-type]
    with pytest.raises(cjk_tokenizer.Error, match="no mode"):
        list(search(conn, "notes", "学习", mode="best"))
    for options, message in (
        ({"weights": [1, float("nan")]}, "not nan"),
        ({"weights": [float("inf"), 1]}, "not inf"),
        ({"columns": "nobody"}, "nobody"),
        ({"columns": "title\0x"}, "columns has a NUL"),
        ({"schema": "main\0x"}, "schema has a NUL"),
        ({"mode": "all\0x"}, "mode has a NUL"),
    ):
        with pytest.raises(ArgumentError, match=message):
            list(search(conn, "notes", "学习", **options))
    with pytest.raises(ArgumentError, match="table has a NUL"):
        list(search(conn, "notes\0x", "学习"))
    for wrong in {"weights": "12"}, {"highlight": "yes"}, {"utf16": "no"}, {"columns": [1]}:
        with pytest.raises(TypeError):
            search(conn, "notes", "学习", **wrong)
    one, listed = (
        [hit.rowid for hit in search(conn, "notes", "学习", columns=each)]
        for each in ("title", ["title"])
    )
    assert one == listed != []
    assert list(search(conn, "notes", "\ud800学习", weights=[2, 1], columns=["title"])) != []


def test_searches_leave_no_memory_behind() -> None:
    fts.need(apsw, "memory_used")
    conn = fts.open_host("apsw")
    conn.execute("CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize='cjk')")
    conn.executemany("INSERT INTO notes VALUES (?, ?)", NOTES)
    used = []
    for _ in range(6):  # SQLite's own caches grow in the first of them
        for _ in range(50):
            found(conn, "机器学习的方法", snippet=9, highlight=1)
            found(conn, "天气", mode="web", columns="title", weights="2")
            with pytest.raises(apsw.SQLError):
                found(conn, "天气", columns="none")
        used.append(apsw.memory_used())
    assert used[-1] - used[-2] < 1000


@pytest.mark.parametrize("detail", ["full", "column", "none"])
def test_words_of_a_dictionary_need_no_phrases(conn: Any, detail: str) -> None:
    conn.execute("DROP TABLE IF EXISTS cut")
    conn.execute(
        f"CREATE VIRTUAL TABLE cut USING fts5(x, detail={detail}, tokenize='cjk segment jieba')"
    )
    conn.executemany("INSERT INTO cut VALUES (?)", [("東京都の人口",), ("冰淇淋很好吃",)])
    assert found(conn, "東京都", "cut") == [1]  # 東 京 都, each a word
    assert found(conn, "冰淇淋", "cut") == [2]
