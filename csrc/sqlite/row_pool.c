/*
** row_pool.c: see row_pool.h.
*/
#include "row_pool.h"

#include <stdlib.h>
#include <string.h>

#include "../core/memory.h"

static int *find_row_slot(const CjkRowPool *pool, sqlite3_int64 rowid) {
  sqlite3_uint64 hash = (sqlite3_uint64)rowid * 0x9E3779B97F4A7C15u;
  unsigned mask = (unsigned)pool->n_slots - 1, slot = (unsigned)(hash >> 32) & mask;
  while (pool->slots[slot] >= 0 && pool->rows[pool->slots[slot]].rowid != rowid) {
    slot = (slot + 1) & mask;
  }
  return &pool->slots[slot];
}

static int grow(CjkRowPool *pool) {
  int n_slots = pool->n_slots ? 4 * pool->n_slots : 1024;
  int *slots = (int *)sqlite3_malloc64((sqlite3_uint64)n_slots * sizeof(int));
  if (!slots) return SQLITE_NOMEM;
  memset(slots, -1, (size_t)n_slots * sizeof(int));
  sqlite3_free(pool->slots);
  pool->slots = slots;
  pool->n_slots = n_slots;
  for (int i = 0; i < pool->n; i++) *find_row_slot(pool, pool->rows[i].rowid) = i;
  return SQLITE_OK;
}

/* The row, made where it is not there; NULL in *out when the pool is closed. */
static int get_row(CjkRowPool *pool, sqlite3_int64 rowid, CjkPoolRow **out) {
  int rc = 2 * pool->n >= pool->n_slots ? grow(pool) : SQLITE_OK;
  *out = NULL;
  if (rc != SQLITE_OK) return rc;
  int *slot = find_row_slot(pool, rowid);
  if (*slot < 0) {
    if (pool->is_closed) return SQLITE_OK;
    rc = cjk_reserve((void **)&pool->rows, &pool->capacity, pool->n + 1, sizeof(CjkPoolRow));
    if (rc != SQLITE_OK) return rc;
    CjkPoolRow row = {rowid, 0, 0, 0};
    *slot = pool->n;
    pool->rows[pool->n++] = row;
  }
  *out = &pool->rows[*slot];
  return SQLITE_OK;
}

int cjk_pool_add(CjkRowPool *pool, sqlite3_int64 rowid, double score) {
  CjkPoolRow *row;
  int rc = get_row(pool, rowid, &row);
  if (!row) return rc;
  row->score += score;
  row->n++;
  return rc;
}

int cjk_pool_raise(CjkRowPool *pool, sqlite3_int64 rowid, int tier) {
  CjkPoolRow *row;
  int rc = get_row(pool, rowid, &row);
  if (row && row->tier < tier) row->tier = tier;
  return rc;
}

/* Whether a comes before b: as qsort wants it. */
static int compare(const void *x, const void *y) {
  const CjkPoolRow *a = (const CjkPoolRow *)x, *b = (const CjkPoolRow *)y;
  if (a->tier != b->tier) return a->tier > b->tier ? -1 : 1;
  if (a->score > b->score || a->score < b->score) return a->score > b->score ? -1 : 1;
  return a->rowid < b->rowid ? -1 : a->rowid > b->rowid;
}

void cjk_pool_sort(CjkPoolRow *rows, int n) {
  if (n > 1) qsort(rows, (size_t)n, sizeof(CjkPoolRow), compare);
}

/* rows[0, n) is a heap with the worst on top: row i comes behind its children. */
static void sift_down(CjkPoolRow *rows, int n, int i) {
  CjkPoolRow row = rows[i];
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && compare(&rows[child + 1], &rows[child]) > 0) child++;
    if (compare(&rows[child], &row) <= 0) break;
    rows[i] = rows[child];
  }
  rows[i] = row;
}

void cjk_pool_keep_best(CjkRowPool *pool, int most) {
  CjkPoolRow *rows = pool->rows;
  int kept = pool->n < most ? pool->n : most;
  for (int i = kept / 2 - 1; i >= 0 && kept < pool->n; i--) sift_down(rows, kept, i);
  for (int i = kept; kept > 0 && i < pool->n; i++) {
    if (compare(&rows[i], &rows[0]) >= 0) continue;
    rows[0] = rows[i];
    sift_down(rows, kept, 0);
  }
  pool->n = kept;
  cjk_pool_sort(rows, kept);
}

void cjk_pool_free(CjkRowPool *pool) {
  cjk_free(pool->rows);
  sqlite3_free(pool->slots);
  memset(pool, 0, sizeof(*pool));
}
