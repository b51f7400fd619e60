/*
** unicode.h: what the pipeline asks about a code point: its class and flags, and its folds.
**
** The tables in unicode.c are generated (tools/make_unicode.py); docs/stream.md, sections 2 and 3,
** says what each class and flag means. A look-up is two loads.
*/
#ifndef CJK_UNICODE_H
#define CJK_UNICODE_H

#include <stdint.h>

enum {
  CJK_CLASS_WORD = 0,
  CJK_CLASS_IGNORABLE = 1,
  CJK_CLASS_CJK = 2,
  CJK_CLASS_COMPLEX = 3,
  CJK_CLASS_EMOJI = 4,
  CJK_CLASS_MARK = 5,
  CJK_CLASS_VOICING = 6,
  CJK_CLASS_FOLDED = 7,
  CJK_CLASS_MASK = 7,

  CJK_EXTEND = 1 << 3,
  CJK_SEPARATOR = 1 << 4,
  CJK_JOINS = 1 << 5,
  CJK_KANA = 1 << 6,
  CJK_KATAKANA = 1 << 7,
  CJK_JAMO = 1 << 8,
  CJK_SYLLABLE = 1 << 9,
  CJK_REGIONAL = 1 << 10,
  CJK_MODIFIER = 1 << 11,
  CJK_CONTEXT = 1 << 12,
  CJK_HAN = 1 << 13,
  CJK_REWRITES = 1 << 14 /* iteration marks and the prolonged sound mark */
};

typedef struct CjkFoldEntry {
  uint32_t code;
  uint16_t first; /* index into cjk_fold_pool */
  uint16_t n;
} CjkFoldEntry;

typedef struct CjkVoicingPair {
  uint16_t base, mark, composed;
} CjkVoicingPair;

typedef struct CjkKanaRange {
  uint32_t first, last;
  int32_t distance;
} CjkKanaRange;

extern const uint8_t cjk_property_index[];
extern const uint16_t cjk_property_blocks[];
extern const int cjk_n_folds;
extern const CjkFoldEntry cjk_folds[];
extern const uint32_t cjk_fold_pool[];
extern const int cjk_n_voicing_pairs;
extern const CjkVoicingPair cjk_voicing_pairs[];
extern const int cjk_n_kana_ranges;
extern const CjkKanaRange cjk_kana_ranges[];
extern const uint16_t cjk_jamo_letters[256]; /* of U+1100..11FF */

/* Class and flags of a code point below 0x110000. */
static inline unsigned cjk_properties(uint32_t cp) {
  return cjk_property_blocks[(unsigned)cjk_property_index[cp >> 7] << 7 | (cp & 127)];
}

/* A separator, whatever stands beside it. */
static inline int cjk_is_lone_separator(unsigned properties) {
  return (properties & (CJK_SEPARATOR | CJK_CONTEXT)) == CJK_SEPARATOR;
}

#endif
