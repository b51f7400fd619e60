/*
** fuzz_sql.h: what the fuzz targets that go through SQL share: one connection in memory, with the
** extension in it, and statements that are prepared once.
*/
#ifndef FUZZ_SQL_H
#define FUZZ_SQL_H

#include <sqlite3.h>

#include "../../csrc/sqlite/entry.h"
#include "fuzz.h"

static inline void execute(sqlite3 *db, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", sql, message);
    abort();
  }
}

static inline sqlite3 *open_database(void) {
  sqlite3 *db;
  /* The entry point takes the table of calls that SQLite hands to automatic extensions. */
  sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);
  require(sqlite3_open(":memory:", &db) == SQLITE_OK, "a connection opens with the extension");
  return db;
}

static inline sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  int rc = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  require(rc == SQLITE_OK, sqlite3_errmsg(db));
  return statement;
}

static inline void bind(sqlite3_stmt *statement, int i, const char *text, int n) {
  require(sqlite3_bind_text(statement, i, text, n, SQLITE_STATIC) == SQLITE_OK, "text is bound");
}

/* Steps a statement that never fails. */
static inline int step(sqlite3_stmt *statement) {
  int rc = sqlite3_step(statement);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
    fprintf(stderr, "%s: %s\n", sqlite3_expanded_sql(statement),
            sqlite3_errmsg(sqlite3_db_handle(statement)));
    abort();
  }
  return rc;
}

/* Steps a statement that may refuse its arguments, and then has to say why. */
static inline int try_step(sqlite3_stmt *statement) {
  int rc = sqlite3_step(statement);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) return rc;
  const char *message = sqlite3_errmsg(sqlite3_db_handle(statement));
  require(rc == SQLITE_ERROR, message);
  require(is_valid_utf8(message, (int)strlen(message)), "a message is text");
  require(strcmp(message, sqlite3_errstr(rc)) != 0, "an error has a message of its own");
  return rc;
}

/* Steps to the end; the number of rows. */
static inline int count_rows(sqlite3_stmt *statement) {
  int n = 0;
  while (step(statement) == SQLITE_ROW) n++;
  sqlite3_reset(statement);
  return n;
}

#endif
