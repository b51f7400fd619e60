/*
** search.c: cjk_search(table, query [, options]): the best rows of an FTS5 table, best first.
**
**   SELECT rowid, score FROM cjk_search('notes', '机器学习的方法有哪些？');
**   SELECT notes.*, snippet FROM cjk_search('notes', ?1, '{"limit": 10, "snippet": 60}') AS hit
**     JOIN notes ON notes.rowid = hit.rowid ORDER BY score DESC;
**
** Columns: rowid, score (higher is better), snippet (option snippet), highlights (option highlight:
** a JSON array of [column, start, end], bytes), expression (the FTS5 expression that is marked: for
** cjk_highlight() and cjk_snippet() of single columns). Options, a JSON object:
**
**   mode       auto: rows with the whole text first, then rows with all of its words, then those
**              that have some of it (default); any; all, phrase, prefix, web as in cjk_query()
**   limit, offset      20 rows from the first one on
**   budget     65,536 rows of the index at most choose the candidates
**   weights    of the columns, as in "10.0, 1.0"
**   columns    the ones to search in: "title, body"
**   schema     of the table, where several have the name
**   snippet    characters of it (0: none); open, close, ellipsis: what it is marked with
**   highlight  1: highlights are wanted
**
** For SQL that a program runs, not for views and triggers of a database file: the table's name is a
** value here, and a hostile file could read the tables of another one that is attached, which SQLite
** keeps from its views.
**
** Works on any FTS5 table whose tokenizer is, or wraps, `cjk`. NULL, or text with nothing to search
** for, gives no rows. Snippets and highlights are made row by row as they are read.
*/
#include <stddef.h>
#include <string.h>

#include "../core/error.h"
#include "json_options.h"
#include "search.h"
#include "searcher.h"
#include "vtab.h"

enum {
  SEARCH_ROWID,
  SEARCH_SCORE,
  SEARCH_SNIPPET,
  SEARCH_HIGHLIGHTS,
  SEARCH_EXPRESSION,
  SEARCH_TABLE
};
enum { N_SEARCH_ARGUMENTS = 3, MAX_ROWS = 1000000, MAX_SNIPPET = 1000000, MAX_BUDGET = 1 << 30 };
enum { DEFAULT_LIMIT = 20, DEFAULT_BUDGET = 1 << 16 };

typedef struct SearchCursor {
  sqlite3_vtab_cursor base;
  CjkSearcher searcher;
  CjkSearchOptions options;
  char *text;
  sqlite3_stmt *marks; /* snippet and spans of a row */
  int row;
  int marked_row; /* that `marks` stands at; -1: none */
  int is_marked;  /* it has marks */
} SearchCursor;

static const CjkJsonField search_fields[] = {
    {"mode", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, mode), 0, 0},
    {"limit", CJK_JSON_INTEGER, (int)offsetof(CjkSearchOptions, limit), 0, MAX_ROWS},
    {"offset", CJK_JSON_INTEGER, (int)offsetof(CjkSearchOptions, offset), 0, MAX_ROWS},
    {"budget", CJK_JSON_INTEGER, (int)offsetof(CjkSearchOptions, budget), 1, MAX_BUDGET},
    {"weights", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, weights), 0, 0},
    {"columns", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, columns), 0, 0},
    {"schema", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, schema), 0, 0},
    {"snippet", CJK_JSON_INTEGER, (int)offsetof(CjkSearchOptions, snippet), 0, MAX_SNIPPET},
    {"highlight", CJK_JSON_INTEGER, (int)offsetof(CjkSearchOptions, highlight), 0, 1},
    {"open", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, open), 0, 0},
    {"close", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, close), 0, 0},
    {"ellipsis", CJK_JSON_TEXT, (int)offsetof(CjkSearchOptions, ellipsis), 0, 0},
    {NULL, CJK_JSON_TEXT, 0, 0, 0}};

static void free_options(CjkSearchOptions *options) {
  for (const CjkJsonField *field = search_fields; field->name; field++) {
    if (field->kind != CJK_JSON_TEXT) continue;
    sqlite3_free(*(char **)(void *)((char *)options + field->field));
  }
  memset(options, 0, sizeof(*options));
  options->limit = DEFAULT_LIMIT;
  options->budget = DEFAULT_BUDGET;
}

static int search_connect(sqlite3 *db, void *user, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **message) {
  (void)argc, (void)argv, (void)message;
  return cjk_vtab_connect(db, user,
                          "CREATE TABLE x(rowid INTEGER, score REAL, snippet TEXT, highlights "
                          "TEXT, expression TEXT, \"table\" HIDDEN, query HIDDEN, options HIDDEN)",
                          SQLITE_VTAB_DIRECTONLY, out);
}

static int search_best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->orderByConsumed =
      info->nOrderBy == 1 && info->aOrderBy[0].iColumn == SEARCH_SCORE && info->aOrderBy[0].desc;
  info->estimatedCost = 10000;
  info->estimatedRows = DEFAULT_LIMIT;
  return cjk_vtab_take_arguments(info, SEARCH_TABLE, N_SEARCH_ARGUMENTS);
}

static int search_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  (void)base;
  return cjk_vtab_open(sizeof(SearchCursor), out);
}

static void reset_search(SearchCursor *cursor) {
  sqlite3_finalize(cursor->marks);
  cursor->marks = NULL;
  cjk_searcher_free(&cursor->searcher);
  free_options(&cursor->options);
  sqlite3_free(cursor->text);
  cursor->text = NULL;
  cursor->row = 0;
  cursor->marked_row = -1;
}

static int search_close(sqlite3_vtab_cursor *base) {
  reset_search((SearchCursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

static int read_text(SearchCursor *cursor, sqlite3_value *value) {
  const char *text = (const char *)sqlite3_value_text(value);
  int n = sqlite3_value_bytes(value);
  cursor->text = text ? (char *)sqlite3_malloc64((sqlite3_uint64)n + 1) : NULL;
  if (!cursor->text) return SQLITE_NOMEM;
  memcpy(cursor->text, text, (size_t)n);
  cursor->text[n] = 0;
  cursor->searcher.text = cursor->text;
  cursor->searcher.n_text = n;
  return SQLITE_OK;
}

static int search_filter(sqlite3_vtab_cursor *base, int given, const char *plan, int argc,
                         sqlite3_value **argv) {
  SearchCursor *cursor = (SearchCursor *)base;
  CjkVtab *table = (CjkVtab *)base->pVtab;
  CjkError error = {""};
  int rc = SQLITE_OK;
  (void)plan;
  reset_search(cursor);
  cursor->searcher.db = table->db;
  cursor->searcher.api = table->api;
  if ((given & 3) != 3 || sqlite3_value_type(argv[0]) == SQLITE_NULL) {
    cjk_error(&error, "cjk_search() needs a table's name and a query");
    return cjk_vtab_result(base->pVtab, SQLITE_ERROR, &error);
  }
  if (argc > 2 && sqlite3_value_type(argv[2]) != SQLITE_NULL) {
    const char *json = (const char *)sqlite3_value_text(argv[2]);
    rc = json
             ? cjk_json_read(table->db, "cjk_search", json, search_fields, &cursor->options, &error)
             : SQLITE_NOMEM;
  }
  if (rc == SQLITE_OK && sqlite3_value_type(argv[1]) == SQLITE_NULL) return SQLITE_OK;
  if (rc == SQLITE_OK) rc = read_text(cursor, argv[1]);
  if (rc == SQLITE_OK) {
    const char *name = (const char *)sqlite3_value_text(argv[0]);
    rc = name ? cjk_search(&cursor->searcher, &cursor->options, name, &error) : SQLITE_NOMEM;
  }
  if (rc != SQLITE_OK) cursor->searcher.rows.n = 0;
  return cjk_vtab_result(base->pVtab, rc, &error);
}

static int search_next(sqlite3_vtab_cursor *base) {
  ((SearchCursor *)base)->row++;
  return SQLITE_OK;
}

static int search_eof(sqlite3_vtab_cursor *base) {
  SearchCursor *cursor = (SearchCursor *)base;
  return cursor->row >= cursor->searcher.rows.n;
}

static const char *or_default(const char *text, const char *otherwise) {
  return text ? text : otherwise;
}

static int result_expression(SearchCursor *cursor, sqlite3_context *context) {
  char *expression = NULL;
  sqlite3_int64 rowid = cursor->searcher.rows.rows[cursor->row].rowid;
  int rc = cjk_search_marked(&cursor->searcher, rowid, &expression);
  if (rc == SQLITE_OK) sqlite3_result_text(context, expression, -1, sqlite3_free);
  return rc;
}

static int prepare_marks(SearchCursor *cursor) {
  CjkSearcher *s = &cursor->searcher;
  const CjkSearchOptions *options = &cursor->options;
  char *sql =
      sqlite3_mprintf("SELECT iif(?6, cjk_snippet(\"%w\", -1, ?3, ?4, ?5, max(?6, 1)), NULL), "
                      "iif(?7, cjk_spans(\"%w\"), NULL) "
                      "FROM \"%w\".\"%w\" WHERE \"%w\" MATCH ?1 AND rowid = ?2",
                      s->table.name, s->table.name, s->table.schema, s->table.name, s->table.name);
  if (!sql) return SQLITE_NOMEM;
  int rc = sqlite3_prepare_v2(s->db, sql, -1, &cursor->marks, NULL);
  sqlite3_free(sql);
  const char *texts[] = {or_default(options->open, "["), or_default(options->close, "]"),
                         or_default(options->ellipsis, "…")};
  for (int i = 0; rc == SQLITE_OK && i < 3; i++) {
    rc = sqlite3_bind_text(cursor->marks, 3 + i, texts[i], -1, SQLITE_STATIC);
  }
  if (rc == SQLITE_OK) rc = sqlite3_bind_int(cursor->marks, 6, options->snippet);
  if (rc == SQLITE_OK) rc = sqlite3_bind_int(cursor->marks, 7, options->highlight);
  return rc;
}

/* Steps the statement of marks to the row at work: SQLITE_ROW, SQLITE_DONE or an error. */
static int step_marks(SearchCursor *cursor) {
  sqlite3_int64 rowid = cursor->searcher.rows.rows[cursor->row].rowid;
  char *expression = NULL;
  sqlite3_reset(cursor->marks);
  int rc = cjk_search_marked(&cursor->searcher, rowid, &expression);
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(cursor->marks, 1, expression, -1, sqlite3_free);
  if (rc == SQLITE_OK) rc = sqlite3_bind_int64(cursor->marks, 2, rowid);
  return rc == SQLITE_OK ? sqlite3_step(cursor->marks) : rc;
}

/* Sets a column of the row's marks as the result: 0 the snippet, 1 the spans. */
static int result_marks(SearchCursor *cursor, sqlite3_context *context, int which) {
  int rc = cursor->marks ? SQLITE_OK : prepare_marks(cursor);
  if (rc == SQLITE_OK && cursor->marked_row != cursor->row) {
    rc = step_marks(cursor);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) return rc;
    cursor->marked_row = cursor->row;
    cursor->is_marked = rc == SQLITE_ROW;
    rc = SQLITE_OK;
  }
  if (rc == SQLITE_OK && cursor->is_marked) {
    sqlite3_result_value(context, sqlite3_column_value(cursor->marks, which));
  }
  return rc;
}

static int search_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  SearchCursor *cursor = (SearchCursor *)base;
  const CjkPoolRow *row = &cursor->searcher.rows.rows[cursor->row];
  switch (column) {
  case SEARCH_ROWID:
    sqlite3_result_int64(context, row->rowid);
    return SQLITE_OK;
  case SEARCH_SCORE:
    sqlite3_result_double(context, row->score);
    return SQLITE_OK;
  case SEARCH_SNIPPET:
    return cursor->options.snippet ? result_marks(cursor, context, 0) : SQLITE_OK;
  case SEARCH_HIGHLIGHTS:
    return cursor->options.highlight ? result_marks(cursor, context, 1) : SQLITE_OK;
  case SEARCH_EXPRESSION:
    return result_expression(cursor, context);
  default:
    return SQLITE_OK; /* the arguments: NULL */
  }
}

static int search_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  SearchCursor *cursor = (SearchCursor *)base;
  *rowid = cursor->searcher.rows.rows[cursor->row].rowid;
  return SQLITE_OK;
}

static const CjkVtabMethods search_methods = {search_connect, search_best_index, search_open,
                                              search_close,   search_filter,     search_next,
                                              search_eof,     search_column,     search_rowid};

int cjk_register_search(sqlite3 *db, fts5_api *api) {
  return cjk_vtab_register(db, "cjk_search", api, &search_methods);
}
