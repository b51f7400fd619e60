/*
** languages.h: the languages that segmenters are made for, and the scripts they are written in.
**
** A run is divided into stretches by script, each for the segmenter that covers it. Han stands for
** Chinese and Japanese alike; Korean is its Hangul only, since a Korean segmenter makes one word of
** a whole Chinese sentence.
*/
#ifndef CJK_LANGUAGES_H
#define CJK_LANGUAGES_H

#include <stdint.h>

#include "runs.h"

typedef enum CjkWriting {
  CJK_WRITING_COMMON, /* the long mark and others that go with the character before */
  CJK_WRITING_HAN,
  CJK_WRITING_KANA,
  CJK_WRITING_HANGUL,
  CJK_WRITING_THAI,
  CJK_WRITING_LAO,
  CJK_WRITING_KHMER,
  CJK_WRITING_MYANMAR,
  CJK_WRITING_OTHER,
  CJK_N_WRITINGS
} CjkWriting;

typedef enum CjkLanguage {
  CJK_CHINESE,
  CJK_JAPANESE,
  CJK_KOREAN,
  CJK_THAI,
  CJK_LAO,
  CJK_KHMER,
  CJK_BURMESE,
  CJK_N_LANGUAGES
} CjkLanguage;

/* "zh", "ja" ... */
const char *cjk_language_code(CjkLanguage language);

/* The scripts of a language, as bits 1 << CjkWriting. */
unsigned cjk_language_writings(CjkLanguage language);

/* The language of a locale, by its first subtag ("zh-Hant", "ja_JP"), in any case; -1: another. */
int cjk_language_of_locale(const char *locale, int n);

/* The script of a unit of a run. */
CjkWriting cjk_writing_of_unit(const CjkRun *run, int i);

/* The end of the stretch of one group that begins at unit `first`; `group_of` maps scripts to
** groups, *group is the one found. What is common to all scripts goes with what stands before it;
** at the beginning, with what follows. */
int cjk_stretch_end(const CjkRun *run, int n, int first, const uint8_t group_of[CJK_N_WRITINGS],
                    int *group);

/* Units [first, behind) as a run. */
static inline CjkRun cjk_run_part(const CjkRun *run, int first, int behind) {
  CjkRun part = *run;
  part.at += first;
  part.start += first;
  part.end += first;
  part.n = behind - first;
  return part;
}

#endif
