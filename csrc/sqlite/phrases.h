/*
** phrases.h: an FTS5 expression in the making: quoted phrases, operators between them.
*/
#ifndef CJK_PHRASES_H
#define CJK_PHRASES_H

#include "query.h"

enum { CJK_MAX_PHRASES = 1000, CJK_PHRASE_SLOTS = 2048 };

/* A phrase that stands in the expression. */
typedef struct CjkWritten {
  const char *text;
  int n;
  int group;
} CjkWritten;

typedef struct CjkPhrases {
  CjkHostTokenizer *tokenizer;
  const CjkQueryOptions *options;
  sqlite3_str *out;
  CjkError *error;
  CjkTerms terms; /* of the phrase at work */
  CjkTerms again; /* of one term of it */
  int n;          /* phrases and terms written so far */
  int group;      /* in one group no phrase is written twice */
  CjkWritten *written;
  int n_written, capacity;
  short slots[CJK_PHRASE_SLOTS]; /* of written[] plus one, by the hash of the text; 0: free */
} CjkPhrases;

void cjk_phrases_begin(CjkPhrases *phrases, CjkHostTokenizer *tokenizer,
                       const CjkQueryOptions *options, sqlite3_str *out, CjkError *error);
void cjk_phrases_free(CjkPhrases *phrases);

/* Forgets what has been written: another part of the expression begins. */
void cjk_phrases_restart(CjkPhrases *phrases);

/* Writes the text as a phrase, `joiner` before it where something stands before; nothing when it
** yields no term, or stands in this group already. `may_go_on`: its last word may be half typed.
** *is_there: whether it has a term. At most CJK_MAX_PHRASES from one restart to the next. */
int cjk_phrases_add(CjkPhrases *phrases, const char *text, int n, const char *joiner, int may_go_on,
                    int *is_there);

void cjk_write_quoted(sqlite3_str *out, const char *text, int n);

/* Whether a phrase that ends in this term needs the prefix form. */
int cjk_needs_prefix(const CjkQueryOptions *options, const CjkTerm *term, int may_go_on);

/* SQLITE_ERROR with a message when the text, of which there is no term, has letters that only the
** tokenizer trigram leaves out: nothing would say so. Otherwise SQLITE_OK. */
int cjk_check_left_out(const CjkPhrases *phrases, const char *text, int n);

/* The next blank-separated word from *at on; 0 at the end. */
int cjk_next_word(const char *text, int n, int *at, int *start);

/* Mode web: query_web.c. */
int cjk_write_web(CjkPhrases *phrases, const char *text, int n);

#endif
