/*
** runs.h: folded code points -> runs of units, ready for a segmenter.
**
** A CjkRun is what a segmenter sees: the units' bytes, end to end, and each unit's source range. As
** long as nothing is folded, dropped or composed its bytes are those of the source (`is_plain`),
** and collecting a character costs one store.
*/
#ifndef CJK_RUNS_H
#define CJK_RUNS_H

#include <stdint.h>

#include "fold.h"
#include "han.h"
#include "options.h"

typedef struct CjkRun {
  const char *text; /* unit i is text[at[i] .. at[i + 1]) */
  const int *at;    /* n + 1 offsets */
  const int *start; /* unit i comes from source bytes start[i] .. end[i] */
  const int *end;
  int n;
} CjkRun;

typedef struct CjkRunBuffer {
  const char *source;
  int n;
  int is_plain;
  int gap;       /* number of units before the last bridged blank or line break; may be negative */
  int is_closed; /* a bridge follows the last unit: nothing composes with it any more */
  unsigned seen; /* flags of all code points taken */
  unsigned next; /* properties of what stopped cjk_run_append_plain(): of three bytes, else 0 */
  uint32_t last; /* the last unit's last code point, before a leftover jamo is settled */
  int *at, *start, *end;
  char *bytes;
  int at_capacity, start_capacity, end_capacity, bytes_capacity;
} CjkRunBuffer;

void cjk_run_free(CjkRunBuffer *run);

static inline void cjk_run_reset(CjkRunBuffer *run, const char *source) {
  run->source = source;
  run->n = 0;
  run->is_plain = 1;
  run->last = 0;
  run->seen = 0;
  run->next = 0;
  run->gap = 0;
  run->is_closed = 0;
}

/* fold_kana and fold_han of one code point. */
static inline uint32_t cjk_run_fold(const CjkOptions *options, uint32_t cp, unsigned properties) {
  if (options->fold_kana && (properties & (CJK_KANA | CJK_KATAKANA)) == CJK_KANA) {
    return cjk_fold_kana(cp);
  }
  return options->fold_han && (properties & CJK_HAN) ? cjk_fold_han(cp) : cp;
}

/* Adds a unit of one code point; composes it with the last unit where the two compose. */
int cjk_run_append(CjkRunBuffer *run, uint32_t cp, unsigned properties, int start, int end);

/* Adds a unit of one code point as it is, composing nothing. */
int cjk_run_push(CjkRunBuffer *run, uint32_t cp, int start, int end);

/* Adds a code point to the last unit (complex runs). */
int cjk_run_extend(CjkRunBuffer *run, uint32_t cp, int end);

/* Widens the last unit's source range. */
int cjk_run_widen(CjkRunBuffer *run, int end);

/* Adds three-byte characters of class CJK from the reader on, until something else comes or the run
** has `limit` units: the quick way for what needs no folding but fold_kana. */
int cjk_run_append_plain(CjkRunBuffer *run, CjkReader *reader, const CjkOptions *options,
                         int limit);

int cjk_run_settle_jamo(CjkRunBuffer *run);

/* Finishes the last unit: a conjoining jamo with which nothing composed becomes a letter. */
static inline int cjk_run_settle(CjkRunBuffer *run) {
  return run->last >= 0x1100 && run->last <= 0x11FF ? cjk_run_settle_jamo(run) : 0;
}

/* Drops the first `n` units. */
void cjk_run_drop_first(CjkRunBuffer *run, int n);

static inline CjkRun cjk_run_view(const CjkRunBuffer *run) {
  /* Nothing has been written yet: there are no arrays. */
  CjkRun view = {run->source, run->at, run->at, run->at ? run->at + 1 : NULL, run->n};
  if (!run->is_plain) {
    view.text = run->bytes;
    view.start = run->start;
    view.end = run->end;
  }
  return view;
}

/* If the cjk run goes on over a bridge that begins at the reader (docs/stream.md, section 4), moves
** the reader to the character behind the bridge and returns 1. The reader is not at the end. */
int cjk_run_bridge(CjkRunBuffer *run, const CjkOptions *options, CjkReader *reader);

/* Whether `c`, read at `at` (`behind` is behind it), is the dot U+318D that is a break
** (docs/stream.md 3.5): a letter or digit other than a jamo stands before or after it. */
int cjk_is_dot(const CjkFolded *c, const CjkReader *at, CjkReader behind);

/* Appends the units of `run` to `out`, rewritten as fold_iteration and fold_prolonged say. */
int cjk_run_rewrite(const CjkRun *run, const CjkOptions *options, CjkRunBuffer *out);

#endif
