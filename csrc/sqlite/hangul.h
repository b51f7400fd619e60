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

enum { CJK_MAX_HANGUL_RANGES = 2, CJK_FIRST_SYLLABLE = 0xAC00, CJK_N_SYLLABLES = 19 * 21 * 28 };

/* The syllables of a text. */
typedef struct CjkSyllables {
  int is_open; /* it has letters that may compose: any syllable may be there */
  unsigned char bits[CJK_N_SYLLABLES / 8 + 1];
} CjkSyllables;

void cjk_syllables_add(CjkSyllables *syllables, const char *text, int n);
int cjk_syllables_have(const CjkSyllables *syllables, uint32_t syllable);

/* Writes the ranges of a typed character, itself aside where it is no syllable; their number. */
int cjk_hangul_completions(uint32_t typed, CjkHangulRange out[CJK_MAX_HANGUL_RANGES]);

#endif
