/*
** test_fold.c: the fold is idempotent, its ranges cover the text, composition is canonical.
*/
#include <string.h>

#include "check.h"
#include "fold.h"

static void folding_twice_is_folding_once(void) {
  for (uint32_t cp = 1; cp < 0x110000; cp++) {
    char bytes[4];
    CjkFolded c, again;
    if (cp >= 0xD800 && cp < 0xE000) continue;
    CjkReader reader = cjk_reader(bytes, cjk_utf8_encode(cp, bytes), 0);
    while (cjk_read(&reader, &c)) {
      char folded[4];
      CjkReader second = cjk_reader(folded, cjk_utf8_encode(c.code, folded), 0);
      int has = cjk_read(&second, &again);
      CHECK(has && again.code == c.code && !again.is_changed, "U+%04X -> U+%04X", cp, c.code);
      CHECK((c.properties & CJK_CLASS_MASK) != CJK_CLASS_FOLDED, "U+%04X", cp);
      CHECK(c.start == 0 && c.end == reader.n, "U+%04X", cp);
    }
    CHECK(cjk_fold_kana(cjk_fold_kana(cp)) == cjk_fold_kana(cp), "U+%04X", cp);
    CHECK(cjk_settle_jamo(cjk_settle_jamo(cp)) == cjk_settle_jamo(cp), "U+%04X", cp);
  }
}

static void known_folds(void) {
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"Ａｚ０", "Az0"},
      {"ｱﾞ", "ア\xE3\x82\x99"},
      {"㍿", "株式会社"},
      {"㎏", "kg"},
      {"①", "1"},
      {"Ⅲ", "III"},
      {"⽅", "方"},
      {"⻑", "長"},
      {"\xEF\xA8\x99", "神"},
      {"〜～", "~~"},
      {"−－‐", "---"},
      {"　", " "},
      {"™", "™"},
      {"ﾡ", "ㄱ"},
      {"㋀", "1月"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char out[64];
    int n = 0;
    CjkFolded c;
    CjkReader reader = cjk_reader(cases[i].text, (int)strlen(cases[i].text), 0);
    while (cjk_read(&reader, &c)) n += cjk_utf8_encode(c.code, out + n);
    out[n] = 0;
    CHECK(strcmp(out, cases[i].expected) == 0, "%s -> %s, not %s", cases[i].text, out,
          cases[i].expected);
  }
}

static void composition(void) {
  CHECK(cjk_compose(0x304B, 0x3099) == 0x304C, "ka and a voicing mark are ga");
  CHECK(cjk_compose(0x30CF, 0x309A) == 0x30D1, "ha and a semi-voicing mark are pa");
  CHECK(cjk_compose(0x304B, 0x309A) == 0, "there is no ka with a semi-voicing mark");
  CHECK(cjk_compose(0x1112, 0x1161) == 0xD558, "hieuh and a");
  CHECK(cjk_compose(0xD558, 0x11AB) == 0xD55C, "ha and nieun");
  CHECK(cjk_compose(0xD55C, 0x11AB) == 0, "a syllable with an end takes no other");
  CHECK(cjk_compose(0xD558, 0x11A7) == 0, "U+11A7 is no trailing consonant");
  CHECK(cjk_settle_jamo(0x1112) == 0x314E, "hieuh alone");
  CHECK(cjk_settle_jamo(0x11AB) == 0x3134, "trailing nieun alone");
  CHECK(cjk_unvoiced(0x30D1) == 0x30CF && cjk_voiced(0x30D1) == 0x30D0, "pa, ha, ba");
  CHECK(cjk_voiced(0x3042) == 0x3042, "a has no voiced form");
}

int main(void) {
  folding_twice_is_folding_once();
  known_folds();
  composition();
  return check_result();
}
