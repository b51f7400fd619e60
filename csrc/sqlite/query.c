/*
** query.c: cjk_query(text [, mode [, options]]): what a person types -> an FTS5 expression.
**
**   SELECT * FROM t WHERE t MATCH cjk_query(?1);
**   SELECT * FROM t WHERE t MATCH cjk_query(?1, 'any', '{"max_terms": 20}') ORDER BY rank;
**
** Nothing that is typed is FTS5 syntax: everything is quoted, NULs become blanks, a word that
** yields no token is left out. Where nothing is left the expression is `""`, which matches no row.
** Modes:
**
**   all     every word (blank-separated, U+3000 is a blank) is a phrase; all must occur (default)
**   any     the distinct terms of the text, any of them: bigrams, words. Question words and
**           particles are left out, unless nothing else is there
**   phrase  the whole text is one phrase
**   prefix  like all, and the last word may go on (as you type); a Hangul syllable at its end stands
**           for what the next keys may make of it (hangul.h)
**   web     "exact words", -without, one OR another
**   words   dictionary words of the text as phrases, any of them
**   grams   single terms, all of them: for tables with detail=column or detail=none
**
** The tokenizer trigram has no term for words of one or two characters. To leave them out would find
** rows without them, so they are an error (in modes any, words and grams where nothing else is left).
**
** Nothing is written twice. Bounds, so that the expression stays within what SQLite takes: all,
** prefix and web use the first 1,000 different words that yield a term; any, words and grams at most
** max_terms terms (64): words of one or two letters go first, then terms evenly over the text. Mode
** words reads the first 65,536 bytes. Time is linear in the text. FTS5 in turn looks up every term of
** a phrase, in time that is linear in the terms too, times how often the commonest of them stands in
** a row.
**
** Options, a JSON object: tokenize (the table's tokenize= string, default "cjk"), max_terms,
** function_words (1 keeps question words and particles).
*/
#include "phrases.h"

#include <stddef.h>
#include <string.h>

#include "../core/dictionary.h"
#include "../core/error.h"
#include "../core/function_words.h"
#include "../core/hash.h"
#include "../core/options.h"
#include "../core/segmenters.h"
#include "arguments.h"
#include "json_options.h"
#include "result.h"
#include "text_words.h"

enum { DEFAULT_TERMS = 64, MAX_TERMS = 1000, SHORT_WORD = 2, MAX_WORDS_TEXT = 1 << 16 };

const char cjk_query_modes[] = "all, any, phrase, prefix, web, words, grams";

static const char *const mode_names[CJK_N_MODES] = {"all", "any",   "phrase", "prefix",
                                                    "web", "words", "grams"};

int cjk_query_mode(const char *name) {
  for (int i = 0; i < CJK_N_MODES; i++) {
    if (strcmp(mode_names[i], name) == 0) return i;
  }
  return -1;
}

void cjk_query_defaults(CjkQueryOptions *options) {
  memset(options, 0, sizeof(*options));
  options->max_terms = DEFAULT_TERMS;
  options->has_unigrams = 1;
  options->is_cjk = 1;
}

static int write_all(CjkPhrases *phrases, const char *text, int n) {
  int at = 0, start, is_there, rc = SQLITE_OK;
  while (rc == SQLITE_OK && phrases->n < CJK_MAX_PHRASES && cjk_next_word(text, n, &at, &start)) {
    int may_go_on = phrases->options->mode == CJK_MODE_PREFIX && at == n;
    rc = cjk_phrases_add(phrases, text + start, at - start, " AND ", may_go_on, &is_there);
  }
  return rc;
}

/* ---- any, grams: single terms ---- */

/* The end of a run that a bigram before it already has. */
static int is_repeated_unit(const CjkTerms *terms, int i) {
  const CjkTerm *term = &terms->terms[i];
  return term->kind == CJK_TERM_UNIT && i > 0 && terms->terms[i - 1].kind == CJK_TERM_GRAM &&
         terms->terms[i - 1].end == term->end;
}

/* Clears wanted[] for terms that lie inside a function word of the text. */
static void leave_function_words(const CjkTerms *terms, const char *text, int n, char *wanted) {
  int first = 0;
  for (int at = 0, length; (length = cjk_next_function_word(text, n, &at)) > 0; at += length) {
    while (first < terms->n && terms->terms[first].start < at) first++;
    for (int i = first; i < terms->n && terms->terms[i].start < at + length; i++) {
      if (terms->terms[i].end <= at + length) wanted[i] = 0;
    }
  }
}

static int same_term(const CjkTerms *terms, int i, int j) {
  const CjkTerm *a = &terms->terms[i], *b = &terms->terms[j];
  return a->n == b->n &&
         memcmp(terms->bytes + a->offset, terms->bytes + b->offset, (size_t)a->n) == 0;
}

/* Clears wanted[] for terms that stand earlier in the list already. */
static int leave_repeated(const CjkTerms *terms, char *wanted) {
  int size = 64;
  while (size < 2 * terms->n) size *= 2;
  int *slots = (int *)sqlite3_malloc64((sqlite3_uint64)size * sizeof(int));
  if (!slots) return SQLITE_NOMEM;
  for (int i = 0; i < size; i++) slots[i] = -1;
  for (int i = 0; i < terms->n; i++) {
    const CjkTerm *term = &terms->terms[i];
    unsigned slot = cjk_hash(terms->bytes + term->offset, term->n) & (unsigned)(size - 1);
    if (!wanted[i]) continue;
    while (slots[slot] >= 0 && !same_term(terms, slots[slot], i)) {
      slot = (slot + 1) & (unsigned)(size - 1);
    }
    if (slots[slot] >= 0)
      wanted[i] = 0;
    else
      slots[slot] = i;
  }
  sqlite3_free(slots);
  return SQLITE_OK;
}

static int count_wanted(const CjkTerms *terms, const char *wanted) {
  int n = 0;
  for (int i = 0; i < terms->n; i++) n += wanted[i] != 0;
  return n;
}

/* Clears wanted[] until at most `most` are left: short words first, then evenly over the text. */
static void leave_too_many(const CjkTerms *terms, int most, char *wanted) {
  int n = count_wanted(terms, wanted);
  for (int i = 0; i < terms->n && n > most; i++) {
    const CjkTerm *term = &terms->terms[i];
    if (wanted[i] && term->kind == CJK_TERM_WORD && term->n <= SHORT_WORD) {
      wanted[i] = 0;
      n--;
    }
  }
  if (n <= most) return;
  for (int i = 0, seen = 0; i < terms->n; i++) {
    if (!wanted[i]) continue;
    sqlite3_int64 place = seen++;
    wanted[i] = place * most / n != (place - 1) * most / n || place == 0;
  }
}

/* Which terms to ask for. */
static int choose_terms(const CjkPhrases *phrases, const char *text, int n, char *wanted) {
  const CjkTerms *terms = &phrases->terms;
  const CjkQueryOptions *options = phrases->options;
  for (int i = 0; i < terms->n; i++) wanted[i] = !is_repeated_unit(terms, i);
  if (options->mode == CJK_MODE_ANY && !options->function_words) {
    leave_function_words(terms, text, n, wanted);
    if (count_wanted(terms, wanted) == 0) {
      for (int i = 0; i < terms->n; i++) wanted[i] = !is_repeated_unit(terms, i);
    }
  }
  int rc = leave_repeated(terms, wanted);
  if (rc == SQLITE_OK) leave_too_many(terms, options->max_terms, wanted);
  return rc;
}

/* Whether FTS5, which will cut the text once more, makes the term of it, or the beginning of the term:
** サー of サーバ is サ with fold_prolonged. */
static int gives_term(CjkPhrases *phrases, const char *text, int n, const CjkTerm *term,
                      int *gives) {
  CjkTerms *again = &phrases->again;
  int rc = cjk_terms_collect(phrases->tokenizer, text, n, again);
  *gives =
      rc == SQLITE_OK && again->n == 1 && again->terms[0].n <= term->n &&
      memcmp(again->bytes, phrases->terms.bytes + term->offset, (size_t)again->terms[0].n) == 0;
  return rc;
}

/* Writes one term: as a token; a word as it was typed (a stemmer would cut its stem once more). If
** the one does not give the term, the other may: デヾ of デーヾ is デデ with fold_iteration. What
** neither does (there are some odd signs) is left out. */
static int write_term(CjkPhrases *phrases, const char *text, int n_text, const CjkTerm *term,
                      const char *joiner) {
  int is_range = cjk_is_range(term->start, term->end, n_text), rc = SQLITE_OK, gives = 0, n = 0;
  const char *form = NULL;
  for (int i = 0; rc == SQLITE_OK && !gives && i < 2; i++) {
    int is_typed = (i == 0) == (term->kind == CJK_TERM_WORD);
    if (is_typed && !is_range) continue;
    form = is_typed ? text + term->start : phrases->terms.bytes + term->offset;
    n = is_typed ? term->end - term->start : term->n;
    rc = gives_term(phrases, form, n, term, &gives);
  }
  if (rc != SQLITE_OK || !gives) return rc;
  if (phrases->n++) sqlite3_str_appendall(phrases->out, joiner);
  cjk_write_quoted(phrases->out, form, n);
  if (cjk_needs_prefix(phrases->options, &phrases->again.terms[0], 0)) {
    sqlite3_str_appendchar(phrases->out, 1, '*');
  }
  return SQLITE_OK;
}

static int write_terms(CjkPhrases *phrases, const char *text, int n, const char *joiner) {
  CjkTerms *terms = &phrases->terms;
  int rc = cjk_terms_collect(phrases->tokenizer, text, n, terms);
  if (rc != SQLITE_OK || terms->n == 0) return rc;
  char *wanted = (char *)sqlite3_malloc(terms->n);
  if (!wanted) return SQLITE_NOMEM;
  rc = choose_terms(phrases, text, n, wanted);
  for (int i = 0; rc == SQLITE_OK && i < terms->n; i++) {
    if (wanted[i]) rc = write_term(phrases, text, n, &terms->terms[i], joiner);
  }
  sqlite3_free(wanted);
  return rc;
}

/* ---- words ---- */

/* Writes the words of the text that are no function words (or those too, when `all`). */
static int write_each_word(CjkPhrases *phrases, const char *text, const CjkTextWord *words,
                           int n_words, int all) {
  int is_there, rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < n_words; i++) {
    const char *word = text + words[i].start;
    if (phrases->n >= phrases->options->max_terms) break;
    if (!all && cjk_function_word_length(word, words[i].n) == words[i].n) continue;
    rc = cjk_phrases_add(phrases, word, words[i].n, " OR ", 0, &is_there);
  }
  return rc;
}

/* Makes one of words that stand in one token: the dictionary ends words at signs and at letters beyond
** ASCII, the table may not (caf, é; #m with tokenchars; the parts of an emoji). */
static int join_in_tokens(CjkPhrases *phrases, const char *text, int n, CjkTextWord *words,
                          int *n_words) {
  CjkTerms *terms = &phrases->terms;
  int rc = cjk_terms_collect(phrases->tokenizer, text, n, terms), kept = 0, k = 0;
  for (int i = 0; rc == SQLITE_OK && i < *n_words; i++) {
    while (k < terms->n && terms->terms[k].end <= words[i].start) k++;
    int is_inside =
        kept && k < terms->n && terms->terms[k].start < words[i].start &&
        (terms->terms[k].kind == CJK_TERM_WORD || terms->terms[k].kind == CJK_TERM_EMOJI);
    if (is_inside)
      words[kept - 1].n = words[i].start + words[i].n - words[kept - 1].start;
    else
      words[kept++] = words[i];
  }
  if (rc == SQLITE_OK) *n_words = kept;
  return rc;
}

static int write_words(CjkPhrases *phrases, const char *text, int n) {
  CjkTextWord *words = NULL;
  int n_words = 0;
  if (n > MAX_WORDS_TEXT) n = MAX_WORDS_TEXT;
  int rc = cjk_text_words_cut(text, n, &words, &n_words);
  /* Tokens of trigram stand in no word. */
  if (rc == SQLITE_OK && !phrases->options->is_trigram) {
    rc = join_in_tokens(phrases, text, n, words, &n_words);
  }
  if (rc == SQLITE_OK) {
    rc = write_each_word(phrases, text, words, n_words, phrases->options->function_words);
  }
  if (rc == SQLITE_OK && phrases->n == 0) rc = write_each_word(phrases, text, words, n_words, 1);
  sqlite3_free(words);
  return rc;
}

/* ---- the whole ---- */

static int write_mode(CjkPhrases *phrases, const char *text, int n) {
  int is_there;
  switch (phrases->options->mode) {
  case CJK_MODE_ANY:
    return write_terms(phrases, text, n, " OR ");
  case CJK_MODE_GRAMS:
    return write_terms(phrases, text, n, " AND ");
  case CJK_MODE_PHRASE:
    return cjk_phrases_add(phrases, text, n, "", 0, &is_there);
  case CJK_MODE_WORDS:
    return write_words(phrases, text, n);
  case CJK_MODE_WEB:
    return cjk_write_web(phrases, text, n);
  default:
    return write_all(phrases, text, n);
  }
}

int cjk_query_write(CjkHostTokenizer *tokenizer, const CjkQueryOptions *options, const char *text,
                    int n, sqlite3_str *out, CjkError *error) {
  CjkPhrases phrases;
  cjk_phrases_begin(&phrases, tokenizer, options, out, error);
  int rc = write_mode(&phrases, text, n);
  if (rc == SQLITE_OK && phrases.n == 0) {
    rc = cjk_check_left_out(&phrases, text, n);
    sqlite3_str_appendall(out, "\"\"");
  }
  cjk_phrases_free(&phrases);
  return rc == SQLITE_OK ? sqlite3_str_errcode(out) : rc;
}

/* ---- the function ---- */

static const CjkJsonField query_fields[] = {
    {"tokenize", CJK_JSON_TEXT, (int)offsetof(CjkQueryOptions, tokenize), 0, 0},
    {"max_terms", CJK_JSON_INTEGER, (int)offsetof(CjkQueryOptions, max_terms), 1, MAX_TERMS},
    {"function_words", CJK_JSON_INTEGER, (int)offsetof(CjkQueryOptions, function_words), 0, 1},
    {NULL, CJK_JSON_TEXT, 0, 0, 0}};

/* Creates the tokenizer of a tokenize= string and says of it what queries must know. */
int cjk_query_open_tokenizer(fts5_api *api, const char *tokenize, CjkHostTokenizer *tokenizer,
                             CjkQueryOptions *options, CjkError *error) {
  CjkArguments arguments;
  CjkError ignored;
  CjkOptions parsed;
  int n_used;
  if (!tokenize) tokenize = "";
  int rc = cjk_arguments_open(api, tokenize, tokenizer, error);
  if (rc == SQLITE_OK) rc = cjk_arguments_parse(tokenize, &arguments, error);
  if (rc != SQLITE_OK) return rc;
  for (int i = 0; i < arguments.argc; i++) {
    options->is_trigram |= cjk_same_word(arguments.argv[i], "trigram");
  }
  options->is_cjk = 0;
  for (int i = 0; i < arguments.argc; i++) {
    if (!cjk_same_word(arguments.argv[i], "cjk")) continue;
    options->is_cjk = 1;
    /* They are right: the tokenizer has been made of them. */
    cjk_options_parse(arguments.argv + i + 1, arguments.argc - i - 1, &parsed, &n_used, &ignored);
    options->has_unigrams = parsed.unigrams;
    options->has_words = parsed.segment >= CJK_SEGMENT_JIEBA;
    options->may_cut_hangul = parsed.segment > CJK_SEGMENT_JIEBA;
    break; /* the outermost cjk is the one that cuts */
  }
  cjk_arguments_free(&arguments);
  return SQLITE_OK;
}

static int read_arguments(sqlite3_context *context, int argc, sqlite3_value **argv,
                          CjkQueryOptions *options, CjkError *error) {
  if (argc > 1 && sqlite3_value_type(argv[1]) != SQLITE_NULL) {
    const char *name = (const char *)sqlite3_value_text(argv[1]);
    if (!name) return SQLITE_NOMEM;
    int mode = cjk_query_mode(name);
    if (mode < 0) {
      cjk_error(error, "cjk_query(): there is no mode \"%.60s\"; modes are: %s", name,
                cjk_query_modes);
      return SQLITE_ERROR;
    }
    options->mode = (CjkQueryMode)mode;
  }
  if (argc > 2 && sqlite3_value_type(argv[2]) != SQLITE_NULL) {
    const char *json = (const char *)sqlite3_value_text(argv[2]);
    if (!json) return SQLITE_NOMEM;
    return cjk_json_read(sqlite3_context_db_handle(context), "cjk_query", json, query_fields,
                         options, error);
  }
  return SQLITE_OK;
}

static void query_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  CjkQueryOptions options;
  CjkHostTokenizer tokenizer = {0};
  CjkError error = {""};
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(context));
  cjk_query_defaults(&options);
  int rc = read_arguments(context, argc, argv, &options, &error);
  if (rc == SQLITE_OK && options.mode == CJK_MODE_WORDS && !cjk_dictionary_builtin()) {
    cjk_error(&error, "cjk_query(): mode words needs a dictionary, and this library has none");
    rc = SQLITE_ERROR;
  }
  if (rc == SQLITE_OK) {
    rc = cjk_query_open_tokenizer((fts5_api *)sqlite3_user_data(context), options.tokenize,
                                  &tokenizer, &options, &error);
  }
  if (rc == SQLITE_OK) {
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    rc = text ? cjk_query_write(&tokenizer, &options, text, sqlite3_value_bytes(argv[0]), out,
                                &error)
              : SQLITE_NOMEM;
  }
  cjk_host_delete(&tokenizer);
  sqlite3_free(options.tokenize);
  if (rc == SQLITE_OK) {
    cjk_result_str(context, out);
    return;
  }
  sqlite3_free(sqlite3_str_finish(out));
  cjk_error_clean(&error);
  if (error.message[0])
    sqlite3_result_error(context, error.message, -1);
  else
    sqlite3_result_error_code(context, rc);
}

int cjk_register_query(sqlite3 *db, fts5_api *api) {
  int rc = SQLITE_OK;
  for (int n = 1; rc == SQLITE_OK && n <= 3; n++) {
    rc = sqlite3_create_function(db, "cjk_query", n, SQLITE_UTF8 | SQLITE_INNOCUOUS, api,
                                 query_function, NULL, NULL);
  }
  return rc;
}
