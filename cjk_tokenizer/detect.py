"""detect(): the language of a text, as the SQL function `cjk_detect` says it."""

from __future__ import annotations

from . import private


def detect(text: str) -> str:
    """Return the language of a text by its scripts: zh ja ko th ar hi ru, or en.

    The rule stands in `cjk_tokenizer.memory.language`. Raises TypeError when `text` is no str,
    MissingLibraryError without the compiled library.

    >>> detect("機械学習のモデル"), detect("机器学习"), detect("기계 학습"), detect("hello")
    ('ja', 'zh', 'ko', 'en')
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    conn = private.required_connection("detect")
    encoded = text.encode("utf-8", "surrogatepass")
    return str(private.rows(conn, "SELECT cjk_detect(CAST(? AS TEXT))", (encoded,))[0][0])
