"""Texts and their tokens, script by script, and what holds for the tokens of any text.

A stream is written as one line: tokens with blanks between them, `+` before a colocated one. Where
offsets matter they stand behind the token, in characters: `データ@2-6`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw
import pytest
import strategies
from fts import need, open_host, rows, tokens
from hypothesis import given
from hypothesis import strategies as st
from nasty import TEXTS

from cjk_tokenizer import Error, tokenize

pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture(scope="module")
def conn() -> Iterator[Any]:
    conn = open_host("apsw")
    yield conn
    conn.close()


def stream(text: str, arguments: str = "", *, query: bool = False, offsets: bool = False) -> str:
    return " ".join(
        ("+" if token.colocated else "")
        + token.text
        + (f"@{token.start}-{token.end}" if offsets else "")
        for token in tokenize(text, arguments, query=query)
    )


# --- What holds for any text ---------------------------------------------------------------------


@given(strategies.utf8(), strategies.arguments(), st.sampled_from(["document", "query"]))
def test_offsets_rise_and_lie_on_character_borders(
    conn: Any, text: bytes, arguments: str, mode: str
) -> None:
    borders = character_borders(text)
    last_start = last_end = 0
    for token, start, end, _, colocated in tokens(conn, text, f"cjk {arguments}", mode):
        # Only a mark that unicode61 is told to take for a word leaves nothing of it.
        assert token or "categories" in arguments
        assert start in borders and end in borders, (token, start, end)
        assert last_start <= start < end <= len(text)
        # A colocated token lies within the one that it goes with.
        assert end <= last_end if colocated else end >= last_end
        last_start, last_end = start, last_end if colocated else end


def character_borders(text: bytes) -> set[int]:
    """Where a character begins or ends; a broken byte is a character for this."""
    borders = {0}
    for character in text.decode("utf-8", "surrogateescape"):
        is_broken = "\udc80" <= character <= "\udcff"
        borders.add(max(borders) + (1 if is_broken else len(character.encode())))
    return borders


@given(strategies.utf8(), strategies.arguments(), st.sampled_from(["document", "query"]))
def test_positions_count_up_and_queries_have_nothing_colocated(
    conn: Any, text: bytes, arguments: str, mode: str
) -> None:
    position = -1
    for _, _, _, at, colocated in tokens(conn, text, f"cjk {arguments}", mode):
        position += not colocated
        assert at == position
        assert not (colocated and mode == "query")


@given(
    strategies.texts("han", "hiragana", "katakana", "half_width", "hangul", "squared", "voicing")
)
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    """Folding is idempotent: the characters of a stream make that stream again."""
    folded = tokenize(text, "segment unigram")
    # A voicing mark with nothing to compose with is a unit behind another one only.
    apart = "".join(("" if t.text in "\u3099\u309a" else " ") + t.text for t in folded)
    again = tokenize(apart, "segment unigram")
    assert [token.text for token in again] == [token.text for token in folded]


@given(strategies.texts(), st.sampled_from(["", "unigrams 0", "join_lines 0", "emoji 0"]))
def test_the_options_that_leave_out_leave_the_rest(text: str, arguments: str) -> None:
    """Unigrams are what bigrams are made of: the characters of a text, whatever is put together."""
    unigrams = tokenize(text, "segment unigram " + arguments.replace("unigrams 0", ""))
    firsts = [token for token in tokenize(text, arguments) if not token.colocated]
    assert [token.start for token in firsts] == [token.start for token in unigrams]
    for bigram, unigram in zip(firsts, unigrams):
        assert bigram.text.startswith(unigram.text)


@given(strategies.texts(), strategies.texts(), strategies.arguments())
def test_a_nul_parts_texts(conn: Any, left: str, right: str, arguments: str) -> None:
    """Text on either side of a NUL has the tokens that it has alone."""
    whole = tokens(conn, f"{left}\0{right}", f"cjk {arguments}")
    first, second = tokens(conn, left, f"cjk {arguments}"), tokens(conn, right, f"cjk {arguments}")
    n_bytes, n_positions = len(left.encode()) + 1, sum(not token[4] for token in first)
    moved = [(t, s + n_bytes, e + n_bytes, p + n_positions, c) for t, s, e, p, c in second]
    assert whole == first + moved


@given(strategies.texts())
def test_options_at_their_defaults_change_nothing(conn: Any, text: str) -> None:
    options = rows(conn, "SELECT name, default_value FROM cjk_options() WHERE kind != 'unicode61'")
    written = " ".join(f"{name} {value}" for name, value in options)
    assert written
    assert tokens(conn, text, f"cjk {written}") == tokens(conn, text)


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_the_tokens_shown_are_those_that_fts5_gets(conn: Any, text: str) -> None:
    """cjk_tokens() against the tokenizer itself, as another program's glue calls it."""
    need(conn, "fts5_tokenizer")
    called = conn.fts5_tokenizer("cjk", [])
    for mode, flag in [
        ("document", apsw.FTS5_TOKENIZE_DOCUMENT),
        ("query", apsw.FTS5_TOKENIZE_QUERY),
    ]:
        groups: list[list[Any]] = []
        for token, start, end, _, colocated in tokens(conn, text, "cjk", mode):
            if colocated:
                groups[-1].append(token)
            else:
                groups.append([start, end, token])
        assert called(text.encode(), flag, None) == [tuple(group) for group in groups]


# --- Runs ----------------------------------------------------------------------------------------

EXAMPLES = [
    # Chinese, Japanese, Korean.
    ("学", "", "学"),
    ("学习", "", "学习 +学 习"),
    ("机器学习", "", "机器 +机 器学 +器 学习 +学 习"),
    ("東京・大阪", "", "東京 +東 京 大阪 +大 阪"),
    ("今天、天气", "", "今天 +今 天 天气 +天 气"),
    ("剥いて", "", "剥い +剥 いて +い て"),
    ("スーパー", "", "スー +ス ーパ +ー パー +パ ー"),
    ("한국어 문서", "", "한국 +한 국어 +국 어 문서 +문 서"),
    ("漢字カナ한글", "", "漢字 +漢 字カ +字 カナ +カ ナ한 +ナ 한글 +한 글"),
    ("人々〇〆", "", "人々 +人 々〇 +々 〇〆 +〇 〆"),
    ("ㄅㄆㇰㇱ", "", "ㄅㄆ +ㄅ ㄆㇰ +ㄆ ㇰㇱ +ㇰ ㇱ"),
    ("𠮷野家", "", "𠮷野 +𠮷 野家 +野 家"),
    ("ꀀꀁ 𗀀𗀁 𛅰𛅱 𘬀𘬁", "", "ꀀꀁ +ꀀ ꀁ 𗀀𗀁 +𗀀 𗀁 𛅰𛅱 +𛅰 𛅱 𘬀𘬁 +𘬀 𘬁"),
    # Other scripts end a run, and so do digits.
    ("重启nginx服务", "", "重启 +重 启 nginx 服务 +服 务"),
    ("14世紀のABC", "", "14 世紀 +世 紀の +紀 の abc"),
    ("押金2千5百", "", "押金 +押 金 2 千 5 百"),
    ("iPhone15手机", "", "iphone15 手机 +手 机"),
    ("学C++习", "", "学 c 习"),
    # Complex scripts: clusters.
    ("ที่นี่", "", "ที่นี่ +ที่ นี่"),
    ("น้ำ", "", "น้ำ"),
    ("ไทย日本", "", "ไท +ไ ทย +ท ย 日本 +日 本"),
    ("ພາສາ", "", "ພາ +ພ າສ +າ ສາ +ສ າ"),
    ("ខ្មែរ", "", "ខ្មែ +ខ្ មែរ +មែ រ"),
    ("မြန်မာ", "", "မြန် +မြ န်မ +န် မာ +မ ာ"),
    # Emoji: one token a sequence.
    ("明日は🍐狩り", "", "明日 +明 日は +日 は 🍐 狩り +狩 り"),
    ("👨‍👩‍👧👍🏽", "", "👨‍👩‍👧 👍🏽"),
    ("❤️☺︎", "", "❤ ☺"),
    ("🇯🇵🇰🇷🇹", "", "🇯🇵 🇰🇷 🇹"),
    ("1️⃣#⃣", "", "1⃣ #⃣"),
    ("学😀习", "emoji 0", "学 习"),
    # Fold: width, composition, compatibility, ignorables.
    ("ﾃﾞｰﾀ", "", "デー +デ ータ +ー タ"),
    ("ＭｙＳＱＬ", "", "mysql"),
    ("１２３　ＡＢ", "", "123 ab"),
    ("か\u3099", "", "が"),
    ("は\u309a", "", "ぱ"),
    ("\u1112\u1161\u11ab\u1100\u1173\u11af", "", "한글 +한 글"),
    ("\u1112\u1161\u11ab\u1100", "", "한ㄱ +한 ㄱ"),
    ("\u1112", "", "ㅎ"),
    ("㍿", "", "株式 +株 式会 +式 会社 +会 社"),
    ("㎏", "", "kg"),
    ("①Ⅲ", "", "1iii"),
    ("⽅針", "", "方針 +方 針"),
    ("⺟", "", "母"),
    ("神社", "", "神社 +神 社"),
    ("葛\U000e0100城", "", "葛城 +葛 城"),
    ("纪\u200b要", "", "纪要 +纪 要"),
    ("サ—バ", "", "サー +サ ーバ +ー バ"),
    ("サ——バ", "", "サ バ"),
    ("가ㆍ나", "", "가 나"),
    ("ㄱㆍㄴ", "", "ㄱㆍ +ㄱ ㆍㄴ +ㆍ ㄴ"),
    # Line breaks.
    ("日\n本", "", "日本 +日 本"),
    ("日\r\n本", "", "日本 +日 本"),
    ("日\n\n本", "", "日 本"),
    ("가\n나", "", "가 나"),
    ("日\n본", "", "日 본"),
    ("日\n本", "join_lines 0", "日 本"),
    # Segmenters and unigrams.
    ("学习a", "unigrams 0", "学习 习 a"),
    ("学习a", "segment unigram", "学 习 a"),
    ("ที่นี่", "segment unigram", "ที่ นี่"),
    ("学习a", "segment bigram version 1", "学习 +学 习 a"),
    # Options that rewrite runs.
    ("時々部分々々", "fold_iteration 1 segment unigram", "時 時 部 分 部 分"),
    ("こゝろタヾ", "fold_iteration 1 segment unigram", "こ こ ろ タ ダ"),
    ("サーバー、サーバ", "fold_prolonged 1 segment unigram", "サ ー バ サ ー バ"),
    ("サーバーを", "fold_prolonged 1 segment unigram", "サ ー バ を"),
    ("らーめん", "fold_prolonged 1 segment unigram", "ら ー め ん"),
    ("ひらガナ", "fold_kana 1 segment unigram", "ヒ ラ ガ ナ"),
    ("日 本 語　学習 す る。", "join_spaces 1 unigrams 0", "日本 本語 語 学習 習 する る"),
    ("太**字**と", "bridge_markup 1 unigrams 0", "太字 字と と"),
    ("漢<b>字</b>と", "bridge_markup 1 unigrams 0", "漢字 字と と"),
    ("漢<br/><p>字", "bridge_markup 1", "漢 br p 字"),
    # Words are the parent's.
    ("Crème Brûlée", "", "creme brulee"),
    ("Crème Brûlée", "remove_diacritics 0", "crème brûlée"),
    ("C++ .NET C#", "tokenchars '+.#'", "c++ .net c#"),
    ("axbxc", "separators x", "a b c"),
    ("running 学习", "cjk porter unicode61", "run 学习 +学 习"),
    ("hello学", "cjk trigram", "hel ell llo 学"),
    # Nothing.
    ("", "", ""),
    (" 　、。!?\n", "", ""),
    ("\u200b\ufeff", "", ""),
    ("\0", "", ""),
    ("\u3099", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arguments", "expected"), EXAMPLES)
def test_document(text: str, arguments: str, expected: str) -> None:
    assert stream(text, arguments) == expected


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("学", "", "学"),
        ("学习", "", "学习"),
        ("机器学习", "", "机器 器学 学习"),
        # The last character alone only where a token follows: positions agree with the document's.
        ("学习abc", "", "学习 习 abc"),
        ("学习!", "", "学习"),
        ("学习😀", "", "学习 习 😀"),
        ("abc学习", "", "abc 学习"),
        ("学习 天气", "", "学习 习 天气"),
        ("学习ไทย", "", "学习 习 ไท ทย"),
        ("ไทย学习", "", "ไท ทย ย 学习"),
        ("學a習b", "", "學 a 習 b"),
        ("ﾃﾞｰﾀ", "", "デー ータ"),
        ("学习a", "unigrams 0", "学习 习 a"),
        ("机器学习", "segment unigram", "机 器 学 习"),
        ("", "", ""),
    ],
)
def test_query(text: str, arguments: str, expected: str) -> None:
    assert stream(text, arguments, query=True) == expected


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("a学习", "", "a@0-1 学习@1-3 +学@1-2 习@2-3"),
        # The source of what was folded: half width and its voicing mark, a selector, a dash.
        ("開ﾃﾞｰﾀ送", "segment unigram", "開@0-1 デ@1-3 ー@3-4 タ@4-5 送@5-6"),
        ("葛\U000e0100城", "segment unigram", "葛@0-2 城@2-3"),
        ("学\u200b習\ufe00", "", "学習@0-4 +学@0-1 習@2-4"),
        ("\u1112\u1161\u11abx", "", "한@0-3 x@3-4"),
        ("㍿x", "segment unigram", "株@0-1 式@0-1 会@0-1 社@0-1 x@1-2"),
        ("日\n本", "", "日本@0-3 +日@0-1 本@2-3"),
        ("サーバーの", "fold_prolonged 1 segment unigram", "サ@0-1 ー@1-2 バ@2-4 の@4-5"),
        ("サーバー", "fold_prolonged 1 segment unigram", "サ@0-1 ー@1-2 バ@2-4"),
        ("太**字**と", "bridge_markup 1 unigrams 0", "太字@0-4 字と@3-7 と@6-7"),
        ("学\u0301習", "segment unigram", "学@0-2 習@2-3"),
        ("ที่x", "", "ที่@0-3 x@3-4"),
        ("❤️x", "", "❤@0-2 x@2-3"),
        ("👨‍👩‍👧x", "", "👨‍👩‍👧@0-5 x@5-6"),
        ("ＡＢ\u00adＣ", "", "abc@0-4"),
        ("㎏x", "", "kgx@0-2"),
        ("a\u0301b", "", "ab@0-3"),
        ("𠮷野", "", "𠮷野@0-2 +𠮷@0-1 野@1-2"),
    ],
)
def test_offsets(text: str, arguments: str, expected: str) -> None:
    assert stream(text, arguments, offsets=True) == expected


def test_an_emoji_is_found_behind_any_text() -> None:
    for before in ["", "学", "a", "ก", "1", "가"]:
        assert stream(f"{before}😀").endswith("😀")


def test_wrong_arguments_say_what_is_wrong() -> None:
    with pytest.raises(Error, match="neither an option"):
        tokenize("学", "cjk unigrammes 0")
