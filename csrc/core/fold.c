/*
** fold.c: the fold, one code point at a time. See fold.h; the rules are docs/stream.md, section 3.
*/
#include "fold.h"

#include <stddef.h>

enum {
  FIRST_LEADING = 0x1100,
  N_LEADING = 19,
  FIRST_VOWEL = 0x1161,
  N_VOWELS = 21,
  BEFORE_TRAILING = 0x11A7,
  N_TRAILING = 28, /* with "none" */
  FIRST_SYLLABLE = 0xAC00,
  N_SYLLABLES = N_LEADING * N_VOWELS * N_TRAILING
};

CjkReader cjk_reader(const char *text, int n, int position) {
  CjkReader reader = {(const uint8_t *)text, n, position, NULL, 0, position, 0};
  return reader;
}

static const CjkFoldEntry *find_fold(uint32_t cp) {
  int low = 0, high = cjk_n_folds - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (cjk_folds[middle].code < cp)
      low = middle + 1;
    else
      high = middle;
  }
  return &cjk_folds[low]; /* every code point of class FOLDED is there */
}

static void set_code(CjkFolded *out, uint32_t code) {
  out->code = code;
  out->properties = cjk_properties(code);
}

int cjk_read(CjkReader *reader, CjkFolded *out) {
  out->is_break = 0;
  out->is_changed = 1;
  if (reader->n_queue > 0) {
    reader->n_queue--;
    set_code(out, *reader->queue++);
  } else {
    if (reader->position >= reader->n) return 0;
    reader->start = reader->position;
    reader->position +=
        cjk_utf8_decode(reader->text + reader->position, reader->text + reader->n, &reader->source);
    if (reader->source == CJK_BROKEN || reader->source == 0) {
      out->is_break = 1;
      out->code = 0;
      out->properties = CJK_CLASS_WORD | CJK_SEPARATOR;
    } else {
      set_code(out, reader->source);
      if ((out->properties & CJK_CLASS_MASK) == CJK_CLASS_FOLDED) {
        const CjkFoldEntry *entry = find_fold(reader->source);
        reader->queue = cjk_fold_pool + entry->first + 1;
        reader->n_queue = entry->n - 1;
        set_code(out, cjk_fold_pool[entry->first]);
      } else {
        out->is_changed = 0;
      }
    }
  }
  out->source = reader->source;
  out->start = reader->start;
  out->end = reader->position;
  return 1;
}

int cjk_read_visible(CjkReader *reader, CjkFolded *out) {
  while (cjk_read(reader, out)) {
    if ((out->properties & CJK_CLASS_MASK) != CJK_CLASS_IGNORABLE) return 1;
  }
  return 0;
}

static uint32_t compose_hangul(uint32_t first, uint32_t second) {
  uint32_t leading = first - FIRST_LEADING, vowel = second - FIRST_VOWEL;
  uint32_t syllable = first - FIRST_SYLLABLE, trailing = second - BEFORE_TRAILING;
  if (leading < N_LEADING && vowel < N_VOWELS) {
    return FIRST_SYLLABLE + (leading * N_VOWELS + vowel) * N_TRAILING;
  }
  if (syllable < N_SYLLABLES && syllable % N_TRAILING == 0 && trailing > 0 &&
      trailing < N_TRAILING) {
    return first + trailing;
  }
  return 0;
}

uint32_t cjk_compose(uint32_t first, uint32_t second) {
  for (int i = 0; i < cjk_n_voicing_pairs; i++) {
    if (cjk_voicing_pairs[i].base == first && cjk_voicing_pairs[i].mark == second) {
      return cjk_voicing_pairs[i].composed;
    }
  }
  return compose_hangul(first, second);
}

uint32_t cjk_settle_jamo(uint32_t cp) {
  if (cp < 0x1100 || cp > 0x11FF) return cp;
  uint32_t letter = cjk_jamo_letters[cp - 0x1100];
  return letter ? letter : cp;
}

uint32_t cjk_fold_kana(uint32_t cp) {
  for (int i = 0; i < cjk_n_kana_ranges; i++) {
    const CjkKanaRange *range = &cjk_kana_ranges[i];
    if (cp >= range->first && cp <= range->last) return (uint32_t)((int32_t)cp + range->distance);
  }
  return cp;
}

uint32_t cjk_unvoiced(uint32_t cp) {
  for (int i = 0; i < cjk_n_voicing_pairs; i++) {
    if (cjk_voicing_pairs[i].composed == cp) return cjk_voicing_pairs[i].base;
  }
  return cp;
}

uint32_t cjk_voiced(uint32_t cp) {
  uint32_t voiced = cjk_compose(cjk_unvoiced(cp), CJK_VOICING_MARK);
  return voiced ? voiced : cp;
}
