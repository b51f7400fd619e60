/*
** word_graph.h: inside of the word segmenter: the graph of words over a text and the best path
** through it. words.h is the outside.
*/
#ifndef CJK_WORD_GRAPH_H
#define CJK_WORD_GRAPH_H

#include "words.h"

/* choices[i]: length of the best word at i; and whether words of two and three characters begin
** there, whichever is best. */
enum { LENGTH = CJK_USER_WORD_MAX, HAS_TWO = 1 << 6, HAS_THREE = 1 << 7 };

/* Scores are kept for the last 64 positions: no word is longer. */
enum { SCORES = CJK_USER_WORD_MAX + 1 };

struct CjkWords {
  const CjkDictionary *dictionary;
  const CjkUserWords *user;
  double log_total;
  CjkReallocFn reallocate;
  CjkFreeFn release;

  const uint32_t *text;
  size_t n;
  int search;

  size_t capacity;  /* code points that these have room for; they lie in one block: */
  uint16_t *codes;  /* of the text, by dictionary */
  uint8_t *choices; /* see above */
  uint8_t *ends;    /* where words or pieces end */
  CjkSpan *spans;
  size_t n_spans;
  size_t span_capacity;
};

/* Makes room for a text of `n` code points: CJK_OK, CJK_NOMEM or CJK_TOOBIG. */
int cjk_words_reserve_text(CjkWords *words, size_t n);

/* Makes room for `n` more spans: CJK_OK or CJK_NOMEM. */
int cjk_words_reserve_spans(CjkWords *words, size_t n);

/* Finds all words that begin at `at` and have up to `limit` characters. Returns their lengths as a
** set of bits and fills log_frequency[length] for each; SCORES entries are enough. User words
** replace those below. */
uint64_t cjk_words_find(const CjkWords *words, size_t at, size_t limit, double log_frequency[]);

/* Fills `choices` for the block [start, end) with the best path through its words: greatest sum of
** logarithms of probabilities, the longer word where two are equal. */
void cjk_words_find_best_path(CjkWords *words, size_t start, size_t end);

#endif
