/*
** terms.h: a search text as the terms that its table's tokenizer makes of it.
*/
#ifndef CJK_TERMS_H
#define CJK_TERMS_H

#include "host.h"

typedef enum CjkTermKind {
  CJK_TERM_WORD, /* of the parent tokenizer */
  CJK_TERM_UNIT, /* one character of a CJK run or one cluster of a complex one */
  CJK_TERM_GRAM, /* several of them */
  CJK_TERM_EMOJI
} CjkTermKind;

typedef struct CjkTerm {
  int offset, n;  /* its bytes in CjkTerms.bytes */
  int start, end; /* its bytes in the search text */
  CjkTermKind kind;
  int is_complex; /* UNIT, GRAM: of a complex script (Thai and kin) */
} CjkTerm;

typedef struct CjkTerms {
  CjkTerm *terms;
  int n, capacity;
  char *bytes;
  int n_bytes, bytes_capacity;
} CjkTerms;

/* Replaces what *out holds by the terms of text, cut as a query. */
int cjk_terms_collect(CjkHostTokenizer *tokenizer, const char *text, int n, CjkTerms *out);
void cjk_terms_free(CjkTerms *terms);

/* Whether a text of n bytes has the range. What a tokenizer of the host program says may not be so. */
static inline int cjk_is_range(int start, int end, int n) {
  return start >= 0 && start <= end && end <= n;
}

/* Length of the blank at text, 0 for none: white space, controls and NUL, U+3000 among them. */
int cjk_blank_length(const char *text, int n);

/* The place behind all blanks that begin at `at`. */
int cjk_skip_blanks(const char *text, int n, int at);

#endif
