/*
** rank.c: cjk_rank(), an FTS5 auxiliary function to order by.
**
**   SELECT * FROM t WHERE t MATCH cjk_query(?1, 'any') ORDER BY cjk_rank(t);
**   SELECT * FROM t WHERE t MATCH ?1 AND rank MATCH 'cjk_rank(10.0, 1.0)' ORDER BY rank;
**   INSERT INTO t(t, rank) VALUES('rank', 'cjk_rank()');
**
** Lower is better, as with bm25(). The value is bm25 over the query's phrases, the arguments being
** weights of the columns, times the share of the query that the row has, each phrase counting by
** its idf: a row with all of the query's terms comes before one that has a single term many times.
** cjk_search() looks at the texts and ranks better; this one reads the index alone.
**
** cjk_totals(t, pointer), cjk_spans(t): for cjk_search(); not documented.
*/
#include "rank.h"

#include <string.h>

#include "../core/evidence.h"
#include "matches.h"
#include "result.h"

/* Of one query: kept as FTS5's auxiliary data. */
typedef struct Ranking {
  int n;
  double mean_length;
  double total; /* sum of idf[] */
  double *idf;
  double *found; /* of the row at work: instances by column weight */
  char *is_found;
} Ranking;

static int count_row(const Fts5ExtensionApi *extension, Fts5Context *context, void *rows) {
  (void)extension, (void)context;
  ++*(sqlite3_int64 *)rows;
  return SQLITE_OK;
}

static int make_ranking(const Fts5ExtensionApi *extension, Fts5Context *context, Ranking **out) {
  sqlite3_int64 n_rows = 0, n_tokens = 0;
  int n = extension->xPhraseCount(context);
  size_t size = sizeof(Ranking) + (size_t)n * (2 * sizeof(double) + 1);
  Ranking *ranking = (Ranking *)sqlite3_malloc64(size);
  if (!ranking) return SQLITE_NOMEM;
  memset(ranking, 0, size);
  ranking->n = n;
  ranking->idf = (double *)(void *)(ranking + 1);
  ranking->found = ranking->idf + n;
  ranking->is_found = (char *)(ranking->found + n);
  int rc = extension->xRowCount(context, &n_rows);
  if (rc == SQLITE_OK) rc = extension->xColumnTotalSize(context, -1, &n_tokens);
  ranking->mean_length = n_rows > 0 && n_tokens > 0 ? (double)n_tokens / (double)n_rows : 1;
  for (int i = 0; rc == SQLITE_OK && i < n; i++) {
    sqlite3_int64 rows = 0;
    CjkEvidence table = {0};
    table.n_rows = (double)n_rows;
    rc = extension->xQueryPhrase(context, i, &rows, count_row);
    ranking->idf[i] = cjk_evidence_idf(&table, (double)rows);
    ranking->total += ranking->idf[i];
  }
  if (rc == SQLITE_OK)
    rc = extension->xSetAuxdata(context, ranking, sqlite3_free);
  else
    sqlite3_free(ranking);
  *out = rc == SQLITE_OK ? ranking : NULL;
  return rc;
}

static int count_instances(const Fts5ExtensionApi *extension, Fts5Context *context, int argc,
                           sqlite3_value **argv, Ranking *ranking) {
  int n = 0, rc = extension->xInstCount(context, &n);
  for (int i = 0; i < ranking->n; i++) {
    ranking->found[i] = 0;
    ranking->is_found[i] = 0;
  }
  for (int i = 0; rc == SQLITE_OK && i < n; i++) {
    int phrase, column, position;
    rc = extension->xInst(context, i, &phrase, &column, &position);
    if (rc != SQLITE_OK) break;
    ranking->found[phrase] += column < argc ? sqlite3_value_double(argv[column]) : 1.0;
    ranking->is_found[phrase] = 1;
  }
  return rc;
}

static void rank_function(const Fts5ExtensionApi *extension, Fts5Context *fts,
                          sqlite3_context *context, int argc, sqlite3_value **argv) {
  Ranking *ranking = (Ranking *)extension->xGetAuxdata(fts, 0);
  int rc = ranking ? SQLITE_OK : make_ranking(extension, fts, &ranking), length = 0;
  if (rc == SQLITE_OK) rc = count_instances(extension, fts, argc, argv, ranking);
  if (rc == SQLITE_OK) rc = extension->xColumnSize(fts, -1, &length);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(context, rc);
    return;
  }
  double k1 = 1.2, b = 0.75, score = 0, covered = 0; /* as in FTS5's bm25() */
  double norm = k1 * (1 - b + b * length / ranking->mean_length);
  for (int i = 0; i < ranking->n; i++) {
    double found = ranking->found[i];
    if (found > 0) score += ranking->idf[i] * found * (k1 + 1) / (found + norm);
    if (ranking->is_found[i]) covered += ranking->idf[i];
  }
  sqlite3_result_double(context, ranking->total > 0 ? -score * covered / ranking->total : 0.0);
}

static void totals_function(const Fts5ExtensionApi *extension, Fts5Context *fts,
                            sqlite3_context *context, int argc, sqlite3_value **argv) {
  CjkTotals *totals = NULL;
  if (argc == 1) totals = (CjkTotals *)sqlite3_value_pointer(argv[0], CJK_TOTALS);
  if (!totals) {
    sqlite3_result_error(context, "cjk_totals() is for cjk_search() alone", -1);
    return;
  }
  int rc = extension->xRowCount(fts, &totals->rows);
  totals->n_columns = extension->xColumnCount(fts);
  totals->tokens =
      (sqlite3_int64 *)sqlite3_malloc64((sqlite3_uint64)totals->n_columns * sizeof(sqlite3_int64));
  if (!totals->tokens) rc = SQLITE_NOMEM;
  for (int i = 0; rc == SQLITE_OK && i < totals->n_columns; i++) {
    rc = extension->xColumnTotalSize(fts, i, &totals->tokens[i]);
  }
  if (rc != SQLITE_OK) sqlite3_result_error_code(context, rc);
}

/* [[column, start, end], ...] in bytes; NULL where the table keeps no text. */
static void spans_function(const Fts5ExtensionApi *extension, Fts5Context *fts,
                           sqlite3_context *context, int argc, sqlite3_value **argv) {
  sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(context));
  int n_columns = extension->xColumnCount(fts), rc = SQLITE_OK, n = 0, has_text = 0;
  (void)argc, (void)argv;
  sqlite3_str_appendchar(out, 1, '[');
  for (int column = 0; rc == SQLITE_OK && column < n_columns; column++) {
    CjkMatches matches = {0};
    rc = cjk_matches_find((fts5_api *)extension->xUserData(fts), extension, fts, column, &matches);
    cjk_matches_merge(&matches);
    has_text |= matches.text != NULL;
    for (int i = 0; i < matches.n; i++) {
      sqlite3_str_appendf(out, "%s[%d,%d,%d]", n++ ? "," : "", column, matches.spans[i].start,
                          matches.spans[i].end);
    }
    cjk_matches_free(&matches);
  }
  sqlite3_str_appendchar(out, 1, ']');
  if (rc == SQLITE_OK && has_text) {
    cjk_result_str(context, out);
    return;
  }
  sqlite3_free(sqlite3_str_finish(out));
  if (rc != SQLITE_OK) sqlite3_result_error_code(context, rc);
}

int cjk_register_rank(fts5_api *api) {
  int rc = api->xCreateFunction(api, "cjk_rank", api, rank_function, NULL);
  if (rc == SQLITE_OK) rc = api->xCreateFunction(api, "cjk_totals", api, totals_function, NULL);
  if (rc == SQLITE_OK) rc = api->xCreateFunction(api, "cjk_spans", api, spans_function, NULL);
  return rc;
}
