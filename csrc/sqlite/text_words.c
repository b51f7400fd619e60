/*
** text_words.c: see text_words.h.
*/
#include "text_words.h"

#include <string.h>

#include "../core/cjk.h"
#include "../core/dictionary.h"
#include "../core/memory.h"
#include "../core/unicode.h"
#include "../core/utf8.h"
#include "../core/words.h"

enum { ARAEA = 0x318D };

/* Code points of the text and the byte at which each begins (n + 1 of them). */
typedef struct CodePoints {
  uint32_t *code;
  int *at;
  int n;
} CodePoints;

static int decode_text(const char *text, int n, CodePoints *out) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  out->n = 0;
  out->code = (uint32_t *)sqlite3_malloc64((sqlite3_uint64)n * sizeof(uint32_t) + 1);
  out->at = (int *)sqlite3_malloc64(((sqlite3_uint64)n + 1) * sizeof(int));
  if (!out->code || !out->at) return SQLITE_NOMEM;
  while (p < end) {
    out->at[out->n] = (int)(p - (const uint8_t *)text);
    p += cjk_utf8_decode(p, end, &out->code[out->n++]);
  }
  out->at[out->n] = n;
  return SQLITE_OK;
}

/* Whether the index may have the two neighbours in one unit. */
static int stands_with(uint32_t before, uint32_t after) {
  if (before == CJK_BROKEN || after == CJK_BROKEN) return 0;
  if (before == ARAEA || after == ARAEA) return 1; /* a letter alone, a dot between letters */
  unsigned left = cjk_properties(before), right = cjk_properties(after);
  unsigned left_kind = left & CJK_CLASS_MASK, right_kind = right & CJK_CLASS_MASK;
  int right_is_mark = right_kind == CJK_CLASS_MARK || right_kind == CJK_CLASS_IGNORABLE ||
                      right_kind == CJK_CLASS_VOICING || (right & CJK_EXTEND);
  if (right_is_mark || after == 0xFF9E || after == 0xFF9F || left_kind == CJK_CLASS_IGNORABLE) {
    return 1;
  }
  return (right & CJK_JAMO) && (left & CJK_JAMO);
}

/* Makes one of spans that stand together: the dictionary ends words at marks. */
static int join_spans(const CodePoints *points, const CjkSpan *spans, size_t n_spans,
                      CjkTextWord *out) {
  int n = 0;
  for (size_t i = 0; i < n_spans; i++) {
    int first = (int)spans[i].start, end = points->at[spans[i].end];
    if (n && stands_with(points->code[first - 1], points->code[first])) {
      out[n - 1].n = end - out[n - 1].start;
    } else {
      CjkTextWord word = {points->at[first], end - points->at[first]};
      out[n++] = word;
    }
  }
  return n;
}

int cjk_text_words_cut(const char *text, int n, CjkTextWord **out, int *n_out) {
  CodePoints points = {NULL, NULL, 0};
  const CjkSpan *spans = NULL;
  size_t n_spans = 0;
  *out = NULL;
  *n_out = 0;
  CjkWords *words = cjk_words_create(cjk_dictionary_builtin(), NULL, cjk_realloc, cjk_free);
  int rc = words ? decode_text(text, n, &points) : SQLITE_NOMEM;
  if (rc == SQLITE_OK) {
    rc = cjk_words_cut(words, points.code, (size_t)points.n, CJK_CUT_DEFAULT, 1, &spans, &n_spans);
  }
  if (rc == SQLITE_OK && n_spans) {
    *out = (CjkTextWord *)sqlite3_malloc64(n_spans * sizeof(CjkTextWord));
    if (*out)
      *n_out = join_spans(&points, spans, n_spans, *out);
    else
      rc = SQLITE_NOMEM;
  }
  if (words) cjk_words_free(words);
  sqlite3_free(points.code);
  sqlite3_free(points.at);
  return rc;
}
