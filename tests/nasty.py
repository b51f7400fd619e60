"""Strings that have broken tokenizers, for every test to use.

NASTY holds bytes, as SQLite hands them over: TEXTS of all kinds, sequences that are INVALID, each
in its own way, and BROKEN_TEXTS that hold such sequences. `large_texts` makes a megabyte of what
tempts an algorithm to be slow.
"""

from __future__ import annotations

from collections.abc import Iterator

TEXTS = [
    "",
    " ",
    "\0",
    "\0\0a\0学\0習\0",
    "\ufeff",
    "\ufeff学習",
    "\ufffd",
    "学\ufffd習",
    "\ufffe\uffff学\U0010ffff",
    # Letters of one run, all scripts; digits and letters between them.
    "学習",
    "今天气、今天",
    "14世紀のabc日本",
    "かな漢字カナ한글ㄅㄆꀀ𗀀𛅰𘬀〇々〆〻",
    "𠮷野家と𩸽と𰻞𮯠",
    # Composition and voicing marks: full, half width, doubled, astray, behind the wrong letter.
    "か\u3099は\u309aか\u309aア\u3099\u3099",
    "\u3099か",
    "a\u3099b",
    "ｶﾞｷﾞﾊﾟｱﾞﾞ ﾞﾟ",
    "ウ\u200d\u3099",
    "か\u0301\u3099",
    "う゛゛゜",
    # Hangul: jamo of all kinds, in order and not.
    "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "\u1112\u1161\u200b\u11ab",
    "\uac00\u11a8\uac01\u11a8",
    "\u11ab\u1161\u1112",
    "\u1112\u115f\u1160\u3164\uffa0\u1161",
    "\ua960\ud7b0\ud7cb",
    "\u1100\u119e\u11ab",
    "ﾡﾢￂￃ",
    "가ㆍ나",
    "ㆍ가",
    "ㄱㆍㄴ",
    "中ㆍ国ㆍ\u1112",
    "ㆍ\u200b\u1100\u1161",
    "\u1100\u1161ㆍ日",
    # Dashes that may be a prolonged sound mark.
    "サ—バ−サ―バ─サ━バ－サ",
    "サ——バ",
    "サー—バ",
    "サ—ー",
    "カ\u3099—カ\u3099",
    "ア\u0301—イ",
    "ア—\u0301イ",
    "ア\u200b—\u200bイ",
    "か—か漢—漢",
    "㌀—㌀",
    "サーーーバーーー、ー、漢ー",
    # Ignorables and marks in every place.
    "\u200b学\u200b習\u200b",
    "学\ufe00\U000e0100習\U000e0101",
    "a\u00adb\u200dc\ufe0fd",
    "\u0301学\u0301習\u20e3\u0301",
    "e\u0301\u0323 \u0301 é\u0301",
    "學\u200b\ufe00\u200b\ufe01\u200b生",
    "\u2060\u2066學\u2069習\u180e",
    "\u202e学習\u202c",
    # Compatibility and squared forms.
    "㍿㋿㎏㏂①⑩Ⅲⅷ㈱㈲㋐㍍㌔㌍㏙",
    "ＡＢＣ１２３　ｆｕｌｌ－ｗｉｄｔｈ～",
    "⼀⺀⺟㇐豈神靖𠔜﨑塚",
    "﹉﹋﹏日﹉本",
    "゛゜㊙㊗🈁🈳Ⓜ️🅰🆎ﬁﬀ℻℡™℠ªº",
    "ﬃ ℌℂ½⅓㌀㆐㆑㈀㉠㉮",
    # Emoji sequences, whole and broken.
    "👨‍👩‍👧‍👦👍🏽👩🏾‍🚀",
    "🇯🇵🇰🇷🇹🇼🇯",
    "🇯\u200b🇵🇯\u0301🇵",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f🏴\U000e007f\U000e007f",
    "1️⃣2⃣#️⃣*️⃣a1️⃣学1⃣9\u200b⃣",
    "⑩⃣１⃣",
    "😀\u200d",
    "😀\u200d\u200d😀",
    "😀\u200d\u0301😀\u0301\u200d😀",
    "\u200d😀\ufe0f\u200d\ufe0f😀\ufe0e",
    "😀\ufe00🏽🏽\U000e0061\u200d🏽",
    "🇯\u200d🇵\u200d🇰🇷",
    "🏽🏽 ☺︎☹️❤️‍🔥",
    "😀学😀か\u3099😀\u3099",
    "🫨🿿\U0001fa7f",
    # Complex scripts: clusters, marks first, digits, mixed.
    "กินข้าวที่น้ำ๑๒๓ๆฯ",
    "\u0e34\u0e48กิ",
    "ກິນເຂົ້າ",
    "ខ្ញុំស្រឡាញ់",
    "မြန်မာဘာသာ",
    "ᨲᩫ᩠ᩅ",
    "ก\u0301\u200bิ\u200dข",
    "ไทย日本ไทยabcไทย",
    # Line breaks and blanks.
    "日\n本\r\n語\r書\n\nく",
    "日\n\r本\r\r\n語",
    "日\u200b\n\ufe00本",
    "日 \n本",
    "日\n 本",
    "가\n나 日\n가 가\n日",
    "か\n\u3099",
    "日\u0301\n本",
    "日\u2028本\u2029語\u0085ー\v书\f学",
    "日 本　語\t学",
    "日本 語 学 習する",
    "a日 本 語b",
    "日 本\u0301 \u200b 語、学 習",
    "か\u3099 き\u3099 く",
    "\u1112\u1161 \u1100",
    "😀日 本 😀 日 本",
    # Markup.
    "**太**字と_斜_体~~取~~消`コ`ード",
    "太<b>字</b>と<ruby>漢<rt>かん</rt></ruby>",
    '<a href="x>y">リ</a>ン<a\nhref=日本>ク</A>語',
    "日<br>本<br/>語<p>学</p>習< b>x</b >一<b/>二<>三</>四<b",
    "日*\n*本*️⃣語*\u200b*学_\u0301_習",
    "日＊本＿語～学〜習｀中",
    "한**글**로",
    "\u1112**\u1161",
    # Iteration marks.
    "時々部分々々日々々々々〻々人〻",
    "こゝろいすゞがゝぱゞなゞかゝゞタヽヾ、ゝヽ",
    "学々ゝかな々ー々サーヽ",
    # Words, as unicode61 sees them.
    "The quick Crème brûlée ŒUVRE İstanbul ΑΣΣΟΣ ſtraße ﬂag Ⅻ",
    "C++ C# .NET snake_case e-mail user@example.com 3.14 1,000",
    "नमस्ते வணக்கம் שָׁלוֹם مُحَمَّد Привет",
    "iPhone15 A日B x²y₂ ½",
    "<script>alert('x')</script>; DROP TABLE t; -- \" ' % _ \\",
]

INVALID = [
    b"\xff",
    b"\xfe\xff",
    b"\x80",
    b"\xbf\xbf\xbf\xbf",
    b"\xc2",
    b"\xe5\xad",
    b"\xe5",
    b"\xf0\xa0\xae",
    b"\xf0\xa0",
    b"\xf0",
    # Overlong, surrogates, beyond U+10FFFF, five and six bytes.
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xe0\x80\x80",
    b"\xe0\x9f\xbf",
    b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xed\xa0\x80\xed\xb0\x80",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xfc\x84\x80\x80\x80\x80",
]

# Cut short before a good character, in runs, words and clusters.
BROKEN_TEXTS = [
    b"\xe5\xad\xe5\xad\xa6",
    b"a\xccb",
    b"a\xcc",
    b"\xe5\xad\xa6\xff\xe7\xbf\x92",
    b"\xe5\xad\xa6\n\xff\xe7\xbf\x92",
    b"\xe5\xad\xa6 \xff \xe7\xbf\x92",
    b"\xe3\x81\x8b\xff\xe3\x82\x99",
    b"abc\xffdef\x80\x80ghi\xf0\x9f\x98",
    b"\xf0\x9f\x98\x80\xe2\x80\x8d\xf0\x9f\x98",
    b"\xe5\xad\xa6<b \xff>\xe7\xbf\x92",
    b"\xf0\x9f\x87\xaf\xff\xf0\x9f\x87\xb5",
]

NASTY: list[bytes] = [text.encode() for text in TEXTS] + INVALID + BROKEN_TEXTS


def large_texts(size: int = 1_000_000) -> Iterator[tuple[str, bytes]]:
    """(name, text of about that many bytes) that punishes looking back or ahead too far."""
    patterns = {
        "one run": "学習",
        "one-character runs": "学 ",
        "blanks": " ",
        "marks behind a letter": "\u0301",
        "marks behind a cluster": "ก" + "\u0301" * 1000,
        "ignorables": "\u200b",
        "selectors": "学" + "\ufe00" * 1000,
        "dashes and ignorables": "ア—\u200b\u200b",
        "araea": "ㆍ\u200b",
        "tags never closed": "日<a ",
        "markup never ends": "日" + "*" * 600,
        "open brackets": "日<<<<<<",
        "isolated blanks": "日" + " " * 1000,
        "joiners": "😀\u200d",
        "flags": "🇯",
        "modifiers": "🏽",
        "iteration marks": "々",
        "kana iteration marks": "かゝゞ",
        "prolonged": "ー",
        "jamo": "\u1112\u1161\u11ab",
        "voicing marks": "\u3099",
        "line breaks": "日\n",
    }
    for name, pattern in patterns.items():
        encoded = pattern.encode()
        yield name, encoded * (size // len(encoded))
        yield name + " in a run", "学".encode() + encoded * (size // len(encoded)) + "習".encode()
    yield "long cluster", "ก".encode() + "\u0e34".encode() * (size // 3) + "ข".encode()
    yield "broken bytes", b"\xff\xe5\xad" * (size // 3)
    yield "NUL", b"\0" * size
