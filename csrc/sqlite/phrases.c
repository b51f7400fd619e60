/*
** phrases.c: see phrases.h.
**
** A phrase is written once in its group: FTS5 looks at every phrase for every hit, and a text that
** says one word a thousand times would take it a thousand times as long.
*/
#include "phrases.h"

#include <string.h>

#include "../core/error.h"
#include "../core/fold.h"
#include "../core/hash.h"
#include "../core/memory.h"
#include "../core/utf8.h"
#include "hangul.h"

enum { MAX_COMPLETED = 256 }; /* bytes before a Hangul syllable whose completions are written */

void cjk_phrases_begin(CjkPhrases *phrases, CjkHostTokenizer *tokenizer,
                       const CjkQueryOptions *options, sqlite3_str *out, CjkError *error) {
  memset(phrases, 0, sizeof(*phrases));
  phrases->tokenizer = tokenizer;
  phrases->options = options;
  phrases->out = out;
  phrases->error = error;
}

void cjk_phrases_free(CjkPhrases *phrases) {
  cjk_terms_free(&phrases->terms);
  cjk_terms_free(&phrases->again);
  cjk_free(phrases->written);
}

void cjk_phrases_restart(CjkPhrases *phrases) {
  phrases->n = phrases->n_written = phrases->group = 0;
  memset(phrases->slots, 0, sizeof(phrases->slots));
}

void cjk_write_quoted(sqlite3_str *out, const char *text, int n) {
  int first = 0;
  sqlite3_str_appendchar(out, 1, '"');
  for (int i = 0; i < n; i++) {
    if (text[i] != '"' && text[i] != 0) continue;
    sqlite3_str_append(out, text + first, i - first);
    sqlite3_str_appendall(out, text[i] ? "\"\"" : "\001"); /* a break, no blank */
    first = i + 1;
  }
  sqlite3_str_append(out, text + first, n - first);
  sqlite3_str_appendchar(out, 1, '"');
}

/* One character alone needs it where the table has no term for it; and, where the word may go on, a
** term that can: a word, a cluster that a vowel sign follows, anything of another tokenizer. Grams
** of CJK characters are found as substrings anyway. */
int cjk_needs_prefix(const CjkQueryOptions *options, const CjkTerm *term, int may_go_on) {
  if (term->kind == CJK_TERM_UNIT && !options->has_unigrams) return 1;
  if (!may_go_on) return 0;
  return term->kind == CJK_TERM_WORD || term->is_complex || options->has_words || !options->is_cjk;
}

static int has_letters(const char *text, int n) {
  CjkReader reader = cjk_reader(text, n, 0);
  CjkFolded each;
  while (cjk_read_visible(&reader, &each)) {
    unsigned kind = cjk_class_of(&each);
    if (each.is_break) continue;
    if (kind == CJK_CLASS_CJK || kind == CJK_CLASS_COMPLEX || kind == CJK_CLASS_EMOJI) return 1;
    if (kind == CJK_CLASS_WORD && !(each.properties & CJK_SEPARATOR)) return 1;
  }
  return 0;
}

int cjk_check_left_out(const CjkPhrases *phrases, const char *text, int n) {
  if (!phrases->options->is_trigram || !has_letters(text, n)) return SQLITE_OK;
  cjk_error(phrases->error,
            "cjk_query(): the tokenizer trigram has no term for \"%.*s\" and would leave it out: "
            "it finds three characters and more; use LIKE, or a table with tokenize='cjk'",
            n < 60 ? n : 60, text);
  return SQLITE_ERROR;
}

/* The slot of the text in the group, or the free one where it belongs. */
static short *find_slot(CjkPhrases *phrases, const char *text, int n) {
  for (unsigned hash = cjk_hash(text, n);; hash++) {
    short *slot = &phrases->slots[hash % CJK_PHRASE_SLOTS];
    if (*slot == 0) return slot;
    const CjkWritten *each = &phrases->written[*slot - 1];
    if (each->group == phrases->group && each->n == n && memcmp(each->text, text, (size_t)n) == 0)
      return slot;
  }
}

/* Writes the text and, ORed, what its last character may become when it is Hangul. */
static void write_half_typed(CjkPhrases *phrases, const char *text, int n, const char *star) {
  CjkHangulRange ranges[CJK_MAX_HANGUL_RANGES];
  const CjkSyllables *within = phrases->options->within;
  char completed[MAX_COMPLETED + 8];
  int last = cjk_utf8_previous(text, n), n_ranges = 0;
  uint32_t typed;
  cjk_utf8_decode((const uint8_t *)text + last, (const uint8_t *)text + n, &typed);
  if (last <= MAX_COMPLETED && phrases->options->is_cjk && !phrases->options->may_cut_hangul) {
    n_ranges = cjk_hangul_completions(typed, ranges);
  }
  if (n_ranges) sqlite3_str_appendchar(phrases->out, 1, '(');
  cjk_write_quoted(phrases->out, text, n);
  sqlite3_str_appendall(phrases->out, star);
  for (int i = 0; i < n_ranges; i++) {
    int length = last;
    memcpy(completed, text, (size_t)last);
    if (ranges[i].before) length += cjk_utf8_encode(ranges[i].before, completed + length);
    for (int k = 0; k < ranges[i].n; k++) {
      uint32_t each = ranges[i].first + (uint32_t)k;
      if (each == typed && !ranges[i].before) continue;
      if (within && !cjk_syllables_have(within, each)) continue;
      int end = length + cjk_utf8_encode(each, completed + length);
      sqlite3_str_appendall(phrases->out, " OR ");
      cjk_write_quoted(phrases->out, completed, end);
      sqlite3_str_appendall(phrases->out, star);
    }
  }
  if (n_ranges) sqlite3_str_appendchar(phrases->out, 1, ')');
}

int cjk_phrases_add(CjkPhrases *phrases, const char *text, int n, const char *joiner, int may_go_on,
                    int *is_there) {
  short *slot = find_slot(phrases, text, n);
  *is_there = *slot != 0;
  if (*is_there && !may_go_on) return SQLITE_OK;
  int rc = cjk_terms_collect(phrases->tokenizer, text, n, &phrases->terms);
  if (rc != SQLITE_OK) return rc;
  *is_there = phrases->terms.n > 0;
  if (!*is_there) {
    int is_one_of_many = phrases->options->mode == CJK_MODE_WORDS;
    return is_one_of_many ? SQLITE_OK : cjk_check_left_out(phrases, text, n);
  }
  if (*slot == 0) {
    rc = cjk_reserve((void **)&phrases->written, &phrases->capacity, phrases->n_written + 1,
                     sizeof(CjkWritten));
    if (rc != SQLITE_OK) return rc;
    CjkWritten written = {text, n, phrases->group};
    phrases->written[phrases->n_written++] = written;
    *slot = (short)phrases->n_written;
  }
  if (phrases->n++) sqlite3_str_appendall(phrases->out, joiner);
  const CjkTerm *last = &phrases->terms.terms[phrases->terms.n - 1];
  const char *star = cjk_needs_prefix(phrases->options, last, may_go_on) ? "*" : "";
  if (may_go_on) {
    write_half_typed(phrases, text, n, star);
  } else {
    cjk_write_quoted(phrases->out, text, n);
    sqlite3_str_appendall(phrases->out, star);
  }
  return SQLITE_OK;
}

int cjk_next_word(const char *text, int n, int *at, int *start) {
  *start = *at = cjk_skip_blanks(text, n, *at);
  while (*at < n && !cjk_blank_length(text + *at, n - *at)) *at = cjk_utf8_next(text, n, *at);
  return *at > *start;
}
