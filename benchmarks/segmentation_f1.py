"""How well do segmenters find the words of treebanks, and how fast? F1 and MB/s, one table.

    python benchmarks/segmentation_f1.py            all languages, all that is installed
    python benchmarks/segmentation_f1.py zh ja      some languages

Sets of Universal Dependencies are looked for in ../shared/data/segmentation beside the repository.
A word counts as found when it begins and ends where one of the treebank's does; blanks count
nowhere. A segmenter gets one sentence at a time. `zh-Hant` is the Chinese set, each word made
Traditional by OpenCC; with `fold_han` the text is folded first, as the index option does.

F1 tells whose idea of a word a segmenter shares, not how well it searches. The treebanks' ideas:
Chinese and Thai, words; Japanese, UniDic's short units; Korean, all that stands between blanks, so
that a segmenter that takes particles off scores low, and cutting at blanks alone scores high.

Speed is processor time over running text, a line at a time, for at most two seconds; the best of
three.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cjk_tokenizer import library, segmenters
from cjk_tokenizer.errors import Error
from cjk_tokenizer.reference.rewrite import han_table

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
SECONDS = 2.0
MAX_BYTES = 2_000_000

Cut = Callable[[str], list[str]]


class Treebank(NamedTuple):
    """Where the sentences of a language are, and running text to time segmenters on."""

    name: str
    text: str


TREEBANKS = {
    "zh": Treebank("ud_zh_gsdsimp", "zh-niutrans_modern"),
    "zh-Hant": Treebank("ud_zh_gsdsimp", "zh_hant-twlaw"),
    "ja": Treebank("ud_ja_gsd", "ja-aozora"),
    "ko": Treebank("ud_ko_gsd", "ko-nsmc_reviews"),
    "th": Treebank("ud_th_pud", "th-thaigov"),
}


class Sentence(NamedTuple):
    text: str
    words: list[str]


class Score(NamedTuple):
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / ((self.precision + self.recall) or 1)


def read_sentences(language: str) -> list[Sentence]:
    folder = SHARED / "segmentation" / TREEBANKS[language].name
    raw = (folder / "raw.txt").read_text(encoding="utf-8").splitlines()
    gold = (folder / "gold.tsv").read_text(encoding="utf-8").splitlines()
    sentences = [Sentence(text, words.split("\t")) for text, words in zip(raw, gold)]
    return [traditional(each) for each in sentences] if language == "zh-Hant" else sentences


def traditional(sentence: Sentence) -> Sentence:
    """The sentence in Traditional characters, its words where they were."""
    from opencc import OpenCC

    convert = _converters.setdefault("s2t", OpenCC("s2t")).convert
    words = [convert(word) for word in sentence.words]
    return Sentence("".join(words), words)


_converters: dict[str, Any] = {}


def spans(words: list[str]) -> set[tuple[int, int]]:
    """(start, end) of each word, counted without blanks."""
    found = set()
    end = 0
    for word in words:
        start, end = end, end + len("".join(word.split()))
        if end > start:
            found.add((start, end))
    return found


def score(cut: Cut, sentences: list[Sentence]) -> Score:
    right = given = wanted = 0
    for sentence in sentences:
        ours, theirs = spans(cut(sentence.text)), spans(sentence.words)
        right += len(ours & theirs)
        given += len(ours)
        wanted += len(theirs)
    return Score(right / max(1, given), right / max(1, wanted))


def lines_of(language: str) -> list[str]:
    path = SHARED / "text" / f"{TREEBANKS[language].text}.txt"
    with path.open(encoding="utf-8") as file:
        return file.read(MAX_BYTES // 3).splitlines()


def megabytes_per_second(cut: Cut, lines: list[str]) -> float:
    return max(one_round(cut, lines) for _ in range(3))


def one_round(cut: Cut, lines: list[str]) -> float:
    size, start = 0, time.process_time()
    for i, line in enumerate(lines):
        cut(line)
        size += len(line.encode())
        if i % 16 == 15 and time.process_time() - start > SECONDS:
            break
    return size / (time.process_time() - start) / 1e6


def candidates(language: str) -> Iterator[tuple[str, Cut]]:
    """(name, function) of all that is installed for a language; what is not is said."""
    if language.startswith("zh"):
        yield "segment jieba", library.cut
        yield "segment jieba, hmm 0", lambda text: library.cut(text, hmm=False)
        if language == "zh-Hant":
            yield "segment jieba, fold_han 1", lambda text: library.cut(folded(text))
    for name in segmenters.names():
        if language.split("-")[0] not in segmenters.languages(name):
            continue
        try:
            yield name, segmenters.adapter(name).callable
        except Error as error:
            print(f"| {language} | {name} | | | | | {error}")
    if language == "ko":
        yield "blanks", str.split


def folded(text: str) -> str:
    table = han_table()
    return "".join([table.get(char, char) for char in text])


def main(languages: list[str]) -> None:
    print("| language | segmenter | precision | recall | F1 | MB/s |")
    print("|---|---|---|---|---|---|")
    for language in languages or TREEBANKS:
        if not (SHARED / "segmentation" / TREEBANKS[language].name).is_dir():
            print(f"| {language} | the treebank is missing: {TREEBANKS[language].name} | | | | |")
            continue
        sentences, lines = read_sentences(language), lines_of(language)
        for name, cut in candidates(language):
            found = score(cut, sentences)
            speed = megabytes_per_second(cut, lines)
            print(
                f"| {language} | {name} | {found.precision:.3f} | {found.recall:.3f} | "
                f"{found.f1:.3f} | {speed:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    if not set(sys.argv[1:]) <= set(TREEBANKS):
        sys.exit(__doc__)
    main(sys.argv[1:])
