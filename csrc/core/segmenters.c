/*
** segmenters.c: the registry. See segmenters.h.
*/
#include "segmenters.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ngram.h"
#include "word_segmenter.h"

static const CjkSegmenter segmenters[] = {
    {"bigram", cjk_segment_bigrams, 0, NULL, NULL,
     "every two neighbours, and each character beside them"},
    {"unigram", cjk_segment_unigrams, 0, NULL, NULL, "every character alone"},
    {"jieba", cjk_segment_words, 1, cjk_word_segmenter_open, cjk_word_segmenter_close,
     "Chinese words of jieba's dictionary, bigrams of everything else"},
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
