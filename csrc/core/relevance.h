/*
** relevance.h: how much of a query is literally in a text.
**
** The rule is the docstring of cjk_tokenizer/memory/relevance.py. Only the first 1,200 characters
** of each side count: the cost is bounded, and linear where blanks and NULs are skipped. Broken bytes
** are characters that are in no word.
*/
#ifndef CJK_RELEVANCE_H
#define CJK_RELEVANCE_H

/* Sets *score, 0 to 1. Lengths are bytes. CJK_OK or CJK_NOMEM. */
int cjk_relevance(const char *query, int n_query, const char *text, int n_text, double *score);

#endif
