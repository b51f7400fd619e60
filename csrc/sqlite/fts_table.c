/*
** fts_table.c: see fts_table.h. The CREATE statement is read as FTS5 reads its arguments.
*/
#include "fts_table.h"

#include <string.h>

#include "../core/error.h"
#include "../core/options.h"

/* ---- the CREATE statement ---- */

static int is_sql_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static char closing(char open) {
  if (open == '[') return ']';
  return open == '"' || open == '\'' || open == '`' ? open : 0;
}

/* Behind the quoted text, comment or single byte at p. */
static const char *skip(const char *p) {
  char close = closing(*p);
  if (close) {
    for (p++; *p; p++) {
      if (*p != close) continue;
      if (close == ']' || p[1] != close) return p + 1;
      p++;
    }
    return p;
  }
  if (p[0] == '-' && p[1] == '-') return p + strcspn(p, "\n");
  if (p[0] == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
  }
  return p + 1;
}

static int is_sql_word(char c) {
  return (c & 0x80) || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/* The bareword or quoted text at *p, without its quotes; NULL when memory is out. Moves *p. */
static char *read_word(const char **p) {
  const char *start = *p, *end;
  char close = closing(*start);
  if (close) {
    end = skip(start);
  } else {
    for (end = start; is_sql_word(*end);) end++;
  }
  *p = end;
  char *word = (char *)sqlite3_malloc64((sqlite3_uint64)(end - start) + 1), *to = word;
  if (!word) return NULL;
  if (close) {
    for (start++; start < end && !(*start == close && start + 1 == end); start++) {
      *to++ = *start;
      if (*start == close) start++;
    }
  } else {
    memcpy(word, start, (size_t)(end - start));
    to += end - start;
  }
  *to = 0;
  return word;
}

static const char *skip_spaces(const char *p) {
  while (is_sql_space(*p) || (p[0] == '-' && p[1] == '-') || (p[0] == '/' && p[1] == '*'))
    p = skip(p);
  return p;
}

/* Sets *out to what is behind the "(" of USING fts5( ; to NULL when another module is used. */
static int find_arguments(const char *sql, const char **out) {
  const char *p = sql;
  *out = NULL;
  while (*(p = skip_spaces(p))) {
    if (!is_sql_word(*p)) {
      p = skip(p);
      continue;
    }
    const char *word = p;
    while (is_sql_word(*p)) p++;
    if (p - word != 5 || sqlite3_strnicmp(word, "using", 5) != 0) continue;
    p = skip_spaces(p);
    char *module = read_word(&p);
    if (!module) return SQLITE_NOMEM;
    p = skip_spaces(p);
    if (cjk_same_word(module, "fts5") && *p == '(') *out = p + 1;
    sqlite3_free(module);
    break;
  }
  return SQLITE_OK;
}

static int add_column(CjkFtsTable *table, char *name, const char *rest) {
  sqlite3_uint64 n = (sqlite3_uint64)table->n_columns + 1;
  char **columns = (char **)sqlite3_realloc64(table->columns, n * sizeof(char *));
  if (columns) table->columns = columns;
  char *is_indexed = (char *)sqlite3_realloc64(table->is_indexed, n);
  if (is_indexed) table->is_indexed = is_indexed;
  if (!columns || !is_indexed) {
    sqlite3_free(name);
    return SQLITE_NOMEM;
  }
  rest = skip_spaces(rest);
  table->is_indexed[table->n_columns] = sqlite3_strnicmp(rest, "unindexed", 9) != 0;
  table->columns[table->n_columns++] = name;
  return SQLITE_OK;
}

static int read_option(CjkFtsTable *table, const char *name, const char *p) {
  p = skip_spaces(p);
  char *value = read_word(&p);
  if (!value) return SQLITE_NOMEM;
  if (cjk_same_word(name, "tokenize")) {
    sqlite3_free(table->tokenize);
    table->tokenize = value;
    return SQLITE_OK;
  }
  if (cjk_same_word(name, "content")) table->is_contentless = value[0] == 0;
  if (cjk_same_word(name, "detail")) table->is_detailed = cjk_same_word(value, "full");
  sqlite3_free(value);
  return SQLITE_OK;
}

/* Reads one argument at p: a column, or name = value. */
static int read_argument(CjkFtsTable *table, const char *p) {
  char *name = read_word(&p);
  if (!name) return SQLITE_NOMEM;
  p = skip_spaces(p);
  if (*p != '=') return add_column(table, name, p);
  int rc = read_option(table, name, p + 1);
  sqlite3_free(name);
  return rc;
}

static int read_declaration(CjkFtsTable *table, const char *p) {
  int rc = SQLITE_OK;
  while (rc == SQLITE_OK) {
    int depth = 0;
    p = skip_spaces(p);
    if (!*p || *p == ')') break;
    rc = read_argument(table, p);
    while (*p && (depth > 0 || (*p != ',' && *p != ')'))) {
      depth += (*p == '(') - (*p == ')');
      p = skip(p);
    }
    if (*p != ',') break;
    p++;
  }
  return rc;
}

/* ---- finding it ---- */

/* SQLITE_ROW when the schema has a table of that name; its SQL then in *sql (NULL: none). */
static int look_up_table(sqlite3 *db, const char *schema, const char *name, char **sql) {
  sqlite3_stmt *statement = NULL;
  char *text = sqlite3_mprintf("SELECT coalesce(sql, '') FROM \"%w\".sqlite_master WHERE type = "
                               "'table' AND name = ?1 COLLATE NOCASE",
                               schema);
  if (!text) return SQLITE_NOMEM;
  int rc = sqlite3_prepare_v2(db, text, -1, &statement, NULL);
  sqlite3_free(text);
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
  if (rc == SQLITE_OK) rc = sqlite3_step(statement);
  if (rc == SQLITE_ROW) {
    const char *found = (const char *)sqlite3_column_text(statement, 0);
    *sql = found ? sqlite3_mprintf("%s", found) : NULL;
    if (!*sql) rc = SQLITE_NOMEM;
  }
  sqlite3_finalize(statement);
  return rc;
}

/* Calls look_up_table() for the schemas of the connection in SQLite's order: temp, main, attached. */
static int look_everywhere(sqlite3 *db, const char *name, char **schema, char **sql) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db,
                              "SELECT 'temp' UNION ALL SELECT * FROM (SELECT name FROM "
                              "pragma_database_list WHERE seq <> 1 ORDER BY seq)",
                              -1, &statement, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *each = (const char *)sqlite3_column_text(statement, 0);
    rc = each ? look_up_table(db, each, name, sql) : SQLITE_NOMEM;
    if (rc == SQLITE_ROW) {
      *schema = sqlite3_mprintf("%s", each);
      if (!*schema) rc = SQLITE_NOMEM;
      break;
    }
    if (rc == SQLITE_DONE) rc = SQLITE_OK;
  }
  sqlite3_finalize(statement);
  return rc;
}

int cjk_fts_table_find(sqlite3 *db, const char *function, const char *schema, const char *name,
                       CjkFtsTable *out, CjkError *error) {
  char *sql = NULL;
  int rc;
  memset(out, 0, sizeof(*out));
  out->is_detailed = 1;
  out->name = sqlite3_mprintf("%s", name);
  if (!out->name) return SQLITE_NOMEM;
  if (schema) {
    out->schema = sqlite3_mprintf("%s", schema);
    rc = out->schema ? look_up_table(db, schema, name, &sql) : SQLITE_NOMEM;
  } else {
    rc = look_everywhere(db, name, &out->schema, &sql);
  }
  if (rc == SQLITE_DONE || rc == SQLITE_ERROR) {
    cjk_error(error, "%s(): there is no table \"%.100s\"%s%.60s", function, name,
              schema ? " in schema " : "", schema ? schema : "");
    rc = SQLITE_ERROR;
  }
  if (rc == SQLITE_ROW) {
    const char *arguments;
    rc = find_arguments(sql, &arguments);
    if (arguments) {
      rc = read_declaration(out, arguments);
    } else if (rc == SQLITE_OK) {
      cjk_error(error, "%s(): \"%.100s\" is no FTS5 table", function, name);
      rc = SQLITE_ERROR;
    }
  }
  sqlite3_free(sql);
  return rc;
}

void cjk_fts_table_free(CjkFtsTable *table) {
  for (int i = 0; i < table->n_columns; i++) sqlite3_free(table->columns[i]);
  sqlite3_free(table->columns);
  sqlite3_free(table->is_indexed);
  sqlite3_free(table->schema);
  sqlite3_free(table->name);
  sqlite3_free(table->tokenize);
  memset(table, 0, sizeof(*table));
}
