/*
** terms.c: see terms.h.
*/
#include "terms.h"

#include <string.h>

#include "../core/memory.h"
#include "../core/unicode.h"
#include "../core/utf8.h"

/* What a token is, by its first character and, for CJK, by how many characters it has. */
static CjkTermKind kind_of(const char *token, int n, int *is_complex) {
  const uint8_t *p = (const uint8_t *)token, *end = p + n;
  uint32_t cp = CJK_BROKEN;
  if (n) p += cjk_utf8_decode(p, end, &cp);
  if (cp == CJK_BROKEN) return CJK_TERM_WORD;
  unsigned kind = cjk_properties(cp) & CJK_CLASS_MASK;
  *is_complex = kind == CJK_CLASS_COMPLEX;
  if (kind == CJK_CLASS_EMOJI) return CJK_TERM_EMOJI;
  if (kind != CJK_CLASS_CJK && kind != CJK_CLASS_COMPLEX) return CJK_TERM_WORD;
  while (p < end) {
    p += cjk_utf8_decode(p, end, &cp);
    if (cp == CJK_BROKEN || !(cjk_properties(cp) & CJK_EXTEND)) return CJK_TERM_GRAM;
  }
  return CJK_TERM_UNIT;
}

static int collect_term(void *ctx, int flags, const char *token, int n, int start, int end) {
  CjkTerms *terms = (CjkTerms *)ctx;
  if (flags & FTS5_TOKEN_COLOCATED) return SQLITE_OK;
  int rc = cjk_reserve((void **)&terms->terms, &terms->capacity, terms->n + 1, sizeof(CjkTerm));
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&terms->bytes, &terms->bytes_capacity, terms->n_bytes + n, 1);
  }
  if (rc != CJK_OK) return rc;
  CjkTerm term = {terms->n_bytes, n, start, end, CJK_TERM_WORD, 0};
  term.kind = kind_of(token, n, &term.is_complex);
  terms->terms[terms->n++] = term;
  if (n) memcpy(terms->bytes + terms->n_bytes, token, (size_t)n);
  terms->n_bytes += n;
  return CJK_OK;
}

int cjk_terms_collect(CjkHostTokenizer *tokenizer, const char *text, int n, CjkTerms *out) {
  out->n = out->n_bytes = 0;
  return cjk_host_tokenize(tokenizer, FTS5_TOKENIZE_QUERY, text, n, NULL, 0, out, collect_term);
}

void cjk_terms_free(CjkTerms *terms) {
  cjk_free(terms->terms);
  cjk_free(terms->bytes);
  memset(terms, 0, sizeof(*terms));
}

int cjk_blank_length(const char *text, int n) {
  uint32_t cp;
  int length = cjk_utf8_decode((const uint8_t *)text, (const uint8_t *)text + n, &cp);
  int is_blank = cp <= 0x20 || cp == 0x7F || cp == 0x85 || cp == 0xA0 || cp == 0x1680 ||
                 (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
                 cp == 0x205F || cp == 0x3000;
  return is_blank ? length : 0;
}

int cjk_skip_blanks(const char *text, int n, int at) {
  for (int length; at < n && (length = cjk_blank_length(text + at, n - at)) > 0;) at += length;
  return at;
}
