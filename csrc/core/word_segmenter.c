/*
** word_segmenter.c: see word_segmenter.h.
*/
#include "word_segmenter.h"

#include <string.h>

#include "dictionary.h"
#include "error.h"
#include "memory.h"
#include "words.h"

typedef struct WordSegmenter {
  CjkRegistered *entry; /* of words of the user, or NULL */
  int number;
  CjkWords *words;
  uint32_t *codes; /* of the run at work */
  int codes_capacity;
} WordSegmenter;

/* A stretch of a run on its way to tokens. */
typedef struct WordStretch {
  const CjkRun *run;
  int first;
  CjkEmitter *emitter;
} WordStretch;

void cjk_word_segmenter_close(void *self) {
  WordSegmenter *segmenter = (WordSegmenter *)self;
  if (!segmenter) return;
  if (segmenter->words) cjk_words_free(segmenter->words);
  if (segmenter->entry) cjk_registered_release(segmenter->entry);
  cjk_free(segmenter->codes);
  cjk_free(segmenter);
}

static int create(CjkRegistered *entry, WordSegmenter **out, CjkError *error) {
  const CjkDictionary *dictionary = cjk_dictionary_builtin();
  if (!dictionary) {
    cjk_error(error,
              "segment jieba of tokenizer cjk: this library was built without the dictionary "
              "(tools/make_dictionary.py)");
    return CJK_ERROR;
  }
  WordSegmenter *segmenter = *out = (WordSegmenter *)cjk_realloc(NULL, sizeof(*segmenter));
  if (!segmenter) return CJK_NOMEM;
  memset(segmenter, 0, sizeof(*segmenter));
  segmenter->words =
      cjk_words_create(dictionary, entry ? entry->words : NULL, cjk_realloc, cjk_free);
  return segmenter->words ? CJK_OK : CJK_NOMEM;
}

int cjk_word_segmenter_create(CjkRegistered *entry, void **self, CjkError *error) {
  WordSegmenter *segmenter = NULL;
  int rc = create(entry, &segmenter, error);
  if (rc == CJK_OK) {
    segmenter->entry = entry;
    segmenter->number = entry ? CJK_REGISTERED + cjk_registered_place(entry) : CJK_SEGMENT_JIEBA;
    *self = segmenter;
    return rc;
  }
  cjk_word_segmenter_close(segmenter);
  if (entry) cjk_registered_release(entry);
  return rc;
}

int cjk_word_segmenter_open(const CjkOptions *options, void **self, CjkError *error) {
  if (options->segment == CJK_SEGMENT_JIEBA) return cjk_word_segmenter_create(NULL, self, error);
  CjkRegistered *entry = cjk_registered_acquire(options->segment_name);
  if (entry && entry->words) return cjk_word_segmenter_create(entry, self, error);
  if (entry) cjk_registered_release(entry);
  cjk_error(error, "the segmenter %s has just been unregistered", options->segment_name);
  return CJK_ERROR;
}

static int emit_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  WordStretch *stretch = (WordStretch *)ctx;
  const CjkRun *run = stretch->run;
  int first = stretch->first + (int)start, behind = stretch->first + (int)end;
  return cjk_emit(stretch->emitter, flags, run->text + run->at[first],
                  run->at[behind] - run->at[first], run->start[first], run->end[behind - 1]);
}

/* Emits units [first, behind), all of which the dictionary covers, or none. */
static int segment_covered(WordSegmenter *segmenter, const CjkRun *run, int first, int behind,
                           const CjkOptions *options, CjkEmitter *emitter) {
  int n = behind - first;
  if (cjk_words_cover(segmenter->codes[first])) {
    WordStretch stretch = {run, first, emitter};
    cjk_emitter_mark(emitter, segmenter->number);
    return cjk_words_cut_run(segmenter->words, segmenter->codes + first, (size_t)n, options->hmm,
                             !emitter->is_query, &stretch, emit_word);
  }
  CjkRun rest = cjk_run_part(run, first, behind);
  return cjk_segment_rest(&rest, options, emitter);
}

int cjk_segment_words(void *self, const CjkRun *run, int more, const CjkOptions *options,
                      CjkEmitter *emitter, int *n_used) {
  WordSegmenter *segmenter = (WordSegmenter *)self;
  const uint8_t *text = (const uint8_t *)run->text;
  int n = more ? run->n - 1 : run->n; /* a part is cut as a run of its own */
  int rc = cjk_reserve((void **)&segmenter->codes, &segmenter->codes_capacity, n, 4);
  for (int i = 0; rc == CJK_OK && i < n; i++) {
    cjk_utf8_decode(text + run->at[i], text + run->at[i + 1], &segmenter->codes[i]);
  }
  for (int first = 0, behind; rc == CJK_OK && first < n; first = behind) {
    int is_covered = cjk_words_cover(segmenter->codes[first]);
    behind = first + 1;
    while (behind < n && cjk_words_cover(segmenter->codes[behind]) == is_covered) behind++;
    rc = segment_covered(segmenter, run, first, behind, options, emitter);
  }
  *n_used = n;
  return rc;
}
