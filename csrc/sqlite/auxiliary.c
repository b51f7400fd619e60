/*
** auxiliary.c: the list of FTS5 auxiliary functions.
*/
#include "highlight.h"
#include "rank.h"

int cjk_register_auxiliary(sqlite3 *db, fts5_api *api) {
  (void)db;
  int rc = cjk_register_highlight(api);
  if (rc == SQLITE_OK) rc = cjk_register_rank(api);
  return rc;
}
