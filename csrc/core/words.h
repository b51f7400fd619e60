/*
** words.h: segmenter: dictionary words.
**
** Cuts text into the words of jieba 0.42.1, token for token, on any text: the most likely path
** through the graph of all dictionary words, and a hidden Markov model for stretches that the
** dictionary does not know. And, for an index, into the finest cut of a run (cjk_words_cut_run).
**
** Text is an array of code points (any 32-bit numbers; those that are no Han of U+4E00..9FD5, ASCII
** letters, digits or `+#&._%-` separate). Offsets count code points. Time is linear in the text. A
** CjkWords keeps its scratch memory, 4 bytes a code point and 8 bytes a span of the longest text
** seen, from call to call; it serves one thread at a time. Nothing else is allocated, nothing is
** prepared: the first call is as fast as any.
*/
#ifndef CJK_WORDS_H
#define CJK_WORDS_H

#include "cjk.h"
#include "dictionary.h"
#include "user_words.h"

#ifdef __cplusplus
extern "C" {
#endif

/* jieba's cut, cut_for_search and cut(cut_all=True). */
typedef enum CjkCutMode { CJK_CUT_DEFAULT, CJK_CUT_SEARCH, CJK_CUT_ALL } CjkCutMode;

typedef struct CjkSpan {
  uint32_t start;
  uint32_t end;
} CjkSpan;

typedef struct CjkWords CjkWords;

/* Makes a segmenter of a dictionary, or (`user` not NULL) of user words and the dictionary below
** them; these must outlive it. All its memory comes from the two functions given (NULL: those of
** the C library), whatever cjk_set_allocator says. Returns NULL when out of memory. */
CJK_API CjkWords *cjk_words_create(const CjkDictionary *dictionary, const CjkUserWords *user,
                                   CjkReallocFn reallocate, CjkFreeFn release);
CJK_API void cjk_words_free(CjkWords *words);

/* Cuts `n` code points. `hmm` (not in CJK_CUT_ALL) looks for words that the dictionary does not
** know. Returns CJK_OK and the spans in jieba's order, valid until the next call; CJK_NOMEM; or
** CJK_TOOBIG for more than 2^30 code points. In CJK_CUT_ALL spans can be empty, as in jieba.
**
** One difference remains: where user words of ASCII letters alone overlap, jieba's cut_all can glue
** letters together that do not touch; here each piece is a span of its own. */
CJK_API int cjk_words_cut(CjkWords *words, const uint32_t *text, size_t n, CjkCutMode mode, int hmm,
                          const CjkSpan **spans, size_t *n_spans);

/* Whether the dictionary can know words with this character: what a run has to be made of to be
** worth cutting. Any other character becomes a word of its own. */
static inline int cjk_words_cover(uint32_t character) {
  return character >= CJK_FIRST_HAN && character <= CJK_LAST_HAN;
}

/* Receives one word of a run; flags as in CjkTokenFn: 0 or CJK_COLOCATED. */
typedef int (*CjkRunWordFn)(void *ctx, int flags, uint32_t start, uint32_t end);

/* Cuts one run for an index: the finest cut, and the longer words over it.
**
** The finest cut has pieces of one or two characters. Each word of `cut` is divided:
**   - A dictionary word of up to two characters is a piece.
**   - A longer one is divided along the most likely path over the dictionary words of two
**     characters and the characters inside it, by jieba's own probabilities: 自然+语言, 处理+器,
**     冰+淇+淋.
**   - A word that is not on the best path but found by the hidden Markov model is divided into its
**     characters: the model decides by the neighbours, so that it finds a name in one sentence and
**     not in the next, while the characters are the same everywhere.
** The pieces tile the run, one a position. They do not depend on `hmm`, nor, inside a word, on
** anything around it. A part of a best path is the best path of that part; so a query that begins
** and ends where words of a document do has the document's own pieces, and as a phrase finds
** them. (What no word index finds: a query that ends inside a word of two characters, or that
** needs a word across the border of two words of the document.)
**
** With `longer`, every token of cut_for_search (its two- and three-character words, and the word
** itself) that is no piece follows as CJK_COLOCATED the piece in which it starts, in the order of
** start and length. So a two-character word across a border between pieces is found, too: 科学 in
** 中国+科+学院. A query needs none of them: `longer` 0.
**
** Returns CJK_OK, CJK_NOMEM, CJK_TOOBIG or what `on_word` returned, which ends the call. */
CJK_API int cjk_words_cut_run(CjkWords *words, const uint32_t *run, size_t n, int hmm, int longer,
                              void *ctx, CjkRunWordFn on_word);

/* The frequency that makes `cut` keep these `n` characters together, for cjk_user_words_add: that
** of jieba's suggest_freq. Returns as cjk_words_cut. */
CJK_API int cjk_words_suggest_frequency(CjkWords *words, const uint32_t *word, size_t n,
                                        uint64_t *frequency);

#ifdef __cplusplus
}
#endif
#endif
