"""Words for an index column that unicode61 splits at blanks: jieba's search mode, each word once.

For tables built that way before, and for moving off them: what they stored and asked, to the
letter. Needs `jieba`; without it the words are those of the next best tier (`segmenters.py`), so
that an index should be built and asked on machines that agree.
"""

from __future__ import annotations

import re

from cjk_tokenizer.memory.segmenters import cut_words, load_segmenter
from cjk_tokenizer.memory.text import check_text, without_surrogates

_CJK_RUN = re.compile("([\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)")


def tokenize_indexing(text: str) -> str:
    """The search-mode words of a text, blank-joined, each once, in the order of their first place.

    Words have letters, digits and `_` only; any other is left out. Empty in, empty out.

    >>> tokenize_indexing("我的项目，项目偏好")
    '我 的 项目 偏好'
    >>> tokenize_indexing("alpha beta alpha!")
    'alpha beta'
    """
    return " ".join(_unique_words(check_text(text, "text")))


def tokenize_query(text: str) -> str:
    """The same words as an FTS5 expression: each quoted, all of them must occur.

    Empty in, empty out: run no MATCH then, FTS5 calls an empty query a syntax error.

    >>> tokenize_query("项目 偏好")
    '"项目" "偏好"'
    """
    return " ".join(_quoted(word) for word in _unique_words(check_text(text, "text")))


def _unique_words(text: str) -> list[str]:
    stripped = without_surrogates(text).strip()
    # jieba knows words of mixed scripts and gets the whole text, the other tiers the runs.
    parts = [stripped] if load_segmenter("zh") else _CJK_RUN.split(stripped)
    words: list[str] = []
    for part in parts:
        is_cut = len(parts) == 1 or _CJK_RUN.fullmatch(part)
        words += cut_words(part, "zh") if is_cut else re.findall(r"\w+", part)
    return list(dict.fromkeys(word for word in words if _is_search_word(word)))


def _is_search_word(word: str) -> bool:
    return bool(word) and all(char.isalnum() or char == "_" for char in word)


def _quoted(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'
