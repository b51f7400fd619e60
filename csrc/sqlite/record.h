/*
** record.h: what the phrases of a query were cut into, for SQLite before 3.45.
**
** An auxiliary function sees that phrase 0 matched at position 7, but only from SQLite 3.45 on
** (xQueryToken) which term it asked for; and at one position stand a bigram and its first
** character.
** So the tokenizer of an older host keeps the tokens of the last queries that it cut. FTS5 cuts a
** query's phrases one after the other when the statement starts. Which of the recorded terms are
** the
** statement's is seen at its first marked row: those that fit the tokens there, the newest first.
*/
#ifndef CJK_RECORD_H
#define CJK_RECORD_H

#include "host.h"

typedef struct CjkRecord {
  char *bytes; /* the terms, end to end */
  int *at;     /* n + 1 offsets */
  int n;
  int bytes_capacity, at_capacity;
} CjkRecord;

/* Whether the host needs a record. */
int cjk_record_is_needed(void);

/* Before the tokens of a call: forgets the older half when there is much. */
void cjk_record_begin(CjkRecord *record);
int cjk_record_add(CjkRecord *record, const char *term, int n);
void cjk_record_free(CjkRecord *record);

/* The record of the tokenizer behind a query's table, through whatever wraps it; NULL: none. */
const CjkRecord *cjk_record_of(fts5_api *api, const Fts5ExtensionApi *extension,
                               Fts5Context *context);

#endif
