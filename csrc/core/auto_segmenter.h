/*
** auto_segmenter.h: `segment auto`: each stretch of a run to the segmenter of its language.
**
** The language comes from the script: Hangul, Thai, Lao, Khmer and Burmese have one of their own;
** kana are Japanese; Han is that of the locale (zh, ja or ko) or, without one, Japanese in a run
** with kana and Chinese otherwise. A language's segmenter is the newest registered one that names
** it, `jieba` for Chinese when there is none; no segmenter, bigrams.
*/
#ifndef CJK_AUTO_SEGMENTER_H
#define CJK_AUTO_SEGMENTER_H

#include "segmenters.h"

int cjk_auto_segmenter_open(const CjkOptions *options, void **self, CjkError *error);
void cjk_auto_segmenter_close(void *self);
int cjk_segment_auto(void *self, const CjkRun *run, int more, const CjkOptions *options,
                     CjkEmitter *emitter, int *n_used);

/* Writes what a tokenizer made now would choose, as in "ja:fugashi zh:jieba"; returns out. */
char *cjk_auto_segmenter_choice(char *out, int n_out);

#endif
