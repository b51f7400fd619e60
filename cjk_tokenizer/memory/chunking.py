"""Cutting a text into overlapping chunks for an embedding model.

A chunk holds about 500 tokens: 1750 characters, or 600 where Chinese, Japanese or Korean dominate,
with 10 % overlap. Note links (`(:/ID)` and `:/ID`, ID of 32 characters a-z and 0-9) and the blanks
at both ends are taken out first; no other character is lost. Linear in the size of the chunks
together.

The rule, for other implementations. Lengths are characters (code points).

1. Remove, in one pass from left to right, `(:/ID)`, and `:/ID` that no ASCII letter or digit
   follows. Trim blanks (`text.BLANK_CLASS`). Nothing left: no chunks.
2. CJK dominates when at least 30 % of the characters are CJK: in the profile `exact` those of
   U+3040..30FF, 3400..4DBF, 4E00..9FFF, AC00..D7AF, F900..FAFF; in the profile `natural` also
   U+1100..11FF, 3005..3007, 3105..318E, 31A0..31BF, 31F0..31FF, A960..A97F, D7B0..D7FF, FF66..FFDC,
   20000..3FFFF. (That a script of zh, ja or ko is present follows from it.)
3. A text no longer than a chunk is one chunk.
4. `exact`: chunks begin at 0, size - overlap, 2 * (size - overlap) ...; the first that reaches
   the end of the text is the last.
5. `natural`: a chunk begins at s. What is left fits: it is the last. Else it ends at the last
   border in [s + max(size // 2, overlap + 1), s + size] of the first kind that has one there:
   paragraph, sentence, word, cluster; at s + size where there is none. Patterns are searched from
   s on, without overlap. The next chunk begins at the first sentence or paragraph border in
   [end - overlap, end), else at the first word border there, else at the first cluster border
   there, else at the end. A border of any kind is also a cluster border (`text.is_border`).
   * paragraph: behind `_PARAGRAPH`, one or more blank lines;
   * sentence: behind `_SENTENCE`: a stop with the closing brackets and quotes, blanks and one line
     break that follow, where an ASCII stop counts only before a blank, a line break or a CJK
     character; or a line break alone;
   * word: `_WORD`: behind blanks or CJK punctuation, before or after CJK where the script changes
     (not from Han to hiragana, which mostly is the ending of a word).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Callable, NamedTuple

from cjk_tokenizer.errors import ArgumentError
from cjk_tokenizer.memory.text import (
    BLANK_CLASS,
    BLANKS,
    check_choice,
    check_count,
    check_text,
    is_border,
    last_border,
    next_border,
)

PROFILES = ("natural", "exact")
_LATIN_SIZE, _LATIN_OVERLAP = 1750, 175
_CJK_SIZE, _CJK_OVERLAP = 600, 60
_OVERLAP_RATIO = 10  # one in ten

# Insides of character classes of `re`; tools/make_memory_tables.py reads those without a `_`.
EXACT_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
MORE_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\ua960-\ua97f\ud7b0-\ud7ff\uff66-\uffdc\U00020000-\U0003ffff"
)
_CJK_RUN = {
    "exact": re.compile(f"[{EXACT_CJK}]+"),
    "natural": re.compile(f"[{EXACT_CJK}{MORE_CJK}]+"),
}

_LINK = re.compile(r"\(:/[a-z0-9]{32}\)|:/[a-z0-9]{32}(?![A-Za-z0-9])")

_PARAGRAPH = re.compile(r"\n(?:[ \t\r\u3000]*\n)+")
STOP = "。！？｡．…‼⁇⁈⁉"
CLOSING = "」』）】》〉〕］｝”’\"')\\]}»"
_AFTER_STOP = r"[ \t\u3000]*(?:\r?\n)?"
# One set of characters comes first, so that the search skips all others fast.
_SENTENCE = re.compile(
    f"[{STOP}.!?\n](?:(?<=\n)|(?<=[{STOP}])[{STOP}]*[{CLOSING}]*{_AFTER_STOP}"
    f"|(?<=[.!?])(?<![.!?]{{2}})[.!?]*[{CLOSING}]*"
    f"(?=[ \t\u3000\r\n{EXACT_CJK}{MORE_CJK}]){_AFTER_STOP})"
)

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af"
_CJK = HAN + HIRAGANA + KATAKANA + HANGUL
# Never the first character of a word: ASCII, general and CJK punctuation (with the middle dots).
PUNCTUATION = (
    "!-/:-@\\[-`{-~\u00b7\u2010-\u2027\u2030-\u205e"
    "\u3001-\u3003\u3008-\u3020\u3030\u303d\u30a0\u30fb\ufe30-\ufe6f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
CJK_PUNCTUATION = "\u3001\u3002\u300d\u300f\u3011\uff0c\uff1a\uff1b\uff01\uff1f\uff09\u30fb"
_WORD = re.compile(
    f"(?<=[{BLANK_CLASS}{CJK_PUNCTUATION}])(?=[^{BLANK_CLASS}{PUNCTUATION}])"
    f"|(?<=[{HAN}])(?=[^{HAN}{HIRAGANA}{BLANK_CLASS}{PUNCTUATION}])"
    f"|(?<=[{HIRAGANA}])(?=[^{HIRAGANA}{BLANK_CLASS}{PUNCTUATION}])"
    f"|(?<=[{KATAKANA}])(?=[^{KATAKANA}{BLANK_CLASS}{PUNCTUATION}])"
    f"|(?<=[{HANGUL}])(?=[^{HANGUL}{BLANK_CLASS}{PUNCTUATION}])"
    f"|(?<=[^{_CJK}{BLANK_CLASS}{PUNCTUATION}])(?=[{_CJK}])"
)


class ChunkOptions(NamedTuple):
    """Sizes in characters."""

    chunk_size: int
    overlap: int


class Chunk(str):
    """One chunk: a str that knows where it came from.

    `start` and `end` are character offsets into the text as it was given to `chunk_text`
    (`text[start:end]`, with any note links still in it); `ordinal` counts from 0; the first
    `overlap` characters are also the last ones of the chunk before.
    """

    ordinal: int
    start: int
    end: int
    overlap: int

    def __new__(
        cls, text: str, ordinal: int = 0, start: int = 0, end: int = 0, overlap: int = 0
    ) -> Chunk:
        chunk = super().__new__(cls, text)
        chunk.ordinal = ordinal
        chunk.start = start
        chunk.end = end
        chunk.overlap = overlap
        return chunk

    @property
    def text(self) -> str:
        """The chunk as a plain str."""
        return str(self)


def chunk_text(
    text: str,
    chunk_size: int | None = None,
    overlap: int | None = None,
    *,
    profile: str = "natural",
) -> list[Chunk]:
    """The chunks of a text, each at most `chunk_size` characters long.

    Without `chunk_size` the sizes are those of `options_for_text`; with `chunk_size` alone the
    overlap is a tenth of it. `natural` cuts at paragraphs, sentences and words, never inside a
    grapheme cluster that fits a chunk; its overlaps are at most `overlap`. `exact` cuts at every
    multiple of the step. Raises ArgumentError for sizes below 1 and for an overlap that is
    negative or not smaller than the chunk.

    >>> chunk_text("  A short note: [spec](:/0123456789abcdef0123456789abcdef).  ")
    ['A short note: [spec].']
    >>> [(c.start, c.end, c.text) for c in chunk_text("今日は晴れ。明日は雨。", 8, 0)]
    [(0, 6, '今日は晴れ。'), (6, 11, '明日は雨。')]
    >>> chunk_text("abcdefghij", 4, 1, profile="exact")
    ['abcd', 'defg', 'ghij']
    """
    check_choice(profile, "profile", PROFILES)
    cleaned, source_of = _without_links(check_text(text, "text"))
    size, shared = _sizes(cleaned, chunk_size, overlap, profile)
    cut = _cut_exactly if profile == "exact" else _cut_naturally
    chunks: list[Chunk] = []
    end_before = 0
    for start, end in cut(cleaned, size, shared):
        chunks.append(
            Chunk(
                cleaned[start:end],
                ordinal=len(chunks),
                start=source_of(start),
                end=source_of(end - 1) + 1,
                overlap=end_before - start,
            )
        )
        end_before = end
    return chunks


def options_for_text(text: str, *, profile: str = "natural") -> ChunkOptions:
    """The sizes for a text: (600, 60) where CJK characters dominate, else (1750, 175).

    >>> options_for_text("全文検索のための文字列")
    ChunkOptions(chunk_size=600, overlap=60)
    >>> options_for_text("A long English note that mentions 东京 once.")
    ChunkOptions(chunk_size=1750, overlap=175)
    """
    check_choice(profile, "profile", PROFILES)
    check_text(text, "text")
    found = sum(map(len, _CJK_RUN[profile].findall(text)))
    if found and found * 10 >= len(text) * 3:
        return ChunkOptions(_CJK_SIZE, _CJK_OVERLAP)
    return ChunkOptions(_LATIN_SIZE, _LATIN_OVERLAP)


def rebuild(chunks: list[Chunk]) -> str:
    """The text that `chunk_text` cut: the chunks without what each shares with the one before.

    >>> rebuild(chunk_text("one two three four", 9, 4))
    'one two three four'
    """
    return "".join(chunk[chunk.overlap :] for chunk in chunks)


def _without_links(text: str) -> tuple[str, Callable[[int], int]]:
    """The text to cut, and where each of its characters stands in the source."""
    parts: list[str] = []
    kept_at: list[int] = []  # where part i begins in the kept text ...
    source_at: list[int] = []  # ... and in the source
    kept = done = 0
    for link_start, link_end in [*(m.span() for m in _LINK.finditer(text)), (len(text), len(text))]:
        if link_start > done:
            parts.append(text[done:link_start])
            kept_at.append(kept)
            source_at.append(done)
            kept += link_start - done
        done = link_end
    joined = "".join(parts)
    cleaned = joined.strip(BLANKS)
    trimmed = len(joined) - len(joined.lstrip(BLANKS))

    def source_of(at: int) -> int:
        part = bisect_right(kept_at, at + trimmed) - 1
        return source_at[part] + at + trimmed - kept_at[part]

    return cleaned, source_of


def _sizes(text: str, chunk_size: int | None, overlap: int | None, profile: str) -> ChunkOptions:
    size, shared = options_for_text(text, profile=profile)
    if chunk_size is not None:
        size = check_count(chunk_size, "chunk_size", 1)
        shared = size // _OVERLAP_RATIO
    if overlap is not None:
        shared = check_count(overlap, "overlap", 0)
    if shared >= size:
        raise ArgumentError(f"overlap must be smaller than chunk_size ({size}), not {shared}")
    return ChunkOptions(size, shared)


def _cut_exactly(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    for start in range(0, len(text), size - overlap):
        yield start, min(start + size, len(text))
        if start + size >= len(text):
            return


def _cut_naturally(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > size:
        borders = _Borders(text, start, size)
        end = borders.last(max(size // 2, overlap + 1))
        yield start, end
        start = borders.first(end - overlap, end)
    if text:
        yield start, len(text)


class _Borders:
    """The borders of the stretch of `size` characters at `start`, kind by kind."""

    def __init__(self, text: str, start: int, size: int) -> None:
        self.text = text
        self.start = start
        self.high = start + size
        # One character more: an ASCII stop has to see what follows it.
        window = text[start : self.high + 1]
        self.paragraphs = [start + match.end() for match in _PARAGRAPH.finditer(window)]
        self.sentences = [start + match.end() for match in _SENTENCE.finditer(window)]

    def last(self, least: int) -> int:
        """Where to end: the best border in [start + least, start + size]."""
        low, end = self.start + least, self.high + 1
        found = (
            self._first(reversed(_between(self.paragraphs, low, end)))
            or self._first(reversed(_between(self.sentences, low, end)))
            or self._first(reversed(self._words(low, end)))
        )
        return found or last_border(self.text, low, self.high, self.start) or self.high

    def first(self, low: int, end: int) -> int:
        """Where the next chunk begins: the best border in [low, end), else `end`."""
        stops = sorted(self.paragraphs + self.sentences)
        found = self._first(_between(stops, low, end)) or self._first(self._words(low, end))
        return found or next_border(self.text, low, end, self.start) or end

    def _words(self, low: int, end: int) -> list[int]:
        return [match.end() for match in _WORD.finditer(self.text, low, end)]

    def _first(self, ends: Iterable[int]) -> int | None:
        """The first of these places where no cluster is cut. (Places are never 0.)"""
        return next((at for at in ends if is_border(self.text, at, self.start)), None)


def _between(ends: list[int], low: int, end: int) -> list[int]:
    return ends[bisect_left(ends, low) : bisect_left(ends, end)]
