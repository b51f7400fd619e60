/*
** host.c: see host.h.
*/
#include "host.h"

#include <stdio.h>
#include <string.h>

#include "../core/error.h"

static int find(fts5_api *api, const char *name, void **user, CjkHostTokenizer *out) {
  if (!CJK_HAS_V2(api)) return api->xFindTokenizer(api, name, user, &out->v1);
  CjkTokenizerV2 *found = NULL;
  int rc = ((CjkApiV3 *)api)->xFindTokenizer_v2(api, name, user, &found);
  if (rc == SQLITE_OK) {
    out->v2 = *found;
    out->is_v2 = 1;
  }
  return rc;
}

/* A misspelt option looks like a tokenizer's name. */
static void explain_unknown(CjkError *error, const char *name) {
  cjk_error(error,
            "\"%.100s\" is neither an option of tokenizer cjk nor a tokenizer that this "
            "connection knows; options are:",
            name);
  for (int i = 0; cjk_option_name(i); i++) {
    size_t n = strlen(error->message);
    snprintf(error->message + n, sizeof(error->message) - n, " %s", cjk_option_name(i));
  }
}

/* The trigram of SQLite 3.45 to 3.47 takes the text for a string with a NUL behind it. So may whatever
** wraps it. */
static int needs_end(const char *name) {
  int version = sqlite3_libversion_number();
  return version >= 3045000 && version < 3048000 && sqlite3_stricmp(name, "unicode61") != 0;
}

/* A tokenizer that wraps another creates it by a call from inside: `porter porter ...`, as long as a
** hostile schema or question wants, would use up the stack. */
enum { MAX_TOKENIZER_ARGUMENTS = 100 };

int cjk_host_create(fts5_api *api, const char *const *argv, int argc, CjkHostTokenizer *out,
                    CjkError *error) {
  void *user = NULL;
  const char **arguments = (const char **)(argv + 1); /* as FTS5 declares it */
  memset(out, 0, sizeof(*out));
  if (argc > MAX_TOKENIZER_ARGUMENTS) {
    cjk_error(error, "tokenizer %.100s has more than %d arguments", argv[0],
              MAX_TOKENIZER_ARGUMENTS);
    return SQLITE_ERROR;
  }
  int rc = find(api, argv[0], &user, out);
  if (rc != SQLITE_OK) {
    explain_unknown(error, argv[0]);
    return SQLITE_ERROR;
  }
  out->needs_end = needs_end(argv[0]);
  rc = out->is_v2 ? out->v2.xCreate(user, arguments, argc - 1, &out->instance)
                  : out->v1.xCreate(user, arguments, argc - 1, &out->instance);
  if (rc != SQLITE_OK) {
    out->instance = NULL;
    if (rc != SQLITE_NOMEM) {
      cjk_error(error, "tokenizer %.100s refused its arguments:", argv[0]);
      for (int i = 1; i < argc; i++) {
        size_t n = strlen(error->message);
        snprintf(error->message + n, sizeof(error->message) - n, " %.100s", argv[i]);
      }
    }
  }
  return rc;
}

static int call_tokenizer(CjkHostTokenizer *tokenizer, int flags, const char *text, int n_text,
                          const char *locale, int n_locale, void *ctx, CjkTokenFn on_token) {
  if (tokenizer->is_v2) {
    return tokenizer->v2.xTokenize(tokenizer->instance, ctx, flags, text, n_text, locale, n_locale,
                                   on_token);
  }
  return tokenizer->v1.xTokenize(tokenizer->instance, ctx, flags, text, n_text, on_token);
}

int cjk_host_tokenize(CjkHostTokenizer *tokenizer, int flags, const char *text, int n_text,
                      const char *locale, int n_locale, void *ctx, CjkTokenFn on_token) {
  char *copy = NULL;
  if (tokenizer->needs_end) {
    copy = (char *)sqlite3_malloc64((sqlite3_uint64)n_text + 1);
    if (!copy) return SQLITE_NOMEM;
    if (n_text) memcpy(copy, text, (size_t)n_text);
    copy[n_text] = 0;
    text = copy;
  }
  int rc = call_tokenizer(tokenizer, flags, text, n_text, locale, n_locale, ctx, on_token);
  sqlite3_free(copy);
  return rc;
}

void cjk_host_delete(CjkHostTokenizer *tokenizer) {
  if (!tokenizer->instance) return;
  if (tokenizer->is_v2)
    tokenizer->v2.xDelete(tokenizer->instance);
  else
    tokenizer->v1.xDelete(tokenizer->instance);
  tokenizer->instance = NULL;
}
