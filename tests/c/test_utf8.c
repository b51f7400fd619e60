/*
** test_utf8.c: decoding gives every code point back, and breaks broken text as Unicode says.
*/
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "utf8.h"

/* Decodes a copy of exactly n bytes, so that a sanitizer sees a read past the end. Writes one
** letter for each result: '.' a code point, '!' a break. */
static void decode_all(const char *bytes, size_t n, char *out) {
  uint8_t *copy = malloc(n ? n : 1);
  memcpy(copy, bytes, n);
  for (size_t i = 0; i < n;) {
    uint32_t cp;
    i += (size_t)cjk_utf8_decode(copy + i, copy + n, &cp);
    *out++ = cp == CJK_BROKEN ? '!' : '.';
  }
  *out = 0;
  free(copy);
}

static void every_code_point_comes_back(void) {
  for (uint32_t cp = 0; cp < 0x110000; cp++) {
    char bytes[4];
    uint32_t decoded = 0;
    int n = cjk_utf8_encode(cp, bytes);
    int taken = cjk_utf8_decode((uint8_t *)bytes, (uint8_t *)bytes + n, &decoded);
    if (cp >= 0xD800 && cp < 0xE000) {
      CHECK(decoded == CJK_BROKEN && taken == 1, "surrogate U+%04X", cp);
    } else {
      CHECK(decoded == cp && taken == n, "U+%04X came back as U+%04X", cp, decoded);
    }
  }
}

/* The expectations are those of the Unicode standard, tables 3-8 to 3-11. */
static void broken_text_breaks_at_maximal_subparts(void) {
  static const struct {
    const char *bytes, *expected;
  } cases[] = {
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "!!!!!!!!."},
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "!!!!!!!!."},
      {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "!!!!!.!!."},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "!!!!."},
      {"\xE4\xB8", "!"},
      {"\xF0\x9F\x8D", "!"},
      {"\xE4", "!"},
      {"\xC2", "!"},
      {"\xE4\xB8\xAD\xE4\xB8", ".!"},
      {"\xFF\xFE\xFD", "!!!"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char out[32];
    decode_all(cases[i].bytes, strlen(cases[i].bytes), out);
    CHECK(strcmp(out, cases[i].expected) == 0, "case %d: %s instead of %s", (int)i, out,
          cases[i].expected);
  }
}

int main(void) {
  every_code_point_comes_back();
  broken_text_breaks_at_maximal_subparts();
  return check_result();
}
