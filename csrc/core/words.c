/*
** words.c: segmenter: dictionary words, as jieba cuts them.
**
** The text falls into blocks, stretches of characters that can stand in words, and what is between
** them. The best path through each block is found first (word_graph.h), then read off from its
** start.
*/
#include "words.h"

#include "cjk.h"
#include "hmm.h"
#include "word_graph.h"

/* There must be room: cjk_words_reserve_spans. */
static inline void push_span(CjkWords *words, size_t start, size_t end) {
  CjkSpan span = {(uint32_t)start, (uint32_t)end};
  words->spans[words->n_spans++] = span;
}

/* -- characters -- */

static int is_digit(uint32_t c) {
  return c - '0' < 10;
}

static int is_alphanumeric(uint32_t c) {
  return is_digit(c) || (c | 0x20) - 'a' < 26;
}

static int is_han(uint32_t c) {
  return cjk_words_cover(c);
}

/* What Python's str.isspace() says, and so `\s` in its regular expressions. */
static int is_space(uint32_t c) {
  return (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

/* -- cut and cut_for_search -- */

static void push_characters(CjkWords *words, size_t start, size_t end) {
  for (; start < end; start++) push_span(words, start, start + 1);
}

/* Pushes a word, in search mode after the shorter words inside it. */
static inline void push_word(CjkWords *words, size_t start, size_t end) {
  if (words->search && end - start > 2) {
    for (size_t i = start; i + 2 <= end; i++)
      if (words->choices[i] & HAS_TWO) push_span(words, i, i + 2);
    if (end - start > 3)
      for (size_t i = start; i + 3 <= end; i++)
        if (words->choices[i] & HAS_THREE) push_span(words, i, i + 3);
  }
  push_span(words, start, end);
}

static int is_word(const CjkWords *words, size_t start, size_t end) {
  double unused[SCORES];
  size_t n = end - start;
  return n <= CJK_USER_WORD_MAX && (cjk_words_find(words, start, n, unused) >> n & 1);
}

/* Whether the user took this word away. */
static int is_split(const CjkWords *words, size_t start, size_t end) {
  uint32_t node = 0;
  if (words->user == NULL) return 0;
  for (size_t i = start; i < end; i++)
    if ((node = cjk_user_words_step(words->user, node, words->text[i])) == 0) return 0;
  const CjkUserWord *word = cjk_user_words_at(words->user, node);
  return word != NULL && word->split;
}

static void cut_han(CjkWords *words, size_t start, size_t end) {
  cjk_hmm_cut(words->dictionary, words->codes + start, end - start, words->ends + start);
  for (size_t i = start; i < end; i++) {
    if (!words->ends[i]) continue;
    if (is_split(words, start, i + 1))
      push_characters(words, start, i + 1);
    else
      push_word(words, start, i + 1);
    start = i + 1;
  }
}

/* Numbers and Latin words, `[a-zA-Z0-9]+(\.\d+)?%?`, and whatever is between them. */
static void cut_latin(CjkWords *words, size_t start, size_t end) {
  const uint32_t *text = words->text;
  size_t i = start;
  while (i < end) {
    if (!is_alphanumeric(text[i])) {
      i++;
      continue;
    }
    if (start < i) push_word(words, start, i);
    start = i;
    while (i < end && is_alphanumeric(text[i])) i++;
    if (i + 1 < end && text[i] == '.' && is_digit(text[i + 1])) {
      i += 2;
      while (i < end && is_digit(text[i])) i++;
    }
    if (i < end && text[i] == '%') i++;
    push_word(words, start, i);
    start = i;
  }
  if (start < end) push_word(words, start, end);
}

/* A stretch of single characters on the best path. */
static void cut_unknown(CjkWords *words, size_t start, size_t end) {
  if (end - start < 2 || is_word(words, start, end)) {
    push_characters(words, start, end);
    return;
  }
  while (start < end) {
    int han = is_han(words->text[start]);
    size_t next = start + 1;
    while (next < end && is_han(words->text[next]) == han) next++;
    if (han)
      cut_han(words, start, next);
    else
      cut_latin(words, start, next);
    start = next;
  }
}

static void cut_block_hmm(CjkWords *words, size_t start, size_t end) {
  size_t unknown = start; /* [unknown, i) are single characters */
  for (size_t i = start; i < end;) {
    size_t length = words->choices[i] & LENGTH;
    if (length > 1) {
      cut_unknown(words, unknown, i);
      push_word(words, i, i + length);
      unknown = i + length;
    }
    i += length;
  }
  cut_unknown(words, unknown, end);
}

/* Without the model single letters and digits still make one word. */
static void cut_block_plain(CjkWords *words, size_t start, size_t end) {
  size_t latin = start; /* [latin, i) are single letters and digits */
  for (size_t i = start; i < end;) {
    size_t length = words->choices[i] & LENGTH;
    if (length > 1 || !is_alphanumeric(words->text[i])) {
      if (latin < i) push_word(words, latin, i);
      push_word(words, i, i + length);
      latin = i + length;
    }
    i += length;
  }
  if (latin < end) push_word(words, latin, end);
}

static int is_line_break(const CjkWords *words, size_t i, size_t end) {
  return words->text[i] == '\r' && i + 1 < end && words->text[i + 1] == '\n';
}

/* Between blocks each character is a word, CR LF one of two characters. */
static void cut_between(CjkWords *words, size_t start, size_t end) {
  while (start < end) {
    size_t next = start + (is_line_break(words, start, end) ? 2 : 1);
    words->choices[start] = (uint8_t)(next - start); /* for the finest cut: a word, and no other */
    push_span(words, start, next);
    start = next;
  }
}

/* -- cut_all -- */

/* All words of a block. Letters and digits that begin no longer word are joined. */
static int cut_block_all(CjkWords *words, size_t start, size_t end) {
  double unused[SCORES];
  CjkSpan latin = {0, 0}; /* empty: none */
  size_t covered = start; /* end of the last word */
  for (size_t i = start; i < end; i++) {
    if (cjk_words_reserve_spans(words, CJK_USER_WORD_MAX + 2) != CJK_OK) return CJK_NOMEM;
    int alphanumeric = is_alphanumeric(words->text[i]);
    uint64_t lengths = cjk_words_find(words, i, end - i, unused);
    int alone = (lengths & (lengths - 1)) == 0 && i >= covered; /* one word, or none */
    if (latin.end && (!alphanumeric || (alone && latin.end != i))) {
      push_span(words, latin.start, latin.end);
      latin.end = 0;
    }
    if (lengths == 0) lengths = 2;
    for (size_t length = alone ? 1 : 2; length < SCORES && lengths >> length; length++) {
      if (!(lengths >> length & 1)) continue;
      covered = i + length;
      if (alone && alphanumeric) {
        if (!latin.end) latin.start = (uint32_t)i;
        latin.end = (uint32_t)covered;
      } else {
        push_span(words, i, covered);
      }
    }
  }
  if (latin.end) push_span(words, latin.start, latin.end);
  return CJK_OK;
}

/* Between blocks: white space, and the stretches before, between and after it, empty ones too. */
static void cut_between_all(CjkWords *words, size_t start, size_t end) {
  for (size_t i = start; i < end;) {
    size_t length = is_line_break(words, i, end) ? 2 : 1;
    if (is_space(words->text[i])) {
      push_span(words, start, i);
      push_span(words, i, i + length);
      start = i + length;
    }
    i += length;
  }
  push_span(words, start, end);
}

/* -- the text -- */

/* Most spans that a stretch of `n` characters gives, but for the blocks of cut_all. */
static size_t most_spans(size_t n) {
  return 3 * n + 1;
}

static int cut_block(CjkWords *words, size_t start, size_t end, CjkCutMode mode, int hmm) {
  if (mode == CJK_CUT_ALL) return cut_block_all(words, start, end);
  cjk_words_find_best_path(words, start, end);
  if (hmm)
    cut_block_hmm(words, start, end);
  else
    cut_block_plain(words, start, end);
  return CJK_OK;
}

static int cut_blocks(CjkWords *words, CjkCutMode mode, int hmm) {
  const uint16_t *codes = words->codes;
  size_t n = words->n, i = 0;
  int rc = CJK_OK;
  while (i < n && rc == CJK_OK) {
    size_t start = i;
    int block = codes[i] != 0;
    while (i < n && (codes[i] != 0) == block) i++;
    rc = cjk_words_reserve_spans(words, most_spans(i - start));
    if (rc != CJK_OK) return rc;
    if (block)
      rc = cut_block(words, start, i, mode, hmm);
    else if (mode == CJK_CUT_ALL)
      cut_between_all(words, start, i);
    else
      cut_between(words, start, i);
  }
  return rc;
}

int cjk_words_cut(CjkWords *words, const uint32_t *text, size_t n, CjkCutMode mode, int hmm,
                  const CjkSpan **spans, size_t *n_spans) {
  *spans = NULL;
  *n_spans = 0;
  int rc = cjk_words_reserve_text(words, n);
  if (rc != CJK_OK) return rc;
  for (size_t i = 0; i < n; i++)
    words->codes[i] = (uint16_t)cjk_dictionary_code(words->dictionary, text[i]);
  words->log_total =
      words->user ? cjk_user_words_log_total(words->user) : words->dictionary->log_total;
  words->text = text;
  words->n = n;
  words->search = mode == CJK_CUT_SEARCH;
  words->n_spans = 0;
  rc = cut_blocks(words, mode, hmm);
  if (rc != CJK_OK) return rc;
  *spans = words->spans;
  *n_spans = words->n_spans;
  return CJK_OK;
}

/* -- frequencies for user words -- */

/* Whether [start, end) is a word or the beginning of one, and its frequency (0 for a beginning). */
static int look_up_word(const CjkWords *words, size_t start, size_t end, uint64_t *frequency) {
  const CjkDictionary *dictionary = words->dictionary;
  CjkTrieUnit unit = {0, 0};
  size_t i = start;
  while (i < end && (i == start || unit.base != 0) &&
         cjk_dictionary_step(dictionary, unit.base, words->codes[i], &unit))
    i++;
  int found = i == end;
  *frequency = found ? dictionary->frequency[unit.frequency] : 0;
  if (words->user == NULL) return found;

  uint32_t node = 0;
  for (i = start; i < end; i++)
    if ((node = cjk_user_words_step(words->user, node, words->text[i])) == 0) return found;
  const CjkUserWord *word = cjk_user_words_at(words->user, node);
  if (word != NULL) *frequency = word->frequency;
  return 1;
}

int cjk_words_suggest_frequency(CjkWords *words, const uint32_t *word, size_t n,
                                uint64_t *frequency) {
  const CjkSpan *spans;
  size_t n_spans;
  int rc = cjk_words_cut(words, word, n, CJK_CUT_DEFAULT, 0, &spans, &n_spans);
  if (rc != CJK_OK) return rc;
  double total =
      (double)(words->user ? cjk_user_words_total(words->user) : words->dictionary->total);
  double product = 1;
  uint64_t count;
  for (size_t i = 0; i < n_spans; i++) {
    if (words->codes[spans[i].start] == 0) return CJK_ERROR;
    int found = look_up_word(words, spans[i].start, spans[i].end, &count);
    product *= (found ? (double)count : 1) / total;
  }
  *frequency = (uint64_t)(product * total) + 1;
  if (look_up_word(words, 0, n, &count) && count > *frequency) *frequency = count;
  return CJK_OK;
}
