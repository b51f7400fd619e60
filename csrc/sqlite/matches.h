/*
** matches.h: where the current row of a full-text query matches, exact to the character.
*/
#ifndef CJK_MATCHES_H
#define CJK_MATCHES_H

#include "../core/unicode.h"
#include "host.h"

/* One marked stretch of the text, in bytes. */
typedef struct CjkMark {
  int start, end;
  int phrase; /* of the query; of the first one where several were merged */
} CjkMark;

typedef struct CjkMatches {
  const char *text; /* the column's; NULL when the table has none (contentless) */
  int n_text;
  CjkMark *spans; /* in order; before merging one an instance, they may overlap */
  int n, capacity;
} CjkMatches;

/* Finds the instances of the query's phrases in a column of the current row. Free *out after it,
** whatever it returns. */
int cjk_matches_find(fts5_api *api, const Fts5ExtensionApi *extension, Fts5Context *context,
                     int column, CjkMatches *out);

/* Makes one of spans that overlap or touch. */
void cjk_matches_merge(CjkMatches *matches);
void cjk_matches_free(CjkMatches *matches);

/* Whether a character extends the one before it, which does not stand alone: marks (unicode61 takes
** many, the vowel signs of Devanagari, for separators), selectors, voicing marks of either width. */
static inline int cjk_is_extending(uint32_t cp) {
  unsigned properties = cjk_properties(cp);
  return (properties & CJK_EXTEND) || (properties & CJK_CLASS_MASK) == CJK_CLASS_VOICING ||
         cp == 0xFF9E || cp == 0xFF9F;
}

/* Whether nothing that follows extends the character to one grapheme: controls, line breaks and
** invisible ones (GB4 and GB5 of Unicode's text segmentation), but not the fillers of Hangul. */
static inline int cjk_stands_alone(uint32_t cp) {
  unsigned properties = cjk_properties(cp);
  if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x2028 || cp == 0x2029) return 1;
  if ((properties & CJK_CLASS_MASK) != CJK_CLASS_IGNORABLE || properties & CJK_EXTEND) return 0;
  return cp != 0x115F && cp != 0x1160 && cp != 0x3164 && cp != 0xFFA0;
}

#endif
