/*
** segmenters.c: the registry. See segmenters.h.
*/
#include "segmenters.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ngram.h"

static const CjkSegmenter segmenters[] = {
    {"bigram", cjk_segment_bigrams, "every two neighbours, and each character beside them"},
    {"unigram", cjk_segment_unigrams, "every character alone"},
};

enum { N_SEGMENTERS = sizeof(segmenters) / sizeof(segmenters[0]) };

const CjkSegmenter *cjk_segmenter(int i) {
  return i >= 0 && i < N_SEGMENTERS ? &segmenters[i] : NULL;
}

int cjk_segmenter_find(const char *name) {
  for (int i = 0; i < N_SEGMENTERS; i++) {
    if (strcmp(segmenters[i].name, name) == 0) return i;
  }
  return -1;
}

char *cjk_segmenter_names(char *out, int n_out) {
  size_t used = 0;
  out[0] = 0;
  for (int i = 0; i < N_SEGMENTERS; i++) {
    snprintf(out + used, (size_t)n_out - used, "%s%s", i ? " " : "", segmenters[i].name);
    used = strlen(out);
  }
  return out;
}
