/*
** utf8.h: decoding that never fails and never reads past the end.
**
** Broken bytes decode to CJK_BROKEN, one for each maximal subpart of an ill-formed sequence
** (Unicode 15, section 3.9, table 3-8), as most decoders replace them by one U+FFFD.
*/
#ifndef CJK_UTF8_H
#define CJK_UTF8_H

#include <stdint.h>

#define CJK_BROKEN 0xFFFFFFFFu

/* Code points that several files look for. */
enum { CJK_ZWJ = 0x200D, CJK_REPLACEMENT = 0xFFFD };

static inline int cjk_utf8_is_trail(uint8_t byte, uint8_t low, uint8_t high) {
  return byte >= low && byte <= high;
}

/* Decodes the code point at p < end, sets *cp, and returns the number of bytes taken (1 to 4). */
static inline int cjk_utf8_decode(const uint8_t *p, const uint8_t *end, uint32_t *cp) {
  uint8_t lead = p[0];
  uint8_t low = 0x80, high = 0xBF; /* what the second byte may be */
  int n = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t value = lead & (0x7Fu >> n);
  if (lead < 0x80) {
    *cp = lead;
    return 1;
  }
  *cp = CJK_BROKEN;
  if (lead < 0xC2 || lead > 0xF4) return 1;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (int i = 1; i < n; i++) {
    if (p + i >= end || !cjk_utf8_is_trail(p[i], low, high)) return i;
    value = value << 6 | (p[i] & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  *cp = value;
  return n;
}

/* Whether the 3 bytes at p are a sequence of three by their leading bits, 1110xxxx 10xxxxxx 10xxxxxx,
** with one branch; and the code point of such a one, which may be overlong (below 0x800) or a
** surrogate. */
static inline int cjk_utf8_is_three(const uint8_t *p) {
  return !(((p[0] & 0xF0) ^ 0xE0) | ((p[1] & 0xC0) ^ 0x80) | ((p[2] & 0xC0) ^ 0x80));
}

static inline uint32_t cjk_utf8_three(const uint8_t *p) {
  return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
}

/* The place behind the character at `at` < n, and of the one before `at` > 0, by lead and trail bytes
** alone: trail bytes that nothing leads go with what stands before them. */
static inline int cjk_utf8_next(const char *text, int n, int at) {
  do at++;
  while (at < n && ((uint8_t)text[at] & 0xC0) == 0x80);
  return at;
}

static inline int cjk_utf8_previous(const char *text, int at) {
  do at--;
  while (at > 0 && ((uint8_t)text[at] & 0xC0) == 0x80);
  return at;
}

/* Writes the UTF-8 of cp to out (room for 4 bytes) and returns its length. */
static inline int cjk_utf8_encode(uint32_t cp, char *out) {
  if (cp < 0x80) {
    out[0] = (char)cp;
    return 1;
  }
  if (cp < 0x800) {
    out[0] = (char)(0xC0 | cp >> 6);
    out[1] = (char)(0x80 | (cp & 0x3F));
    return 2;
  }
  if (cp < 0x10000) {
    out[0] = (char)(0xE0 | cp >> 12);
    out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
    out[2] = (char)(0x80 | (cp & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | cp >> 18);
  out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
  out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
  out[3] = (char)(0x80 | (cp & 0x3F));
  return 4;
}

#endif
