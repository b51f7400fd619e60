/*
** auxiliary.c: the list of FTS5 auxiliary functions.
*/
#include "highlight.h"

int cjk_register_auxiliary(sqlite3 *db, fts5_api *api) {
  (void)db;
  return cjk_register_highlight(api);
}
