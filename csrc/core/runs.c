/*
** runs.c: collecting the units of a run. See runs.h; bridges are in bridges.c.
*/
#include "runs.h"

#include <string.h>

#include "cjk.h"
#include "memory.h"
#include "unicode_range.h"

void cjk_run_free(CjkRunBuffer *run) {
  cjk_free(run->at);
  cjk_free(run->start);
  cjk_free(run->end);
  cjk_free(run->bytes);
  memset(run, 0, sizeof(*run));
}

static int reserve_units(CjkRunBuffer *run, int n) {
  int rc = cjk_reserve((void **)&run->at, &run->at_capacity, n + 1, sizeof(int));
  if (rc == CJK_OK && !run->is_plain) {
    rc = cjk_reserve((void **)&run->start, &run->start_capacity, n, sizeof(int));
    if (rc == CJK_OK) rc = cjk_reserve((void **)&run->end, &run->end_capacity, n, sizeof(int));
  }
  return rc;
}

static int reserve_bytes(CjkRunBuffer *run, int n) {
  return cjk_reserve((void **)&run->bytes, &run->bytes_capacity, n, 1);
}

static int n_bytes(const CjkRunBuffer *run) {
  return run->n ? run->at[run->n] : 0;
}

/* Copies the units out of the source, so that what follows may differ from it. */
static int make_own(CjkRunBuffer *run) {
  if (!run->is_plain) return CJK_OK;
  run->is_plain = 0;
  int rc = reserve_units(run, run->n);
  int first = run->n ? run->at[0] : 0;
  int length = run->n ? run->at[run->n] - first : 0;
  if (rc == CJK_OK) rc = reserve_bytes(run, length);
  if (rc != CJK_OK || run->n == 0) return rc;
  memcpy(run->bytes, run->source + first, (size_t)length);
  for (int i = 0; i < run->n; i++) {
    run->start[i] = run->at[i];
    run->end[i] = run->at[i + 1];
    run->at[i] -= first;
  }
  run->at[run->n] -= first;
  return CJK_OK;
}

int cjk_run_settle_jamo(CjkRunBuffer *run) {
  uint32_t settled = cjk_settle_jamo(run->last);
  if (settled == run->last) return CJK_OK;
  int rc = make_own(run); /* a jamo and its letter have three bytes each */
  if (rc == CJK_OK) cjk_utf8_encode(settled, run->bytes + run->at[run->n - 1]);
  run->last = settled;
  return rc;
}

int cjk_run_push(CjkRunBuffer *run, uint32_t cp, int start, int end) {
  char encoded[4];
  int length = cjk_utf8_encode(cp, encoded);
  int rc = make_own(run);
  if (rc == CJK_OK) rc = reserve_units(run, run->n + 1);
  if (rc == CJK_OK) rc = reserve_bytes(run, n_bytes(run) + length);
  if (rc != CJK_OK) return rc;
  int at = n_bytes(run);
  memcpy(run->bytes + at, encoded, (size_t)length);
  run->at[run->n] = at;
  run->at[run->n + 1] = at + length;
  run->start[run->n] = start;
  run->end[run->n] = end;
  run->n++;
  run->is_closed = 0;
  run->seen |= cjk_properties(cp);
  run->last = cp;
  return CJK_OK;
}

/* Replaces the last unit, one code point, by what it composes to. */
static int compose_last(CjkRunBuffer *run, uint32_t composed, int end) {
  int rc = make_own(run);
  if (rc == CJK_OK) rc = reserve_bytes(run, n_bytes(run) + 4);
  if (rc != CJK_OK) return rc;
  int at = run->at[run->n - 1];
  run->at[run->n] = at + cjk_utf8_encode(composed, run->bytes + at);
  run->end[run->n - 1] = end;
  run->last = composed;
  return CJK_OK;
}

int cjk_run_append(CjkRunBuffer *run, uint32_t cp, unsigned properties, int start, int end) {
  int may_compose = (properties & CJK_JAMO) || (properties & CJK_CLASS_MASK) == CJK_CLASS_VOICING;
  uint32_t composed = may_compose && run->n && !run->is_closed ? cjk_compose(run->last, cp) : 0;
  if (composed) return compose_last(run, composed, end);
  int rc = cjk_run_settle(run);
  return rc == CJK_OK ? cjk_run_push(run, cp, start, end) : rc;
}

int cjk_run_extend(CjkRunBuffer *run, uint32_t cp, int end) {
  int rc = make_own(run);
  if (rc == CJK_OK) rc = reserve_bytes(run, n_bytes(run) + 4);
  if (rc != CJK_OK) return rc;
  run->at[run->n] += cjk_utf8_encode(cp, run->bytes + run->at[run->n]);
  run->end[run->n - 1] = end;
  return CJK_OK;
}

int cjk_run_widen(CjkRunBuffer *run, int end) {
  int rc = make_own(run);
  if (rc == CJK_OK) run->end[run->n - 1] = end;
  return rc;
}

/* Decodes the next code point if it has three bytes, and returns whether it is a plain character of
** a run: class CJK, nothing to compose or to look around for. *properties is 0 for other lengths. */
static inline int next_plain(const uint8_t *p, const uint8_t *end, uint32_t *cp,
                             unsigned *properties) {
  *properties = 0;
  if (end - p < 3 || !cjk_utf8_is_three(p)) return 0;
  *cp = cjk_utf8_three(p);
  if (*cp - CJK_RANGE_FIRST < CJK_RANGE_LENGTH) { /* most of Chinese: no look-up */
    *properties = CJK_RANGE_PROPERTIES;
    return 1;
  }
  if (*cp >= 0x800) *properties = cjk_properties(*cp); /* overlong; surrogates have none */
  return (*properties & (CJK_CLASS_MASK | CJK_JAMO | CJK_CONTEXT)) == CJK_CLASS_CJK;
}

/* The UTF-8 of a code point of three bytes on top of 32 bits: such numbers are in the order of the
** code points, so that a range can be told without decoding. */
#define ENCODED(cp) (0xE0808000u | ((cp)&0xF000u) << 12 | ((cp)&0xFC0u) << 10 | ((cp)&0x3Fu) << 8)

/* Whether a character of the longest range of plain ones, most of Chinese, begins these 4 bytes. */
static inline int is_in_range(const uint8_t *p) {
  uint32_t bytes = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  uint32_t first = ENCODED(CJK_RANGE_FIRST), end = ENCODED(CJK_RANGE_FIRST + CJK_RANGE_LENGTH);
  return (bytes & 0xC0C000u) == 0x808000u && bytes - first < end - first;
}

/* Characters that stay as they are: their places in the source are all there is to note. Returns
** whether it was stopped by a plain character, one that has a fold. */
static int append_in_place(CjkRunBuffer *run, CjkReader *reader, const CjkOptions *options,
                           int limit) {
  const uint8_t *text = reader->text, *p = text + reader->position, *end = text + reader->n;
  int has_folds = options->fold_kana || options->fold_han, is_plain = 0;
  unsigned properties = 0, seen = run->seen;
  uint32_t cp = 0, last = run->last;
  int *at = run->at + run->n, *stop = run->at + limit;
  while (at < stop && (is_plain = next_plain(p, end, &cp, &properties)) != 0) {
    if (has_folds && cjk_run_fold(options, cp, properties) != cp) break;
    seen |= properties;
    last = cp;
    *at++ = (int)(p - text);
    p += 3;
    if (properties != CJK_RANGE_PROPERTIES || options->fold_han) continue;
    for (; at < stop && end - p >= 4 && is_in_range(p); p += 3) *at++ = (int)(p - text);
    last = cjk_utf8_three(p - 3);
  }
  reader->position = (int)(p - text);
  *at = reader->position;
  run->n = (int)(at - run->at);
  run->seen = seen;
  run->last = last;
  run->next = is_plain ? 0 : properties;
  return at < stop && is_plain;
}

/* Local copies of the pointers: writing bytes could otherwise change them, for all the compiler
** knows. */
static void append_copies(CjkRunBuffer *run, CjkReader *reader, const CjkOptions *options,
                          int limit) {
  const uint8_t *p = reader->text + reader->position, *stop = reader->text + reader->n;
  int *at = run->at, *start = run->start, *end = run->end;
  char *bytes = run->bytes;
  unsigned properties = 0, seen = run->seen;
  uint32_t cp = 0, last = run->last;
  int n = run->n, position = reader->position, used = n_bytes(run), is_plain = 0;
  while (n < limit && (is_plain = next_plain(p, stop, &cp, &properties)) != 0) {
    last = cjk_run_fold(options, cp, properties);
    seen |= properties;
    at[n] = used;
    start[n] = position;
    position += 3;
    end[n++] = position;
    used += cjk_utf8_encode(last, bytes + used);
    p += 3;
  }
  at[n] = used;
  run->n = n;
  run->seen = seen;
  run->last = last;
  run->next = is_plain ? 0 : properties;
  reader->position = position;
}

int cjk_run_append_plain(CjkRunBuffer *run, CjkReader *reader, const CjkOptions *options,
                         int limit) {
  const uint8_t *next = reader->text + reader->position, *end = reader->text + reader->n;
  uint32_t cp;
  int rc = reserve_units(run, limit);
  run->next = 0;
  if (rc != CJK_OK || reader->n_queue || run->n >= limit) return rc;
  int in_place = run->is_plain && (!run->n || run->at[run->n] == reader->position);
  int is_left = in_place ? append_in_place(run, reader, options, limit)
                         : next_plain(next, end, &cp, &run->next);
  if (!is_left) return CJK_OK;
  if (run->n) rc = cjk_run_settle(run); /* nothing composes with it any more */
  run->is_closed = 0;
  if (rc == CJK_OK) rc = make_own(run);
  if (rc == CJK_OK) rc = reserve_units(run, limit);
  if (rc == CJK_OK) rc = reserve_bytes(run, n_bytes(run) + 4 * (limit - run->n));
  if (rc == CJK_OK) append_copies(run, reader, options, limit);
  return rc;
}

void cjk_run_drop_first(CjkRunBuffer *run, int n) {
  int rest = run->n - n, first = run->at[n];
  memmove(run->at, run->at + n, (size_t)(rest + 1) * sizeof(int));
  if (!run->is_plain) {
    memmove(run->bytes, run->bytes + first, (size_t)(run->at[rest] - first));
    for (int i = 0; i <= rest; i++) run->at[i] -= first;
    memmove(run->start, run->start + n, (size_t)rest * sizeof(int));
    memmove(run->end, run->end + n, (size_t)rest * sizeof(int));
  }
  run->n = rest;
}
