/*
** fuzz_options.c: any tokenizer arguments, modes and JSON options: right ones work, wrong ones give
** an error in words, and all who read a tokenize= string agree on which they are: cjk_check(),
** cjk_tokens(), cjk_query() and FTS5 itself.
**
** Lines: arguments, mode, options; then the text.
*/
#include "fuzz_sql.h"

/* SQLite up to 3.40 crashes by itself on `trigram case_sensitive` without a value. */
static int names_trigram(const char *arguments) {
  for (; *arguments; arguments++) {
    if (sqlite3_strnicmp(arguments, "trigram", 7) == 0) return 1;
  }
  return 0;
}

/* FTS5 reads over the end of a quote that is not closed. */
static int has_open_quote(const char *arguments) {
  int n_quotes = 0;
  for (; *arguments; arguments++) n_quotes += *arguments == '\'';
  return n_quotes % 2;
}

/* What cjk_check() says of the arguments: whether it is 'ok'. */
static int check(sqlite3 *db, const char *arguments) {
  static sqlite3_stmt *statement;
  if (!statement) statement = prepare(db, "SELECT cjk_check(?1)");
  bind(statement, 1, arguments, -1);
  require(step(statement) == SQLITE_ROW, "a check has a result");
  const char *said = (const char *)sqlite3_column_text(statement, 0);
  int n = sqlite3_column_bytes(statement, 0), is_ok = strcmp(said, "ok") == 0;
  require(n > 0 && is_valid_utf8(said, n), "a check says something");
  sqlite3_reset(statement);
  return is_ok;
}

static int tokens(sqlite3 *db, const char *arguments, const char *mode, const char *text, int n) {
  static sqlite3_stmt *statement;
  if (!statement) statement = prepare(db, "SELECT token FROM cjk_tokens(?3, ?1, ?2)");
  int rc;
  bind(statement, 1, arguments, -1);
  bind(statement, 2, mode, -1);
  bind(statement, 3, text, n);
  while ((rc = try_step(statement)) == SQLITE_ROW) {
    require(sqlite3_column_bytes(statement, 0) > 0, "a token has bytes");
  }
  sqlite3_reset(statement);
  return rc == SQLITE_DONE;
}

/* Whether FTS5 makes a table with these arguments. */
static int create(sqlite3 *db, const char *arguments) {
  char *sql =
      sqlite3_mprintf("CREATE VIRTUAL TABLE temp.made USING fts5(body, tokenize=%Q)", arguments);
  int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
  if (rc == SQLITE_OK) execute(db, "DROP TABLE temp.made");
  return rc == SQLITE_OK;
}

/* Functions that take JSON: each works or says why not. */
static void run_all(sqlite3 *db, const char *mode, const char *json, const char *text, int n) {
  static const char *const sql[] = {"SELECT cjk_query(?3, ?1, ?2)",
                                    "SELECT * FROM cjk_search('t', ?3, ?2)",
                                    "SELECT * FROM cjk_chunks(?3, ?2)"};
  static sqlite3_stmt *statements[3];
  for (int i = 0; i < 3; i++) {
    if (!statements[i]) statements[i] = prepare(db, sql[i]);
    if (i == 0) bind(statements[i], 1, mode, -1);
    bind(statements[i], 2, json, -1);
    bind(statements[i], 3, text, n);
    while (try_step(statements[i]) == SQLITE_ROW) continue;
    sqlite3_reset(statements[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  Input in = {data, data + size};
  int n_given, n_mode, n_json, n;
  if (!db) {
    db = open_database();
    execute(db, "CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='cjk')");
    execute(db, "INSERT INTO t VALUES('机器学习', 'x y'), ('学习机器的方法', 'y'), ('z', '学')");
  }
  char *given = take_line(&in, &n_given), *mode = take_line(&in, &n_mode);
  char *json = take_line(&in, &n_json), *text = take_rest(&in, &n);
  char *arguments = sqlite3_mprintf("cjk %s", given);
  if (!names_trigram(arguments)) {
    int is_right = check(db, arguments);
    require(tokens(db, arguments, "document", text, n) == is_right, "cjk_tokens() agrees");
    require(has_open_quote(arguments) || create(db, arguments) == is_right, "FTS5 agrees");
    check(db, given);
    tokens(db, given, mode, text, n);
    run_all(db, mode, json, text, n);
  }
  sqlite3_free(arguments);
  free(given);
  free(mode);
  free(json);
  free(text);
  return 0;
}
