/*
** segmenters.h: the registry of segmenters: name -> function that cuts a run into tokens. Built-in
** ones have a row in segmenters.c; what the host program registered (registered.h) comes after them.
**
** A segmenter sees one run (or a part of a long one) and emits its tokens; it never adds, drops or
** changes characters. Adding one is one file and one row in segmenters.c.
*/
#ifndef CJK_SEGMENTERS_H
#define CJK_SEGMENTERS_H

#include "emitter.h"
#include "options.h"
#include "runs.h"

/* Emits the tokens of `run`. With `more` the run goes on behind its last unit, which is not
** finished yet: tokens are emitted as far as they are sure. *n_used is how many units are done
** with; the rest comes again at the head of the next part. `self` is what open() made. */
typedef int (*CjkSegmentFn)(void *self, const CjkRun *run, int more, const CjkOptions *options,
                            CjkEmitter *emitter, int *n_used);

typedef struct CjkSegmenter {
  const char *name; /* NULL: for what the host program registers */
  CjkSegmentFn segment;
  int needs_whole_runs; /* context matters: parts only of runs that are very long */
  int (*open)(const CjkOptions *options, void **self, CjkError *error); /* may be NULL */
  void (*close)(void *self);
  const char *help; /* one line */
} CjkSegmenter;

/* Rows of the registry that others have to know. */
enum { CJK_SEGMENT_BIGRAM, CJK_SEGMENT_UNIGRAM, CJK_SEGMENT_JIEBA };

/* Number of the registered segmenter at place 0; smaller ones are rows. */
enum { CJK_REGISTERED = 64 };

/* Row i of the registry, which it has; row 0 is the default. */
const CjkSegmenter *cjk_segmenter(int i);

/* The row that serves the name; -1: none. */
int cjk_segmenter_find(const char *name);
int cjk_segmenter_is_builtin(const char *name);

/* Writes the names, blank-separated, as far as there is room; returns out. */
char *cjk_segmenter_names(char *out, int n_out);

/* Emits the bigrams of a stretch that a segmenter does not cover. */
int cjk_segment_rest(const CjkRun *stretch, const CjkOptions *options, CjkEmitter *emitter);

#endif
