/*
** languages.c: see languages.h.
*/
#include "languages.h"

#include "traits.h"
#include "unicode.h"
#include "utf8.h"

#define WRITES(script) (1u << CJK_WRITING_##script)

static const struct {
  char code[3];
  unsigned writings;
} languages[CJK_N_LANGUAGES] = {
    {"zh", WRITES(HAN)},     {"ja", WRITES(HAN) | WRITES(KANA)},
    {"ko", WRITES(HANGUL)},  {"th", WRITES(THAI)},
    {"lo", WRITES(LAO)},     {"km", WRITES(KHMER)},
    {"my", WRITES(MYANMAR)},
};

/* Blocks of the complex scripts. A test compares them with the Unicode database. */
static const struct {
  uint32_t first, last;
  CjkWriting writing;
} blocks[] = {
    {0x0E00, 0x0E7F, CJK_WRITING_THAI},    {0x0E80, 0x0EFF, CJK_WRITING_LAO},
    {0x1000, 0x109F, CJK_WRITING_MYANMAR}, {0x1780, 0x17FF, CJK_WRITING_KHMER},
    {0xA9E0, 0xA9FF, CJK_WRITING_MYANMAR}, {0xAA60, 0xAA7F, CJK_WRITING_MYANMAR},
};

const char *cjk_language_code(CjkLanguage language) {
  return languages[language].code;
}

unsigned cjk_language_writings(CjkLanguage language) {
  return languages[language].writings;
}

int cjk_language_of_locale(const char *locale, int n) {
  if (n < 2 || (n > 2 && locale[2] != '-' && locale[2] != '_')) return -1;
  for (int i = 0; i < CJK_N_LANGUAGES; i++) {
    const char *code = languages[i].code;
    if ((locale[0] | 32) == code[0] && (locale[1] | 32) == code[1]) return i;
  }
  return -1;
}

static CjkWriting writing_of(uint32_t cp) {
  unsigned properties = cjk_properties(cp);
  if (properties & CJK_HAN) return CJK_WRITING_HAN;
  if (properties & (CJK_KANA | CJK_KATAKANA)) return CJK_WRITING_KANA;
  for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
    if (cp >= blocks[i].first && cp <= blocks[i].last) return blocks[i].writing;
  }
  switch (cjk_traits(cp) & CJK_TRAIT_SCRIPT) {
  case CJK_SCRIPT_KO:
    return CJK_WRITING_HANGUL;
  case CJK_SCRIPT_NONE:
  case CJK_SCRIPT_CJK: /* closing mark and masu mark */
  case CJK_SCRIPT_JA:  /* the long mark */
    return CJK_WRITING_COMMON;
  default:
    return CJK_WRITING_OTHER;
  }
}

CjkWriting cjk_writing_of_unit(const CjkRun *run, int i) {
  const uint8_t *text = (const uint8_t *)run->text;
  uint32_t cp;
  cjk_utf8_decode(text + run->at[i], text + run->at[i + 1], &cp);
  return cp == CJK_BROKEN ? CJK_WRITING_OTHER : writing_of(cp);
}

int cjk_stretch_end(const CjkRun *run, int n, int first, const uint8_t group_of[CJK_N_WRITINGS],
                    int *group) {
  int behind = first;
  *group = -1;
  for (; behind < n; behind++) {
    CjkWriting writing = cjk_writing_of_unit(run, behind);
    if (writing == CJK_WRITING_COMMON) continue;
    if (*group >= 0 && group_of[writing] != *group) break;
    *group = group_of[writing];
  }
  if (*group < 0) *group = group_of[CJK_WRITING_COMMON];
  return behind;
}
