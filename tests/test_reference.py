"""The plain Python tokenizer makes the tokens that docs/stream.md describes.

Statements about text (input, arguments, tokens) first, then properties, then unicode61 and
grapheme clusters, against implementations that are not ours. How it gets into connections is
tested in test_register_reference.py.
"""

from __future__ import annotations

import time
from typing import Any

import apsw
import pytest
import regex
import strategies
from hypothesis import given
from hypothesis import strategies as st
from nasty import BROKEN_TEXTS, INVALID, NASTY, TEXTS, large_texts

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.reference import Unicode61, parse, register_reference, rewrite, tokenize
from cjk_tokenizer.reference import characters as ch
from cjk_tokenizer.reference.fold import fold_text
from cjk_tokenizer.reference.options import CHOICES, split
from cjk_tokenizer.reference.runs import cut_runs


def tokens(text: str, arguments: str = "", query: bool = False) -> str:
    """The stream in one line; colocated tokens in brackets."""
    stream = tokenize(text, arguments, query=query)
    return " ".join(f"({each.token})" if each.colocated else each.token for each in stream)


def runs(text: str | bytes, arguments: str = "") -> list[tuple[int, list[str]]]:
    """(kind, texts of the units) of each run."""
    utf8 = text.encode() if isinstance(text, str) else text
    options = parse(arguments)
    units = fold_text(utf8, emoji=options.emoji)
    return [(kind, [unit.text for unit in run]) for kind, run in cut_runs(utf8, units, options)]


def sources(text: str, arguments: str = "", query: bool = True) -> list[str]:
    """The source text of each token."""
    utf8 = text.encode()
    return [utf8[t.start : t.end].decode() for t in tokenize(text, arguments, query=query)]


# --- statements: text, arguments, tokens


@pytest.mark.parametrize(
    ("text", "arguments", "document", "query"),
    [
        ("学", "", "学", "学"),
        ("学習", "", "学習 (学) 習", "学習"),
        ("学習した", "", "学習 (学) 習し (習) した (し) た", "学習 習し した"),
        ("学習した", "unigrams 0", "学習 習し した た", "学習 習し した"),
        ("学習した", "segment unigram", "学 習 し た", "学 習 し た"),
        ("学習abc", "", "学習 (学) 習 abc", "学習 習 abc"),
        ("学習、", "", "学習 (学) 習", "学習"),
        ("学習、東京", "", "学習 (学) 習 東京 (東) 京", "学習 習 東京"),
        ("14世", "", "14 世", "14 世"),
        ("กิน", "", "กิน (กิ) น", "กิน"),
        ("", "", "", ""),
        ("、。 ", "", "", ""),
    ],
)
def test_ngrams(text: str, arguments: str, document: str, query: str) -> None:
    assert tokens(text, arguments) == document
    assert tokens(text, arguments, query=True) == query


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ｶﾞｷﾞ", ["ガ", "ギ"]),
        ("か\u3099", ["が"]),
        ("は\u309a", ["ぱ"]),
        ("か\u200b\u3099", ["が"]),
        ("か\u0301\u3099", ["が"]),
        ("あ\u3099い", ["あ", "\u3099", "い"]),
        ("か\u3099\u3099", ["が", "\u3099"]),
        ("\u1112\u1161\u11ab", ["한"]),
        ("하\u11ab", ["한"]),
        ("\u1112\u1112\u1161", ["ㅎ", "하"]),
        ("\u11ab", ["ㄴ"]),
        ("\u1100\u119e", ["ㄱ", "\u119e"]),
        ("ﾡﾢ", ["ㄱ", "ㄲ"]),
        ("㍿", ["株", "式", "会", "社"]),
        ("⼀⺟", ["一", "母"]),
        ("豈", ["豈"]),
        ("学\ufe00習\U000e0100", ["学", "習"]),
        ("学\u0301習\u20e3", ["学", "習"]),
        ("サ—バ", ["サ", "ー", "バ"]),
        ("ｻ－ﾊﾞ", ["サ", "ー", "バ"]),
        ("サー─バ", ["サ", "ー", "ー", "バ"]),
    ],
)
def test_fold_of_cjk(text: str, folded: list[str]) -> None:
    assert runs(text) == [(ch.CJK, folded)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u3099b", "a b"),
        ("가ㆍ나", "가 나"),
        ("\u1100\u1161ㆍ国", "가 国"),
        ("ㆍ\u200b가", "가"),
        ("サ——バ", "サ バ"),
        ("か—か", "か か"),
        ("ＡＢＣ１２３ Ⅲ ㎏ ①", "abc123 iii kg 1"),
        ("e\u0301a\u00adb", "eab"),
        ("学\ufffd習", "学 習"),
        ("学\0習", "学 習"),
        ("中・国·人･民", "中 国 人 民"),
    ],
)
def test_fold_of_text(text: str, expected: str) -> None:
    assert tokens(text, query=True) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("👍🏽👍", "👍🏽 👍"),
        ("❤️☺︎", "❤ ☺"),
        ("👨\u200d👩\ufe0f\u200d👧", "👨\u200d👩\u200d👧"),
        ("👨\u200d", "👨"),
        ("👨\u200d\ufe0f👩", "👨 👩"),
        ("👨\u200b\u200d👩", "👨 👩"),
        ("👨\u0301\u200d👩", "👨\u200d👩"),
        ("🇯🇵🇰🇷🇹", "🇯🇵 🇰🇷 🇹"),
        ("🇯\ufe0f🇵", "🇯 🇵"),
        ("👨\u200d🇯🇵", "👨 🇯🇵"),
        ("🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e007f"),
        ("1️⃣a#⃣①⃣", "1⃣ a #⃣ 1⃣"),
        ("1\u200b\u20e3", "1"),
        ("学👍習", "学 👍 習"),
    ],
)
def test_emoji(text: str, expected: str) -> None:
    assert tokens(text, query=True) == expected


def test_emoji_may_be_left_out() -> None:
    assert tokens("a👍b🇯🇵1️⃣学👍習", "emoji 0") == "a b 1 学 習"


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("日\n本\r\n語\r学", "", "日本 本語 語学"),
        ("日\n本", "join_lines 0", "日 本"),
        ("日\n\n本", "", "日 本"),
        ("日\u200b\n\ufe00本", "", "日本"),
        ("日\n가\n나", "", "日 가 나"),
        ("日 本　語", "join_spaces 1", "日本 本語"),
        ("日 本　語", "", "日 本 語"),
        ("日本 語", "join_spaces 1", "日本 本 語"),
        ("日 本語", "join_spaces 1", "日 本語"),
        ("a日 本b", "join_spaces 1", "a 日本 本 b"),
        ("日 가ㆍ", "join_spaces 1", "日가"),
        ("太**字**と~~線~~", "bridge_markup 1", "太字 字と と線"),
        ("太**字", "", "太 字"),
        ("太<b class='x<y'>字</B>と", "bridge_markup 1", "太字 字と"),
        ("太<br>字", "bridge_markup 1", "太 br 字"),
        ("太*\n字", "bridge_markup 1", "太 字"),
        ("太*⃣字", "bridge_markup 1", "太 *⃣ 字"),
        ("東京〜大阪＊", "bridge_markup 1", "東京 京 大阪"),
        ("ㄱ**ㅏ", "bridge_markup 1", "ㄱㅏ"),
        ("\u1112**\u1161", "bridge_markup 1", "ㅎㅏ"),
        ("ひらカナゝ", "fold_kana 1", "ヒラ ラカ カナ ナヽ"),
        ("時々", "fold_iteration 1", "時時"),
        ("部分々々", "fold_iteration 1", "部分 分部 部分"),
        ("も時々々", "fold_iteration 1", "も時 時時 時時"),
        ("いすゞ", "fold_iteration 1", "いす すず"),
        ("がゝ", "fold_iteration 1", "がか"),
        ("ばゞなゞ", "fold_iteration 1", "ばば ばな なな"),
        ("々時", "fold_iteration 1", "々時"),
        ("学ゝ", "fold_iteration 1", "学ゝ"),
        ("々時々々", "fold_iteration 1", "々時 時時 時時"),
        ("サーバー", "fold_prolonged 1", "サー ーバ"),
        ("サーバーー、", "fold_prolonged 1", "サー ーバ"),
        ("漢ーー", "fold_prolonged 1", "漢ー ーー"),
        ("さあー", "fold_kana 1 fold_prolonged 1", "サア"),
    ],
)
def test_runs_and_rewriting(text: str, arguments: str, expected: str) -> None:
    assert tokens(text, arguments, query=True) == expected


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("㍿a", "", ["㍿", "㍿", "㍿", "㍿", "a"]),
        ("学\ufe00\u200b習", "", ["学\ufe00\u200b習"]),
        ("学\u200b\ufe00a\ufe0f", "", ["学\u200b\ufe00", "a\ufe0f"]),
        ("学\u200ba", "", ["学", "a"]),
        ("か\u3099a", "", ["か\u3099", "a"]),
        ("👍\u200b\ufe0f\u0301a", "", ["👍\u200b\ufe0f\u0301", "a"]),
        ("1️⃣\u200d\u0301a", "", ["1️⃣\u200d\u0301", "a"]),
        ("ｎａïve", "", ["ｎａïve"]),
        ("バーー a", "fold_prolonged 1", ["バーー", "a"]),
        ("日\n本", "", ["日\n本"]),
    ],
)
def test_offsets(text: str, arguments: str, expected: list[str]) -> None:
    assert sources(text, arguments) == expected


def test_a_token_behind_a_run_keeps_its_position_in_a_query() -> None:
    document = {each.token: each.position for each in tokenize("学習abc")}
    query = {each.token: each.position for each in tokenize("学習abc", query=True)}
    assert query == {token: document[token] for token in query}


def test_prefix_makes_no_difference() -> None:
    assert tokenize("学習", query=True, prefix=True) == tokenize("学習", query=True)


def test_very_long_runs_are_rewritten_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite, "MAX_UNITS", 3)
    # The 々 begins a part: nothing stands before it there. The n-grams know of no parts.
    assert tokens("時時時々時", "fold_iteration 1", query=True) == "時時 時時 時々 々時"


# --- arguments


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("segment", ["segment", "bigram", "unigram"]),
        ("segment trigram", ["segment", "'trigram'", "bigram", "unigram"]),
        ("unigrams yes", ["unigrams", "'yes'", "0", "1"]),
        ("version 2", ["version", "'2'", "1"]),
        ("remove_diacritics", ["remove_diacritics", "0, 1, 2"]),
        ("remove_diacritics 3", ["remove_diacritics 3", "0, 1, 2"]),
        ("nonsense", ["'nonsense'", "option"]),
        ("porter nonsense", ["'porter'", "'nonsense'"]),
        ("remove_diacritics 0 porter", ["remove_diacritics", "'porter'"]),
        ("tokenchars '+", ["quotes", "'+"]),
        ("tokenchars +", ["quotes", ": +"]),
    ],
)
def test_wrong_arguments_are_errors_that_name_them(arguments: str, parts: list[str]) -> None:
    with pytest.raises(ArgumentError) as caught:
        tokenize("", arguments)
    assert isinstance(caught.value, ValueError)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_arguments_are_cut_as_fts5_cuts_them() -> None:
    """Single quotes and blanks alone; words may touch."""
    assert split("""a 'b''c'd  '' é_1""") == ["a", "b'c", "d", "", "é_1"]
    for other in ('"a"', "`a`", "[a]", "a\tb", "a,b"):
        with pytest.raises(ArgumentError, match="cannot be read"):
            split(other)


def test_every_value_of_every_option_is_taken() -> None:
    for name, values in CHOICES.items():
        for value in values:
            assert parse(f"{name} {value}") == parse([name.upper(), value])


def test_parent_tokenizers() -> None:
    assert tokens("学習 running Ünïcode", "porter", query=True) == "学習 習 run unicod"
    assert tokens("Ünïcode", "unicode61 remove_diacritics 0") == "ünïcode"
    assert tokens("C++ C#", "tokenchars '+#'") == "c++ c#"
    assert tokens("ａｂｃｄ学", "trigram") == "abc bcd 学"
    assert sources("ａｂｃｄ", "trigram") == ["ａｂｃ", "ｂｃｄ"]


# --- properties


@given(strategies.utf8(), strategies.arguments(), st.booleans())
def test_offsets_rise_and_stay_in_the_text(text: bytes, arguments: str, query: bool) -> None:
    stream = tokenize(text, arguments, query=query)
    assert all(0 <= each.start < each.end <= len(text) for each in stream)
    leaders = [each for each in stream if not each.colocated]
    assert [each.position for each in leaders] == list(range(len(leaders)))
    assert all(a.start <= b.start and a.end <= b.end for a, b in zip(leaders, leaders[1:]))


@given(strategies.texts(), strategies.arguments())
def test_offsets_lie_on_character_borders(text: str, arguments: str) -> None:
    borders = {len(text[:n].encode()) for n in range(len(text) + 1)}
    for each in tokenize(text, arguments):
        assert {each.start, each.end} <= borders


@given(strategies.utf8())
def test_breaks_are_what_python_replaces(text: bytes) -> None:
    decoded = list(ch.decode(text))
    assert [start for _, start, _ in decoded] == [0, *[end for *_, end in decoded]][:-1]
    characters = "".join("\ufffd" if n == ch.BREAK else chr(n) for n, *_ in decoded)
    assert characters == text.decode("utf-8", "replace").replace("\0", "\ufffd")


@pytest.mark.parametrize("broken", INVALID, ids=repr)
def test_broken_bytes_separate_and_harm_nothing(broken: bytes) -> None:
    text = b"\xe5\xad\xa6" + broken + b"\xe7\xbf\x92"
    stream = tokenize(text)
    assert (stream[0].token, stream[0].end) == ("学", 3)
    assert (stream[-1].token, stream[-1].start) == ("習", len(text) - 3)


@given(strategies.utf8(), strategies.arguments())
def test_a_query_finds_the_text_that_it_is(text: bytes, arguments: str) -> None:
    """Each token of a query stands in the document of the same text, at the same position."""
    document = {(each.token, each.position) for each in tokenize(text, arguments)}
    query = tokenize(text, arguments, query=True)
    assert {(each.token, each.position) for each in query} <= document


@given(strategies.texts("complex"), strategies.texts("complex"))
def test_clusters_do_not_depend_on_what_stands_before(left: str, right: str) -> None:
    """Text that is cut at the border of a cluster has the clusters of its parts."""

    def clusters(text: str) -> list[str]:
        return [unit.text for unit in fold_text(text.encode())]

    whole = clusters(left + right)
    for n in range(len(whole) + 1):
        assert clusters("".join(whole[:n])) + clusters("".join(whole[n:])) == whole


# --- against others


@given(strategies.texts("complex"), st.sampled_from(["", "abc", "学"]))
def test_complex_units_are_grapheme_clusters(text: str, tail: str) -> None:
    units = [unit.text for unit in fold_text((text + tail).encode()) if unit.kind == ch.COMPLEX]
    clusters = [each for each in regex.findall(r"\X", text + tail) if each not in tail]
    if regex.search("[\u17d2\u1039\u1a60]", text):
        # Later versions of Unicode keep stacked consonants together; here each is one more unit.
        assert {*borders(clusters)} <= {*borders(units)}
    else:
        assert units == clusters


def borders(pieces: list[str]) -> list[int]:
    return [len("".join(pieces[:n])) for n in range(len(pieces) + 1)]


UNICODE61_ARGUMENTS = [
    [],
    ["remove_diacritics", "0"],
    ["remove_diacritics", "2"],
    ["tokenchars", "_-.\u0301", "separators", "aé\u0301"],
    ["categories", "L* N* Co Mn So Pd"],
]


def real_unicode61(text: bytes, arguments: list[str]) -> list[tuple[int, int, str]]:
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer("unicode61", arguments)
    found: list[Any] = list(tokenizer(text, 4, None))
    return found


@pytest.mark.parametrize("arguments", UNICODE61_ARGUMENTS)
def test_unicode61_over_alphabets(arguments: list[str]) -> None:
    assert_unicode61(arguments, range(0x3000))


@pytest.mark.slow
@pytest.mark.parametrize("arguments", UNICODE61_ARGUMENTS)
def test_unicode61_over_all_code_points(arguments: list[str]) -> None:
    assert_unicode61(arguments, range(0x3000, 0x110000))


def assert_unicode61(arguments: list[str], code_points: range) -> None:
    mine = Unicode61(arguments)
    for pattern in ("{}", "z{}z", "Z{}", "{}é"):
        for start in range(0, len(code_points), 0x4000):
            block = [chr(n) for n in code_points[start:][:0x4000] if not 0xD800 <= n < 0xE000]
            text = " \u3000".join(pattern.format(each) for each in block).encode()
            assert [(t.start, t.end, t.token) for t in mine(text)] == real_unicode61(
                text, arguments
            )


def is_left_alone(character: str) -> bool:
    """No rule of ours is about this character."""
    properties = ch.properties(ord(character))
    contextual = 1 << 12
    return properties & ch.CLASS in (ch.WORD, ch.MARK) and not properties & contextual


LEFT_ALONE = [each for each in strategies.ASSIGNED if is_left_alone(each)]
PLAIN = [*"aZé09 _-.'\n\u0301\u0323", *LEFT_ALONE[:2000:7]]


@given(
    st.one_of(
        st.lists(st.sampled_from(LEFT_ALONE)).map("".join),
        st.lists(st.sampled_from(PLAIN)).map("".join),
    ),
    st.sampled_from(UNICODE61_ARGUMENTS),
)
def test_text_that_is_left_alone_has_the_tokens_of_unicode61(
    text: str, arguments: list[str]
) -> None:
    stream = [(t.start, t.end, t.token) for t in tokenize(text, arguments)]
    assert stream == real_unicode61(text.encode(), arguments)


@given(strategies.joined([*strategies.WORDS, *" .,-", *"😀👨👩👧🚀☺❤"], 24))
def test_without_emoji_text_with_emoji_has_the_tokens_of_unicode61(text: str) -> None:
    """As far as unicode61 knows them: it takes what is younger than Unicode 6.1 for letters."""
    stream = [(t.start, t.end, t.token) for t in tokenize(text, "emoji 0")]
    assert stream == real_unicode61(text.encode(), [])


# --- MATCH is substring


@given(st.data(), st.lists(strategies.texts(max_size=8), min_size=1, max_size=8))
def test_match_is_substring(data: st.DataObject, rows: list[str]) -> None:
    """A query that is a piece of one run finds exactly the rows whose runs hold its units."""
    conn = apsw.Connection(":memory:")
    register_reference(conn)
    conn.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')")
    conn.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
    folded = [[run for kind, run in runs(row) if kind in (ch.CJK, ch.COMPLEX)] for row in rows]
    candidates = [run for row in folded for run in row]
    if not candidates:
        return
    run = data.draw(st.sampled_from(candidates))
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    piece = run[start:end]
    if runs("".join(piece)) not in ([(ch.CJK, piece)], [(ch.COMPLEX, piece)]):
        return  # a stray voicing mark, say: by itself it is no piece of a run
    expected = [n + 1 for n, row in enumerate(folded) if any(holds(each, piece) for each in row)]
    query = '"' + "".join(piece).replace('"', '""') + '"'
    found = [n for (n,) in conn.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY 1", (query,))]
    assert found == expected


def holds(run: list[str], piece: list[str]) -> bool:
    return any(run[n : n + len(piece)] == piece for n in range(len(run) - len(piece) + 1))


# --- cost


@pytest.mark.slow
def test_time_grows_with_the_length_of_the_text() -> None:
    small = {name: seconds(text) for name, text in large_texts(50_000)}
    for name, text in large_texts(400_000):
        assert seconds(text) < 24 * small[name] + 0.5, name


def seconds(text: bytes) -> float:
    start = time.process_time()
    tokenize(text, "join_spaces 1 bridge_markup 1 fold_iteration 1 fold_prolonged 1 fold_kana 1")
    return time.process_time() - start


def test_nasty_texts_are_not_all_alike() -> None:
    """The list keeps its worth: no text twice, each kind of token in it."""
    assert len(set(NASTY)) == len(TEXTS) + len(INVALID) + len(BROKEN_TEXTS)
    kinds = {kind for text in NASTY for kind, _ in runs(text)}
    assert kinds == {ch.WORD, ch.CJK, ch.COMPLEX, ch.EMOJI}
