/*
** hangul.c: see hangul.h. Arithmetic of the Unicode standard, section 3.12; what goes on in another
** syllable or letter as the two-set keyboard (KS X 5002) types it. All of it is in the order of the
** code points, so that one range serves: ㅘ ㅙ ㅚ follow ㅗ, ㄳ follows ㄱ, and so on.
*/
#include "hangul.h"

#include "../core/fold.h"

enum {
  FIRST = CJK_FIRST_SYLLABLE,
  N_INITIALS = 19,
  N_MEDIALS = 21,
  N_FINALS = 28,
  FIRST_INITIAL = 0x1100
};

/* Of a final consonant: how many finals begin with its keys, itself among them; the final that stays
** when a vowel follows, and the initial that goes. */
static const struct Final {
  int n, stays, goes;
} finals[N_FINALS] = {{0, 0, 0},  {3, 0, 0},  {1, 0, 1},  {1, 1, 9},  {3, 0, 2},  {1, 4, 12},
                      {1, 4, 18}, {1, 0, 3},  {8, 0, 5},  {1, 8, 0},  {1, 8, 6},  {1, 8, 7},
                      {1, 8, 9},  {1, 8, 16}, {1, 8, 17}, {1, 8, 18}, {1, 0, 6},  {2, 0, 7},
                      {1, 17, 9}, {1, 0, 9},  {1, 0, 10}, {1, 0, 11}, {1, 0, 12}, {1, 0, 14},
                      {1, 0, 15}, {1, 0, 16}, {1, 0, 17}, {1, 0, 18}};

/* How many vowels begin with the keys of this one. */
static int count_vowels(int vowel) {
  if (vowel == 8 || vowel == 13) return 4; /* ㅗ, ㅜ */
  return vowel == 18 ? 2 : 1;              /* ㅡ */
}

static CjkHangulRange with_initial(uint32_t before, int initial) {
  CjkHangulRange range = {before, (uint32_t)(FIRST + initial * N_MEDIALS * N_FINALS),
                          N_MEDIALS * N_FINALS};
  return range;
}

void cjk_syllables_add(CjkSyllables *syllables, const char *text, int n) {
  CjkReader reader = cjk_reader(text, n, 0);
  CjkFolded each;
  while (cjk_read_visible(&reader, &each)) {
    uint32_t index = each.code - CJK_FIRST_SYLLABLE;
    if (each.properties & CJK_JAMO) syllables->is_open = 1;
    if (index < CJK_N_SYLLABLES) syllables->bits[index / 8] |= (unsigned char)(1 << index % 8);
  }
}

int cjk_syllables_have(const CjkSyllables *syllables, uint32_t syllable) {
  uint32_t index = syllable - CJK_FIRST_SYLLABLE;
  return syllables->is_open || (syllables->bits[index / 8] >> index % 8 & 1);
}

int cjk_hangul_completions(uint32_t typed, CjkHangulRange out[CJK_MAX_HANGUL_RANGES]) {
  for (int initial = 0; initial < N_INITIALS; initial++) {
    if (cjk_jamo_letters[initial] != typed && (uint32_t)(FIRST_INITIAL + initial) != typed)
      continue;
    out[0] = with_initial(0, initial);
    return 1;
  }
  if (typed < FIRST || typed >= FIRST + N_INITIALS * N_MEDIALS * N_FINALS) return 0;
  int final = (int)(typed - FIRST) % N_FINALS, vowel = (int)(typed - FIRST) / N_FINALS % N_MEDIALS;
  out[0].before = 0;
  out[0].first = typed;
  out[0].n = final ? finals[final].n : count_vowels(vowel) * N_FINALS;
  if (final == 0) return 1;
  out[1] = with_initial(typed - (uint32_t)(final - finals[final].stays), finals[final].goes);
  return 2;
}
