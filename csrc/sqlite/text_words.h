/*
** text_words.h: a search text as the dictionary's words.
*/
#ifndef CJK_TEXT_WORDS_H
#define CJK_TEXT_WORDS_H

#include "register.h"

typedef struct CjkTextWord {
  int start, n; /* bytes of the text */
} CjkTextWord;

/* Cuts n bytes as jieba does, with its hidden Markov model. Unlike jieba it leaves whole what an index
** may have in one unit: characters with their marks. *out is NULL where there are none; free it with
** sqlite3_free(). */
int cjk_text_words_cut(const char *text, int n, CjkTextWord **out, int *n_out);

#endif
