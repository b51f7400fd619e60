/*
** json_options.c: see json_options.h. SQLite's own JSON functions do the parsing.
*/
#include "json_options.h"

#include <stdio.h>
#include <string.h>

#include "../core/error.h"

static const CjkJsonField *find_field(const CjkJsonField *fields, const char *name) {
  for (; fields->name; fields++) {
    if (strcmp(fields->name, name) == 0) return fields;
  }
  return NULL;
}

static int refuse_name(const char *function, const char *name, const CjkJsonField *fields,
                       CjkError *error) {
  cjk_error(error, "%s(): \"%.60s\" is no option; options are:", function, name);
  for (; fields->name; fields++) {
    size_t n = strlen(error->message);
    snprintf(error->message + n, sizeof(error->message) - n, " %s", fields->name);
  }
  return SQLITE_ERROR;
}

static int refuse_text(const char *function, const CjkJsonField *fields, CjkError *error) {
  cjk_error(error, "%s(): options are a JSON object, as in {\"%s\": ...}", function, fields->name);
  return SQLITE_ERROR;
}

/* The columns of a row are whether the JSON is no object, key, type and value. */
enum { ROW_IS_BAD, ROW_KEY, ROW_TYPE, ROW_VALUE };

static int set_text_field(const char *function, const CjkJsonField *field, sqlite3_stmt *row,
                          char **out, CjkError *error) {
  if (strcmp((const char *)sqlite3_column_text(row, ROW_TYPE), "text") != 0) {
    cjk_error(error, "%s(): option %s is a text", function, field->name);
    return SQLITE_ERROR;
  }
  const char *value = (const char *)sqlite3_column_text(row, ROW_VALUE);
  char *copy = value ? sqlite3_mprintf("%s", value) : NULL;
  if (!copy) return SQLITE_NOMEM;
  sqlite3_free(*out);
  *out = copy;
  return SQLITE_OK;
}

static int set_integer_field(const char *function, const CjkJsonField *field, sqlite3_stmt *row,
                             int *out, CjkError *error) {
  const char *type = (const char *)sqlite3_column_text(row, ROW_TYPE);
  sqlite3_int64 value = sqlite3_column_int64(row, ROW_VALUE);
  int is_number =
      strcmp(type, "integer") == 0 || strcmp(type, "true") == 0 || strcmp(type, "false") == 0;
  if (!is_number || value < field->least || value > field->most) {
    cjk_error(error, "%s(): option %s is a number from %d to %d", function, field->name,
              field->least, field->most);
    return SQLITE_ERROR;
  }
  *out = (int)value;
  return SQLITE_OK;
}

static int read_member(const char *function, const CjkJsonField *fields, sqlite3_stmt *row,
                       void *out, CjkError *error) {
  if (sqlite3_column_int(row, ROW_IS_BAD)) return refuse_text(function, fields, error);
  const char *name = (const char *)sqlite3_column_text(row, ROW_KEY);
  const char *type = (const char *)sqlite3_column_text(row, ROW_TYPE);
  if (!name || !type) return SQLITE_NOMEM; /* SQLite could not make the text */
  const CjkJsonField *field = find_field(fields, name);
  if (!field) return refuse_name(function, name, fields, error);
  void *place = (char *)out + field->field;
  return field->kind == CJK_JSON_TEXT
             ? set_text_field(function, field, row, (char **)place, error)
             : set_integer_field(function, field, row, (int *)place, error);
}

int cjk_json_read(sqlite3 *db, const char *function, const char *json, const CjkJsonField *fields,
                  void *out, CjkError *error) {
  sqlite3_stmt *rows = NULL;
  /* Not json_valid(): without memory it says that nothing is valid. */
  int rc = sqlite3_prepare_v2(db,
                              "SELECT 1, NULL, NULL, NULL WHERE json_type(?1) <> 'object' "
                              "UNION ALL SELECT 0, key, type, atom FROM json_each(?1)",
                              -1, &rows, NULL);
  if (rc == SQLITE_ERROR) {
    cjk_error(error, "%s(): options need SQLite's JSON functions: %.200s", function,
              sqlite3_errmsg(db));
    return rc;
  }
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(rows, 1, json, -1, SQLITE_STATIC);
  while (rc == SQLITE_OK && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
    rc = read_member(function, fields, rows, out, error);
  }
  sqlite3_finalize(rows);
  if (rc == SQLITE_ERROR && !error->message[0]) return refuse_text(function, fields, error);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
