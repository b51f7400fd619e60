/*
** rewrite.c: options that rewrite a whole run: fold_iteration and fold_prolonged.
**
** docs/stream.md, section 4. The iteration marks are rewritten on the way from one buffer to the
** other, what they repeat is taken from what has been written; the other options then change what is
** there, in their order.
*/
#include "runs.h"

#include <string.h>

#include "cjk.h"

enum { PROLONGED = 0x30FC, FIRST_UNVOICED = 0x308F, LAST_UNVOICED = 0x3092 };

static uint32_t unit_code(const CjkRun *run, int i) {
  uint32_t cp;
  cjk_utf8_decode((const uint8_t *)run->text + run->at[i],
                  (const uint8_t *)run->text + run->at[i + 1], &cp);
  return cp;
}

/* What kind of character an iteration mark repeats: CJK_HAN, CJK_KANA, or 0 for no mark. */
static unsigned repeats(uint32_t cp) {
  if (cp == 0x3005 || cp == 0x303B) return CJK_HAN;
  return cp == 0x309D || cp == 0x309E || cp == 0x30FD || cp == 0x30FE ? CJK_KANA : 0;
}

static int is_voicing_mark(uint32_t cp) {
  return cp == 0x309E || cp == 0x30FE;
}

/* How many of the last `k` units written since `first` are letters of that kind, from the end. */
static int count_before(const CjkRun *written, int first, unsigned kind, int k) {
  int n = 0;
  while (n < k && first + n < written->n) {
    uint32_t cp = unit_code(written, written->n - 1 - n);
    if (!(cjk_properties(cp) & kind) || repeats(cp)) break;
    n++;
  }
  return n;
}

/* Writes what the marks [first, first + k) of `run` repeat, or the marks where nothing is before.
 */
static int rewrite_marks(const CjkRun *run, int first, int k, int base, CjkRunBuffer *out) {
  unsigned kind = repeats(unit_code(run, first));
  CjkRun written = cjk_run_view(out);
  int before = count_before(&written, base, kind, k);
  int back = before == k ? k : before > 0 ? 1 : 0;
  int rc = CJK_OK, n = out->n;
  for (int i = first; rc == CJK_OK && i < first + k; i++) {
    uint32_t cp = unit_code(run, i);
    if (back) {
      written = cjk_run_view(out);
      uint32_t repeated = unit_code(&written, back == 1 ? n - 1 : n - back + i - first);
      if (kind == CJK_KANA) {
        repeated = is_voicing_mark(cp) ? cjk_voiced(repeated) : cjk_unvoiced(repeated);
      }
      cp = repeated;
    }
    rc = cjk_run_push(out, cp, run->start[i], run->end[i]);
  }
  return rc;
}

/* Hiragana or katakana: which of the two unit i is; 0 for neither. */
static unsigned kana_of(const CjkRun *run, int i) {
  return cjk_properties(unit_code(run, i)) & (CJK_KANA | CJK_KATAKANA);
}

/* Moves the units [first, first + k) down to `to` <= first. */
static void move_units(CjkRunBuffer *run, int first, int k, int to) {
  int from = run->at[first], length = run->at[first + k] - from, used = run->at[to];
  if (to == first) return;
  memmove(run->bytes + used, run->bytes + from, (size_t)length);
  for (int i = 0; i < k; i++) {
    run->at[to + i] = run->at[first + i] - from + used;
    run->start[to + i] = run->start[first + i];
    run->end[to + i] = run->end[first + i];
  }
  run->at[to + k] = used + length;
}

/* fold_prolonged on the units written since `base`. */
static void drop_written_prolonged(CjkRunBuffer *out, int base) {
  CjkRun written = cjk_run_view(out);
  int kept = base;
  for (int i = base, k; i < written.n; i += k) {
    for (k = 0; i + k < written.n && unit_code(&written, i + k) == PROLONGED;) k++;
    unsigned before = k && kept > base ? kana_of(&written, kept - 1) : 0;
    if (before && (i + k == written.n || kana_of(&written, i + k) != before)) {
      out->end[kept - 1] = out->end[i + k - 1];
      continue;
    }
    if (!k) k = 1;
    move_units(out, i, k, kept);
    kept += k;
  }
  out->n = kept;
}

/* fold_kana on the units written since `base`. A hiragana and its katakana have equal lengths. The
** katakana of わ ゐ ゑ を compose with a voicing mark, as these do not. */
static void fold_written_kana(CjkRunBuffer *out, int base) {
  CjkRun written = cjk_run_view(out);
  uint32_t before = 0;
  int kept = base;
  for (int i = base; i < written.n; i++) {
    uint32_t cp = unit_code(&written, i), composed = 0;
    if (before >= FIRST_UNVOICED && before <= LAST_UNVOICED && cp == CJK_VOICING_MARK) {
      composed = cjk_compose(cjk_fold_kana(before), cp);
    }
    if (composed) {
      cjk_utf8_encode(composed, out->bytes + out->at[kept - 1]);
      out->end[kept - 1] = out->end[i];
    } else {
      cjk_utf8_encode(cjk_fold_kana(cp), out->bytes + out->at[i]);
      move_units(out, i, 1, kept++);
    }
    before = cp;
  }
  out->n = kept;
}

int cjk_run_rewrite(const CjkRun *run, const CjkOptions *options, CjkRunBuffer *out) {
  int rc = CJK_OK, base = out->n;
  for (int i = 0, k; rc == CJK_OK && i < run->n; i += k) {
    uint32_t cp = unit_code(run, i);
    unsigned kind = options->fold_iteration ? repeats(cp) : 0;
    k = 1;
    while (kind && i + k < run->n && repeats(unit_code(run, i + k)) == kind) k++;
    rc = kind ? rewrite_marks(run, i, k, base, out)
              : cjk_run_push(out, cp, run->start[i], run->end[i]);
  }
  if (rc != CJK_OK || out->is_plain) return rc; /* plain: nothing was written */
  if (options->fold_prolonged) drop_written_prolonged(out, base);
  if (options->fold_kana) fold_written_kana(out, base);
  return rc;
}
