/*
** detect.c: see detect.h. Counts classes of code points, of which there are few, and adds the
** counts to those of their scripts in the end: two loads and one addition a code point.
*/
#include "detect.h"

#include <stddef.h>

#include "utf8.h"

enum { MAX_CLASSES = 256 };

/* In order of evidence: script, the share of all letters that it must exceed, language. */
static const struct {
  int script, percent;
  const char *language;
} evidence[] = {
    {CJK_SCRIPT_JA, 10, "ja"},  {CJK_SCRIPT_KO, 10, "ko"}, {CJK_SCRIPT_TH, 10, "th"},
    {CJK_SCRIPT_AR, 10, "ar"},  {CJK_SCRIPT_HI, 10, "hi"}, {CJK_SCRIPT_RU, 10, "ru"},
    {CJK_SCRIPT_CJK, 15, "zh"},
};

void cjk_count_scripts(const char *text, int n, int64_t counts[CJK_N_SCRIPTS]) {
  uint32_t classes[MAX_CLASSES] = {0};
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  while (p < end) {
    uint32_t cp;
    p += cjk_utf8_decode(p, end, &cp);
    if (cp != CJK_BROKEN) classes[cjk_trait_class(cp)]++;
  }
  for (int i = 0; i < cjk_n_trait_classes; i++) {
    counts[cjk_trait_classes[i] & CJK_TRAIT_SCRIPT] += classes[i];
  }
}

const char *cjk_detect(const char *text, int n) {
  int64_t counts[CJK_N_SCRIPTS] = {0}, total = 0;
  cjk_count_scripts(text, n, counts);
  for (int i = CJK_SCRIPT_NONE + 1; i < CJK_N_SCRIPTS; i++) total += counts[i];
  for (size_t i = 0; i < sizeof(evidence) / sizeof(evidence[0]); i++) {
    if (counts[evidence[i].script] * 100 > total * evidence[i].percent) return evidence[i].language;
  }
  return "en";
}
