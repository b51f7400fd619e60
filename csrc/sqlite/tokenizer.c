/*
** tokenizer.c: the FTS5 tokenizer `cjk`.
**
**   CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'cjk');
**   CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'cjk unigrams 0 porter unicode61');
**
** Its tokens are defined in docs/stream.md and made by ../core. What is not CJK goes to the parent
** tokenizer, which FTS5 finds by name. FTS5 swallows what a constructor has to say, so it is kept
** for cjk_check() and sent to SQLite's error log.
*/
#include "host.h"

#include <stdio.h>
#include <string.h>

#include "../core/error.h"

/* What the tokenizer knows of its connection. */
typedef struct Module {
  fts5_api *api;
  CjkError refusal;
} Module;

typedef struct Tokenizer {
  CjkAnalyzer *analyzer;
  CjkHostTokenizer parent;
} Tokenizer;

static int tokenize_parent(void *parent, int reason, const char *text, int n_text,
                           const char *locale, int n_locale, void *ctx, CjkTokenFn on_token) {
  return cjk_host_tokenize(parent, reason, text, n_text, locale, n_locale, ctx, on_token);
}

static void tokenizer_delete(Fts5Tokenizer *instance) {
  Tokenizer *tokenizer = (Tokenizer *)instance;
  cjk_host_delete(&tokenizer->parent);
  cjk_analyzer_free(tokenizer->analyzer);
  sqlite3_free(tokenizer);
}

/* Adds to a message about an unknown parent that it is no option either: a misspelt option looks
** like a parent's name. */
static void explain_unknown(CjkError *error, const char *name) {
  size_t n;
  cjk_error(error,
            "\"%.100s\" is neither an option of tokenizer cjk nor a tokenizer that this "
            "connection knows; options are:",
            name);
  for (int i = 0; (n = strlen(error->message)) && cjk_option_name(i); i++) {
    snprintf(error->message + n, sizeof(error->message) - n, " %s", cjk_option_name(i));
  }
}

static int create_parent(Module *module, Tokenizer *tokenizer, CjkError *error) {
  const char *const *argv;
  int argc = cjk_analyzer_parent_arguments(tokenizer->analyzer, &argv);
  CjkParent parent = {&tokenizer->parent, tokenize_parent};
  int rc = cjk_host_create(module->api, argv, argc, &tokenizer->parent, error);
  if (rc == SQLITE_ERROR && !tokenizer->parent.v2 && !tokenizer->parent.v1.xCreate) {
    explain_unknown(error, argv[0]);
  }
  cjk_analyzer_set_parent(tokenizer->analyzer, parent, sqlite3_stricmp(argv[0], "unicode61") == 0);
  return rc;
}

static int tokenizer_create(void *user, const char **argv, int argc, Fts5Tokenizer **out) {
  Module *module = user;
  CjkError error = {""};
  Tokenizer *tokenizer = sqlite3_malloc(sizeof(*tokenizer));
  *out = NULL;
  if (!tokenizer) return SQLITE_NOMEM;
  memset(tokenizer, 0, sizeof(*tokenizer));
  int rc = cjk_analyzer_create(argv, argc, &tokenizer->analyzer, &error);
  if (rc == SQLITE_OK) rc = create_parent(module, tokenizer, &error);
  if (rc == SQLITE_OK) {
    *out = (Fts5Tokenizer *)tokenizer;
    return rc;
  }
  if (error.message[0]) {
    module->refusal = error;
    sqlite3_log(rc, "tokenizer cjk: %s", error.message);
  }
  tokenizer_delete((Fts5Tokenizer *)tokenizer);
  return rc;
}

static int tokenize_v2(Fts5Tokenizer *instance, void *ctx, int flags, const char *text, int n_text,
                       const char *locale, int n_locale, CjkTokenFn on_token) {
  Tokenizer *tokenizer = (Tokenizer *)instance;
  return cjk_analyze(tokenizer->analyzer, flags, text, n_text, locale, n_locale, ctx, on_token);
}

static int tokenize_v1(Fts5Tokenizer *instance, void *ctx, int flags, const char *text, int n_text,
                       CjkTokenFn on_token) {
  return tokenize_v2(instance, ctx, flags, text, n_text, NULL, 0, on_token);
}

CjkError *cjk_refusal(fts5_api *api) {
  CjkTokenizerV2 *v2 = NULL;
  fts5_tokenizer v1;
  void *user = NULL;
  int is_ours;
  if (CJK_HAS_V2(api)) {
    is_ours = ((CjkApiV3 *)api)->xFindTokenizer_v2(api, "cjk", &user, &v2) == SQLITE_OK &&
              v2->xTokenize == tokenize_v2;
  } else {
    is_ours =
        api->xFindTokenizer(api, "cjk", &user, &v1) == SQLITE_OK && v1.xTokenize == tokenize_v1;
  }
  return is_ours ? &((Module *)user)->refusal : NULL;
}

int cjk_register_tokenizer(sqlite3 *db, fts5_api *api) {
  fts5_tokenizer v1 = {tokenizer_create, tokenizer_delete, tokenize_v1};
  CjkTokenizerV2 v2 = {2, tokenizer_create, tokenizer_delete, tokenize_v2};
  Module *module = sqlite3_malloc(sizeof(*module));
  (void)db;
  if (!module) return SQLITE_NOMEM;
  module->api = api;
  module->refusal.message[0] = 0;
  int rc = CJK_HAS_V2(api)
               ? ((CjkApiV3 *)api)->xCreateTokenizer_v2(api, "cjk", module, &v2, sqlite3_free)
               : api->xCreateTokenizer(api, "cjk", module, &v1, sqlite3_free);
  if (rc != SQLITE_OK) sqlite3_free(module);
  return rc;
}
