/*
** vtab.h: what the table-valued functions have in common.
*/
#ifndef CJK_VTAB_H
#define CJK_VTAB_H

#include "register.h"

/* Hands the arguments, `n` hidden columns from column `first` on, to xFilter in their order; idxNum has
** a bit for each that is given. SQLITE_CONSTRAINT for a plan that cannot have one of them yet. */
int cjk_vtab_take_arguments(sqlite3_index_info *info, int first, int n);

/* Makes `message` the table's error: SQLITE_ERROR, or SQLITE_NOMEM. */
int cjk_vtab_set_error(sqlite3_vtab *base, const char *message);

#endif
