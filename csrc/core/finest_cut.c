/*
** finest_cut.c: the pieces of a run that an index gives positions to (the rule stands in words.h).
*/
#include "cjk.h"
#include "word_graph.h"

/* What a division of a word hands to the index. */
typedef struct Output {
  int longer;
  void *ctx;
  CjkRunWordFn on_word;
} Output;

/* Marks in `ends` the pieces of the dictionary word [start, end): the best path over its words of
** two characters and its characters, found from its end to its start. Until the path is known,
** `ends` holds the length of the best piece at each character. */
static void divide_word(CjkWords *words, size_t start, size_t end) {
  double log_frequency[3], scores[SCORES];
  uint8_t *ends = words->ends + start;
  size_t n = end - start;
  scores[n] = 0;
  for (size_t i = n; i-- > 0;) {
    uint64_t found = cjk_words_find(words, start + i, n - i < 2 ? 1 : 2, log_frequency);
    double frequency = found & 2 ? log_frequency[1] : 0;
    scores[i] = frequency - words->log_total + scores[i + 1];
    ends[i] = 1;
    if (!(found & 4)) continue;
    double sum = log_frequency[2] - words->log_total + scores[i + 2];
    if (sum < scores[i]) continue;
    scores[i] = sum;
    ends[i] = 2;
  }
  for (size_t i = 0; i < n; i++) {
    if (ends[i] == 1) continue;
    ends[i++] = 0;
    ends[i] = 1;
  }
}

/* Marks the pieces of any word of `cut`. One that is not on the best path is the model's. */
static void mark_pieces(CjkWords *words, size_t start, size_t end) {
  size_t n = end - start;
  int known = (words->choices[start] & LENGTH) == n;
  if (known && n > 2) {
    divide_word(words, start, end);
    return;
  }
  for (size_t i = start; i < end; i++) words->ends[i] = !known;
  words->ends[end - 1] = 1;
}

/* Hands out the colocated words that begin at `i`, inside the word [start, end) of `cut`, shorter
** ones first; not the piece [start_piece, end_piece). */
static int give_longer(const CjkWords *words, const Output *output, size_t i, CjkSpan word,
                       CjkSpan piece) {
  size_t n = word.end - word.start, lengths[3], n_lengths = 0;
  if (n > 2 && words->choices[i] & HAS_TWO) lengths[n_lengths++] = 2;
  if (n > 3 && words->choices[i] & HAS_THREE) lengths[n_lengths++] = 3;
  if (i == word.start) lengths[n_lengths++] = n;
  for (size_t k = 0; k < n_lengths; k++) {
    size_t end = i + lengths[k];
    if (end > word.end || (i == piece.start && end == piece.end)) continue;
    int rc = output->on_word(output->ctx, CJK_COLOCATED, (uint32_t)i, (uint32_t)end);
    if (rc != CJK_OK) return rc;
  }
  return CJK_OK;
}

static int give_word(const CjkWords *words, const Output *output, CjkSpan word) {
  CjkSpan piece = {word.start, word.start};
  while (piece.start < word.end) {
    while (!words->ends[piece.end++]) continue;
    int rc = output->on_word(output->ctx, 0, piece.start, piece.end);
    for (uint32_t i = piece.start; output->longer && rc == CJK_OK && i < piece.end; i++)
      rc = give_longer(words, output, i, word, piece);
    if (rc != CJK_OK) return rc;
    piece.start = piece.end;
  }
  return CJK_OK;
}

int cjk_words_cut_run(CjkWords *words, const uint32_t *run, size_t n, int hmm, int longer,
                      void *ctx, CjkRunWordFn on_word) {
  const CjkSpan *spans;
  size_t n_spans;
  int rc = cjk_words_cut(words, run, n, CJK_CUT_DEFAULT, hmm && longer, &spans, &n_spans);
  Output output = {longer, ctx, on_word};
  for (size_t i = 0; i < n_spans && rc == CJK_OK; i++) {
    mark_pieces(words, spans[i].start, spans[i].end);
    rc = give_word(words, &output, spans[i]);
  }
  return rc;
}
