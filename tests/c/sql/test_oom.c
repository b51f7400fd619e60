/*
** test_oom.c: memory runs out, once or for good, at every allocation of every kind of statement.
**
** SQLite's allocator, which the core uses too, is wrapped by one that fails on command. For each
** statement, with n = 1, 2, ... until nothing fails any more: the n-th allocation fails (or it and
** all that follow), the answer is SQLITE_NOMEM or the right one, the same statement without a
** fault gives the right answer on the same connection, and closing it frees all memory. What a
** failed statement wrote is rolled back, and the index is sound.
**
** Every iteration opens the database anew, so that connecting to tables is part of the statement.
** Lasting faults begin at every third allocation. CJK_OOM_STRIDE=7 in the environment makes it every
** 7th and 21st (for valgrind and sanitizers).
**
** A few statements run in a database of UTF-16, too: there SQLite makes a copy of each text that it
** hands out, and has nothing to hand out when it can't.
*/
#include "sql.h"

/* ---- the allocator ---- */

static sqlite3_mem_methods real;
static struct {
  int left;       /* allocations until the fault; -1: none */
  int is_lasting; /* all that follow fail too */
  int n_failed;
  int n_blocks; /* not freed yet */
} faults = {-1, 0, 0, 0};

static int is_fault(void) {
  if (faults.left < 0 || (faults.left > 0 && --faults.left > 0)) return 0;
  if (faults.n_failed && !faults.is_lasting) return 0;
  faults.n_failed++;
  return 1;
}

static void *faulty_malloc(int n) {
  void *block = is_fault() ? NULL : real.xMalloc(n);
  faults.n_blocks += block != NULL;
  return block;
}

static void faulty_free(void *block) {
  faults.n_blocks--;
  real.xFree(block);
}

static void *faulty_realloc(void *block, int n) {
  return is_fault() ? NULL : real.xRealloc(block, n);
}

static void start_faults(int at, int is_lasting) {
  faults.left = at;
  faults.is_lasting = is_lasting;
  faults.n_failed = 0;
}

/* How many allocations failed. */
static int stop_faults(void) {
  faults.left = -1;
  return faults.n_failed;
}

static void set_up_allocator(void) {
  sqlite3_mem_methods faulty;
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); /* all goes through the allocator */
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
  faulty = real;
  faulty.xMalloc = faulty_malloc;
  faulty.xFree = faulty_free;
  faulty.xRealloc = faulty_realloc;
  CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty) == SQLITE_OK, "no allocator");
  CHECK(sqlite3_initialize() == SQLITE_OK, "no SQLite");
}

/* In a database in memory, SQLite's own files fail as a disk does. */
static int is_out_of_memory(int rc) {
  return rc == SQLITE_NOMEM || (rc & 0xFF) == SQLITE_IOERR;
}

/* ---- connections ---- */

static const char *database = "file:/oom?vfs=memdb";

static sqlite3 *open_plain(void) {
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  int rc = sqlite3_open_v2(database, &db, flags, NULL);
  CHECK(rc == SQLITE_OK, "%d", rc);
  must(db, "SELECT count(*) FROM sqlite_schema"); /* the schema is read; tables are not connected */
  return db;
}

static sqlite3 *open_loaded(void) {
  sqlite3 *db = open_plain();
  char *message = NULL;
  int rc = sqlite3_cjk_auto_init(db, &message, api_routines);
  CHECK(rc == SQLITE_OK, "%d: %s", rc, message);
  return db;
}

/* ---- the statements ---- */

#define TEXTS                                                                                                            \
  "('机器学习的方法', 'running サーバーの時々 hello'), ('今天天气很好，我们学习自然语言', " \
  "'한국어 สวัสดี'),"                                                                                     \
  "('🍐狩り ﾃﾞｰﾀ ㍿', 'Ünïcödé **重**要'), ('东京 大阪', 'x 东京都')"

static const char *const schema[] = {
    "CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='cjk')",
    "INSERT INTO t VALUES " TEXTS,
    "CREATE VIRTUAL TABLE j USING fts5(a, b, tokenize='cjk segment jieba porter unicode61')",
    "INSERT INTO j VALUES " TEXTS,
    "CREATE VIRTUAL TABLE u USING fts5(a, b, detail=column, tokenize='porter cjk unigrams 0 "
    "fold_han 1 fold_kana 1 fold_prolonged 1 fold_iteration 1 join_spaces 1 bridge_markup 1')",
    "INSERT INTO u VALUES " TEXTS,
    "CREATE TABLE base(id INTEGER PRIMARY KEY, a, b)",
    "INSERT INTO base(a, b) VALUES " TEXTS,
    "CREATE VIRTUAL TABLE e USING fts5(a, b, content=base, content_rowid=id, tokenize='cjk')",
    "INSERT INTO e(e) VALUES('rebuild')",
    "CREATE TRIGGER gone AFTER DELETE ON base BEGIN "
    "INSERT INTO e(e, rowid, a, b) VALUES('delete', old.id, old.a, old.b); END",
    "CREATE VIRTUAL TABLE r USING fts5(a, b, tokenize='cjk segment pairs')",
    "INSERT INTO r VALUES " TEXTS,
    "CREATE VIRTUAL TABLE l USING fts5(a, tokenize='cjk')",
    "INSERT INTO l VALUES(replace(hex(zeroblob(1500)), '00', '学习') || ' 机器')",
    /* without phrases, of words; without texts; more rows than a search looks at for one gram */
    "CREATE VIRTUAL TABLE n USING fts5(a, b unindexed, detail=none, tokenize='cjk segment jieba')",
    "INSERT INTO n VALUES " TEXTS,
    "CREATE VIRTUAL TABLE c USING fts5(a, b, content='', tokenize='cjk')",
    "INSERT INTO c(a, b) VALUES " TEXTS,
    /* an index whose texts are gone */
    "CREATE TABLE lost(id INTEGER PRIMARY KEY, a)",
    "INSERT INTO lost(a) VALUES('机器学习'), ('学习')",
    "CREATE VIRTUAL TABLE g USING fts5(a, content=lost, content_rowid=id, tokenize='cjk')",
    "INSERT INTO g(g) VALUES('rebuild')",
    "DELETE FROM lost",
    "CREATE VIRTUAL TABLE many USING fts5(a, tokenize='cjk')",
    "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 1200) "
    "INSERT INTO many SELECT iif(i % 400, '学习', '机器学习 สวัสดี') FROM i",
};

/* Two statements in one line are one step: the second sees what the first wrote. */
static const char *const statements[] = {
    /* making tables */
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk segment jieba hmm 0 unigrams 0 "
    "fold_han 1 remove_diacritics 2 tokenchars ''-_''')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='porter cjk segment unigram unicode61')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk segment pairs fold_kana 1')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk segment auto')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk segment nonsense')",
    "CREATE VIRTUAL TABLE new USING fts5(body, tokenize='cjk nonsense')",
    /* writing */
    "INSERT INTO t VALUES('新的机器，ｶﾞｷﾞ', 'words 🇯🇵'); SELECT rowid FROM t('\"新的\"')",
    "UPDATE t SET a = '换了天气' WHERE rowid = 2; SELECT rowid FROM t('天气')",
    "DELETE FROM t WHERE rowid = 1; SELECT count(*) FROM t('学习')",
    "INSERT INTO j VALUES('小明硕士毕业于中国科学院', 'runs'); SELECT rowid FROM j('科学')",
    "INSERT INTO u VALUES('時々いすゞ', 'サーバー 重**要**'); SELECT rowid FROM u('server OR "
    "時時')",
    "INSERT INTO r VALUES('小明硕士毕业', 'サーバー'); SELECT rowid FROM r('硕士')",
    "DELETE FROM base WHERE id = 2; SELECT rowid FROM e('学习')",
    "INSERT INTO t(t) VALUES('rebuild'); SELECT rowid FROM t('学习')",
    "INSERT INTO j(j) VALUES('optimize'); SELECT rowid FROM j('学习')",
    "INSERT INTO t(t, rank) VALUES('rank', 'cjk_rank()'); SELECT rowid FROM t('学习') ORDER BY "
    "rank",
    "INSERT INTO l VALUES(replace(hex(zeroblob(900)), '00', '々ゝー한'))",
    /* queries */
    "SELECT rowid FROM t WHERE t MATCH '学习 AND 机*'",
    "SELECT cjk_query('机器 学习 \"a\"')",
    "SELECT cjk_query('机器学习的方法有哪些', 'any', '{\"max_terms\": 3, \"function_words\": 0}')",
    "SELECT cjk_query('机器学习', 'phrase', '{\"tokenize\": \"cjk segment jieba\"}')",
    "SELECT cjk_query('机器 学', 'prefix', '{\"tokenize\": \"porter cjk unigrams 0\"}')",
    "SELECT cjk_query('\"机器 学习\" OR 天气 -东京', 'web')",
    "SELECT cjk_query('机器学习的方法 running', 'words')",
    "SELECT cjk_query('学习 한국ㅇ 갑', 'prefix')",
    "SELECT cjk_query('机器学习 running', 'grams', '{\"tokenize\": \"cjk porter\"}')",
    "SELECT cjk_query('x', 'nonsense')",
    "SELECT cjk_query('x', 'any', '{\"max_terms\": \"x\"}')",
    "SELECT cjk_query('x', 'any', '{\"nonsense\": 1}')",
    "SELECT cjk_query('x', 'any', '[1]')",
    "SELECT cjk_query('x', 'any', '{\"tokenize\": \"cjk hmm 7\"}')",
    /* highlights and ranks */
    "SELECT cjk_highlight(t, 0, '<', '>'), cjk_highlight(t, 1, '<', '>') FROM t('学习 OR 东京')",
    "SELECT cjk_highlight(j, 0, '<', '>') FROM j('自然 OR run')",
    "SELECT cjk_highlight(u, -1, '<', '>') FROM u('学* OR 東京')",
    "SELECT cjk_snippet(t, -1, '<', '>', '…', 4) FROM t('学* OR 东京')",
    "SELECT length(cjk_highlight(l, 0, '<', '>')), cjk_snippet(l, 0, '<', '>', '…', 9) FROM "
    "l('习学习')",
    "SELECT rowid, round(cjk_rank(t, 2.0, 1.0), 6) FROM t('学习 OR 东京') ORDER BY cjk_rank(t)",
    "SELECT rowid FROM t WHERE t MATCH '学习' AND rank MATCH 'cjk_rank(2)' ORDER BY rank",
    "SELECT cjk_highlight(t, 9, '', '') FROM t('学习')",
    /* cjk_search */
    "SELECT rowid, round(score, 6) FROM cjk_search('t', '机器学习的方法')",
    "SELECT rowid, round(score, 6), snippet, highlights FROM cjk_search('t', '学习 东京', "
    "'{\"limit\": 3, \"offset\": 1, \"weights\": \"2.0, 1\", \"columns\": \"a, b\", \"snippet\": "
    "5, "
    "\"highlight\": 1, \"open\": \"<\", \"close\": \">\", \"ellipsis\": \"...\"}')",
    "SELECT rowid, snippet FROM cjk_search('j', 'running 自然语言', '{\"mode\": \"all\", "
    "\"snippet\": "
    "5, \"schema\": \"main\"}')",
    "SELECT rowid FROM cjk_search('u', '東京 サーバー', '{\"mode\": \"any\", \"columns\": \"b\"}')",
    "SELECT rowid, round(score, 6), highlights FROM cjk_search('e', '天气', '{\"mode\": \"web\", "
    "\"highlight\": 1}')",
    "SELECT rowid, expression, snippet FROM cjk_search('t', '한구', '{\"mode\": \"prefix\", "
    "\"snippet\": 5}')",
    "SELECT rowid, round(score, 6) FROM cjk_search('g', '机器 学习')",
    "SELECT rowid, round(score, 6) FROM cjk_search('n', '自然语言 학习 hello', NULL)",
    "SELECT rowid, round(score, 6) FROM cjk_search('c', '学习 สวัสดี')",
    "SELECT rowid, round(score, 6) FROM cjk_search('many', '机器学习 สวัสดี', '{\"budget\": 1100, "
    "\"limit\": 4}')",
    "SELECT rowid, round(score, 6) FROM cjk_search('many', '机器学习', '{\"columns\": \"a\", "
    "\"limit\": 4}')",
    "SELECT * FROM cjk_search('t', '学习', '{\"weights\": \"1, x\"}')",
    "SELECT * FROM cjk_search('nonsense', 'x')",
    "SELECT * FROM cjk_search('t', 'x', '{\"mode\": \"nonsense\"}')",
    "SELECT * FROM cjk_search('t', 'x', '{\"columns\": \"nonsense\"}')",
    "SELECT * FROM cjk_search('base', 'x')",
    /* the other functions */
    "SELECT * FROM cjk_tokens('机器学习 running ㍿🍐')",
    "SELECT * FROM cjk_tokens('机器学习 running', 'cjk segment jieba porter', 'query')",
    "SELECT * FROM cjk_tokens('机器学习 サーバー', 'segment auto')",
    "SELECT * FROM cjk_tokens('机器学习的方法', 'cjk segment pairs')",
    "SELECT cjk_highlight(r, 0, '<', '>') FROM r('学习')",
    "SELECT rowid, round(score, 6) FROM cjk_search('r', '学习')",
    "SELECT * FROM cjk_tokens('x', 'cjk hmm 7')",
    "SELECT * FROM cjk_options()",
    "SELECT * FROM cjk_chunks('第一句。第二句！ And (:/0123456789abcdef0123456789abcdef) one.', "
    "'{\"chunk_size\": 6, \"overlap\": 2, \"profile\": \"natural\"}')",
    "SELECT * FROM cjk_chunks('x', '{\"chunk_size\": 2, \"overlap\": 2}')",
    "SELECT cjk_detect('日本語の文'), cjk_relevance('学习', '机器学习'), cjk_version()",
    "SELECT cjk_check('cjk segment jieba porter'), cjk_check('hmm 7'), cjk_check('nonsense')",
    "SELECT cjk_dictionary()",
};

static const char *const utf16_statements[] = {
    "SELECT cjk_query('机器 学习', 'any', '{\"tokenize\": \"cjk\"}')",
    "SELECT cjk_check('cjk'), cjk_dictionary('jieba'), cjk_detect('学')",
    "SELECT cjk_relevance('学习', '机器学习')",
    "SELECT cjk_highlight(w, 0, '<', '>'), cjk_snippet(w, 0, '<', '>', '~', 5) FROM w('学习')",
    "SELECT rowid, snippet, expression FROM cjk_search('w', '学习', '{\"mode\": \"prefix\", "
    "\"snippet\": 5}')",
    "SELECT rowid FROM cjk_search('w', '学习', '{\"schema\": \"main\", \"columns\": \"a\"}')",
    "SELECT * FROM cjk_tokens('学习 a', 'cjk', 'query')",
    "SELECT text FROM cjk_chunks('学习', '{\"profile\": \"exact\", \"chunk_size\": 1, "
    "\"overlap\": 0}')",
};

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static int stride = 1;
static int n_faults;

/* ---- the tests ---- */

static void index_is_sound(sqlite3 *db) {
  must(db, "INSERT INTO t(t, rank) VALUES('integrity-check', 1);"
           "INSERT INTO j(j, rank) VALUES('integrity-check', 1);"
           "INSERT INTO u(u, rank) VALUES('integrity-check', 1);"
           "INSERT INTO e(e, rank) VALUES('integrity-check', 1);"
           "INSERT INTO r(r, rank) VALUES('integrity-check', 1);"
           "PRAGMA integrity_check");
}

/* Runs the statement with a fault at the n-th allocation; 0 when there was none to fail. */
static int fail_at(const char *sql, const Answer *right, int n, int is_lasting, int is_writing) {
  sqlite3 *db = open_loaded();
  if (is_writing) must(db, "BEGIN");
  start_faults(n, is_lasting);
  Answer answer = run(db, sql);
  int n_failed = stop_faults();
  int is_right = answer.rc == right->rc && strcmp(answer.text, right->text) == 0;
  CHECK(is_right || (n_failed && is_out_of_memory(answer.rc)), "fault %d%s: %d (%s) in %s\n%s", n,
        is_lasting ? " and on" : "", answer.rc, sqlite3_errmsg(db), sql, answer.text);
  free(answer.text);
  if (is_writing && !sqlite3_get_autocommit(db)) must(db, "ROLLBACK");
  if (is_writing) must(db, "BEGIN");
  answer = run(db, sql);
  if (is_writing && answer.rc == SQLITE_CORRUPT) {
    /* FTS5 of SQLite 3.40 goes on with totals that it could not read, with any tokenizer. */
    free(answer.text);
    sqlite3_close(db);
    db = open_loaded();
    must(db, "BEGIN");
    answer = run(db, sql);
  }
  CHECK(answer.rc == right->rc && strcmp(answer.text, right->text) == 0,
        "after fault %d%s: %d (%s) in %s\n%s", n, is_lasting ? " and on" : "", answer.rc,
        sqlite3_errmsg(db), sql, answer.text);
  free(answer.text);
  if (is_writing) must(db, "ROLLBACK");
  CHECK(sqlite3_close(db) == SQLITE_OK, "a statement is open: %s", sql);
  n_faults += n_failed > 0;
  return n_failed;
}

static void statement_survives(const char *sql) {
  int is_writing = strncmp(sql, "SELECT", 6) != 0, n_blocks = faults.n_blocks;
  sqlite3_int64 used = sqlite3_memory_used();
  sqlite3 *db = open_loaded();
  if (is_writing) must(db, "BEGIN");
  Answer right = run(db, sql);
  sqlite3_close(db);
  CHECK(right.rc == SQLITE_OK || right.rc == SQLITE_ERROR, "%d in %s", right.rc, sql);
  for (int is_lasting = 0; is_lasting < 2; is_lasting++) {
    for (int n = 1; fail_at(sql, &right, n, is_lasting, is_writing);
         n += is_lasting ? 3 * stride : stride) {
      CHECK(faults.n_blocks == n_blocks, "%d blocks leak at fault %d of %s",
            faults.n_blocks - n_blocks, n, sql);
      n_blocks = faults.n_blocks; /* each leak is told once */
    }
  }
  CHECK(sqlite3_memory_used() == used || faults.n_blocks != n_blocks, "memory leaks in %s", sql);
  free(right.text);
}

/* Registering fails, and then succeeds on the same connection; and on one that is being opened. */
static void registering_survives(void) {
  int n_failed = 1;
  for (int n = 1; n_failed; n++) {
    int n_blocks = faults.n_blocks;
    sqlite3 *db = open_plain();
    char *message = NULL;
    start_faults(n, n & 1);
    int rc = sqlite3_cjk_init(db, &message, api_routines);
    n_failed = stop_faults();
    CHECK(rc == SQLITE_OK_LOAD_PERMANENTLY || is_out_of_memory(rc), "fault %d: %d %s", n, rc,
          message);
    sqlite3_free(message);
    message = NULL;
    rc = sqlite3_cjk_init(db, &message, api_routines);
    CHECK(rc == SQLITE_OK_LOAD_PERMANENTLY, "after fault %d: %d %s", n, rc, message);
    sqlite3_free(message);
    must(db, "SELECT cjk_version(), cjk_check('cjk'), rowid FROM cjk_search('t', '学习')");
    must(db, "SELECT cjk_snippet(t, 0, '', '', '', 9), cjk_rank(t) FROM t('学习')");
    sqlite3_close(db);
    CHECK(faults.n_blocks == n_blocks, "%d blocks leak at fault %d of registering",
          faults.n_blocks - n_blocks, n);
  }
}

static void opening_survives(void) {
  int n_failed = 1, n_blocks;
  sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);
  n_blocks = faults.n_blocks;
  for (int n = 1; n_failed; n++) {
    sqlite3 *db = NULL;
    start_faults(n, n & 1);
    int rc = sqlite3_open(":memory:", &db);
    n_failed = stop_faults();
    CHECK(rc == SQLITE_OK || is_out_of_memory(rc), "fault %d: %d", n, rc);
    if (rc == SQLITE_OK) must(db, "CREATE VIRTUAL TABLE x USING fts5(y, tokenize='cjk')");
    sqlite3_close(db);
    CHECK(faults.n_blocks == n_blocks, "%d blocks leak at fault %d of opening",
          faults.n_blocks - n_blocks, n);
  }
  sqlite3_reset_auto_extension();
}

static void utf16_survives(void) {
  database = "file:/oom16?vfs=memdb";
  sqlite3 *keeper = open_loaded();
  must(keeper, "PRAGMA encoding = 'UTF-16'; CREATE VIRTUAL TABLE w USING fts5(a, tokenize='cjk')");
  must(keeper, "INSERT INTO w VALUES('机器学习的方法'), ('学习 hello')");
  for (int i = 0; i < LENGTH(utf16_statements); i++) statement_survives(utf16_statements[i]);
  sqlite3_close(keeper);
}

int main(void) {
  const char *given = getenv("CJK_OOM_STRIDE");
  if (given && atoi(given) > 0) stride = atoi(given);
  set_up_allocator();
  sqlite3_auto_extension((void (*)(void))keep_routines);
  sqlite3 *keeper = open_plain(); /* the database lives as long as somebody has it open */
  sqlite3_reset_auto_extension();
  CHECK(register_pairs("pairs", "zh ja", NULL) == CJK_OK, "not registered");
  CHECK(sqlite3_cjk_auto_init(keeper, NULL, api_routines) == SQLITE_OK, "not loaded");
  for (int i = 0; i < LENGTH(schema); i++) must(keeper, schema[i]);

  for (int i = 0; i < LENGTH(statements); i++) statement_survives(statements[i]);
  index_is_sound(keeper);
  registering_survives();
  opening_survives();
  sqlite3_close(keeper);
  utf16_survives();
  printf("%d faults\n", n_faults);
  return check_result();
}
