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

/* The columns of a row are key, type and value. */
static int set_field(const char *function, const CjkJsonField *field, sqlite3_stmt *row, void *out,
                     CjkError *error) {
  const char *type = (const char *)sqlite3_column_text(row, 1);
  char *place = (char *)out + field->field;
  if (field->kind == CJK_JSON_TEXT) {
    const char *value = (const char *)sqlite3_column_text(row, 2);
    if (!value || strcmp(type, "text") != 0) {
      cjk_error(error, "%s(): option %s is a text", function, field->name);
      return SQLITE_ERROR;
    }
    char *copy = sqlite3_mprintf("%s", value);
    if (!copy) return SQLITE_NOMEM;
    sqlite3_free(*(char **)(void *)place);
    *(char **)(void *)place = copy;
    return SQLITE_OK;
  }
  sqlite3_int64 value = sqlite3_column_int64(row, 2);
  int is_number = type && (strcmp(type, "integer") == 0 || strcmp(type, "true") == 0 ||
                           strcmp(type, "false") == 0);
  if (!is_number || value < field->least || value > field->most) {
    cjk_error(error, "%s(): option %s is a number from %d to %d", function, field->name,
              field->least, field->most);
    return SQLITE_ERROR;
  }
  *(int *)(void *)place = (int)value;
  return SQLITE_OK;
}

int cjk_json_read(sqlite3 *db, const char *function, const char *json, const CjkJsonField *fields,
                  void *out, CjkError *error) {
  sqlite3_stmt *rows = NULL;
  int rc =
      sqlite3_prepare_v2(db,
                         "SELECT NULL, NULL, NULL WHERE NOT json_valid(?1) "
                         "OR json_type(iif(json_valid(?1), ?1, '0')) <> 'object' UNION ALL "
                         "SELECT key, type, atom FROM json_each(iif(json_valid(?1), ?1, '{}'))",
                         -1, &rows, NULL);
  if (rc == SQLITE_ERROR) {
    cjk_error(error, "%s(): options need a SQLite with JSON functions", function);
    return rc;
  }
  if (rc == SQLITE_OK) rc = sqlite3_bind_text(rows, 1, json, -1, SQLITE_STATIC);
  while (rc == SQLITE_OK && (rc = sqlite3_step(rows)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(rows, 0);
    const CjkJsonField *field = name ? find_field(fields, name) : NULL;
    if (!name)
      rc = refuse_text(function, fields, error);
    else if (!field)
      rc = refuse_name(function, name, fields, error);
    else
      rc = set_field(function, field, rows, out, error);
  }
  sqlite3_finalize(rows);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
