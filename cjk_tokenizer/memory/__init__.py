"""Helpers for stores of AI memories: small pure functions around a full-text index.

With `tokenize='cjk'` an application needs few of them: no pre-tokenised column, no change to its
queries. They are for what lies around the index (chunks for embeddings, the language of a text,
a guard against weak hits, prompts) and for hosts that can load no extension at all (shadow text,
pre-tokenised text). Nothing here opens a file or a database; packages that make a function
better (jieba, fugashi, pythainlp, snowballstemmer, ICU) are optional and loaded at first use.

The prompts live in `cjk_tokenizer.memory.prompts`, to be imported by name.
"""

from __future__ import annotations

from cjk_tokenizer.memory.chunking import Chunk, ChunkOptions, chunk_text, options_for_text, rebuild
from cjk_tokenizer.memory.language import (
    LanguageDetail,
    detect,
    detect_detailed,
    detect_extended,
)
from cjk_tokenizer.memory.packages import MissingPackageWarning
from cjk_tokenizer.memory.pretokenize import (
    LANGUAGES,
    icu_with_bigrams,
    init,
    loaded_segmenters,
    segment_with_icu,
    tokenize_for_fts,
)
from cjk_tokenizer.memory.pretokens import tokenize_indexing, tokenize_query
from cjk_tokenizer.memory.relevance import Relevance, relevance
from cjk_tokenizer.memory.shadow import (
    has_cjk,
    index_text,
    query_expr,
    shadow_query,
    shadow_text,
)

__all__ = [
    "LANGUAGES",
    "Chunk",
    "ChunkOptions",
    "LanguageDetail",
    "MissingPackageWarning",
    "Relevance",
    "chunk_text",
    "detect",
    "detect_detailed",
    "detect_extended",
    "has_cjk",
    "icu_with_bigrams",
    "index_text",
    "init",
    "loaded_segmenters",
    "options_for_text",
    "query_expr",
    "rebuild",
    "relevance",
    "segment_with_icu",
    "shadow_query",
    "shadow_text",
    "tokenize_for_fts",
    "tokenize_indexing",
    "tokenize_query",
]
