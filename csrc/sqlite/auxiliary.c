/*
** auxiliary.c: the list of FTS5 auxiliary functions.
*/
#include "register.h"

int cjk_register_auxiliary(sqlite3 *db, fts5_api *api) {
  (void)db, (void)api;
  return SQLITE_OK;
}
