/*
** rewrite.c: options that rewrite a whole run: fold_iteration and fold_prolonged.
**
** docs/stream.md, sections 4 and 7. One pass over the units; what is repeated or widened is taken
** from what has been written, what follows is looked up in what is read.
*/
#include "runs.h"

#include "cjk.h"

enum { PROLONGED = 0x30FC };

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
  if (i >= run->n) return 0;
  return cjk_properties(unit_code(run, i)) & (CJK_KANA | CJK_KATAKANA);
}

/* fold_kana on the units written since `base`. A hiragana and its katakana have equal lengths. */
static void fold_written_kana(CjkRunBuffer *out, int base) {
  CjkRun written = cjk_run_view(out);
  for (int i = base; i < out->n; i++) {
    cjk_utf8_encode(cjk_fold_kana(unit_code(&written, i)), out->bytes + out->at[i]);
  }
}

int cjk_run_rewrite(const CjkRun *run, const CjkOptions *options, CjkRunBuffer *out) {
  int rc = CJK_OK, base = out->n;
  for (int i = 0, k; rc == CJK_OK && i < run->n; i += k) {
    uint32_t cp = unit_code(run, i);
    unsigned kind = options->fold_iteration ? repeats(cp) : 0;
    k = 1;
    if (kind) {
      while (i + k < run->n && repeats(unit_code(run, i + k)) == kind) k++;
      rc = rewrite_marks(run, i, k, base, out);
      continue;
    }
    if (options->fold_prolonged && cp == PROLONGED) {
      CjkRun written = cjk_run_view(out);
      while (i + k < run->n && unit_code(run, i + k) == PROLONGED) k++;
      unsigned kana = written.n > base ? kana_of(&written, written.n - 1) : 0;
      if (kana && kana_of(run, i + k) != kana) {
        rc = cjk_run_widen(out, run->end[i + k - 1]);
        continue;
      }
    }
    for (int j = i; rc == CJK_OK && j < i + k; j++) {
      rc = cjk_run_push(out, unit_code(run, j), run->start[j], run->end[j]);
    }
  }
  if (rc == CJK_OK && options->fold_kana && !out->is_plain) fold_written_kana(out, base);
  return rc;
}
