/*
** hangul.h: what a Hangul letter or syllable that is being typed may become with the next keys.
**
** An input method shows ㅎ, 하, 한, and then 한 or 하나: a final consonant goes to the next syllable
** when a vowel follows it. So what was typed last stands for ranges of syllables: ㅎ for 하 to 힣, 하
** for 하 to 핳, 한 for itself and 핝 to 핞, or for 하 with 나 to 닣 behind it.
*/
#ifndef CJK_HANGUL_H
#define CJK_HANGUL_H

#include <stdint.h>

/* Syllables [first, first + n), behind the syllable `before` where that is not 0. */
typedef struct CjkHangulRange {
  uint32_t before, first;
  int n;
} CjkHangulRange;

enum { CJK_MAX_HANGUL_RANGES = 2 };

/* Writes the ranges of a typed character, itself aside where it is no syllable; their number. */
int cjk_hangul_completions(uint32_t typed, CjkHangulRange out[CJK_MAX_HANGUL_RANGES]);

#endif
