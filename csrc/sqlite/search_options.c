/*
** search_options.c: the table, tokenizers and options that a search begins with.
*/
#include <stdlib.h>
#include <string.h>

#include "../core/error.h"
#include "../core/options.h"
#include "arguments.h"
#include "searcher.h"

static int read_weights(CjkSearcher *s, const char *text, CjkError *error) {
  for (int i = 0; i < s->table.n_columns; i++) s->weights[i] = s->table.is_indexed[i];
  for (int i = 0; text && *text; i++) {
    char *end;
    double weight = strtod(text, &end);
    while (*end == ' ') end++;
    if (end == text || !(weight >= 0) || (*end && *end != ',') || i >= s->table.n_columns) {
      cjk_error(error,
                "cjk_search(): weights are numbers from 0 on, commas between, one for each column "
                "at most, as in \"10.0, 1.0\"; not \"%.60s\"",
                text);
      return SQLITE_ERROR;
    }
    if (s->table.is_indexed[i]) s->weights[i] = weight;
    text = *end ? end + 1 : end;
  }
  return SQLITE_OK;
}

static int find_column(const CjkFtsTable *table, const char *name, int n) {
  for (int i = 0; i < table->n_columns; i++) {
    if ((int)strlen(table->columns[i]) == n && sqlite3_strnicmp(table->columns[i], name, n) == 0)
      return i;
  }
  return -1;
}

/* Weight 0 for columns that are not listed, and the column filter of those that are. */
static int read_columns(CjkSearcher *s, const char *text, CjkError *error) {
  sqlite3_str *filter = sqlite3_str_new(s->db);
  char *is_listed = (char *)sqlite3_malloc64((sqlite3_uint64)s->table.n_columns + 1);
  int rc = is_listed ? SQLITE_OK : SQLITE_NOMEM;
  if (is_listed) memset(is_listed, 0, (size_t)s->table.n_columns);
  for (const char *p = text; rc == SQLITE_OK && p && *p;) {
    while (*p == ' ') p++;
    int n = (int)strcspn(p, ","), length = n;
    while (length > 0 && p[length - 1] == ' ') length--;
    int column = find_column(&s->table, p, length);
    if (column < 0) {
      cjk_error(error, "cjk_search(): \"%.100s\" has no column \"%.*s\"", s->table.name,
                length < 60 ? length : 60, p);
      rc = SQLITE_ERROR;
      break;
    }
    is_listed[column] = 1;
    sqlite3_str_appendf(filter, "%s\"%w\"", sqlite3_str_length(filter) ? " " : "{",
                        s->table.columns[column]);
    p += n + (p[n] == ',');
  }
  for (int i = 0; rc == SQLITE_OK && text && i < s->table.n_columns; i++) {
    if (!is_listed[i]) s->weights[i] = 0;
  }
  if (sqlite3_str_length(filter)) sqlite3_str_appendchar(filter, 1, '}');
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(filter);
  char *written = sqlite3_str_finish(filter);
  s->filter = written ? written : sqlite3_mprintf("");
  sqlite3_free(is_listed);
  return rc == SQLITE_OK && !s->filter ? SQLITE_NOMEM : rc;
}

/* Creates the table's tokenizer once more, with bigrams and unigrams in place of its own cut. */
static int open_units(CjkSearcher *s, CjkError *error) {
  CjkArguments words;
  int rc = cjk_arguments_parse(s->table.tokenize, &words, error), at = 0;
  if (rc != SQLITE_OK) return rc;
  while (!cjk_same_word(words.argv[at], "cjk")) at++; /* it is there */
  for (at++; at + 1 < words.argc && cjk_option_find(words.argv[at]);) {
    const char *name = words.argv[at];
    if (!cjk_same_word(name, "segment") && !cjk_same_word(name, "unigrams")) {
      at += 2;
      continue;
    }
    memmove(words.argv + at, words.argv + at + 2,
            (size_t)(words.argc - at - 1) * sizeof(*words.argv)); /* with what is behind the last */
    words.argc -= 2;
  }
  rc = cjk_host_create(s->api, words.argv, words.argc, &s->units, error);
  cjk_arguments_free(&words);
  return rc;
}

static int read_mode(CjkSearcher *s, const char *mode, CjkError *error) {
  s->mode = !mode || strcmp(mode, "auto") == 0 ? CJK_MODE_AUTO : cjk_query_mode(mode);
  if (s->mode >= 0 && s->mode != CJK_MODE_GRAMS && s->mode != CJK_MODE_WORDS) return SQLITE_OK;
  cjk_error(error,
            "cjk_search(): there is no mode \"%.60s\"; modes are: auto, all, any, phrase, prefix, "
            "web",
            mode);
  return SQLITE_ERROR;
}

int cjk_searcher_open(CjkSearcher *s, const CjkSearchOptions *options, const char *name,
                      CjkError *error) {
  int rc = read_mode(s, options->mode, error);
  if (rc != SQLITE_OK) return rc;
  rc = cjk_fts_table_find(s->db, "cjk_search", options->schema, name, &s->table, error);
  if (rc != SQLITE_OK) return rc;
  cjk_query_defaults(&s->query_options);
  s->query_options.is_cjk = 0;
  if (s->table.tokenize) {
    rc = cjk_query_open_tokenizer(s->api, s->table.tokenize, &s->terms, &s->query_options, error);
  }
  if (rc == SQLITE_OK && !s->query_options.is_cjk) {
    cjk_error(error, "cjk_search(): \"%.100s\" does not use the tokenizer cjk (%.100s)", name,
              s->table.tokenize ? s->table.tokenize : "it has no tokenize=");
    return SQLITE_ERROR;
  }
  if (rc == SQLITE_OK) rc = open_units(s, error);
  s->weights =
      (double *)sqlite3_malloc64(((sqlite3_uint64)s->table.n_columns + 1) * sizeof(double));
  if (!s->weights) return SQLITE_NOMEM;
  if (rc == SQLITE_OK) rc = read_weights(s, options->weights, error);
  if (rc == SQLITE_OK) rc = read_columns(s, options->columns, error);
  return rc;
}
