/*
** fts_table.h: an FTS5 table found by its name, and what its CREATE statement says of it.
*/
#ifndef CJK_FTS_TABLE_H
#define CJK_FTS_TABLE_H

#include "host.h"

typedef struct CjkFtsTable {
  char *schema, *name;
  char *tokenize;     /* the tokenize= string; NULL when it has none */
  int is_contentless; /* keeps no text */
  int is_detailed;    /* detail=full: phrases can be asked for */
  int n_columns;
  char **columns;   /* their names, as declared */
  char *is_indexed; /* 0: UNINDEXED */
} CjkFtsTable;

/* Finds the table as SQLite finds a name without a schema (temp, main, attached ones), or in
 *`schema`
** when that is given. SQLITE_ERROR with a message when there is none or it is no FTS5 table. Free
** *out after it, whatever it returns. */
int cjk_fts_table_find(sqlite3 *db, const char *function, const char *schema, const char *name,
                       CjkFtsTable *out, CjkError *error);
void cjk_fts_table_free(CjkFtsTable *table);

#endif
