"""Sets made of other sets and of running text, to see that nothing holds for one set alone.

    cmrc2018-hant       cmrc2018 in Traditional characters (needs opencc-python-reimplemented)
    hans-in-hant        its questions in Simplified, its passages in Traditional characters
    NAME-in-lines       the passages of NAME hidden among the lines of another text: rows of very
                        different lengths
    LANGUAGE-sentences  a sentence taken out of a paragraph has to find the rest of it; no part of
                        it need occur there

The texts are looked for in ../shared/data/text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Callable

from .sets import SHARED, Question, RetrievalSet, read_set

TEXTS = SHARED.parent / "text"

_LINES = {
    "cmrc2018-in-lines": "zh-niutrans_modern.txt",
    "jsquad-in-lines": "ja-aozora.txt",
    "iapp-th-in-lines": "th-thaigov.txt",
}
_SENTENCES = {
    "ko-sentences": "ko_mixed-react_docs.txt",
    "ko-reviews-sentences": "ko-nsmc_reviews.txt",
    "hant-sentences": "zh_hant-twlaw.txt",
    "ja-sentences": "ja-aozora.txt",
    "th-sentences": "th-thaigov.txt",
}
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*\s*")
_LEAST = 10  # characters of a sentence


def _traditional() -> Callable[[str], str]:
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("s2t").convert
    return convert


def _read_hant(folder: Path, limit: int, both: bool) -> RetrievalSet:
    data = read_set(folder / "cmrc2018", limit)
    convert = _traditional()
    questions = data.questions
    if both:
        questions = [replace(question, text=convert(question.text)) for question in questions]
    return RetrievalSet(data.name, [convert(text) for text in data.passages], questions)


def _read_in_lines(folder: Path, limit: int, name: str) -> RetrievalSet:
    data = read_set(folder / name.removesuffix("-in-lines"), limit)
    lines = (TEXTS / _LINES[name]).read_text("utf-8").splitlines()
    return replace(data, passages=[*data.passages, *lines])


def _take_sentences(name: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence, chosen by hash, and the rest of each line that has three or more."""
    for line in dict.fromkeys((TEXTS / _SENTENCES[name]).read_text("utf-8").splitlines()):
        parts = _SENTENCE.findall(line)
        long = [i for i, part in enumerate(parts) if len(part.strip()) >= _LEAST]
        if len(long) >= 3:
            taken = long[hashlib.sha256(line.encode()).digest()[0] % len(long)]
            yield parts[taken].strip(), "".join(parts[:taken] + parts[taken + 1 :])


def _read_sentences(limit: int, name: str) -> RetrievalSet:
    pairs = list(_take_sentences(name))
    questions = [Question(pair[0], frozenset((i,))) for i, pair in enumerate(pairs)]
    questions.sort(key=lambda question: hashlib.sha256(question.text.encode()).digest())
    return RetrievalSet(name, [pair[1] for pair in pairs], questions[:limit])


def read_any_set(folder: Path, name: str, limit: int) -> RetrievalSet:
    """Read a set of `folder`, or make one of those above. FileNotFoundError where it is not there.

    ImportError where opencc is needed and missing.
    """
    if name in ("cmrc2018-hant", "hans-in-hant"):
        data = _read_hant(folder, limit, both=name == "cmrc2018-hant")
    elif name in _LINES:
        data = _read_in_lines(folder, limit, name)
    elif name in _SENTENCES:
        data = _read_sentences(limit, name)
    else:
        data = read_set(folder / name, limit)
    return replace(data, name=name)
