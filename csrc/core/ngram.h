/*
** ngram.h: the segmenters `bigram` and `unigram` (docs/stream.md 5.1).
*/
#ifndef CJK_NGRAM_H
#define CJK_NGRAM_H

#include "segmenters.h"

int cjk_segment_bigrams(void *self, const CjkRun *run, int more, const CjkOptions *options,
                        CjkEmitter *emitter, int *n_used);
int cjk_segment_unigrams(void *self, const CjkRun *run, int more, const CjkOptions *options,
                         CjkEmitter *emitter, int *n_used);

#endif
