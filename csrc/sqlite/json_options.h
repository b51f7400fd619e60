/*
** json_options.h: options given to a function as a JSON object, by a table of what it takes.
*/
#ifndef CJK_JSON_OPTIONS_H
#define CJK_JSON_OPTIONS_H

#include "host.h"

typedef enum CjkJsonKind { CJK_JSON_INTEGER, CJK_JSON_TEXT } CjkJsonKind;

typedef struct CjkJsonField {
  const char *name; /* NULL behind the last row */
  CjkJsonKind kind;
  int field; /* offset: of an int, or of a char * that the caller frees with sqlite3_free() */
  int least, most;
} CjkJsonField;

/* Reads `json` into the fields of `out`; members that are not given leave their field as it is. Any
** member that the table does not have, and any value out of its range, is SQLITE_ERROR with a
** message that names `function`, the member and what is allowed. */
int cjk_json_read(sqlite3 *db, const char *function, const char *json, const CjkJsonField *fields,
                  void *out, CjkError *error);

#endif
