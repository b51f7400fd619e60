/*
** segmenters.c: the registry. See segmenters.h.
*/
#include "segmenters.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "auto_segmenter.h"
#include "cutter_segmenter.h"
#include "ngram.h"
#include "registered.h"
#include "word_segmenter.h"

static const CjkSegmenter segmenters[] = {
    {"bigram", cjk_segment_bigrams, 0, NULL, NULL,
     "every two neighbours, and each character beside them"},
    {"unigram", cjk_segment_unigrams, 0, NULL, NULL, "every character alone"},
    {"jieba", cjk_segment_words, 1, cjk_word_segmenter_open, cjk_word_segmenter_close,
     "Chinese words of jieba's dictionary, bigrams of everything else"},
    {"auto", cjk_segment_auto, 1, cjk_auto_segmenter_open, cjk_auto_segmenter_close,
     "by locale and script, with what is registered for the language; else bigrams"},
    {NULL, cjk_segment_by_cutter, 1, cjk_cutter_segmenter_open, cjk_cutter_segmenter_close,
     "words that a function of the host program gives"},
    {NULL, cjk_segment_words, 1, cjk_word_segmenter_open, cjk_word_segmenter_close,
     "as jieba, with words of the user"},
};

enum { N_SEGMENTERS = sizeof(segmenters) / sizeof(segmenters[0]), CUTTER = 4, WORDS = 5 };

const CjkSegmenter *cjk_segmenter(int i) {
  return &segmenters[i];
}

static int find_builtin(const char *name) {
  for (int i = 0; i < N_SEGMENTERS; i++) {
    if (segmenters[i].name && strcmp(segmenters[i].name, name) == 0) return i;
  }
  return -1;
}

int cjk_segmenter_is_builtin(const char *name) {
  return find_builtin(name) >= 0;
}

int cjk_segmenter_find(const char *name) {
  int found = find_builtin(name);
  CjkRegistered *entry = found < 0 ? cjk_registered_acquire(name) : NULL;
  if (entry) {
    found = entry->words ? WORDS : CUTTER;
    cjk_registered_release(entry);
  }
  return found;
}

const char *cjk_segmenter_name(int number) {
  number--;
  if (number < 0) return NULL;
  return number < N_SEGMENTERS ? segmenters[number].name
                               : cjk_registered_name(number - CJK_REGISTERED);
}

typedef struct Names {
  char *out;
  size_t used, size;
} Names;

static void add_name(void *ctx, const char *name) {
  Names *names = (Names *)ctx;
  if (names->used + strlen(name) + 2 > names->size) return;
  names->used += (size_t)snprintf(names->out + names->used, names->size - names->used, "%s%s",
                                  names->used ? " " : "", name);
}

char *cjk_segmenter_names(char *out, int n_out) {
  Names names = {out, 0, (size_t)n_out};
  out[0] = 0;
  for (int i = 0; i < N_SEGMENTERS; i++) {
    if (segmenters[i].name) add_name(&names, segmenters[i].name);
  }
  cjk_registered_each(&names, add_name);
  return out;
}

int cjk_segment_rest(const CjkRun *stretch, const CjkOptions *options, CjkEmitter *emitter) {
  int n_used;
  cjk_emitter_mark(emitter, CJK_SEGMENT_BIGRAM);
  return cjk_segment_bigrams(NULL, stretch, 0, options, emitter, &n_used);
}
