/*
** rank.h: auxiliary functions about the rows of a query: cjk_rank(), and what cjk_search() asks
** FTS5.
*/
#ifndef CJK_RANK_H
#define CJK_RANK_H

#include "host.h"

/* What cjk_totals(t, pointer) fills in; the pointer is bound with this type. */
#define CJK_TOTALS "cjk_totals"
typedef struct CjkTotals {
  sqlite3_int64 rows;
  sqlite3_int64 *tokens; /* of each column; freed by the caller with sqlite3_free() */
  int n_columns;
} CjkTotals;

int cjk_register_rank(fts5_api *api);

#endif
