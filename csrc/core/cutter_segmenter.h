/*
** cutter_segmenter.h: the segmenter that calls a function of the host program: `segment NAME`.
**
** Stretches in scripts that the function covers have the words that it gives, one a position; the
** rest has bigrams. What it says of a text is checked and kept (cut_cache.h).
*/
#ifndef CJK_CUTTER_SEGMENTER_H
#define CJK_CUTTER_SEGMENTER_H

#include "registered.h"
#include "segmenters.h"

/* Finds options->segment_name. */
int cjk_cutter_segmenter_open(const CjkOptions *options, void **self, CjkError *error);

/* Makes one of an entry, whose reference it takes over in any case. */
int cjk_cutter_segmenter_create(CjkRegistered *entry, void **self);
void cjk_cutter_segmenter_close(void *self);

int cjk_segment_by_cutter(void *self, const CjkRun *run, int more, const CjkOptions *options,
                          CjkEmitter *emitter, int *n_used);

/* Emits the words of a stretch, all of which the function covers. */
int cjk_cutter_segment_stretch(void *self, const CjkRun *stretch, CjkEmitter *emitter);

#endif
