/*
** ngram.c: unigrams and bigrams. See ngram.h.
**
** Why a bigram for each position, with its first character beside it: any substring of a run is
** then
** a phrase of bigrams at neighbouring positions, and one character a term of its own. Why the last
** character alone at the end: without it the last bigram of a run and the first of the next would
** be neighbours, and 今天气 would match 今天、天气.
*/
#include "ngram.h"

static inline int emit_unit(const CjkRun *run, int i, int flags, CjkEmitter *emitter) {
  return cjk_emit(emitter, flags, run->text + run->at[i], run->at[i + 1] - run->at[i],
                  run->start[i], run->end[i]);
}

static inline int emit_bigram(const CjkRun *run, int i, CjkEmitter *emitter) {
  return cjk_emit(emitter, 0, run->text + run->at[i], run->at[i + 2] - run->at[i], run->start[i],
                  run->end[i + 1]);
}

int cjk_segment_bigrams(void *self, const CjkRun *run_, int more, const CjkOptions *options,
                        CjkEmitter *emitter, int *n_used) {
  const CjkRun run = *run_; /* a copy: no callback can change it, so it may live in registers */
  (void)self;
  int rc = CJK_OK;
  int n_sure = more ? run.n - 1 : run.n; /* the last unit of a part may still change */
  int beside = options->unigrams && !emitter->is_query;
  for (int i = 0; rc == CJK_OK && i < n_sure - 1; i++) {
    rc = emit_bigram(&run, i, emitter);
    if (rc == CJK_OK && beside) rc = emit_unit(&run, i, CJK_COLOCATED, emitter);
  }
  *n_used = more ? (n_sure > 0 ? n_sure - 1 : 0) : run.n;
  if (rc != CJK_OK || more) return rc;
  int last = run.n - 1;
  if (emitter->is_query && run.n > 1) {
    return cjk_emit_hold(emitter, run.text + run.at[last], run.at[last + 1] - run.at[last],
                         run.start[last], run.end[last]);
  }
  return emit_unit(&run, last, 0, emitter);
}

int cjk_segment_unigrams(void *self, const CjkRun *run, int more, const CjkOptions *options,
                         CjkEmitter *emitter, int *n_used) {
  int rc = CJK_OK;
  int n_sure = more ? run->n - 1 : run->n;
  (void)self, (void)options;
  for (int i = 0; rc == CJK_OK && i < n_sure; i++) rc = emit_unit(run, i, 0, emitter);
  *n_used = n_sure > 0 ? n_sure : 0;
  return rc;
}
