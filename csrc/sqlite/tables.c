/*
** tables.c: the table-valued functions.
**
**   SELECT token, start, end, position, colocated, segmenter
**   FROM cjk_tokens(text [, arguments [, mode [, locale]]]);
**       the tokens of a text. Offsets are bytes. `arguments` is a tokenize= string (default 'cjk'),
**       `mode` 'document' (default) or 'query'. Any tokenizer of the connection can be asked.
**       `segmenter` is who cut the run that a token comes from, NULL for words and emoji.
**   SELECT name, kind, default_value, allowed, help FROM cjk_options();
**       the option table.
**
** Cost: cjk_tokens holds all tokens of one text in memory.
*/
#include "host.h"

#include <string.h>

#include "../core/error.h"
#include "../core/memory.h"
#include "../core/options.h"
#include "../core/segmenters.h"
#include "arguments.h"
#include "vtab.h"
#include "search.h"

/* ---- cjk_tokens ---- */

enum {
  TOKEN_TERM,
  TOKEN_START,
  TOKEN_END,
  TOKEN_POSITION,
  TOKEN_COLOCATED,
  TOKEN_SEGMENTER,
  TOKEN_TEXT
};
enum { N_TOKEN_ARGUMENTS = 4 }; /* text, arguments, mode, locale: the hidden columns */

typedef struct TokenRow {
  int start, end;
  int position, colocated;
  int segmenter, n_segmenter; /* its name in TokensCursor.bytes; n 0: none */
  int offset, n;              /* its bytes in TokensCursor.bytes */
} TokenRow;

typedef struct TokensCursor {
  sqlite3_vtab_cursor base;
  TokenRow *rows;
  int n_rows, rows_capacity;
  char *bytes;
  int n_bytes, bytes_capacity;
  int row;
  int position; /* of the last token */
  int explains; /* flags of tokens have a segmenter's number in them */
} TokensCursor;

static int tokens_connect(sqlite3 *db, void *user, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **message) {
  (void)argc, (void)argv, (void)message;
  return cjk_vtab_connect(
      db, user,
      "CREATE TABLE x(token TEXT, start INTEGER, end INTEGER, position INTEGER, "
      "colocated INTEGER, segmenter TEXT, text HIDDEN, arguments HIDDEN, "
      "mode HIDDEN, locale HIDDEN)",
      SQLITE_VTAB_INNOCUOUS, out);
}

static int tokens_best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 1000;
  info->estimatedRows = 100;
  return cjk_vtab_take_arguments(info, TOKEN_TEXT, N_TOKEN_ARGUMENTS);
}

static int tokens_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  (void)base;
  return cjk_vtab_open(sizeof(TokensCursor), out);
}

static int tokens_close(sqlite3_vtab_cursor *base) {
  TokensCursor *cursor = (TokensCursor *)base;
  cjk_free(cursor->rows);
  cjk_free(cursor->bytes);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int add_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  TokensCursor *cursor = (TokensCursor *)ctx;
  const char *name = cursor->explains ? cjk_segmenter_name(flags >> 8) : NULL;
  int n_name = name ? (int)strlen(name) : 0;
  int rc = cjk_reserve((void **)&cursor->rows, &cursor->rows_capacity, cursor->n_rows + 1,
                       sizeof(TokenRow));
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&cursor->bytes, &cursor->bytes_capacity, cursor->n_bytes + n + n_name,
                     1);
  }
  if (rc != CJK_OK) return rc;
  if (!(flags & CJK_COLOCATED)) cursor->position++;
  TokenRow row = {start,           end,    cursor->position,         flags & CJK_COLOCATED,
                  cursor->n_bytes, n_name, cursor->n_bytes + n_name, n};
  cursor->rows[cursor->n_rows++] = row;
  if (name) memcpy(cursor->bytes + row.segmenter, name, (size_t)n_name);
  if (n) memcpy(cursor->bytes + row.offset, token, (size_t)n);
  cursor->n_bytes += n_name + n;
  return CJK_OK;
}

static int tokenize_into(TokensCursor *cursor, const char *text, int n, const char *arguments,
                         int reason, const char *locale, CjkError *error) {
  fts5_api *api = ((CjkVtab *)cursor->base.pVtab)->api;
  CjkError *refusal = cjk_refusal(api);
  CjkHostTokenizer tokenizer = {0};
  if (*locale && !CJK_HAS_V2(api)) {
    cjk_error(error, "cjk_tokens(): a locale needs SQLite 3.47 or later, this is %s",
              sqlite3_libversion());
    return SQLITE_ERROR;
  }
  int rc = cjk_arguments_open(api, arguments, &tokenizer, error);
  if (rc == SQLITE_OK) {
    cursor->explains = cjk_explain_next(api, &tokenizer);
    rc = cjk_host_tokenize(&tokenizer, reason, text, n, *locale ? locale : NULL,
                           (int)strlen(locale), cursor, add_token);
    if (rc != SQLITE_OK && refusal && refusal->message[0]) *error = *refusal;
  }
  cjk_host_delete(&tokenizer);
  return rc;
}

static int tokens_filter(sqlite3_vtab_cursor *base, int given, const char *plan, int argc,
                         sqlite3_value **argv) {
  TokensCursor *cursor = (TokensCursor *)base;
  const char *values[N_TOKEN_ARGUMENTS] = {NULL, "", "document", ""};
  int n_text = 0, next = 0, reason;
  CjkError error = {""};
  (void)plan, (void)argc;
  cursor->n_rows = cursor->n_bytes = cursor->row = 0;
  cursor->position = -1;
  for (int i = 0; i < N_TOKEN_ARGUMENTS; i++) {
    if (!(given & 1 << i)) continue;
    sqlite3_value *value = argv[next++];
    if (sqlite3_value_type(value) == SQLITE_NULL) {
      if (i == 0) return SQLITE_OK; /* no text, no tokens */
      continue;
    }
    values[i] = (const char *)sqlite3_value_text(value);
    if (!values[i]) return SQLITE_NOMEM;
    if (i == 0) n_text = sqlite3_value_bytes(value);
  }
  if (!values[0]) return cjk_vtab_set_error(base->pVtab, "cjk_tokens() needs a text");
  if (strcmp(values[2], "document") == 0)
    reason = CJK_DOCUMENT;
  else if (strcmp(values[2], "query") == 0)
    reason = CJK_QUERY;
  else
    return cjk_vtab_set_error(base->pVtab, "cjk_tokens(): the mode is 'document' or 'query'");
  int rc = tokenize_into(cursor, values[0], n_text, values[1], reason, values[3], &error);
  return cjk_vtab_result(base->pVtab, rc, &error);
}

static int tokens_next(sqlite3_vtab_cursor *base) {
  ((TokensCursor *)base)->row++;
  return SQLITE_OK;
}

static int tokens_eof(sqlite3_vtab_cursor *base) {
  TokensCursor *cursor = (TokensCursor *)base;
  return cursor->row >= cursor->n_rows;
}

static int tokens_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  TokensCursor *cursor = (TokensCursor *)base;
  const TokenRow *row = &cursor->rows[cursor->row];
  switch (column) {
  case TOKEN_TERM:
    sqlite3_result_text(context, row->n ? cursor->bytes + row->offset : "", row->n,
                        SQLITE_TRANSIENT);
    break;
  case TOKEN_START:
    sqlite3_result_int(context, row->start);
    break;
  case TOKEN_END:
    sqlite3_result_int(context, row->end);
    break;
  case TOKEN_POSITION:
    sqlite3_result_int(context, row->position);
    break;
  case TOKEN_COLOCATED:
    sqlite3_result_int(context, row->colocated);
    break;
  case TOKEN_SEGMENTER:
    if (row->n_segmenter) {
      sqlite3_result_text(context, cursor->bytes + row->segmenter, row->n_segmenter,
                          SQLITE_TRANSIENT);
    }
    break;
  default:
    break; /* the arguments: NULL */
  }
  return SQLITE_OK;
}

static int tokens_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((TokensCursor *)base)->row;
  return SQLITE_OK;
}

static const CjkVtabMethods tokens_methods = {tokens_connect, tokens_best_index, tokens_open,
                                              tokens_close,   tokens_filter,     tokens_next,
                                              tokens_eof,     tokens_column,     tokens_rowid};

/* ---- cjk_options ---- */

enum { OPTION_NAME, OPTION_KIND, OPTION_DEFAULT, OPTION_ALLOWED, OPTION_HELP };

typedef struct OptionsCursor {
  sqlite3_vtab_cursor base;
  int row;
} OptionsCursor;

static int options_connect(sqlite3 *db, void *user, int argc, const char *const *argv,
                           sqlite3_vtab **out, char **message) {
  (void)argc, (void)argv, (void)message;
  return cjk_vtab_connect(db, user,
                          "CREATE TABLE x(name TEXT, kind TEXT, default_value TEXT, allowed TEXT, "
                          "help TEXT)",
                          SQLITE_VTAB_INNOCUOUS, out);
}

static int options_best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 20;
  return SQLITE_OK;
}

static int options_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  (void)base;
  return cjk_vtab_open(sizeof(OptionsCursor), out);
}

static int options_close(sqlite3_vtab_cursor *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

static int options_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
                          sqlite3_value **argv) {
  (void)number, (void)plan, (void)argc, (void)argv;
  ((OptionsCursor *)base)->row = 0;
  return SQLITE_OK;
}

static int options_next(sqlite3_vtab_cursor *base) {
  ((OptionsCursor *)base)->row++;
  return SQLITE_OK;
}

static int options_eof(sqlite3_vtab_cursor *base) {
  return cjk_option_row(((OptionsCursor *)base)->row) == NULL;
}

static int options_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  static const char *const kinds[] = {"choice", "segmenter", "unicode61"};
  const CjkOptionRow *row = cjk_option_row(((OptionsCursor *)base)->row);
  char names[1024];
  const char *values = row->kind == CJK_OPTION_SEGMENT
                           ? cjk_segmenter_names(names, (int)sizeof(names))
                           : row->values;
  switch (column) {
  case OPTION_NAME:
    sqlite3_result_text(context, row->name, -1, SQLITE_STATIC);
    break;
  case OPTION_KIND:
    sqlite3_result_text(context, kinds[row->kind], -1, SQLITE_STATIC);
    break;
  case OPTION_DEFAULT:
    sqlite3_result_text(context, values, (int)strcspn(values, " "), SQLITE_TRANSIENT);
    break;
  case OPTION_ALLOWED:
    sqlite3_result_text(context, values, -1, SQLITE_TRANSIENT);
    break;
  default:
    sqlite3_result_text(context, row->help, -1, SQLITE_STATIC);
    break;
  }
  return SQLITE_OK;
}

static int options_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((OptionsCursor *)base)->row;
  return SQLITE_OK;
}

static const CjkVtabMethods options_methods = {options_connect, options_best_index, options_open,
                                               options_close,   options_filter,     options_next,
                                               options_eof,     options_column,     options_rowid};

int cjk_register_tables(sqlite3 *db, fts5_api *api) {
  int rc = cjk_vtab_register(db, "cjk_tokens", api, &tokens_methods);
  if (rc == SQLITE_OK) rc = cjk_vtab_register(db, "cjk_options", api, &options_methods);
  if (rc == SQLITE_OK) rc = cjk_register_search(db, api);
  return rc;
}
