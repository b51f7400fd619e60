/*
** word_segmenter.h: the segmenter `jieba`, and the same with words of the user under another name:
** dictionary words of Han stretches, bigrams of the rest.
**
** Positions are the finest cut of a stretch; longer words stand beside the piece in which they
** start (words.h says how both are found). A query has the finest cut alone.
*/
#ifndef CJK_WORD_SEGMENTER_H
#define CJK_WORD_SEGMENTER_H

#include "registered.h"
#include "segmenters.h"

/* Makes one of jieba's words, or with those of an entry, whose reference it takes over. */
int cjk_word_segmenter_create(CjkRegistered *entry, void **self, CjkError *error);

/* With the words that are registered as options->segment_name, if there are any. */
int cjk_word_segmenter_open(const CjkOptions *options, void **self, CjkError *error);
void cjk_word_segmenter_close(void *self);
int cjk_segment_words(void *self, const CjkRun *run, int more, const CjkOptions *options,
                      CjkEmitter *emitter, int *n_used);

#endif
