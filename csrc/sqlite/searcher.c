/*
** searcher.c: see searcher.h. docs/ranking.md says what is done and why.
**
** 1. The rows of each gram of the query are read from the index, rare grams first, `budget` rows
**    in all; a gram that would go beyond it is only counted (its rows, estimated).
** 2. The rows with the greatest sums of idf are candidates. In mode auto rows with the whole text,
**    and rows with all of its terms, are looked for where a row has all grams; they come first.
** 3. The texts of the first CANDIDATES are read and scored (core/evidence.h). The rows behind them
**    keep the order of their sums.
**
** Cost: `budget` rows of the index, CANDIDATES texts.
*/
#include "searcher.h"

#include <stdlib.h>
#include <string.h>

#include "../core/error.h"
#include "../core/memory.h"
#include "hangul.h"
#include "phrases.h"
#include "rank.h"

enum {
  CANDIDATES = 100,
  FIRST_ROWS = 1024, /* rows that are read of each gram before the rarest are known */
  UNIT_ROWS = 256    /* rows of a unit that are looked at for its idf */
};

/* ---- statements on the table ---- */

static int prepare(const CjkSearcher *s, const char *selected, const char *rest,
                   sqlite3_stmt **out) {
  char *sql = sqlite3_mprintf("SELECT %s FROM \"%w\".\"%w\" %s", selected, s->table.schema,
                              s->table.name, rest);
  if (!sql) return SQLITE_NOMEM;
  int rc = sqlite3_prepare_v2(s->db, sql, -1, out, NULL);
  sqlite3_free(sql);
  return rc;
}

/* The same with "WHERE t MATCH ?1" and what comes behind that. */
static int prepare_match(const CjkSearcher *s, const char *selected, const char *rest,
                         sqlite3_stmt **out) {
  char *where = sqlite3_mprintf("WHERE \"%w\" MATCH ?1 %s", s->table.name, rest);
  int rc = where ? prepare(s, selected, where, out) : SQLITE_NOMEM;
  sqlite3_free(where);
  return rc;
}

static int bind_expression(const CjkSearcher *s, sqlite3_stmt *statement, const char *expression) {
  if (!s->filter[0]) return sqlite3_bind_text(statement, 1, expression, -1, SQLITE_STATIC);
  char *filtered = sqlite3_mprintf("%s : (%s)", s->filter, expression);
  if (!filtered) return SQLITE_NOMEM;
  return sqlite3_bind_text(statement, 1, filtered, -1, sqlite3_free);
}

typedef struct RowList {
  sqlite3_int64 *rowids;
  int n, capacity;
  int is_whole;
} RowList;

/* Reads the first `most` rows that match. */
static int read_rows(CjkSearcher *s, const char *expression, int most, RowList *list) {
  int rc = bind_expression(s, s->rowids, expression);
  list->n = list->is_whole = 0;
  while (rc == SQLITE_OK && list->n < most && (rc = sqlite3_step(s->rowids)) == SQLITE_ROW) {
    rc = cjk_reserve((void **)&list->rowids, &list->capacity, list->n + 1, sizeof(*list->rowids));
    if (rc == SQLITE_OK) list->rowids[list->n++] = sqlite3_column_int64(s->rowids, 0);
  }
  if (rc == SQLITE_OK && list->n == most) rc = sqlite3_step(s->rowids);
  list->is_whole = rc == SQLITE_DONE;
  sqlite3_reset(s->rowids);
  return rc == SQLITE_DONE || rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* How many rows match, when the first of them are known: as dense to the last one as those are. */
static int estimate_rows(CjkSearcher *s, const char *expression, const RowList *list,
                         double *rows) {
  *rows = list->n;
  if (list->is_whole || list->n < 2) return SQLITE_OK;
  int rc = bind_expression(s, s->last, expression);
  if (rc == SQLITE_OK) rc = sqlite3_step(s->last);
  if (rc == SQLITE_ROW) {
    double first = (double)list->rowids[0], end = (double)list->rowids[list->n - 1];
    double last = (double)sqlite3_column_int64(s->last, 0);
    *rows = list->n * (last - first + 1) / (end - first + 1);
    rc = SQLITE_OK;
  }
  sqlite3_reset(s->last);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* ---- expressions ---- */

static int is_single_term(CjkSearcher *s, const char *text, int n, int *is_one) {
  CjkTerms terms = {0};
  int rc = cjk_terms_collect(&s->terms, text, n, &terms);
  *is_one = terms.n == 1;
  cjk_terms_free(&terms);
  return rc;
}

/* "text" as an FTS5 string, with * when only the beginning of a term is meant. */
static char *quote(const char *text, int n, int is_prefix) {
  sqlite3_str *out = sqlite3_str_new(NULL);
  cjk_write_quoted(out, text, n);
  if (is_prefix) sqlite3_str_appendchar(out, 1, '*');
  return sqlite3_str_finish(out);
}

/* Writes what the table's own cut makes of the folded text: a phrase; where the table has no
** phrases, its terms, all of them. NULL in *out when it has none. */
static int write_folded(CjkSearcher *s, const char *text, char **out) {
  CjkTerms terms = {0};
  int n = (int)strlen(text), rc = cjk_terms_collect(&s->terms, text, n, &terms);
  if (rc == SQLITE_OK && terms.n > 1 && !s->table.is_detailed) {
    sqlite3_str *all = sqlite3_str_new(NULL);
    for (int i = 0; i < terms.n; i++) {
      const CjkTerm *term = &terms.terms[i];
      sqlite3_str_appendall(all, i ? " AND " : "(");
      cjk_write_quoted(all, terms.bytes + term->offset, term->n);
    }
    sqlite3_str_appendchar(all, 1, ')');
    *out = sqlite3_str_finish(all);
    if (!*out) rc = SQLITE_NOMEM;
  } else if (rc == SQLITE_OK && terms.n > 0) {
    int is_prefix = terms.n == 1 && cjk_needs_prefix(&s->query_options, &terms.terms[0], 0);
    *out = quote(text, n, is_prefix);
    if (!*out) rc = SQLITE_NOMEM;
  }
  cjk_terms_free(&terms);
  return rc;
}

/* Writes the expression of a gram or unit. A word is asked for as it was typed, where that is one
** term (a stemmer would cut its stem once more); characters in their folded form. */
static int write_units(CjkSearcher *s, int place, int length, char **out) {
  const CjkUnits *units = &s->query_units;
  const CjkUnit *unit = &units->units[place];
  const char *typed = s->text + unit->start, *name = units->bytes + unit->offset;
  int n_typed = unit->end - unit->start, is_one = 0, rc = SQLITE_OK;
  int is_word = length == 1 && s->evidence->run[place] == 1 && unit->n > 0 &&
                !((unsigned char)name[0] & 0x80);
  if (is_word && cjk_is_range(unit->start, unit->end, s->n_text)) {
    rc = is_single_term(s, typed, n_typed, &is_one);
  }
  if (rc != SQLITE_OK) return rc;
  if (is_one) {
    *out = quote(typed, n_typed, 0);
    return *out ? SQLITE_OK : SQLITE_NOMEM;
  }
  char *joined = sqlite3_mprintf("%.*s%.*s", unit->n, name, length > 1 ? unit[1].n : 0,
                                 length > 1 ? units->bytes + unit[1].offset : "");
  if (!joined) return SQLITE_NOMEM;
  rc = write_folded(s, joined, out);
  sqlite3_free(joined);
  return rc;
}

static int write_grams(CjkSearcher *s) {
  const CjkEvidence *e = s->evidence;
  sqlite3_str *any = sqlite3_str_new(NULL);
  int rc = SQLITE_OK;
  s->gram_text = (char **)sqlite3_malloc64(((sqlite3_uint64)e->n_grams + 1) * sizeof(char *));
  if (!s->gram_text) rc = SQLITE_NOMEM;
  for (int i = 0; rc == SQLITE_OK && i < e->n_grams; i++) s->gram_text[i] = NULL;
  for (int i = 0; rc == SQLITE_OK && i < e->n_grams; i++) {
    rc = write_units(s, e->grams[i].place, e->grams[i].length, &s->gram_text[i]);
    if (rc != SQLITE_OK || !s->gram_text[i] || !e->grams[i].is_sought) continue;
    if (sqlite3_str_length(any)) sqlite3_str_appendall(any, " OR ");
    sqlite3_str_appendall(any, s->gram_text[i]);
  }
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(any);
  s->any = sqlite3_str_finish(any);
  return rc;
}

/* The expression that cjk_query() makes of the text; NULL where there is nothing to search for. */
static int write_query(CjkSearcher *s, CjkQueryMode mode, CjkError *error, char **out) {
  sqlite3_str *text = sqlite3_str_new(s->db);
  CjkQueryOptions options = s->query_options;
  options.mode = mode;
  options.is_trigram &= s->mode != CJK_MODE_AUTO; /* there other rows may come behind: no error */
  int rc = cjk_query_write(&s->terms, &options, s->text, s->n_text, text, error);
  *out = sqlite3_str_finish(text);
  if (rc == SQLITE_OK && strcmp(*out, "\"\"") == 0) {
    sqlite3_free(*out);
    *out = NULL;
  }
  return rc;
}

/* ---- candidates ---- */

typedef struct GramOrder {
  int gram;
  double rows;
} GramOrder;

static int compare_rarity(const void *x, const void *y) {
  const GramOrder *a = (const GramOrder *)x, *b = (const GramOrder *)y;
  if (a->rows < b->rows || a->rows > b->rows) return a->rows < b->rows ? -1 : 1;
  return a->gram < b->gram ? -1 : a->gram > b->gram;
}

static int add_rows(CjkSearcher *s, const RowList *list, double score) {
  int rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < list->n; i++) {
    rc = cjk_pool_add(&s->rows, list->rowids[i], score);
  }
  return rc;
}

static int find_totals(CjkSearcher *s) {
  CjkTotals totals = {0};
  sqlite3_stmt *statement = NULL;
  char *selected = sqlite3_mprintf("cjk_totals(\"%w\", ?2)", s->table.name);
  int rc = selected ? prepare_match(s, selected, "LIMIT 1", &statement) : SQLITE_NOMEM;
  sqlite3_free(selected);
  if (rc == SQLITE_OK) rc = bind_expression(s, statement, s->any);
  if (rc == SQLITE_OK) rc = sqlite3_bind_pointer(statement, 2, &totals, CJK_TOTALS, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_step(statement);
  sqlite3_finalize(statement);
  double tokens = 0;
  for (int i = 0; rc == SQLITE_ROW && i < totals.n_columns; i++) {
    if (i >= s->table.n_columns || s->weights[i] > 0) tokens += (double)totals.tokens[i];
  }
  s->evidence->n_rows = (double)totals.rows;
  s->evidence->mean_length = totals.rows ? tokens / (double)totals.rows : 1;
  sqlite3_free(totals.tokens);
  return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Counts the grams; lists those that are sought, rare ones first. */
static int count_grams(CjkSearcher *s, RowList *lists, GramOrder *order, int *n_order) {
  CjkEvidence *e = s->evidence;
  int rc = SQLITE_OK;
  *n_order = 0;
  for (int i = 0; rc == SQLITE_OK && i < e->n_grams; i++) {
    if (!s->gram_text[i]) continue;
    rc = read_rows(s, s->gram_text[i], e->grams[i].is_sought ? FIRST_ROWS : UNIT_ROWS, &lists[i]);
    if (rc == SQLITE_OK) rc = estimate_rows(s, s->gram_text[i], &lists[i], &e->grams[i].rows);
    if (!e->grams[i].is_sought || lists[i].n == 0) continue;
    GramOrder each = {i, e->grams[i].rows};
    order[(*n_order)++] = each;
  }
  if (*n_order > 1) qsort(order, (size_t)*n_order, sizeof(*order), compare_rarity);
  return rc;
}

/* Adds the rows of the rarest grams to the pool; *n_read: how many grams that were. */
static int read_candidates(CjkSearcher *s, RowList *lists, const GramOrder *order, int n_order,
                           int *n_read) {
  int left = s->budget, rc = SQLITE_OK;
  CjkEvidence *e = s->evidence;
  for (*n_read = 0; rc == SQLITE_OK && *n_read < n_order && left > 0; ++*n_read) {
    RowList *list = &lists[order[*n_read].gram];
    if (!list->is_whole && *n_read > 0 && order[*n_read].rows > left) break;
    if (!list->is_whole) rc = read_rows(s, s->gram_text[order[*n_read].gram], left, list);
    if (rc == SQLITE_OK && list->is_whole) e->grams[order[*n_read].gram].rows = list->n;
    left -= list->n;
  }
  /* In the order of the query, so that equal sums are equal to the last bit. */
  for (int i = 0; rc == SQLITE_OK && i < e->n_grams; i++) {
    for (int k = 0; k < *n_read; k++) {
      if (order[k].gram != i) continue;
      rc = add_rows(s, &lists[i], cjk_evidence_idf(e, e->grams[i].rows));
    }
  }
  return rc;
}

static int raise_rows(CjkSearcher *s, const char *expression, int most, int tier) {
  RowList list = {0};
  int rc = read_rows(s, expression, most, &list);
  for (int i = 0; rc == SQLITE_OK && i < list.n; i++) {
    rc = cjk_pool_raise(&s->rows, list.rowids[i], tier);
  }
  cjk_free(list.rowids);
  return rc;
}

/* Mode auto: rows with the whole text, and rows with all terms of it, come first. */
static int raise_tiers(CjkSearcher *s, int n_read, int most) {
  char *phrase = NULL, *all = NULL;
  CjkError ignored;
  int has_all = 0, rc = SQLITE_OK;
  for (int i = 0; i < s->rows.n && !has_all; i++) has_all = s->rows.rows[i].n >= n_read;
  if (!has_all) return SQLITE_OK;
  if (s->table.is_detailed) rc = write_query(s, CJK_MODE_PHRASE, &ignored, &phrase);
  if (rc == SQLITE_OK) {
    rc = write_query(s, s->table.is_detailed ? CJK_MODE_ALL : CJK_MODE_GRAMS, &ignored, &all);
  }
  if (rc == SQLITE_OK && phrase) rc = raise_rows(s, phrase, most, 2);
  if (rc == SQLITE_OK && all && !(phrase && strcmp(all, phrase) == 0)) {
    rc = raise_rows(s, all, most, 1);
  }
  sqlite3_free(phrase);
  sqlite3_free(all);
  return rc;
}

static int find_candidates(CjkSearcher *s, int most) {
  CjkEvidence *e = s->evidence;
  size_t n = (size_t)e->n_grams + 1;
  RowList *lists = (RowList *)sqlite3_malloc64(n * sizeof(RowList)), matching = {0};
  GramOrder *order = (GramOrder *)sqlite3_malloc64(n * sizeof(GramOrder));
  int n_order, n_read, rc = lists && order ? SQLITE_OK : SQLITE_NOMEM;
  if (lists) memset(lists, 0, n * sizeof(RowList));
  if (rc == SQLITE_OK && s->expression) {
    rc = read_rows(s, s->expression, s->budget, &matching);
    if (rc == SQLITE_OK) rc = add_rows(s, &matching, 0);
    s->rows.is_closed = 1;
  }
  if (rc == SQLITE_OK) rc = count_grams(s, lists, order, &n_order);
  if (rc == SQLITE_OK) rc = read_candidates(s, lists, order, n_order, &n_read);
  if (rc == SQLITE_OK && s->mode == CJK_MODE_AUTO) rc = raise_tiers(s, n_read, most);
  if (rc == SQLITE_OK) cjk_pool_keep_best(&s->rows, most);
  for (size_t i = 0; lists && i < n; i++) cjk_free(lists[i].rowids);
  cjk_free(matching.rowids);
  sqlite3_free(lists);
  sqlite3_free(order);
  return rc;
}

/* ---- scores ---- */

/* A unit is in no fewer rows than a gram that holds it. An index of words has a character only
** where it is a word by itself, and an estimate can be too low. */
static void raise_units(CjkEvidence *e) {
  for (int i = 0; i < e->n_grams; i++) {
    for (int k = 0; e->grams[i].is_sought && k < e->grams[i].length; k++) {
      double *rows = &e->unit_rows[e->same[e->grams[i].place + k]];
      if (*rows < e->grams[i].rows) *rows = e->grams[i].rows;
    }
  }
}

/* Rows of each unit of the query, for its idf. */
static int count_units(CjkSearcher *s) {
  CjkEvidence *e = s->evidence;
  RowList list = {0};
  int rc = SQLITE_OK;
  for (int i = 0; i < e->n_grams; i++) {
    if (e->grams[i].length == 1) e->unit_rows[e->same[e->grams[i].place]] = e->grams[i].rows;
  }
  for (int i = 0; rc == SQLITE_OK && i < e->n; i++) {
    char *unit = NULL;
    double *rows = &e->unit_rows[e->same[i]];
    if (!e->counts[i] || *rows > 0 || e->run[i] == 1) continue;
    rc = write_units(s, i, 1, &unit);
    if (rc == SQLITE_OK && unit) rc = read_rows(s, unit, UNIT_ROWS, &list);
    if (rc == SQLITE_OK && unit) rc = estimate_rows(s, unit, &list, rows);
    sqlite3_free(unit);
  }
  cjk_free(list.rowids);
  raise_units(e);
  return rc;
}

static int add_row_text(CjkSearcher *s, sqlite3_stmt *texts, CjkUnits *units) {
  int rc = SQLITE_OK, n = sqlite3_column_count(texts);
  for (int i = 0; rc == SQLITE_OK && i < n && i < s->table.n_columns; i++) {
    if (s->weights[i] <= 0 || sqlite3_column_type(texts, i) == SQLITE_NULL) continue;
    const char *text = (const char *)sqlite3_column_text(texts, i);
    if (!text) return SQLITE_NOMEM;
    units->n = units->n_bytes = 0;
    rc = cjk_host_tokenize(&s->units, FTS5_TOKENIZE_DOCUMENT, text, sqlite3_column_bytes(texts, i),
                           NULL, 0, units, cjk_units_add);
    if (rc == SQLITE_OK) rc = cjk_evidence_add_column(s->evidence, units, s->weights[i]);
  }
  return rc;
}

/* Scores the first n rows of the pool by their texts. */
static int score_texts(CjkSearcher *s, int n) {
  sqlite3_stmt *texts = NULL;
  CjkUnits units = {0};
  int rc = prepare(s, "*", "WHERE rowid = ?1", &texts);
  for (int i = 0; rc == SQLITE_OK && i < n; i++) {
    rc = sqlite3_bind_int64(texts, 1, s->rows.rows[i].rowid);
    if (rc == SQLITE_OK) rc = sqlite3_step(texts);
    if (rc == SQLITE_ROW) rc = add_row_text(s, texts, &units);
    if (rc == SQLITE_DONE || rc == SQLITE_CORRUPT_VTAB) rc = SQLITE_OK; /* the row has no text */
    if (rc == SQLITE_OK) rc = cjk_evidence_end_row(s->evidence);
    sqlite3_reset(texts);
  }
  sqlite3_finalize(texts);
  cjk_units_free(&units);
  if (rc != SQLITE_OK) return rc;
  cjk_evidence_finish(s->evidence);
  for (int i = 0; i < n; i++) s->rows.rows[i].score = cjk_evidence_score(s->evidence, i);
  return SQLITE_OK;
}

/* Scores as they are given out: the tier and, above it, 0 to 1; never rising from row to row. */
static void make_scores(CjkSearcher *s, int n_scored) {
  for (int i = 0; i < s->rows.n; i++) {
    CjkPoolRow *row = &s->rows.rows[i];
    row->score = row->tier + (i < n_scored ? row->score / (1 + row->score) : 0);
  }
}

static int rank_rows(CjkSearcher *s) {
  int n = s->rows.n < CANDIDATES ? s->rows.n : CANDIDATES, rc = SQLITE_OK;
  if (!s->table.is_contentless) {
    rc = count_units(s);
    cjk_evidence_weigh(s->evidence);
    if (rc == SQLITE_OK) rc = score_texts(s, n);
    if (rc == SQLITE_OK) cjk_pool_sort(s->rows.rows, n);
  }
  make_scores(s, s->table.is_contentless ? s->rows.n : n);
  return rc;
}

/* ---- what is marked ---- */

static int read_syllables(CjkSearcher *s, sqlite3_int64 rowid, CjkSyllables *out) {
  sqlite3_stmt *texts = NULL;
  memset(out, 0, sizeof(*out));
  out->is_open = s->table.is_contentless;
  if (out->is_open)
    return SQLITE_OK; /* there is nothing to read, without columnsize not even NULLs */
  int rc = prepare(s, "*", "WHERE rowid = ?1", &texts);
  if (rc == SQLITE_OK) rc = sqlite3_bind_int64(texts, 1, rowid);
  if (rc == SQLITE_OK) rc = sqlite3_step(texts);
  if (rc != SQLITE_ROW) out->is_open = 1;
  for (int i = 0; rc == SQLITE_ROW && i < sqlite3_column_count(texts); i++) {
    const char *text = (const char *)sqlite3_column_text(texts, i);
    if (text) cjk_syllables_add(out, text, sqlite3_column_bytes(texts, i));
  }
  sqlite3_finalize(texts);
  return rc == SQLITE_ROW || rc == SQLITE_DONE || rc == SQLITE_CORRUPT_VTAB ? SQLITE_OK : rc;
}

int cjk_search_marked(CjkSearcher *s, sqlite3_int64 rowid, char **out) {
  const char *expression = s->expression ? s->expression : s->any;
  char *narrow = NULL;
  int rc = SQLITE_OK;
  if (s->mode == CJK_MODE_PREFIX) {
    CjkSyllables syllables;
    CjkError ignored;
    rc = read_syllables(s, rowid, &syllables);
    s->query_options.within = &syllables;
    if (rc == SQLITE_OK) rc = write_query(s, CJK_MODE_PREFIX, &ignored, &narrow);
    s->query_options.within = NULL;
    if (narrow) expression = narrow;
  }
  if (rc == SQLITE_OK) {
    *out = sqlite3_mprintf(s->filter[0] ? "%s : (%s)" : "%s%s", s->filter, expression);
    if (!*out) rc = SQLITE_NOMEM;
  }
  sqlite3_free(narrow);
  return rc;
}

/* ---- the whole ---- */

static int cut_query(CjkSearcher *s) {
  int rc = cjk_host_tokenize(&s->units, FTS5_TOKENIZE_DOCUMENT, s->text, s->n_text, NULL, 0,
                             &s->query_units, cjk_units_add);
  if (rc == SQLITE_OK) {
    rc = cjk_evidence_create(&s->query_units, s->text, s->n_text, &s->evidence);
  }
  return rc == SQLITE_OK ? write_grams(s) : rc;
}

static void cut_page(CjkSearcher *s, int offset) {
  int n = offset < s->rows.n ? offset : s->rows.n;
  if (n) memmove(s->rows.rows, s->rows.rows + n, (size_t)(s->rows.n - n) * sizeof(CjkPoolRow));
  s->rows.n -= n;
}

int cjk_search(CjkSearcher *s, const CjkSearchOptions *options, const char *table,
               CjkError *error) {
  int asked = options->limit + options->offset;
  s->budget = options->budget;
  int rc = cjk_searcher_open(s, options, table, error);
  if (rc == SQLITE_OK) rc = cut_query(s);
  if (rc == SQLITE_OK && s->mode != CJK_MODE_AUTO && s->mode != CJK_MODE_ANY) {
    rc = write_query(s, (CjkQueryMode)s->mode, error, &s->expression);
    if (rc == SQLITE_OK && !s->expression) return SQLITE_OK;
  }
  if (rc == SQLITE_OK && !s->any && !s->expression) return SQLITE_OK; /* nothing to search for */
  if (rc == SQLITE_OK) rc = prepare_match(s, "rowid", "", &s->rowids);
  if (rc == SQLITE_OK) rc = prepare_match(s, "rowid", "ORDER BY rowid DESC LIMIT 1", &s->last);
  if (rc == SQLITE_OK && s->any) rc = find_totals(s);
  if (rc == SQLITE_OK) rc = find_candidates(s, asked > CANDIDATES ? asked : CANDIDATES);
  if (rc == SQLITE_OK) rc = rank_rows(s);
  if (rc == SQLITE_OK && s->rows.n > asked) s->rows.n = asked;
  if (rc == SQLITE_OK) cut_page(s, options->offset);
  if (rc == SQLITE_ERROR && !error->message[0]) {
    const CjkError *refusal = cjk_refusal(s->api);
    cjk_error(error, "cjk_search(): %.400s",
              refusal && refusal->message[0] ? refusal->message : sqlite3_errmsg(s->db));
  }
  return rc;
}

void cjk_searcher_free(CjkSearcher *s) {
  sqlite3_finalize(s->rowids);
  sqlite3_finalize(s->last);
  for (int i = 0; s->gram_text && i < s->evidence->n_grams; i++) sqlite3_free(s->gram_text[i]);
  sqlite3_free(s->gram_text);
  cjk_evidence_free(s->evidence);
  cjk_units_free(&s->query_units);
  cjk_host_delete(&s->terms);
  cjk_host_delete(&s->units);
  cjk_pool_free(&s->rows);
  sqlite3_free(s->weights);
  sqlite3_free(s->filter);
  sqlite3_free(s->any);
  sqlite3_free(s->expression);
  cjk_fts_table_free(&s->table);
  memset(s, 0, sizeof(*s));
}
