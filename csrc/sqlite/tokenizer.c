/*
** tokenizer.c: the FTS5 tokenizer `cjk`.
**
**   CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'cjk');
**   CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'cjk unigrams 0 porter unicode61');
**
** Its tokens are defined in docs/stream.md and made by ../core. What is not CJK goes to the parent
** tokenizer, which FTS5 finds by name. FTS5 swallows what a tokenizer has to say, so it is kept
** for cjk_check() and cjk_error() and sent to SQLite's error log.
**
** A segmenter of the host program can fail in the middle of a text. FTS5 has stored the row by
** then, and SQLite takes a single-row INSERT back only with its transaction: after an ordinary error
** inside BEGIN ... COMMIT the row would stay, without its index. So a text that is being indexed
** fails as an interrupted statement does, with SQLITE_INTERRUPT: the transaction is rolled back.
*/
#include "record.h"

#include <stdio.h>
#include <string.h>

#include "../core/error.h"

/* What the tokenizer knows of its connection. */
typedef struct Module {
  sqlite3 *db;
  fts5_api *api;
  CjkError refusal;
  const CjkRecord *answer; /* to cjk_record_of() */
  int depth;               /* of a cjk inside a cjk, while one is created */
  int explains;            /* tokens say who made them */
} Module;

enum { MAX_DEPTH = 8 };

typedef struct Tokenizer {
  Module *module;
  CjkAnalyzer *analyzer;
  CjkHostTokenizer parent;
  int keeps_record;
  CjkRecord record;
} Tokenizer;

/* The text with which cjk_record_of() asks: known by its address. */
static const char question[] = "?";

static int tokenize_parent(void *parent, int reason, const char *text, int n_text,
                           const char *locale, int n_locale, void *ctx, CjkTokenFn on_token) {
  return cjk_host_tokenize((CjkHostTokenizer *)parent, reason, text, n_text, locale, n_locale, ctx,
                           on_token);
}

static void tokenizer_delete(Fts5Tokenizer *instance) {
  Tokenizer *tokenizer = (Tokenizer *)instance;
  cjk_host_delete(&tokenizer->parent);
  cjk_analyzer_free(tokenizer->analyzer);
  cjk_record_free(&tokenizer->record);
  sqlite3_free(tokenizer);
}

static int create_parent(Module *module, Tokenizer *tokenizer, CjkError *error) {
  const char *const *argv;
  int argc = cjk_analyzer_parent_arguments(tokenizer->analyzer, &argv);
  CjkParent parent = {&tokenizer->parent, tokenize_parent};
  int rc = cjk_host_create(module->api, argv, argc, &tokenizer->parent, error);
  cjk_analyzer_set_parent(tokenizer->analyzer, parent, sqlite3_stricmp(argv[0], "unicode61") == 0);
  return rc;
}

/* Changes when somebody writes through the connection, or ends its transaction. */
static unsigned stamp_of_connection(void *ctx) {
  sqlite3 *db = (sqlite3 *)ctx;
  return (unsigned)sqlite3_total_changes(db) << 1 | (unsigned)(sqlite3_get_autocommit(db) != 0);
}

static int tokenizer_create(void *user, const char **argv, int argc, Fts5Tokenizer **out) {
  Module *module = (Module *)user;
  CjkError error = {""};
  Tokenizer *tokenizer = (Tokenizer *)sqlite3_malloc(sizeof(*tokenizer));
  *out = NULL;
  if (!tokenizer) return SQLITE_NOMEM;
  memset(tokenizer, 0, sizeof(*tokenizer));
  tokenizer->module = module;
  tokenizer->keeps_record = cjk_record_is_needed();
  int rc = cjk_analyzer_create(argv, argc, &tokenizer->analyzer, &error);
  if (rc == SQLITE_OK && module->depth >= MAX_DEPTH) {
    cjk_error(&error, "tokenizer cjk stands inside itself more than %d times", MAX_DEPTH);
    rc = SQLITE_ERROR;
  }
  module->depth++;
  if (rc == SQLITE_OK) rc = create_parent(module, tokenizer, &error);
  module->depth--;
  if (rc == SQLITE_OK) {
    cjk_analyzer_set_stamp(tokenizer->analyzer, module->db, stamp_of_connection);
    *out = (Fts5Tokenizer *)tokenizer;
    return rc;
  }
  if (error.message[0]) {
    cjk_error_clean(&error);
    module->refusal = error;
    sqlite3_log(rc, "tokenizer cjk: %s", error.message);
  }
  tokenizer_delete((Fts5Tokenizer *)tokenizer);
  return rc;
}

/* A query whose tokens are written down on their way. */
typedef struct Recording {
  CjkRecord *record;
  CjkTokenFn on_token;
  void *ctx;
} Recording;

static int record_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Recording *recording = (Recording *)ctx;
  int rc = flags & CJK_COLOCATED ? SQLITE_OK : cjk_record_add(recording->record, token, n);
  return rc == SQLITE_OK ? recording->on_token(recording->ctx, flags, token, n, start, end) : rc;
}

/* Keeps why a segmenter failed; the code that the statement is to fail with. */
static int report_failure(Module *module, int flags, const char *message) {
  int rc = flags & FTS5_TOKENIZE_DOCUMENT ? SQLITE_INTERRUPT : SQLITE_ERROR;
  cjk_error(&module->refusal, "%s", message);
  sqlite3_log(rc, "tokenizer cjk: %s", module->refusal.message);
  return rc;
}

static int tokenize_v2(Fts5Tokenizer *instance, void *ctx, int flags, const char *text, int n_text,
                       const char *locale, int n_locale, CjkTokenFn on_token) {
  Tokenizer *tokenizer = (Tokenizer *)instance;
  Recording recording = {&tokenizer->record, on_token, ctx};
  if (text == question) {
    tokenizer->module->answer = &tokenizer->record;
    return SQLITE_OK;
  }
  if (tokenizer->keeps_record && (flags & FTS5_TOKENIZE_QUERY)) {
    cjk_record_begin(&tokenizer->record);
    ctx = &recording;
    on_token = record_token;
  }
  Module *module = tokenizer->module;
  cjk_analyzer_explain(tokenizer->analyzer, module->explains);
  module->explains = 0;
  int rc = cjk_analyze(tokenizer->analyzer, flags, text, n_text, locale, n_locale, ctx, on_token);
  if (rc == SQLITE_ERROR && cjk_analyzer_message(tokenizer->analyzer)[0]) {
    return report_failure(module, flags, cjk_analyzer_message(tokenizer->analyzer));
  }
  return rc == SQLITE_DONE ? SQLITE_OK : rc; /* a callback that has seen enough */
}

static int tokenize_v1(Fts5Tokenizer *instance, void *ctx, int flags, const char *text, int n_text,
                       CjkTokenFn on_token) {
  return tokenize_v2(instance, ctx, flags, text, n_text, NULL, 0, on_token);
}

/* The connection's module; NULL when its tokenizer `cjk` is not ours. */
static Module *find_module(fts5_api *api) {
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
  return is_ours ? (Module *)user : NULL;
}

CjkError *cjk_refusal(fts5_api *api) {
  Module *module = find_module(api);
  return module ? &module->refusal : NULL;
}

int cjk_explain_next(fts5_api *api, const CjkHostTokenizer *outermost) {
  Module *module = find_module(api);
  int is_ours = outermost->is_v2 ? outermost->v2.xTokenize == tokenize_v2
                                 : outermost->v1.xTokenize == tokenize_v1;
  if (module) module->explains = is_ours;
  return is_ours;
}

static int ignore_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)ctx, (void)flags, (void)token, (void)n, (void)start, (void)end;
  return SQLITE_OK;
}

const CjkRecord *cjk_record_of(fts5_api *api, const Fts5ExtensionApi *extension,
                               Fts5Context *context) {
  Module *module = find_module(api);
  if (!module) return NULL;
  module->answer = NULL;
  if (extension->xTokenize(context, question, 1, NULL, ignore_token) != SQLITE_OK) return NULL;
  return module->answer;
}

int cjk_register_tokenizer(sqlite3 *db, fts5_api *api) {
  fts5_tokenizer v1 = {tokenizer_create, tokenizer_delete, tokenize_v1};
  CjkTokenizerV2 v2 = {2, tokenizer_create, tokenizer_delete, tokenize_v2};
  Module *module = (Module *)sqlite3_malloc(sizeof(*module));
  if (!module) return SQLITE_NOMEM;
  memset(module, 0, sizeof(*module));
  module->db = db;
  module->api = api;
  int rc = CJK_HAS_V2(api)
               ? ((CjkApiV3 *)api)->xCreateTokenizer_v2(api, "cjk", module, &v2, sqlite3_free)
               : api->xCreateTokenizer(api, "cjk", module, &v1, sqlite3_free);
  if (rc != SQLITE_OK) sqlite3_free(module);
  return rc;
}
