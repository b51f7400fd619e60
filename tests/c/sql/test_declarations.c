/*
** test_declarations.c: cjk_search() reads the CREATE statement of its table, which anybody may have
** changed behind SQLite's back. Cut off anywhere, or with any character missing, it gives rows or an
** error that says something; and read as it was, the rows are found.
*/
#include "sql.h"

static const char *const declarations[] = {
    "CREATE VIRTUAL TABLE d USING fts5(a, b, tokenize='cjk')",
    "CREATE VIRTUAL TABLE d USING fts5(a, [b c] unindexed, tokenize = \"cjk unigrams 0\", "
    "prefix='2 3', content='', columnsize=0)",
    "CREATE VIRTUAL TABLE /* USING fts5(x) */ d -- USING fts4(y)\n USING fts5 /* ( */ (a, b, "
    "tokenize='cjk tokenchars ''-_''', detail=column)",
    "CREATE VIRTUAL TABLE [d] USING `fts5`('a', _1B, tokenize=[cjk segment jieba])",
};

static void set_sql(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db, "UPDATE sqlite_schema SET sql = ?1 WHERE name = 'd'", -1,
                              &statement, NULL);
  CHECK(rc == SQLITE_OK, "%s", sqlite3_errmsg(db));
  sqlite3_bind_text(statement, 1, sql, -1, SQLITE_TRANSIENT);
  CHECK(sqlite3_step(statement) == SQLITE_DONE, "%s", sqlite3_errmsg(db));
  sqlite3_finalize(statement);
}

static void is_answered(sqlite3 *db, const char *sql) {
  static const char *const searches[] = {
      "SELECT rowid, score, snippet FROM cjk_search('d', '机器学习', '{\"snippet\": 9}')",
      "SELECT rowid FROM cjk_search('d', '学习', '{\"weights\": \"1, 2\"}')",
      "SELECT rowid FROM cjk_search('d', '学习', '{\"columns\": \"a\"}')",
  };
  set_sql(db, sql);
  for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
    Answer answer = run(db, searches[i]);
    CHECK(answer.rc == SQLITE_OK || answer.rc == SQLITE_ERROR, "%d: %s", answer.rc, sql);
    CHECK(answer.rc == SQLITE_OK || strlen(sqlite3_errmsg(db)) > 20, "%s", sqlite3_errmsg(db));
    free(answer.text);
  }
}

static void damage_is_no_harm(sqlite3 *db, const char *declaration) {
  static const char search[] = "SELECT rowid, score FROM cjk_search('d', '学习')";
  size_t n = strlen(declaration);
  char *damaged = malloc(n + 1);
  must(db, declaration);
  must(db, "INSERT INTO d(rowid, a) VALUES(1, '机器学习')");
  Answer before = run(db, search);
  CHECK(before.rc == SQLITE_OK && strncmp(before.text, "1|", 2) == 0, "%d %s", before.rc,
        before.text);
  for (size_t at = 0; at < n; at++) {
    memcpy(damaged, declaration, at);
    damaged[at] = 0;
    is_answered(db, damaged);
    memcpy(damaged + at, declaration + at + 1, n - at);
    is_answered(db, damaged);
  }
  set_sql(db, declaration);
  Answer after = run(db, search);
  CHECK(after.rc == SQLITE_OK && strcmp(before.text, after.text) == 0, "%s", after.text);
  free(before.text);
  free(after.text);
  free(damaged);
  must(db, "DROP TABLE d");
}

/* Nothing that SQLite would have taken. */
static void nonsense_is_no_harm(sqlite3 *db) {
  static const char *const nonsense[] = {
      "",
      "USING",
      "CREATE VIRTUAL TABLE d USING fts5",
      "CREATE VIRTUAL TABLE d USING fts5(",
      "CREATE VIRTUAL TABLE d USING fts5()",
      "CREATE VIRTUAL TABLE d USING fts5 a, tokenize='cjk'",
      "CREATE VIRTUAL TABLE d USING fts5(a (b, c) (d), tokenize=('cjk'), tokenize='cjk')",
      "CREATE VIRTUAL TABLE d USING fts5(=, 'x'=, tokenize=)",
      "CREATE VIRTUAL TABLE d USING fts5(a - b / c, d -",
      "CREATE VIRTUAL TABLE d USING fts5(a, tokenize='porter \xE5\xAD' /",
      "CREATE VIRTUAL TABLE d USING fts5(\xE5\xAD\xA6, b, c, tokenize='cjk')",
  };
  must(db, declarations[0]);
  must(db, "INSERT INTO d(rowid, a) VALUES(1, '机器学习')");
  for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) is_answered(db, nonsense[i]);
  must(db, "UPDATE sqlite_schema SET sql = NULL WHERE name = 'd'");
  fails_with(db, "SELECT * FROM cjk_search('d', '学习')", "\"d\" is no FTS5 table");
  set_sql(db, declarations[0]);
  must(db, "DROP TABLE d");
}

static void what_is_not_there_is_named(sqlite3 *db) {
  fails_with(db, "SELECT * FROM cjk_search('d', 'x')", "no table \"d\"");
  fails_with(db, "SELECT * FROM cjk_search('d', 'x', '{\"schema\": \"temp\"}')",
             "no table \"d\" in schema temp");
  fails_with(db, "SELECT * FROM cjk_search('d', 'x', '{\"schema\": \"nowhere\"}')",
             "no table \"d\" in schema nowhere");
}

int main(void) {
  sqlite3 *db = open_memory();
  must(db, "PRAGMA writable_schema = ON");
  what_is_not_there_is_named(db);
  for (size_t i = 0; i < sizeof(declarations) / sizeof(declarations[0]); i++) {
    damage_is_no_harm(db, declarations[i]);
  }
  nonsense_is_no_harm(db);
  CHECK(sqlite3_close(db) == SQLITE_OK, "a statement is open");
  return check_result();
}
