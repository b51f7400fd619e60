/*
** test_refused.c: hosts that the extension cannot serve get an error that says why, or, where they ask
** for no message, the error alone; and the host that it serves goes on.
*/
#define SQLITE_CORE 1 /* calls go to the SQLite that is linked, not through the host's table */
#include <sqlite3ext.h>

#include "sql.h"

static sqlite3 *open_plain(void) {
  sqlite3 *db = NULL;
  CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK, "not opened");
  return db;
}

/* Both entry points refuse, with a message that has `reason` in it (NULL: with none) and without. */
static void is_refused(sqlite3 *db, const sqlite3_api_routines *api, const char *reason) {
  char *message = NULL;
  CHECK(sqlite3_cjk_init(db, &message, api) == SQLITE_ERROR, "loaded: %s", reason);
  CHECK(reason ? message && strstr(message, reason) : !message, "%s instead of %s", message,
        reason);
  sqlite3_free(message);
  CHECK(sqlite3_cjk_auto_init(db, NULL, api) == SQLITE_ERROR, "loaded: %s", reason);
}

static int version_of_2016(void) {
  return 3012000;
}

static void other_libraries(void) {
  sqlite3 *db = open_plain();
  sqlite3_api_routines old = *api_routines, other = *api_routines;
  old.libversion_number = version_of_2016;
  is_refused(db, &old, "too old");
  CHECK(sqlite3_cjk_auto_init(db, NULL, api_routines) == SQLITE_OK, "the first is not served");
  is_refused(db, &other, "another copy of SQLite");
  is_refused(db, NULL, NULL);
  must(db, "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='cjk')");
  sqlite3_close(db);
}

static void return_null(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)context, (void)argc, (void)argv;
}

/* FTS5 as it was in 2015. */
static void return_version_1(sqlite3_context *context, int argc, sqlite3_value **argv) {
  static fts5_api api = {.iVersion = 1};
  fts5_api **out = (fts5_api **)sqlite3_value_pointer(argv[0], "fts5_api_ptr");
  (void)context, (void)argc;
  if (out) *out = &api;
}

static void return_error(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc, (void)argv;
  sqlite3_result_error(context, "not today", -1);
}

typedef void (*Function)(sqlite3_context *context, int argc, sqlite3_value **argv);

static sqlite3 *open_with(Function fts5) {
  sqlite3 *db = open_plain();
  int rc = sqlite3_create_function(db, "fts5", 1, SQLITE_UTF8, NULL, fts5, NULL, NULL);
  CHECK(rc == SQLITE_OK, "%d", rc);
  return db;
}

static void connections_without_fts5(void) {
  static const struct {
    Function fts5;
    const char *reason;
  } cases[] = {{NULL, "no FTS5 in this SQLite"},
               {return_null, "hides that of FTS5"},
               {return_version_1, "version 1, 2 is needed"},
               {return_error, "not today"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    sqlite3 *db = open_with(cases[i].fts5);
    is_refused(db, api_routines, cases[i].reason);
    sqlite3_close(db);
  }
}

/* What stands is left alone. */
static void twice_is_once(void) {
  sqlite3 *db = open_plain();
  must(db, "SELECT 1");
  for (int i = 0; i < 3; i++) {
    CHECK(sqlite3_cjk_auto_init(db, NULL, api_routines) == SQLITE_OK, "time %d", i);
  }
  must(db, "SELECT cjk_version()");
  sqlite3_close(db);
}

int main(void) {
  sqlite3_auto_extension((void (*)(void))keep_routines);
  sqlite3_close(open_plain());
  sqlite3_reset_auto_extension();
  other_libraries();
  connections_without_fts5();
  twice_is_once();
  return check_result();
}
