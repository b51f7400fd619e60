/*
** row_pool.h: rows with the sum of what speaks for them; the best of them in order.
*/
#ifndef CJK_ROW_POOL_H
#define CJK_ROW_POOL_H

#include "register.h"

typedef struct CjkPoolRow {
  sqlite3_int64 rowid;
  double score;
  int n;    /* how often something was added */
  int tier; /* rows of a higher tier come first */
} CjkPoolRow;

typedef struct CjkRowPool {
  CjkPoolRow *rows;
  int n, capacity;
  int *slots; /* by hash of the rowid */
  int n_slots;
  int is_closed; /* rows that are not there are not added */
} CjkRowPool;

/* Adds to the row's score. */
int cjk_pool_add(CjkRowPool *pool, sqlite3_int64 rowid, double score);

/* Puts the row into a tier, unless it is in a higher one. */
int cjk_pool_raise(CjkRowPool *pool, sqlite3_int64 rowid, int tier);

/* Keeps the best `most` rows, in order: tier, score, then rowid. The pool takes no rows after it.
 */
void cjk_pool_keep_best(CjkRowPool *pool, int most);
void cjk_pool_sort(CjkPoolRow *rows, int n);
void cjk_pool_free(CjkRowPool *pool);

#endif
