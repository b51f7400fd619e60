/*
** searcher.h: one search in an FTS5 table: candidates from the index, ranked by their texts.
*/
#ifndef CJK_SEARCHER_H
#define CJK_SEARCHER_H

#include "../core/evidence.h"
#include "fts_table.h"
#include "query.h"
#include "row_pool.h"

enum { CJK_MODE_AUTO = CJK_N_MODES }; /* beside the modes of cjk_query() */

typedef struct CjkSearchOptions {
  char *mode, *weights, *columns, *schema; /* NULL: the default */
  char *open, *close, *ellipsis;
  int limit, offset;
  int budget;    /* rows of the index that are read for candidates */
  int snippet;   /* characters; 0: none */
  int highlight; /* 1: spans are wanted */
} CjkSearchOptions;

typedef struct CjkSearcher {
  sqlite3 *db;
  fts5_api *api;
  const char *text;
  int n_text;
  int mode, budget;
  CjkFtsTable table;
  double *weights;               /* of the columns; 0 for those that are not searched */
  char *filter;                  /* column filter, "" for none */
  CjkHostTokenizer terms, units; /* the table's; the same with bigrams and unigrams */
  CjkQueryOptions query_options;
  CjkUnits query_units;
  CjkEvidence *evidence;
  char **gram_text; /* expression of each gram, NULL where the index can't have it */
  char *any;        /* all sought grams, ORed; what is marked, but in other modes: */
  char *expression; /* of modes all, phrase, prefix, web; NULL in auto and any */
  sqlite3_stmt *rowids, *last;
  CjkRowPool rows; /* the answer, best first; score as given out */
} CjkSearcher;

/* Finds the table, opens its tokenizers, reads mode, weights and columns: the first thing that a
** search does. */
int cjk_searcher_open(CjkSearcher *s, const CjkSearchOptions *options, const char *name,
                      CjkError *error);

/* The expression that is marked; in mode prefix with those completions of a half-typed syllable only
** that the row may hold: there may be hundreds. */
int cjk_search_marked(CjkSearcher *s, sqlite3_int64 rowid, char **out);

/* Searches. SQLITE_ERROR with a message for names and options that are wrong. Free *s after it,
** whatever it returns. */
int cjk_search(CjkSearcher *s, const CjkSearchOptions *options, const char *table, CjkError *error);
void cjk_searcher_free(CjkSearcher *s);

#endif
