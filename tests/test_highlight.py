"""cjk_highlight() and cjk_snippet(): exactly the characters that were searched for."""

from __future__ import annotations

import re
from typing import Any

import fts
import pytest
import regex
import strategies
from hypothesis import assume, example, given
from hypothesis import strategies as st

import cjk_tokenizer

OPEN, CLOSE = "\ue000", "\ue001"


@pytest.fixture(scope="module", params=fts.HOSTS)
def conn(request: pytest.FixtureRequest) -> Any:
    return fts.open_host(request.param)


def search(
    conn: Any, document: str, expression: str, call: str, arguments: str = "cjk"
) -> list[str]:
    conn.execute("DROP TABLE IF EXISTS t")
    conn.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{arguments}')")
    conn.execute("INSERT INTO t VALUES (?)", (document,))
    return fts.column(conn, f"SELECT {call} FROM t WHERE t MATCH ?", expression)


def highlight(conn: Any, document: str, expression: str, arguments: str = "cjk") -> list[str]:
    return search(conn, document, expression, "cjk_highlight(t, 0, '[', ']')", arguments)


@pytest.mark.parametrize(
    ("document", "expression", "marked"),
    [
        ("人民网民意调查", "人民", "[人民]网民意调查"),
        ("学习和学校", "学", "[学]习和[学]校"),
        ("葡萄", "葡", "[葡]萄"),
        ("機器學習與機器", "機器 OR 器學", "[機器學]習與[機器]"),
        ("機器學習", "機器 OR 學習", "[機器學習]"),
        ("開始ﾃﾞｰﾀ送信", "データ", "開始[ﾃﾞｰﾀ]送信"),
        ("㍿山田", "式会", "[㍿]山田"),
        ("葛\U000e0100城市", "葛", "[葛\U000e0100]城市"),
        ("か\u3099きか", "が", "[か\u3099]きか"),
        ("ＭｙＳＱＬは便利", "mysql", "[ＭｙＳＱＬ]は便利"),
        ("学习C++语言", '"C 语言"', "学习[C++语言]"),
        ("会\u200b议纪要", "会议", "[会\u200b议]纪要"),
        ("東\n京タワー", "東京", "[東\n京]タワー"),
        ("あ👨\u200d👩い", "👨\u200d👩", "あ[👨\u200d👩]い"),
        ("สวัสดี", "สดี", "สวั[สดี]"),
        ("the quick fox", "qui*", "the [quick] fox"),
        ("a b", "a OR b", "[a] [b]"),
        ("कि क", "क", "[कि] [क]"),  # unicode61 takes the vowel sign for a separator
        ("c\u309a d", "c", "[c\u309a] d"),
    ],
)
def test_marks(conn: Any, document: str, expression: str, marked: str) -> None:
    if not expression.isascii() and '"' not in expression and " " not in expression:
        expression = fts.quoted(expression)
    assert highlight(conn, document, expression) == [marked]


@pytest.mark.parametrize("arguments", ["cjk unigrams 0", "cjk segment unigram", "porter cjk"])
def test_one_character_is_one_character(conn: Any, arguments: str) -> None:
    expression = cjk_tokenizer.query("学", tokenize=arguments)
    assert highlight(conn, "学习，大学", expression, arguments) == ["[学]习，大[学]"]


def occurrences(document: str, terms: list[str]) -> set[int]:
    """The characters of `document` that lie in an occurrence of a term."""
    return {
        i
        for term in terms
        for start in range(len(document))
        if document.startswith(term, start)
        for i in range(start, start + len(term))
    }


def marked_characters(text: str) -> tuple[str, set[int]]:
    plain, inside, characters = "", False, set()
    for character in text:
        if character in (OPEN, CLOSE):
            assert inside == (character == CLOSE), "marks do not nest"
            inside = character == OPEN
            continue
        if inside:
            characters.add(len(plain))
        plain += character
    assert not inside
    return plain, characters


@given(
    document=st.text(alphabet="学习机器人、 ", min_size=1, max_size=30),
    terms=st.lists(st.text(alphabet="学习机器人", min_size=1, max_size=4), min_size=1, max_size=3),
)
@example(document="学学学", terms=["学学", "学"])
def test_marks_are_the_occurrences(conn: Any, document: str, terms: list[str]) -> None:
    expression = " OR ".join(fts.quoted(term) for term in terms)
    call = f"cjk_highlight(t, 0, '{OPEN}', '{CLOSE}')"
    expected = occurrences(document, terms)
    for result in search(conn, document, expression, call):
        plain, characters = marked_characters(result)
        assert plain == document
        assert characters == expected


def graphemes(text: str) -> list[tuple[int, int]]:
    """Start and end of each, by Unicode's rules; what stands behind a joiner belongs to it."""
    return [match.span() for match in regex.finditer(r"\X(?:(?<=\u200d)\X)*", text)]


@given(document=strategies.texts(), typed=strategies.texts(max_size=4))
@example(document="😀学😀が😀\u3099", typed="😀学😀が😀\u3099")
@example(document="\u2028\u1a6b", typed="\u1a6b")
@example(document="\u200b\u0e33ก", typed="\u0e33")
def test_marks_fold_to_what_was_typed(conn: Any, document: str, typed: str) -> None:
    """For any text: marks nest nowhere, change nothing, and cover what the query's tokens are."""
    assume("\0" not in document and OPEN not in document)
    expression = cjk_tokenizer.query(typed, "any")
    call = f"cjk_highlight(t, 0, '{OPEN}', '{CLOSE}')"
    phrases = re.findall(r'"((?:[^"]|"")*)"', expression)
    wanted = {
        token.text
        for phrase in phrases
        for token in cjk_tokenizer.tokenize(phrase.replace('""', '"'), query=True)
    }
    for result in search(conn, document, expression, call):
        plain, characters = marked_characters(result)
        assert plain == document
        hits = [t for t in cjk_tokenizer.tokenize(document) if t.text in wanted]
        covered = {i for t in hits for i in range(t.start, t.end)}
        # A mark does not end inside what is seen as one character.
        covered |= {i for start, end in graphemes(plain) for i in range(start, end)
                    if covered & set(range(start, end))}  # fmt: skip
        assert characters <= covered
        assert characters


@given(
    document=st.text(alphabet="学习机器人 abc。\n", min_size=1, max_size=200),
    term=st.text(alphabet="学习机器", min_size=1, max_size=3),
    characters=st.integers(1, 40),
)
@example(document="学学学学", term="学学", characters=3)
@example(document="学习学习很好学习学习", term="学习", characters=5)
def test_snippets(conn: Any, document: str, term: str, characters: int) -> None:
    call = f"cjk_snippet(t, 0, '{OPEN}', '{CLOSE}', '…', {characters})"
    for result in search(conn, document, fts.quoted(term), call):
        plain, marked = marked_characters(result)
        piece = plain.removeprefix("…").removesuffix("…")
        assert piece in document
        assert marked, "a snippet shows a match"
        pattern = r"(?: *\n)?".join(term)  # a line break is no border in a run
        longest = max(len(match[1]) for match in re.finditer(f"(?=({pattern}))", document))
        assert len(piece) <= max(characters, longest)


@pytest.mark.parametrize(
    ("document", "expression", "characters", "snippet"),
    [
        ("今天天气不错", "天气", 20, "今天[天气]不错"),
        ("第一句话。第二句说天气。第三句话。", "天气", 8, "…第二句说[天气]。…"),
        ("天气" + "很" * 100, "天气", 6, "[天气]很很很很…"),
        ("很" * 100 + "天气", "天气", 6, "…很很很很[天气]"),
        ("天气在前。" + "很" * 50 + "天气和公园", "天气 OR 公园", 8, "…很很很[天气]和[公园]"),
        ("哈哈哈哈哈", "哈哈", 3, "[哈哈哈]…"),
        ("天气天气很好", "天气", 3, "[天气]…"),
        ("天气好极了", "天气好", 2, "[天气好]…"),
    ],
)
def test_snippet_examples(
    conn: Any, document: str, expression: str, characters: int, snippet: str
) -> None:
    call = f"cjk_snippet(t, 0, '[', ']', '…', {characters})"
    assert search(conn, document, expression, call) == [snippet]


def test_the_best_column(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS two")
    conn.execute("CREATE VIRTUAL TABLE two USING fts5(title, body, tokenize='cjk')")
    conn.execute("INSERT INTO two VALUES ('学习', '学习再学习')")
    sql = "SELECT cjk_highlight(two, -1, '[', ']') FROM two WHERE two MATCH '学习'"
    assert fts.value(conn, sql) == "[学习]再[学习]"


def test_a_table_without_text_gives_null(conn: Any) -> None:
    conn.execute("DROP TABLE IF EXISTS none")
    conn.execute("CREATE VIRTUAL TABLE none USING fts5(x, content='', tokenize='cjk')")
    conn.execute("INSERT INTO none(rowid, x) VALUES (1, '学习')")
    sql = "SELECT cjk_highlight(none, 0, '[', ']'), cjk_snippet(none, 0, '', '', '', 9) FROM none"
    assert fts.rows(conn, sql + " WHERE none MATCH '学习'") == [(None, None)]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("cjk_highlight(t, 1, '[', ']')", "column's number, 0 to 0"),
        ("cjk_highlight(t, 'x', '[', ']')", "column's number"),
        ("cjk_highlight(t, 0, '[')", "takes 4 arguments"),
        ("cjk_snippet(t, 0, '[', ']', '…', 0)", "number of characters"),
        ("cjk_snippet(t, 0, '[', ']')", "takes 6 arguments"),
    ],
)
def test_wrong_calls_say_what_is_wrong(conn: Any, call: str, said: str) -> None:
    with pytest.raises(Exception, match=said):
        search(conn, "学习", "学习", call)


def test_two_queries_at_once(conn: Any) -> None:
    """Each statement marks its own terms, also where two run on one table."""
    conn.execute("DROP TABLE IF EXISTS t")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES ('学习一'), ('学习二')")
    sql = "SELECT cjk_highlight(t, 0, '[', ']') FROM t WHERE t MATCH ? ORDER BY rowid"
    first = iter(conn.execute(sql, ("学",)))
    one = next(first)
    second = iter(conn.execute(sql, ("学习",)))
    assert [one, next(second), next(first), next(second)] == [
        ("[学]习一",), ("[学习]一",), ("[学]习二",), ("[学习]二",),
    ]  # fmt: skip


def test_a_snippet_of_broken_text_is_as_long_as_asked(conn: Any) -> None:
    document = "重要".encode() + b"\xb8" * 400 + "重要".encode()
    conn.execute("DROP TABLE IF EXISTS t")
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.execute("INSERT INTO t VALUES (CAST(? AS TEXT))", (document,))
    call = "CAST(cjk_snippet(t, 0, '', '', '', 50) AS BLOB)"
    (snippet,) = fts.column(conn, f"SELECT {call} FROM t WHERE t MATCH '重要'")
    assert snippet in document
    assert len(snippet.decode("utf-8", "replace")) <= 50
