/*
** test_other_tokenizers.c: tokenizers of the host program around cjk and inside it, that say things
** which FTS5 allows and nobody expects: synonyms, tokens without bytes, broken UTF-8, places that the
** text does not have; and that fail. Everything gives a result or their error, and the index is sound.
*/
#define SQLITE_CORE 1 /* calls go to the SQLite that is linked, not through the host's table */
#include <sqlite3ext.h>

#include "sql.h"

/* ---- the tokenizer `odd BEHAVIOUR NAME ...`: changes what NAME says ---- */

typedef enum Behaviour {
  SYNONYMS, /* each token again with an x before it, at the same place */
  BESIDE,   /* all tokens at the place of the one before them, the first too */
  EMPTY,    /* a token without bytes behind each */
  BROKEN,   /* the first byte of each token only */
  FAR,      /* places behind the text */
  BEFORE,   /* and before it */
  TURNED,   /* that end where they begin, and the other way round */
  FAILING,  /* an error in place of the second token */
  STRICT,   /* goes on, and says what it was told in the end */
  LENIENT,  /* goes on although it is told to stop, and says that all went well */
  N_BEHAVIOURS
} Behaviour;

static const char *const behaviours[N_BEHAVIOURS] = {"synonyms", "beside", "empty",  "broken",
                                                     "far",      "before", "turned", "failing",
                                                     "strict",   "lenient"};

typedef int (*TokenFn)(void *ctx, int flags, const char *token, int n, int start, int end);

typedef struct Odd {
  Behaviour behaviour;
  fts5_tokenizer wrapped;
  Fts5Tokenizer *instance;
} Odd;

typedef struct Call {
  Behaviour behaviour;
  TokenFn on_token;
  void *ctx;
  int n;
  int rc; /* the callback's */
} Call;

static int change_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Call *call = ctx;
  char synonym[64] = "x";
  int rc = SQLITE_OK;
  call->n++;
  switch (call->behaviour) {
  case BESIDE:
    return call->on_token(call->ctx, FTS5_TOKEN_COLOCATED, token, n, start, end);
  case BROKEN:
    return call->on_token(call->ctx, flags, token, n > 0, start, end);
  case FAR:
    return call->on_token(call->ctx, flags, token, n, start + 1000, end + 1000);
  case BEFORE:
    return call->on_token(call->ctx, flags, token, n, start - 1000, end - 1000);
  case TURNED:
    return call->on_token(call->ctx, flags, token, n, end, start);
  case FAILING:
    return call->n == 2 ? SQLITE_ERROR : call->on_token(call->ctx, flags, token, n, start, end);
  case STRICT:
  case LENIENT:
    if (call->rc == SQLITE_OK) call->rc = call->on_token(call->ctx, flags, token, n, start, end);
    return SQLITE_OK;
  default:
    rc = call->on_token(call->ctx, flags, token, n, start, end);
  }
  if (rc != SQLITE_OK) return rc;
  if (call->behaviour == EMPTY) return call->on_token(call->ctx, 0, token, 0, start, end);
  memcpy(synonym + 1, token, (size_t)(n < 60 ? n : 60));
  return call->on_token(call->ctx, FTS5_TOKEN_COLOCATED, synonym, n < 60 ? n + 1 : 61, start, end);
}

static int odd_create(void *user, const char **argv, int argc, Fts5Tokenizer **out) {
  fts5_api *api = user;
  void *wrapped_user = NULL;
  Odd *odd = sqlite3_malloc(sizeof(*odd));
  memset(odd, 0, sizeof(*odd));
  while (argc && odd->behaviour < N_BEHAVIOURS && strcmp(behaviours[odd->behaviour], argv[0])) {
    odd->behaviour++;
  }
  int rc = argc > 1 && odd->behaviour < N_BEHAVIOURS
               ? api->xFindTokenizer(api, argv[1], &wrapped_user, &odd->wrapped)
               : SQLITE_ERROR;
  if (rc == SQLITE_OK) rc = odd->wrapped.xCreate(wrapped_user, argv + 2, argc - 2, &odd->instance);
  if (rc != SQLITE_OK) sqlite3_free(odd);
  *out = rc == SQLITE_OK ? (Fts5Tokenizer *)odd : NULL;
  return rc;
}

static void odd_delete(Fts5Tokenizer *tokenizer) {
  Odd *odd = (Odd *)tokenizer;
  odd->wrapped.xDelete(odd->instance);
  sqlite3_free(odd);
}

static int odd_tokenize(Fts5Tokenizer *tokenizer, void *ctx, int flags, const char *text, int n,
                        TokenFn on_token) {
  Odd *odd = (Odd *)tokenizer;
  Call call = {odd->behaviour, on_token, ctx, 0, SQLITE_OK};
  int rc = odd->wrapped.xTokenize(odd->instance, &call, flags, text, n, change_token);
  return call.behaviour == STRICT && call.rc != SQLITE_OK ? call.rc : rc;
}

/* ---- connections ---- */

static fts5_api *fts5_of(sqlite3 *db) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL);
  sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  return api;
}

static void register_odd(sqlite3 *db, const char *name) {
  static fts5_tokenizer odd = {odd_create, odd_delete, odd_tokenize};
  fts5_api *api = fts5_of(db);
  CHECK(api->xCreateTokenizer(api, name, api, &odd, NULL) == SQLITE_OK, "not registered");
}

/* ---- whatever they say ---- */

static const char *const texts[] = {
    "机器学习的方法，running サーバーの時々 hello",
    "今天天气很好 한국어 สวัสดี 👨\xE2\x80\x8D👩 ｶﾞ",
    "Ünïcödé Ａbc １２ co\xC2\xADop 学x习 x学",
    "学",
};

static const char *const questions[] = {
    "SELECT count(*) FROM o('学习 OR hello OR 한국')",
    "SELECT cjk_highlight(o, 0, '<', '>'), cjk_snippet(o, -1, '<', '>', '~', 5) "
    "FROM o('学* OR hello OR 今天 OR 东')",
    "SELECT cjk_highlight(o, 0, '<', '>') FROM o('\"机器学习\" OR \"สวัสดี\"')",
    "SELECT rowid FROM o('学') ORDER BY cjk_rank(o)",
    "SELECT rowid, score, snippet, highlights, expression FROM cjk_search('o', '机器学习 hello', "
    "'{\"snippet\": 9, \"highlight\": 1}')",
    "SELECT rowid, score, snippet FROM cjk_search('o', '한ㄱ', '{\"mode\": \"prefix\", "
    "\"snippet\": "
    "9}')",
    "SELECT rowid FROM cjk_search('o', '今天天气 ｶﾞ สวัสดี', '{\"mode\": \"all\"}')",
    "SELECT rowid FROM cjk_search('o', '什么 学习', '{\"mode\": \"any\"}')",
};

static const char *const shapes[] = {
    "odd %s cjk",
    "odd %s cjk unigrams 0",
    "cjk odd %s unicode61",
    "cjk segment jieba odd %s unicode61",
    "odd %s odd synonyms cjk segment unigram",
};

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A statement that may fail with an ordinary error, as that of the tokenizer. */
static void is_answered(sqlite3 *db, const char *sql, int may_fail) {
  Answer answer = run(db, sql);
  CHECK(answer.rc == SQLITE_OK || (may_fail && answer.rc == SQLITE_ERROR), "%d: %s in %s",
        answer.rc, sqlite3_errmsg(db), sql);
  free(answer.text);
}

static void tables_answer(sqlite3 *db, const char *shape, Behaviour behaviour) {
  int may_fail = behaviour == FAILING;
  char *tokenize = sqlite3_mprintf(shape, behaviours[behaviour]);
  char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE o USING fts5(x, tokenize=%Q)", tokenize);
  is_answered(db, sql, 0);
  sqlite3_free(sql);
  for (int i = 0; i < LENGTH(texts); i++) {
    sql = sqlite3_mprintf("INSERT INTO o VALUES(%Q)", texts[i]);
    is_answered(db, sql, may_fail);
    sqlite3_free(sql);
    sql = sqlite3_mprintf("SELECT * FROM cjk_tokens(%Q, %Q)", texts[i], tokenize);
    is_answered(db, sql, may_fail);
    sqlite3_free(sql);
    for (int mode = 0; mode < 7; mode++) {
      static const char *const modes[] = {"all", "any",   "phrase", "prefix",
                                          "web", "words", "grams"};
      sql = sqlite3_mprintf("SELECT cjk_query(%Q, %Q, json_object('tokenize', %Q))", texts[i],
                            modes[mode], tokenize);
      is_answered(db, sql, may_fail);
      sqlite3_free(sql);
    }
  }
  for (int i = 0; i < LENGTH(questions); i++) is_answered(db, questions[i], may_fail);
  is_answered(db, "DROP TABLE o", 0);
  sqlite3_free(tokenize);
}

/* A synonym is found, and marks what it stands for. */
static void synonyms_are_found(sqlite3 *db) {
  must(db, "CREATE VIRTUAL TABLE s USING fts5(x, tokenize='odd synonyms cjk')");
  must(db, "INSERT INTO s VALUES('一只猫、hello')");
  Answer answer = run(db, "SELECT cjk_highlight(s, 0, '<', '>') FROM s('xhello')");
  CHECK(strcmp(answer.text, "一只猫、<hello>|\n") == 0, "%s", answer.text);
  free(answer.text);
  must(db, "INSERT INTO s(s, rank) VALUES('integrity-check', 1)");
  must(db, "DROP TABLE s");
}

/* What a tokenizer that fails says is the statement's error; the table stays whole. */
static void failures_come_back(sqlite3 *db) {
  must(db, "CREATE VIRTUAL TABLE f USING fts5(x, tokenize='cjk odd failing unicode61')");
  must(db, "INSERT INTO f VALUES('学习 hello')");
  Answer answer = run(db, "INSERT INTO f VALUES('hello, wide world é')");
  CHECK(answer.rc == SQLITE_ERROR, "%d", answer.rc);
  free(answer.text);
  answer = run(db, "SELECT * FROM cjk_tokens('a é', 'cjk odd failing unicode61')");
  CHECK(answer.rc == SQLITE_ERROR, "%d", answer.rc);
  free(answer.text);
  answer = run(db, "SELECT rowid FROM f('学习')");
  CHECK(strcmp(answer.text, "1|\n") == 0, "%s", answer.text);
  free(answer.text);
}

/* A tokenizer named cjk that was there before gives way, and one that comes after is another. */
static void ours_takes_the_name(void) {
  sqlite3 *db = NULL;
  CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK, "not opened");
  register_odd(db, "cjk");
  CHECK(sqlite3_cjk_auto_init(db, NULL, api_routines) == SQLITE_OK, "not loaded");
  must(db,
       "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk'); INSERT INTO t VALUES('机器学习')");
  Answer answer = run(db, "SELECT cjk_check('cjk unigrams 0'), cjk_highlight(t, 0, '<', '>'), "
                          "cjk_error() FROM t('学习')");
  CHECK(strcmp(answer.text, "ok|机器<学习>|NULL|\n") == 0, "%s", answer.text);
  free(answer.text);
  register_odd(db, "cjk");
  answer = run(db, "SELECT cjk_check('synonyms unicode61'), cjk_highlight(t, 0, '<', '>'), "
                   "cjk_error(), (SELECT count(*) FROM cjk_tokens('a b', 'cjk synonyms "
                   "unicode61')) FROM t('学习')");
  CHECK(answer.rc == SQLITE_OK && strstr(answer.text, "机器<学习>|NULL|4|"), "%d %s", answer.rc,
        answer.text);
  free(answer.text);
  CHECK(sqlite3_close(db) == SQLITE_OK, "a statement is open");
}

int main(void) {
  sqlite3 *db = open_memory();
  register_odd(db, "odd");
  for (int i = 0; i < LENGTH(shapes); i++) {
    for (int behaviour = 0; behaviour < N_BEHAVIOURS; behaviour++) {
      tables_answer(db, shapes[i], (Behaviour)behaviour);
    }
  }
  synonyms_are_found(db);
  failures_come_back(db);
  ours_takes_the_name();
  CHECK(sqlite3_close(db) == SQLITE_OK, "a statement is open");
  return check_result();
}
