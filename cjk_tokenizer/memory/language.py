"""The language of a text, by the scripts it is written in.

Counts letters by script and takes the first script, most telling first, that has enough of them:
no dictionary, no model, the same answer everywhere. Languages that share an alphabet are not told
apart; `detect_extended` asks an optional package for those.

The rule, for other implementations.

1. A code point counts for the script that `SCRIPTS` gives it; all others count for nothing. The
   total is the sum over the scripts, `other` included. Total 0: English.
2. The first line that holds decides:
   kana more than 10 % of the total -> ja; hangul > 10 % -> ko; thai > 10 % -> th; arabic > 10 %
   -> ar; devanagari > 10 % -> hi; cyrillic > 10 % -> ru; han > 15 % -> zh; else en.
   (`more than p %` is count * 100 > total * p.)
3. Mixed: some script foreign to that language has at least 2 % of the total (han, kana, hangul,
   thai: scripts that need segmenting) or at least 15 % (the others, `other` not counted). Own
   scripts: ja kana and han, ko hangul and han, else the one that decided; en latin.

The names in `scripts` are those of the languages, as stores of memories use them: ja (kana), ko,
cjk (Han), th, ar, hi, ru, latin, other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from importlib import import_module
from typing import Callable, NamedTuple

from cjk_tokenizer.memory.packages import load_package, warn_missing
from cjk_tokenizer.memory.text import check_text, without_surrogates

# first, last, script. Punctuation, digits and signs of a block are left out of the scripts that
# decide; blocks of other alphabets are taken whole.
SCRIPTS: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x005A, "latin"),
    (0x0061, 0x007A, "latin"),
    (0x00AA, 0x00AA, "latin"),
    (0x00BA, 0x00BA, "latin"),
    (0x00C0, 0x00D6, "latin"),
    (0x00D8, 0x00F6, "latin"),
    (0x00F8, 0x02AF, "latin"),
    (0x0370, 0x037D, "other"),  # Greek
    (0x037F, 0x03FF, "other"),
    (0x0400, 0x0481, "ru"),
    (0x048A, 0x052F, "ru"),
    (0x0531, 0x0588, "other"),  # Armenian
    (0x05D0, 0x05F2, "other"),  # Hebrew
    (0x0620, 0x065F, "ar"),
    (0x066E, 0x06D3, "ar"),
    (0x06D5, 0x06DC, "ar"),
    (0x06DF, 0x06E8, "ar"),
    (0x06EA, 0x06EF, "ar"),
    (0x06FA, 0x06FF, "ar"),
    (0x0710, 0x074F, "other"),  # Syriac
    (0x0750, 0x077F, "ar"),
    (0x0780, 0x085B, "other"),  # Thaana to Mandaic
    (0x0860, 0x086F, "other"),
    (0x0870, 0x08FF, "ar"),
    (0x0900, 0x0963, "hi"),
    (0x0971, 0x097F, "hi"),
    (0x0980, 0x0DF3, "other"),  # Bengali to Sinhala
    (0x0E01, 0x0E3A, "th"),
    (0x0E40, 0x0E4E, "th"),
    (0x0E80, 0x0FFF, "other"),  # Lao, Tibetan
    (0x1000, 0x10FF, "other"),  # Burmese, Georgian
    (0x1100, 0x11FF, "ko"),
    (0x1200, 0x1C7F, "other"),  # Ethiopic to Ol Chiki
    (0x1C80, 0x1C8F, "ru"),
    (0x1C90, 0x1CFF, "other"),
    (0x1D00, 0x1DBF, "latin"),  # phonetic letters
    (0x1E00, 0x1EFF, "latin"),
    (0x1F00, 0x1FFF, "other"),  # Greek
    (0x2C00, 0x2C5F, "other"),
    (0x2C60, 0x2C7F, "latin"),
    (0x2C80, 0x2DDF, "other"),
    (0x2DE0, 0x2DFF, "ru"),
    (0x3005, 0x3007, "cjk"),
    (0x3041, 0x309F, "ja"),
    (0x30A1, 0x30FA, "ja"),
    (0x30FC, 0x30FF, "ja"),
    (0x3105, 0x312F, "other"),  # Bopomofo
    (0x3131, 0x318E, "ko"),
    (0x31A0, 0x31BF, "other"),
    (0x31F0, 0x31FF, "ja"),
    (0x3400, 0x4DBF, "cjk"),
    (0x4E00, 0x9FFF, "cjk"),
    (0xA000, 0xA63F, "other"),  # Yi, Lisu, Vai
    (0xA640, 0xA69F, "ru"),
    (0xA6A0, 0xA6FF, "other"),
    (0xA722, 0xA7FF, "latin"),
    (0xA800, 0xA8DF, "other"),
    (0xA8E0, 0xA8FF, "hi"),
    (0xA900, 0xA95F, "other"),
    (0xA960, 0xA97C, "ko"),
    (0xA980, 0xAB2F, "other"),
    (0xAB30, 0xAB6F, "latin"),
    (0xAB70, 0xABFF, "other"),
    (0xAC00, 0xD7A3, "ko"),
    (0xD7B0, 0xD7FB, "ko"),
    (0xF900, 0xFAFF, "cjk"),
    (0xFB00, 0xFB06, "latin"),
    (0xFB50, 0xFDFB, "ar"),
    (0xFE70, 0xFEFC, "ar"),
    (0xFF21, 0xFF3A, "latin"),
    (0xFF41, 0xFF5A, "latin"),
    (0xFF66, 0xFF9F, "ja"),
    (0xFFA0, 0xFFDC, "ko"),
    (0x10280, 0x16FDF, "other"),
    (0x17000, 0x1AFEF, "other"),  # Tangut, Khitan
    (0x1AFF0, 0x1B16F, "ja"),
    (0x1B170, 0x1B2FF, "other"),  # Nushu
    (0x1E000, 0x1EEFF, "other"),
    (0x20000, 0x3FFFF, "cjk"),
)
_STARTS = [first for first, _, _ in SCRIPTS]

# In order of evidence: script, the share that it must exceed (per cent), language.
_EVIDENCE = (
    ("ja", 10, "ja"),
    ("ko", 10, "ko"),
    ("th", 10, "th"),
    ("ar", 10, "ar"),
    ("hi", 10, "hi"),
    ("ru", 10, "ru"),
    ("cjk", 15, "zh"),
)
_OWN_SCRIPTS = {"ja": {"ja", "cjk"}, "ko": {"ko", "cjk"}, "zh": {"cjk"}, "en": {"latin"}}
_MIXED_FROM = {"cjk": 2, "ja": 2, "ko": 2, "th": 2, "ar": 15, "hi": 15, "ru": 15, "latin": 15}
SCRIPT_NAMES = (*_MIXED_FROM, "other")

# The Latin languages that `tokenize_for_fts` knows.
LATIN_LANGUAGES = (
    *("cs", "da", "de", "en", "es", "fi", "fr", "hu"),
    *("it", "nl", "no", "pt", "ro", "sv", "tr"),
)
# Offered to the detector besides, so that Polish is not called Czech; they come back as English.
_NEIGHBOURS = (
    *("ca", "cy", "et", "eu", "ga", "hr", "id", "is"),
    *("lt", "lv", "pl", "sk", "sl", "sq", "vi"),
)
_DETECTED = {*LATIN_LANGUAGES, *_NEIGHBOURS, "nb", "nn"}


class LanguageDetail(NamedTuple):
    """The language, the share of each script (0 to 1, of all letters), and whether it is mixed."""

    language: str
    scripts: dict[str, float]
    is_mixed: bool


def detect(text: str) -> str:
    """The language of a text: zh, ja, ko, th, ar, hi, ru, or en for everything else.

    >>> [detect(t) for t in ("東京タワーはとても高い", "这个项目的架构", "프로젝트 회의", "สวัสดี")]
    ['ja', 'zh', 'ko', 'th']
    >>> [detect(t) for t in ("مرحبا", "नमस्ते", "Привет", "Guten Tag", "2026 😀")]
    ['ar', 'hi', 'ru', 'en', 'en']
    """
    if check_text(text, "text").isascii():
        return "en"
    return _language(_count_scripts(text))


def detect_detailed(text: str) -> LanguageDetail:
    """The language with the script shares that led to it.

    >>> found = detect_detailed("我在用 TypeScript 给 RecallNest 写 tokenizer hook")
    >>> found.language, round(found.scripts["cjk"], 2), found.is_mixed
    ('en', 0.13, True)
    """
    counts = _count_scripts(check_text(text, "text"))
    language = _language(counts)
    total = sum(counts.values())
    own = _OWN_SCRIPTS.get(language, {language})
    mixed = any(
        counts[script] and counts[script] * 100 >= total * share
        for script, share in _MIXED_FROM.items()
        if script not in own
    )
    return LanguageDetail(
        language, {name: counts[name] / max(total, 1) for name in SCRIPT_NAMES}, mixed
    )


def detect_extended(text: str) -> str:
    """As `detect`, and Latin text told apart: cs da de en es fi fr hu it nl no pt ro sv tr.

    Needs `lingua-language-detector` (better on short text) or `py3langid` (smaller); without
    them, and for languages not listed, Latin text is en. Each code is one that
    `tokenize_for_fts` takes.

    >>> detect_extended("東京タワー")
    'ja'
    """
    counts = _count_scripts(check_text(text, "text"))
    language = _language(counts)
    if language != "en" or not counts["latin"]:
        return language
    for name, make in (("lingua", _make_lingua), ("py3langid", _make_py3langid)):
        classify: Callable[[str], str] | None = load_package(name, make)
        if classify is not None:
            found = classify(without_surrogates(text))
            return found if found in LATIN_LANGUAGES else "en"
    warn_missing(
        "py3langid", "languages written in Latin letters are not told apart, all of them are 'en'"
    )
    return "en"


def _script_of(code: int) -> str | None:
    row = bisect_right(_STARTS, code) - 1
    return SCRIPTS[row][2] if row >= 0 and code <= SCRIPTS[row][1] else None


def _count_scripts(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    # Counting equal characters first runs in C; a text has few different ones.
    for char, count in Counter(text).items():
        script = _script_of(ord(char))
        if script is not None:
            counts[script] += count
    return counts


def _language(counts: Counter[str]) -> str:
    total = sum(counts.values())
    for script, share, language in _EVIDENCE:
        if counts[script] * 100 > total * share:
            return language
    return "en"


def _make_lingua() -> Callable[[str], str]:
    lingua = import_module("lingua")
    codes = [getattr(lingua.IsoCode639_1, code.upper(), None) for code in sorted(_DETECTED)]
    builder = lingua.LanguageDetectorBuilder
    detector = builder.from_iso_codes_639_1(*(code for code in codes if code)).build()

    def classify(text: str) -> str:
        found = detector.detect_language_of(text)
        code = "en" if found is None else found.iso_code_639_1.name.lower()
        return "no" if code in ("nb", "nn") else code

    return classify


def _make_py3langid() -> Callable[[str], str]:
    rank = import_module("py3langid").rank

    def classify(text: str) -> str:
        code = next((str(code) for code, _ in rank(text) if code in _DETECTED), "en")
        return "no" if code in ("nb", "nn") else code

    return classify
