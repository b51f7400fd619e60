/*
** vtab.h: what the table-valued functions have in common.
*/
#ifndef CJK_VTAB_H
#define CJK_VTAB_H

#include "../core/cjk.h"
#include "register.h"

/* The table of any of them. */
typedef struct CjkVtab {
  sqlite3_vtab base;
  sqlite3 *db;
  fts5_api *api;
} CjkVtab;

/* What one of them is made of; nothing else of an sqlite3_module is used. */
typedef struct CjkVtabMethods {
  int (*connect)(sqlite3 *db, void *module, int argc, const char *const *argv, sqlite3_vtab **out,
                 char **error);
  int (*best_index)(sqlite3_vtab *base, sqlite3_index_info *info);
  int (*open)(sqlite3_vtab *base, sqlite3_vtab_cursor **out);
  int (*close)(sqlite3_vtab_cursor *base);
  int (*filter)(sqlite3_vtab_cursor *base, int index_number, const char *index_string, int argc,
                sqlite3_value **argv);
  int (*next)(sqlite3_vtab_cursor *base);
  int (*eof)(sqlite3_vtab_cursor *base);
  int (*column)(sqlite3_vtab_cursor *base, sqlite3_context *context, int column);
  int (*rowid)(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid);
} CjkVtabMethods;

/* Gives the connection the table-valued function `name`. */
int cjk_vtab_register(sqlite3 *db, const char *name, fts5_api *api, const CjkVtabMethods *methods);

/* Makes a CjkVtab with the columns of `schema`. `risk` is SQLITE_VTAB_INNOCUOUS or _DIRECTONLY. */
int cjk_vtab_connect(sqlite3 *db, void *module, const char *schema, int risk, sqlite3_vtab **out);

/* Makes a cursor of so many bytes, all of them 0; to be freed with sqlite3_free(). */
int cjk_vtab_open(size_t size, sqlite3_vtab_cursor **out);

/* Hands the arguments, `n` hidden columns from column `first` on, to xFilter in their order; idxNum has
** a bit for each that is given. SQLITE_CONSTRAINT for a plan that cannot have one of them yet. */
int cjk_vtab_take_arguments(sqlite3_index_info *info, int first, int n);

/* Makes `message` the table's error: SQLITE_ERROR, or SQLITE_NOMEM. */
int cjk_vtab_set_error(sqlite3_vtab *base, const char *message);

/* What xFilter returns: `rc`, with the message in `error` where there is one. */
int cjk_vtab_result(sqlite3_vtab *base, int rc, CjkError *error);

#endif
