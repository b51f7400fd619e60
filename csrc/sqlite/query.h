/*
** query.h: what a person types -> an FTS5 expression that is always valid.
*/
#ifndef CJK_QUERY_H
#define CJK_QUERY_H

#include "terms.h"

typedef enum CjkQueryMode {
  CJK_MODE_ALL,
  CJK_MODE_ANY,
  CJK_MODE_PHRASE,
  CJK_MODE_PREFIX,
  CJK_MODE_WEB,
  CJK_MODE_WORDS,
  CJK_MODE_GRAMS,
  CJK_N_MODES
} CjkQueryMode;

typedef struct CjkQueryOptions {
  CjkQueryMode mode;
  int max_terms;                     /* of modes any, words and grams */
  int function_words;                /* any, words: 1 keeps question and function words */
  int has_unigrams;                  /* 0: the table has no token for a character inside a run */
  int is_cjk;                        /* the table's tokenizer is ours, or wraps it */
  int has_words;                     /* it cuts runs into words, which go on as Latin ones do */
  int may_cut_hangul;                /* and maybe Hangul: its syllables do not stand alone */
  int is_trigram;                    /* SQLite's trigram cuts it, or a part of it */
  char *tokenize;                    /* the table's tokenize= string; NULL: cjk */
  const struct CjkSyllables *within; /* prefix: completions of other syllables are not written */
} CjkQueryOptions;

/* The mode of that name, -1 for none. */
int cjk_query_mode(const char *name);
extern const char cjk_query_modes[]; /* their names, for messages */

void cjk_query_defaults(CjkQueryOptions *options);

/* Appends the expression for text to out: `""` where there is nothing to search for. SQLITE_ERROR
** with a message for words that the tokenizer trigram would leave out. */
int cjk_query_write(CjkHostTokenizer *tokenizer, const CjkQueryOptions *options, const char *text,
                    int n, sqlite3_str *out, CjkError *error);

/* Creates the tokenizer of a tokenize= string, and sets in *options what a query must know of it.
 */
int cjk_query_open_tokenizer(fts5_api *api, const char *tokenize, CjkHostTokenizer *tokenizer,
                             CjkQueryOptions *options, CjkError *error);

int cjk_register_query(sqlite3 *db, fts5_api *api);

#endif
