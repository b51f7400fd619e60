/*
** vtab.c: see vtab.h.
*/
#include "vtab.h"

#include <string.h>

#include "../core/error.h"

/* The module of one connection. */
typedef struct VtabModule {
  sqlite3_module calls;
  fts5_api *api;
} VtabModule;

static int disconnect(sqlite3_vtab *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

int cjk_vtab_register(sqlite3 *db, const char *name, fts5_api *api, const CjkVtabMethods *methods) {
  VtabModule *module = (VtabModule *)sqlite3_malloc(sizeof(*module));
  if (!module) return SQLITE_NOMEM;
  memset(module, 0, sizeof(*module));
  module->api = api;
  module->calls.xConnect = methods->connect;
  module->calls.xBestIndex = methods->best_index;
  module->calls.xDisconnect = disconnect;
  module->calls.xOpen = methods->open;
  module->calls.xClose = methods->close;
  module->calls.xFilter = methods->filter;
  module->calls.xNext = methods->next;
  module->calls.xEof = methods->eof;
  module->calls.xColumn = methods->column;
  module->calls.xRowid = methods->rowid;
  return sqlite3_create_module_v2(db, name, &module->calls, module, sqlite3_free);
}

int cjk_vtab_connect(sqlite3 *db, void *module, const char *schema, int risk, sqlite3_vtab **out) {
  CjkVtab *table = (CjkVtab *)sqlite3_malloc(sizeof(*table));
  *out = NULL;
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof(*table));
  table->db = db;
  table->api = ((VtabModule *)module)->api;
  int rc = sqlite3_declare_vtab(db, schema);
  if (rc == SQLITE_OK) rc = sqlite3_vtab_config(db, risk);
  if (rc == SQLITE_OK)
    *out = &table->base;
  else
    sqlite3_free(table);
  return rc;
}

int cjk_vtab_open(size_t size, sqlite3_vtab_cursor **out) {
  *out = (sqlite3_vtab_cursor *)sqlite3_malloc64(size);
  if (!*out) return SQLITE_NOMEM;
  memset(*out, 0, size);
  return SQLITE_OK;
}

int cjk_vtab_take_arguments(sqlite3_index_info *info, int first, int n) {
  for (int i = 0; i < info->nConstraint; i++) {
    int argument = info->aConstraint[i].iColumn - first;
    if (argument < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
  }
  int n_taken = 0;
  for (int argument = 0; argument < n; argument++) {
    for (int i = info->nConstraint - 1; i >= 0; i--) { /* of two for one argument the last counts */
      if (info->aConstraint[i].iColumn != first + argument ||
          info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) {
        continue;
      }
      info->aConstraintUsage[i].argvIndex = ++n_taken;
      info->aConstraintUsage[i].omit = 1;
      info->idxNum |= 1 << argument;
      break;
    }
  }
  return SQLITE_OK;
}

int cjk_vtab_set_error(sqlite3_vtab *base, const char *message) {
  sqlite3_free(base->zErrMsg);
  base->zErrMsg = sqlite3_mprintf("%s", message);
  return base->zErrMsg ? SQLITE_ERROR : SQLITE_NOMEM;
}

int cjk_vtab_result(sqlite3_vtab *base, int rc, CjkError *error) {
  if (rc == SQLITE_OK || !error->message[0]) return rc;
  cjk_error_clean(error);
  return cjk_vtab_set_error(base, error->message);
}
