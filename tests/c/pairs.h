/*
** pairs.h: a segmenter of the host program for tests.
*/
#ifndef PAIRS_H
#define PAIRS_H

#include "cjk.h"

/* A cutter for `segment NAME`: two characters a word. */
static inline int cut_pairs(void *user, const char *text, int n_text, const char *locale,
                            int n_locale, int *ends, int *n_ends, CjkError *error) {
  int n = 0, n_characters = 0;
  (void)user, (void)locale, (void)n_locale, (void)error;
  for (int i = 1; i <= n_text; i++) {
    if ((text[i] & 0xC0) == 0x80) continue;
    if (++n_characters % 2 == 0 || i == n_text) ends[n++] = i;
  }
  *n_ends = n;
  return CJK_OK;
}

static inline int register_pairs(const char *name, const char *languages,
                                 void (*destroy)(void *user)) {
  CjkCutter cutter = {
      .version = CJK_CUTTER_VERSION, .languages = languages, .cut = cut_pairs, .destroy = destroy};
  CjkError error;
  return cjk_register_segmenter(name, &cutter, &error);
}

#endif
