/*
** sql.h: what the C tests that go through SQL share. The extension is linked in, and called as
** SQLite calls a loaded one.
*/
#ifndef SQL_H
#define SQL_H

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "../../../csrc/sqlite/entry.h"
#include "check.h"
#include "cjk.h"
#include "pairs.h"

/* What a statement gave: its code, and all values of all rows as one text. */
typedef struct Answer {
  int rc;
  char *text; /* of malloc() */
  size_t n, capacity;
} Answer;

static inline void answer_add(Answer *answer, const char *bytes, size_t n) {
  if (answer->n + n + 1 > answer->capacity) {
    answer->capacity = 2 * (answer->n + n + 1);
    answer->text = realloc(answer->text, answer->capacity);
  }
  if (n) memcpy(answer->text + answer->n, bytes, n);
  answer->n += n;
  answer->text[answer->n] = 0;
}

/* Adds the row; NOMEM where a value could not be had. */
static inline int answer_add_row(Answer *answer, sqlite3_stmt *row) {
  for (int i = 0; i < sqlite3_column_count(row); i++) {
    const char *text = (const char *)sqlite3_column_text(row, i);
    int n = sqlite3_column_bytes(row, i);
    if (!text && sqlite3_column_type(row, i) != SQLITE_NULL) return SQLITE_NOMEM;
    if (!text && sqlite3_errcode(sqlite3_db_handle(row)) == SQLITE_NOMEM) return SQLITE_NOMEM;
    answer_add(answer, text ? text : "NULL", text ? (size_t)n : 4);
    answer_add(answer, "|", 1);
  }
  answer_add(answer, "\n", 1);
  return SQLITE_OK;
}

/* Runs all statements of `sql`, up to the first that fails. Free the text. */
static inline Answer run(sqlite3 *db, const char *sql) {
  Answer answer = {SQLITE_OK, NULL, 0, 0};
  answer_add(&answer, "", 0);
  while (answer.rc == SQLITE_OK && *sql) {
    sqlite3_stmt *statement = NULL;
    answer.rc = sqlite3_prepare_v2(db, sql, -1, &statement, &sql);
    while (answer.rc == SQLITE_OK && statement) {
      answer.rc = sqlite3_step(statement);
      if (answer.rc != SQLITE_ROW) break;
      answer.rc = answer_add_row(&answer, statement);
    }
    if (answer.rc == SQLITE_DONE) answer.rc = SQLITE_OK;
    int rc = sqlite3_finalize(statement);
    if (answer.rc == SQLITE_OK) answer.rc = rc;
  }
  return answer;
}

/* Runs what has to succeed. */
static inline void must(sqlite3 *db, const char *sql) {
  Answer answer = run(db, sql);
  CHECK(answer.rc == SQLITE_OK, "%d: %s in %.200s", answer.rc, sqlite3_errmsg(db), sql);
  free(answer.text);
}

/* Runs what has to fail, with a message that has `reason` in it. */
static inline void fails_with(sqlite3 *db, const char *sql, const char *reason) {
  Answer answer = run(db, sql);
  CHECK(answer.rc == SQLITE_ERROR && strstr(sqlite3_errmsg(db), reason),
        "%d: %s, not %s, in %.200s", answer.rc, sqlite3_errmsg(db), reason, sql);
  free(answer.text);
}

/* The table of calls that SQLite gives to what it loads. */
static const struct sqlite3_api_routines *api_routines;

static inline int keep_routines(sqlite3 *db, char **message,
                                const struct sqlite3_api_routines *api) {
  (void)db, (void)message;
  api_routines = api;
  return SQLITE_OK;
}

/* A connection of its own, which the extension is loaded into. */
static inline sqlite3 *open_memory(void) {
  sqlite3 *db = NULL;
  sqlite3_auto_extension((void (*)(void))keep_routines);
  CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK, "not opened");
  sqlite3_reset_auto_extension();
  CHECK(sqlite3_cjk_auto_init(db, NULL, api_routines) == SQLITE_OK, "not loaded");
  return db;
}

#endif
