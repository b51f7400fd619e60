/*
** vtab.c: see vtab.h.
*/
#include "vtab.h"

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
