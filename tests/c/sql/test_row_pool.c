/*
** test_row_pool.c: the rows that a search collects, against lists that are simply sorted: sums of
** scores, tiers, the best few of many, ties by rowid; with thousands of rows and with few.
*/
#define SQLITE_CORE 1 /* calls of this file go to the SQLite that is linked */
#include "../../../csrc/sqlite/row_pool.h"

#include "sql.h"

static unsigned random_state = 1;

static int random_below(int n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (int)((random_state >> 8) % (unsigned)n);
}

/* The plain list: rows in the order in which they came. */
typedef struct List {
  CjkPoolRow rows[8000];
  int n;
} List;

static List list;

static CjkPoolRow *find(sqlite3_int64 rowid, int is_closed) {
  for (int i = 0; i < list.n; i++) {
    if (list.rows[i].rowid == rowid) return &list.rows[i];
  }
  if (is_closed) return NULL;
  CjkPoolRow row = {rowid, 0, 0, 0};
  list.rows[list.n] = row;
  return &list.rows[list.n++];
}

static int comes_before(const CjkPoolRow *a, const CjkPoolRow *b) {
  if (a->tier != b->tier) return a->tier > b->tier;
  if (a->score != b->score) return a->score > b->score;
  return a->rowid < b->rowid;
}

static int compare_rows(const void *a, const void *b) {
  return comes_before(a, b) ? -1 : comes_before(b, a);
}

static void change(CjkRowPool *pool, int n_rowids) {
  sqlite3_int64 rowid = (sqlite3_int64)random_below(n_rowids) * 1000003 - 5000;
  CjkPoolRow *row = find(rowid, pool->is_closed);
  if (random_below(3)) {
    double score = random_below(4);
    CHECK(cjk_pool_add(pool, rowid, score) == SQLITE_OK, "not added");
    if (row) row->score += score, row->n++;
  } else {
    int tier = random_below(3);
    CHECK(cjk_pool_raise(pool, rowid, tier) == SQLITE_OK, "not raised");
    if (row && row->tier < tier) row->tier = tier;
  }
}

/* A pool of so many changes to rows of so many rowids, of which the best are kept. */
static void keeps_the_best(int n_changes, int n_rowids, int most) {
  CjkRowPool pool = {0};
  list.n = 0;
  for (int i = 0; i < n_changes; i++) {
    pool.is_closed = i > n_changes / 2 && n_changes % 2;
    change(&pool, n_rowids);
  }
  CHECK(pool.n == list.n, "%d rows, not %d", pool.n, list.n);
  qsort(list.rows, (size_t)list.n, sizeof(CjkPoolRow), compare_rows);
  cjk_pool_keep_best(&pool, most);
  int kept = list.n < most ? list.n : most;
  CHECK(pool.n == kept, "%d rows, not %d", pool.n, kept);
  for (int i = 0; i < kept; i++) {
    const CjkPoolRow *row = &pool.rows[i], *right = &list.rows[i];
    CHECK(row->rowid == right->rowid && row->score == right->score && row->tier == right->tier &&
              row->n == right->n,
          "row %d of %d: %lld, not %lld", i, kept, (long long)row->rowid, (long long)right->rowid);
  }
  cjk_pool_free(&pool);
}

int main(void) {
  sqlite3 *db = open_memory(); /* the pool takes its memory from SQLite */
  for (int round = 0; round < 200; round++) {
    keeps_the_best(random_below(300), 1 + random_below(300), random_below(100));
  }
  for (int most = 0; most < 4000; most += 777) keeps_the_best(6001, 4000, most);
  keeps_the_best(8000, 1000000, 100);
  sqlite3_close(db);
  return check_result();
}
