/*
** word_graph.c: from the end of a block to its start, the words that begin at each position are
** looked up in the trie and the one with the best path behind it is kept. The graph itself is
** never stored.
*/
#include "word_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cjk.h"

CjkWords *cjk_words_create(const CjkDictionary *dictionary, const CjkUserWords *user,
                           CjkReallocFn reallocate, CjkFreeFn release) {
  if (reallocate == NULL) {
    reallocate = realloc;
    release = free;
  }
  CjkWords *words = (CjkWords *)reallocate(NULL, sizeof(CjkWords));
  if (words == NULL) return NULL;
  memset(words, 0, sizeof(*words));
  words->dictionary = user ? cjk_user_words_dictionary(user) : dictionary;
  words->user = user;
  words->reallocate = reallocate;
  words->release = release;
  return words;
}

void cjk_words_free(CjkWords *words) {
  if (words == NULL) return;
  if (words->codes != NULL) words->release(words->codes);
  if (words->spans != NULL) words->release(words->spans);
  words->release(words);
}

int cjk_words_reserve_text(CjkWords *words, size_t n) {
  if (n > UINT32_C(1) << 30) return CJK_TOOBIG;
  if (n <= words->capacity) return CJK_OK;
  size_t capacity = n < 256 ? 256 : n + n / 2;
  uint16_t *codes = (uint16_t *)words->reallocate(NULL, capacity * (sizeof(uint16_t) + 2));
  if (codes == NULL) return CJK_NOMEM;
  if (words->codes != NULL) words->release(words->codes);
  words->capacity = capacity;
  words->codes = codes;
  words->choices = (uint8_t *)(codes + capacity);
  words->ends = words->choices + capacity;
  return CJK_OK;
}

int cjk_words_reserve_spans(CjkWords *words, size_t n) {
  size_t needed = words->n_spans + n;
  if (needed <= words->span_capacity) return CJK_OK;
  size_t capacity = needed < 256 ? 256 : needed + needed / 2;
  CjkSpan *spans = (CjkSpan *)words->reallocate(words->spans, capacity * sizeof(CjkSpan));
  if (spans == NULL) return CJK_NOMEM;
  words->spans = spans;
  words->span_capacity = capacity;
  return CJK_OK;
}

uint64_t cjk_words_find(const CjkWords *words, size_t at, size_t limit, double log_frequency[]) {
  uint64_t lengths = 0;
  CjkTrieUnit unit = {0, 0};
  size_t most = CJK_WORD_MAX;
  if (limit < most) most = limit;
  for (size_t i = 0; i < most; i++) {
    if (!cjk_dictionary_step(words->dictionary, unit.base, words->codes[at + i], &unit)) break;
    if (unit.frequency) {
      lengths |= UINT64_C(2) << i;
      log_frequency[i + 1] = words->dictionary->log_frequency[unit.frequency];
    }
    if (unit.base == 0) break;
  }
  if (words->user == NULL) return lengths;
  most = CJK_USER_WORD_MAX;
  if (limit < most) most = limit;
  for (size_t i = 0, node = 0; i < most; i++) {
    node = cjk_user_words_step(words->user, (uint32_t)node, words->text[at + i]);
    if (node == 0) break;
    const CjkUserWord *word = cjk_user_words_at(words->user, (uint32_t)node);
    if (word == NULL) continue;
    lengths |= UINT64_C(2) << i;
    if (word->frequency == 0) lengths ^= UINT64_C(2) << i;
    log_frequency[i + 1] = word->log_frequency;
  }
  return lengths;
}

/* The best word at `at` (the longest of equally good ones), to be followed by the best path from
** its end: sets `*score` and returns the entry of `choices`. scores[i % SCORES] is that of the
** best path from i to the end of the block. The sums are jieba's, term by term. */
static uint8_t choose_user_word(const CjkWords *words, size_t at, size_t limit,
                                const double scores[], double *score) {
  double log_frequency[SCORES];
  uint64_t lengths = cjk_words_find(words, at, limit, log_frequency);
  unsigned choice = 0;
  *score = -INFINITY;
  for (unsigned length = 1; length < SCORES && lengths >> length; length++) {
    if (!(lengths >> length & 1)) continue;
    double sum = log_frequency[length] - words->log_total + scores[(at + length) % SCORES];
    if (sum >= *score) {
      *score = sum;
      choice = length;
    }
  }
  return (uint8_t)(choice | (lengths << 4 & (HAS_TWO | HAS_THREE)));
}

/* The same for a place where no user word begins: the innermost loop, without a table of words. */
static inline uint8_t choose_word(const CjkWords *words, size_t at, size_t limit,
                                  const double scores[], double *score) {
  const CjkDictionary *dictionary = words->dictionary;
  const uint16_t *codes = words->codes + at;
  double best = -INFINITY;
  unsigned choice = 0, lengths = 0;
  CjkTrieUnit unit = {0, 0};
  if (limit > CJK_WORD_MAX) limit = CJK_WORD_MAX;
  for (unsigned length = 1; length <= limit; length++) {
    if (!cjk_dictionary_step(dictionary, unit.base, codes[length - 1], &unit)) break;
    if (unit.frequency) {
      double log_frequency = dictionary->log_frequency[unit.frequency];
      double sum = log_frequency - words->log_total + scores[(at + length) % SCORES];
      if (sum >= best) {
        best = sum;
        choice = length;
      }
      lengths |= 1u << length;
    }
    if (unit.base == 0) break;
  }
  *score = best;
  return (uint8_t)(choice | (lengths << 4 & (HAS_TWO | HAS_THREE)));
}

void cjk_words_find_best_path(CjkWords *words, size_t start, size_t end) {
  double scores[SCORES];
  scores[end % SCORES] = 0;
  for (size_t i = end; i-- > start;) {
    double score;
    uint8_t choice = words->user && cjk_user_words_begin(words->user, words->text[i])
                         ? choose_user_word(words, i, end - i, scores, &score)
                         : choose_word(words, i, end - i, scores, &score);
    if ((choice & LENGTH) == 0) { /* no word: the character, with frequency 1 */
      choice |= 1;
      score = 0 - words->log_total + scores[(i + 1) % SCORES];
    }
    words->choices[i] = choice;
    scores[i % SCORES] = score;
  }
}
