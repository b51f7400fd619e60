/*
** extension.c: the entry points, nothing else.
**
**   sqlite3_cjk_init       for load_extension(): stays in memory when the connection closes, and
**                          with it every process-wide cache
**   sqlite3_cjk_auto_init  for sqlite3_auto_extension() and for programs that link the library in
**
** Both may run any number of times on a connection, also while a statement of it is active: what
** stands is left alone. They register all or return an error code and, where SQLite gave them the
** means to make one, a message. Cost: one tiny SELECT and some twenty registrations.
**
** One copy of this library serves one copy of SQLite. A process can hold two (Python's sqlite3 and
** apsw, say); serving both would send the calls of the first to the second, so that is refused.
*/
#include "register.h"

#if !CJK_STATIC
#include "../core/atomics.h"

const sqlite3_api_routines *sqlite3_api = 0;
#endif

/* sqlite3_bind_pointer(), the only way to FTS5's interface, came with this version. */
#define OLDEST_SQLITE 3020000

/* Puts a message where SQLite looks for it. */
#define SET_MESSAGE(message, ...)                                                                  \
  do {                                                                                             \
    if (message) *(message) = sqlite3_mprintf(__VA_ARGS__);                                        \
  } while (0)

#if CJK_STATIC

static int accept_host(const sqlite3_api_routines *api, char **message) {
  (void)api;
  (void)message;
  return SQLITE_OK;
}

#else

/* Takes the host's table of calls, or says why not. Until it is taken, no call may go through
** sqlite3_api: it is NULL, or belongs to the other SQLite. */
static int accept_host(const sqlite3_api_routines *api, char **message) {
  static CJK_ATOMIC(const sqlite3_api_routines *) owner;
  static CjkAtomicInt is_set;
  const sqlite3_api_routines *expected = 0;

  /* A SQLite built with SQLITE_OMIT_LOAD_EXTENSION: no table, hence no way to make a message. */
  if (!api) return SQLITE_ERROR;

  if (api->libversion_number() < OLDEST_SQLITE) {
    if (message) {
      *message = api->mprintf("cjk: SQLite %s is too old, 3.20 or later is needed; 3.40 to 3.54 "
                              "are tested",
                              api->libversion());
    }
    return SQLITE_ERROR;
  }
  if (atomic_compare_exchange_strong(&owner, &expected, api)) {
    sqlite3_api = api;
    atomic_store(&is_set, 1);
  } else if (expected != api) {
    if (message) {
      *message = api->mprintf("cjk: this library file serves another copy of SQLite in this "
                              "process; give this one (%s) a copy of the file under another path, "
                              "as cjk_tokenizer.load() does in Python",
                              api->libversion());
    }
    return SQLITE_ERROR;
  }
  while (!atomic_load(&is_set)) continue; /* another thread is between the two lines above */
  return SQLITE_OK;
}

#endif

/* Fetches the interface that FTS5 has for this connection. */
static int fetch_fts5(sqlite3 *db, fts5_api **out, char **message) {
  sqlite3_stmt *statement = 0;
  fts5_api *api = 0;
  int finalize_rc;
  int rc = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0);

  *out = 0;
  if (rc == SQLITE_ERROR) {
    SET_MESSAGE(message, "cjk: no FTS5 in this SQLite (%s): use one built with SQLITE_ENABLE_FTS5",
                sqlite3_libversion());
  }
  if (rc == SQLITE_OK) rc = sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
  if (rc == SQLITE_OK) {
    rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW) rc = SQLITE_OK;
  }
  finalize_rc = sqlite3_finalize(statement);
  if (rc == SQLITE_OK) rc = finalize_rc;

  if (rc == SQLITE_OK && !api) {
    rc = SQLITE_ERROR;
    SET_MESSAGE(message, "cjk: another SQL function named fts5 hides that of FTS5: load cjk before "
                         "you define it, or give it another name");
  }
  if (rc == SQLITE_OK && api->iVersion < 2) {
    rc = SQLITE_ERROR;
    SET_MESSAGE(message, "cjk: FTS5's interface has version %d, 2 is needed: use a newer SQLite",
                api->iVersion);
  }
  if (rc == SQLITE_OK) *out = api;
  return rc;
}

/* Is all of it there already? A tokenizer named cjk without cjk_version() is somebody else's, and
** ours takes its place. */
static int find_registered(sqlite3 *db, fts5_api *api, int *found) {
  fts5_tokenizer tokenizer;
  void *context = 0;
  sqlite3_stmt *statement = 0;
  int rc;

  *found = 0;
  if (api->xFindTokenizer(api, "cjk", &context, &tokenizer) != SQLITE_OK) return SQLITE_OK;
  rc = sqlite3_prepare_v2(db, "SELECT cjk_version()", -1, &statement, 0);
  *found = rc == SQLITE_OK;
  if (rc == SQLITE_ERROR) rc = SQLITE_OK; /* no such function */
  sqlite3_finalize(statement);
  return rc;
}

/* Calls the registrars. The tokenizer comes last: see find_registered(). */
static int register_all(sqlite3 *db, fts5_api *api) {
  int rc = cjk_register_functions(db, api);
  if (rc == SQLITE_OK) rc = cjk_register_tables(db, api);
  if (rc == SQLITE_OK) rc = cjk_register_auxiliary(db, api);
  if (rc == SQLITE_OK) rc = cjk_register_tokenizer(db, api);
  return rc;
}

/* The entry points call this and not each other: SQLite opens libraries for the whole process to
** see (RTLD_GLOBAL), so a call by an exported name can end in another copy of this library. */
static int initialize(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  fts5_api *fts5 = 0;
  int found = 0;
  int rc;

  if (message) *message = 0;
  rc = accept_host(api, message);
  if (rc != SQLITE_OK) return rc;

  rc = fetch_fts5(db, &fts5, message);
  if (rc == SQLITE_OK) rc = find_registered(db, fts5, &found);
  if (rc == SQLITE_OK && !found) rc = register_all(db, fts5);
  if (rc != SQLITE_OK && message && !*message) {
    const char *why = sqlite3_errcode(db) == rc ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
    *message = sqlite3_mprintf("cjk: registering failed: %s", why);
  }
  return rc;
}

int sqlite3_cjk_auto_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  return initialize(db, message, api);
}

int sqlite3_cjk_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  int rc = initialize(db, message, api);
  return rc == SQLITE_OK && !CJK_STATIC ? SQLITE_OK_LOAD_PERMANENTLY : rc;
}
