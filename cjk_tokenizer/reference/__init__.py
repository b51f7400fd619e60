"""The same tokenizer in plain Python: the readable definition of the token stream.

`docs/stream.md` says which tokens a text has; these files say it again as a program that does one
thing after another: characters -> fold -> runs (bridges) -> rewrite -> ngram or words, put together
in analyzer. The compiled library is tested against it. Many times slower than the library, it also
serves where that cannot be loaded: `register_reference(conn)`.

>>> [t.token for t in tokenize("学習する", query=True)]
['学習', '習す', 'する']
"""

from __future__ import annotations

from .analyzer import AUX, DOCUMENT, PREFIX, QUERY, Analyzer, CutRun, RawToken
from .ngram import cut_ngrams
from .options import Arguments, Options, parse
from .parents import find_parent
from .register import register_reference
from .unicode61 import Unicode61
from .words import WordCutter

__all__ = [
    "AUX",
    "DOCUMENT",
    "PREFIX",
    "QUERY",
    "Analyzer",
    "Options",
    "RawToken",
    "Unicode61",
    "WordCutter",
    "parse",
    "register_reference",
    "tokenize",
]


def tokenize(
    text: str | bytes,
    arguments: Arguments = (),
    *,
    query: bool = False,
    prefix: bool = False,
    locale: str | None = None,
    cut_run: CutRun = cut_ngrams,
) -> list[RawToken]:
    """The tokens of a text, as FTS5 would get them; offsets in bytes of its UTF-8 form.

    `arguments` are those of the tokenizer, as one string ("segment unigram") or split. `query`
    gives the tokens of a query, `prefix` those of a query that ends in `*`; `locale` is handed to
    the parent tokenizer; `cut_run` may be a `WordCutter`, in place of the option `segment`. Lone
    surrogates in a `str` are broken bytes. Wrong arguments raise `ArgumentError`, a ValueError.
    """
    utf8 = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    options = parse(arguments)
    flags = (QUERY | (PREFIX if prefix else 0)) if query else DOCUMENT
    analyzer = Analyzer(options, find_parent(options.parent), cut_run)
    return list(analyzer.tokens(utf8, flags, locale))
