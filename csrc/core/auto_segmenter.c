/*
** auto_segmenter.c: see auto_segmenter.h. What is registered is looked up once, on opening.
*/
#include "auto_segmenter.h"

#include <stdio.h>
#include <string.h>

#include "cutter_segmenter.h"
#include "dictionary.h"
#include "memory.h"
#include "word_segmenter.h"

enum { NO_LANGUAGE = CJK_N_LANGUAGES };

typedef struct AutoSegmenter {
  void *cutters[CJK_N_LANGUAGES]; /* NULL: nothing is registered */
  void *jieba;                    /* where nothing is for Chinese */
} AutoSegmenter;

void cjk_auto_segmenter_close(void *self) {
  AutoSegmenter *segmenter = (AutoSegmenter *)self;
  for (int i = 0; i < CJK_N_LANGUAGES; i++) cjk_cutter_segmenter_close(segmenter->cutters[i]);
  cjk_word_segmenter_close(segmenter->jieba);
  cjk_free(segmenter);
}

int cjk_auto_segmenter_open(const CjkOptions *options, void **self, CjkError *error) {
  AutoSegmenter *segmenter = (AutoSegmenter *)cjk_realloc(NULL, sizeof(*segmenter));
  int rc = CJK_OK;
  (void)options;
  if (!segmenter) return CJK_NOMEM;
  memset(segmenter, 0, sizeof(*segmenter));
  for (int i = 0; rc == CJK_OK && i < CJK_N_LANGUAGES; i++) {
    CjkRegistered *entry = cjk_registered_acquire_language((CjkLanguage)i);
    if (entry) rc = cjk_cutter_segmenter_create(entry, &segmenter->cutters[i]);
  }
  if (rc == CJK_OK && !segmenter->cutters[CJK_CHINESE] && cjk_dictionary_builtin()) {
    rc = cjk_word_segmenter_create(NULL, &segmenter->jieba, error);
  }
  if (rc == CJK_OK)
    *self = segmenter;
  else
    cjk_auto_segmenter_close(segmenter);
  return rc;
}

/* ---- which language ---- */

static int has_kana(const CjkRun *run, int n) {
  for (int i = 0; i < n; i++) {
    if (cjk_writing_of_unit(run, i) == CJK_WRITING_KANA) return 1;
  }
  return 0;
}

static void set_languages(const CjkRun *run, int n, const CjkEmitter *emitter,
                          uint8_t language_of[CJK_N_WRITINGS]) {
  int locale = cjk_language_of_locale(emitter->locale, emitter->n_locale);
  memset(language_of, NO_LANGUAGE, CJK_N_WRITINGS);
  for (int writing = 0; writing < CJK_N_WRITINGS; writing++) {
    for (int i = 0; i < CJK_N_LANGUAGES; i++) {
      if (cjk_language_writings((CjkLanguage)i) >> writing & 1) {
        language_of[writing] = (uint8_t)i;
      }
    }
  }
  if (locale != CJK_CHINESE && locale != CJK_JAPANESE && locale != CJK_KOREAN) {
    locale = has_kana(run, n) ? CJK_JAPANESE : CJK_CHINESE;
  }
  language_of[CJK_WRITING_HAN] = (uint8_t)(locale == CJK_KOREAN ? NO_LANGUAGE : locale);
}

static int segment_stretch(AutoSegmenter *segmenter, int language, const CjkRun *stretch,
                           const CjkOptions *options, CjkEmitter *emitter) {
  int n_used;
  if (language != NO_LANGUAGE && segmenter->cutters[language]) {
    return cjk_cutter_segment_stretch(segmenter->cutters[language], stretch, emitter);
  }
  if (language == CJK_CHINESE && segmenter->jieba) {
    return cjk_segment_words(segmenter->jieba, stretch, 0, options, emitter, &n_used);
  }
  return cjk_segment_rest(stretch, options, emitter);
}

int cjk_segment_auto(void *self, const CjkRun *run, int more, const CjkOptions *options,
                     CjkEmitter *emitter, int *n_used) {
  int n = more ? run->n - 1 : run->n; /* a part is cut as a run of its own */
  int rc = CJK_OK;
  uint8_t language_of[CJK_N_WRITINGS];
  set_languages(run, n, emitter, language_of);
  for (int first = 0, behind; rc == CJK_OK && first < n; first = behind) {
    int language;
    behind = cjk_stretch_end(run, n, first, language_of, &language);
    CjkRun stretch = cjk_run_part(run, first, behind);
    rc = segment_stretch((AutoSegmenter *)self, language, &stretch, options, emitter);
  }
  *n_used = n;
  return rc;
}

char *cjk_auto_segmenter_choice(char *out, int n_out) {
  size_t used = 0, size = (size_t)n_out;
  out[0] = 0;
  for (int i = 0; i < CJK_N_LANGUAGES; i++) {
    CjkRegistered *entry = cjk_registered_acquire_language((CjkLanguage)i);
    const char *name = entry ? entry->name : NULL;
    if (!name && i == CJK_CHINESE && cjk_dictionary_builtin()) name = "jieba";
    if (name) {
      snprintf(out + used, size - used, "%s%s:%s", used ? " " : "",
               cjk_language_code((CjkLanguage)i), name);
      used = strlen(out);
    }
    if (entry) cjk_registered_release(entry);
  }
  return out;
}
