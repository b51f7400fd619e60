/*
** fuzz.h: what the fuzz targets share: promises, and an input read as choices and texts.
**
** The choices of a target are single bytes at the end of the input (0 where it has no more), its
** texts are lines at the beginning, the last text being all that is left. So any text file is a
** seed for every target.
*/
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

typedef struct Input {
  const uint8_t *p, *end;
} Input;

static inline unsigned take_choice(Input *in) {
  return in->p < in->end ? *--in->end : 0;
}

/* A copy of n bytes with a NUL and nothing behind it: reading past the end is seen. */
static inline char *copy_bytes(const void *bytes, size_t n) {
  char *copy = malloc(n + 1);
  require(copy != NULL, "there is memory");
  if (n) memcpy(copy, bytes, n);
  copy[n] = 0;
  return copy;
}

/* The bytes up to the next line break, or all that are left. */
static inline char *take_line(Input *in, int *n) {
  const uint8_t *start = in->p;
  while (in->p < in->end && *in->p != '\n') in->p++;
  *n = (int)(in->p - start);
  if (in->p < in->end) in->p++;
  return copy_bytes(start, (size_t)*n);
}

static inline char *take_rest(Input *in, int *n) {
  *n = (int)(in->end - in->p);
  return copy_bytes(in->p, (size_t)*n);
}

static inline int is_valid_utf8(const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  for (uint32_t cp; p < end;) {
    p += cjk_utf8_decode(p, end, &cp);
    if (cp == CJK_BROKEN) return 0;
  }
  return 1;
}

/* 1 for each byte at which a character begins, and for the end; the caller frees it. */
static inline char *find_borders(const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  char *borders = calloc((size_t)n + 1, 1);
  require(borders != NULL, "there is memory");
  for (uint32_t cp; p < end; p += cjk_utf8_decode(p, end, &cp)) borders[(const char *)p - text] = 1;
  borders[n] = 1;
  return borders;
}

#endif
