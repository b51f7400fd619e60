"""Hypothesis strategies for text: all scripts, mixed with all that can stand between.

`texts()` and `utf8()` make short text that is dense in what the token stream's rules are about;
`assigned_text()` draws from all assigned code points; `arguments()` draws tokenizer arguments.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from hypothesis import strategies as st
from nasty import BROKEN_TEXTS, INVALID, TEXTS

HAN = "学習日本語中国時部分人東京都々〻〇〆㐀𠀀𰀀\U0002fffd豈神⼀⺟"
HIRAGANA = "あかがはばぱうゔきこなゝゞゟん\U0001b150"
KATAKANA = "アイカガハバパウヴサトヽヾヿンー・ㇰ\U0001b000\U0001b164"
HALF_WIDTH = "ｱｶﾊｳｻﾄｰﾞﾟ･ﾡￂ"
HANGUL = "가각한국어를ㄱㅎㅏㆍ\u1112\u1161\u11ab\u1100\u1173\u11af\u119e\ua960\ud7b0"
OTHER_CJK = "ㄅㄆㆠꀀꀁ𗀀𛅰𘬀"
THAI = "กขคนมาำิี่้ไเ๑ๆฯ"
COMPLEX = THAI + "ກິເຂົ້ខញុំស្រမြန်ာထᨲᩫ᩠ꪀꪰ𑜀𑜝ᥐᦀ"
EMOJI = "😀👨👩👧👍🚀🏴☺❤™🅰🿿"
EMOJI_PARTS = "🇯🇵🏽\u200d\ufe0f\u20e3\U000e0067\U000e007f"
VOICING = "\u3099\u309a"
MARKS = "\u0301\u0323\u093f\u20e3\u0305"
IGNORABLES = (
    "\u200b\u200c\u200d\ufe00\ufe0f\u00ad\ufeff\u2060\u202e\U000e0100\U000e0061\u3164\u115f"
)
WORDS = "abcXYZ0159éßİſΣдשاत_"
SEPARATORS = " \t\u3000.,;、。・·-—―−─━－~〜#*_`<>/'\"\u00a0\u2028™℠\u3002\ufffd"
BREAKS = ["\n", "\r", "\r\n", "\n\n", "\0"]
KANA_MARKS = "ばバかカをワーー\u3099ゝゞヽヾ々学"
DOTS = "ㆍㆍ・·\u119eㄱ가日C1"
SQUARED = "㍿①⑩Ⅲ㎏㈱㋐㌀㈀㉮🈁㊙½ﬁＡｂ３！＊＿～﹉"
MARKUP = ["**", "__", "~~", "`", "<b>", "</b>", "<a href='学'>", "<br>", "<ruby>", "<rt>", "< b>"]

KINDS: dict[str, Iterable[str]] = {
    "han": HAN,
    "hiragana": HIRAGANA,
    "katakana": KATAKANA,
    "half_width": HALF_WIDTH,
    "hangul": HANGUL,
    "other_cjk": OTHER_CJK,
    "complex": COMPLEX,
    "emoji": EMOJI,
    "emoji_parts": EMOJI_PARTS,
    "voicing": VOICING,
    "marks": MARKS,
    "ignorables": IGNORABLES,
    "words": WORDS,
    "separators": SEPARATORS,
    "breaks": BREAKS,
    "kana_marks": KANA_MARKS,
    "dots": DOTS,
    "squared": SQUARED,
    "markup": MARKUP,
}
PIECES = [piece for kind in KINDS.values() for piece in kind]
ASSIGNED = [
    chr(n)
    for n in range(1, 0x110000)
    if not 0xD800 <= n <= 0xDFFF and unicodedata.category(chr(n)) not in ("Cn", "Co")
]


def texts(*kinds: str, max_size: int = 24) -> st.SearchStrategy[str]:
    """Text of the named kinds (all by default); a few kinds at a time, so that rules meet."""
    if kinds:
        return joined([piece for kind in kinds for piece in KINDS[kind]], max_size)
    few = st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3, unique=True)
    narrow = few.flatmap(lambda names: texts(*names, max_size=max_size))
    return st.one_of(narrow, joined(PIECES, max_size), st.sampled_from(TEXTS), concatenated())


def joined(pieces: list[str], max_size: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=max_size).map("".join)


def concatenated() -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS)).map("".join)


def utf8(max_size: int = 24) -> st.SearchStrategy[bytes]:
    """Bytes as SQLite may hand them over: good text, broken text, noise."""
    good = texts(max_size=max_size).map(str.encode)
    broken = st.lists(
        st.one_of(texts(max_size=4).map(str.encode), st.sampled_from(INVALID + BROKEN_TEXTS))
    )
    cut = st.tuples(good, st.integers(0, 64), st.integers(0, 64)).map(
        lambda t: t[0][t[1] : len(t[0]) - t[2]]
    )
    return st.one_of(good, good, broken.map(b"".join), cut, st.binary(max_size=max_size))


def assigned_text(max_size: int = 24) -> st.SearchStrategy[str]:
    """Text of any assigned code points but surrogates and private use."""
    return st.lists(st.sampled_from(ASSIGNED), max_size=max_size).map("".join)


def arguments() -> st.SearchStrategy[str]:
    """Arguments of the tokenizer: any of its switches, in any order."""
    switch = st.sampled_from(
        [
            f"{name} {value}"
            for name in (
                "unigrams", "join_lines", "join_spaces", "bridge_markup", "emoji",
                "fold_kana", "fold_iteration", "fold_prolonged", "remove_diacritics",
            )
            for value in "01"
        ]
        + ["version 1", "segment unigram", "segment bigram", "remove_diacritics 2"]
        + ["tokenchars '_-'", "separators 'x\u00e9'", "categories 'L* N* Co Mn'"]
    )  # fmt: skip
    return st.lists(switch, max_size=4, unique_by=lambda each: each.split()[0]).map(" ".join)
