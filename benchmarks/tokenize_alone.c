/*
** tokenize_alone.c: tokenizing alone, with no index; a library that SQLite loads.
**
**   tokenize_alone(TEXT, NAME, ARGUMENT...)  '[seconds, tokens]': xTokenize of the tokenizer for each
**                                            line of TEXT, with a callback that only counts
**   decode_alone(TEXT)                       seconds for a loop that decodes the UTF-8
**   copy_alone(TEXT)                         seconds for memcpy
**
** The last two are the ceiling of the first. Seconds are processor time of this process. Any
** tokenizer that the connection knows can be measured, also those in Python.
*/
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../csrc/core/utf8.h"

enum { MAX_ARGUMENTS = 32 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int count_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)flags, (void)token, (void)n, (void)start, (void)end;
  ++*(long *)ctx;
  return SQLITE_OK;
}

static fts5_api *fts5_api_of(sqlite3 *db) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL) != SQLITE_OK) return NULL;
  sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  return api;
}

/* Calls the tokenizer for each line; the first error ends it. */
static int tokenize_lines(fts5_tokenizer *module, Fts5Tokenizer *instance, const char *text, int n,
                          long *n_tokens) {
  const char *end = text + n, *stop;
  int rc = SQLITE_OK;
  for (const char *line = text; rc == SQLITE_OK && line < end; line = stop + 1) {
    stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    rc = module->xTokenize(instance, n_tokens, FTS5_TOKENIZE_DOCUMENT, line, (int)(stop - line),
                           count_token);
  }
  return rc;
}

static void tokenize_alone(sqlite3_context *context, int argc, sqlite3_value **argv) {
  fts5_api *api = fts5_api_of(sqlite3_context_db_handle(context));
  fts5_tokenizer module;
  Fts5Tokenizer *instance = NULL;
  const char *arguments[MAX_ARGUMENTS];
  void *user;
  if (!api || argc < 2 || argc > MAX_ARGUMENTS) {
    sqlite3_result_error(context, "usage: tokenize_alone(text, tokenizer, argument...)", -1);
    return;
  }
  for (int i = 1; i < argc; i++) arguments[i - 1] = (const char *)sqlite3_value_text(argv[i]);
  if (api->xFindTokenizer(api, arguments[0], &user, &module) != SQLITE_OK ||
      module.xCreate(user, arguments + 1, argc - 2, &instance) != SQLITE_OK) {
    sqlite3_result_error(context, "no such tokenizer, or not with these arguments", -1);
    return;
  }
  long n_tokens = 0;
  const char *text = sqlite3_value_blob(argv[0]);
  double start = now();
  int rc = tokenize_lines(&module, instance, text, sqlite3_value_bytes(argv[0]), &n_tokens);
  double seconds = now() - start;
  module.xDelete(instance);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(context, rc);
    return;
  }
  char result[64];
  snprintf(result, sizeof result, "[%.6f, %ld]", seconds, n_tokens);
  sqlite3_result_text(context, result, -1, SQLITE_TRANSIENT);
}

static void decode_alone(sqlite3_context *context, int argc, sqlite3_value **argv) {
  const uint8_t *p = sqlite3_value_blob(argv[0]), *end = p + sqlite3_value_bytes(argv[0]);
  uint32_t cp, sum = 0;
  volatile uint32_t kept; /* or the loop would be optimised away */
  double start = now();
  (void)argc;
  for (; p < end; sum += cp) p += cjk_utf8_decode(p, end, &cp);
  kept = sum;
  sqlite3_result_double(context, now() - start);
  (void)kept;
}

static void copy_alone(sqlite3_context *context, int argc, sqlite3_value **argv) {
  const char *text = sqlite3_value_blob(argv[0]);
  size_t n = (size_t)sqlite3_value_bytes(argv[0]);
  char *copy = malloc(n + 1);
  (void)argc;
  if (!copy) {
    sqlite3_result_error_nomem(context);
    return;
  }
  memset(copy, 1, n + 1); /* its pages are there before the clock starts */
  double start = now();
  memcpy(copy, text, n);
  double seconds = now() - start;
  /* Reading it keeps the copy from being optimised away. */
  sqlite3_result_double(context, copy[n / 2] ? seconds : seconds + 1e-12);
  free(copy);
}

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_tokenizealone_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api)
  (void)message;
  int rc = sqlite3_create_function(db, "tokenize_alone", -1, SQLITE_UTF8, NULL, tokenize_alone,
                                   NULL, NULL);
  if (rc == SQLITE_OK) {
    rc =
        sqlite3_create_function(db, "decode_alone", 1, SQLITE_UTF8, NULL, decode_alone, NULL, NULL);
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_create_function(db, "copy_alone", 1, SQLITE_UTF8, NULL, copy_alone, NULL, NULL);
  }
  return rc;
}
