/*
** cutter_segmenter.c: see cutter_segmenter.h.
*/
#include "cutter_segmenter.h"

#include <string.h>

#include "cut_cache.h"
#include "error.h"
#include "memory.h"
#include "ngram.h"

enum { IS_COVERED = 1, QUOTED = 60 /* bytes of a text in an error */ };

typedef struct CutterSegmenter {
  CjkRegistered *entry;
  uint8_t group_of[CJK_N_WRITINGS]; /* IS_COVERED or 0 */
  CjkCutCache cache;
  char *text; /* the stretch at work, NUL, locale, NUL: the cache's key */
  int *ends;
  int text_capacity, ends_capacity;
} CutterSegmenter;

/* ---- opening and closing ---- */

int cjk_cutter_segmenter_create(CjkRegistered *entry, void **self) {
  CutterSegmenter *segmenter = (CutterSegmenter *)cjk_realloc(NULL, sizeof(*segmenter));
  if (!segmenter) {
    cjk_registered_release(entry);
    return CJK_NOMEM;
  }
  memset(segmenter, 0, sizeof(*segmenter));
  segmenter->entry = entry;
  for (int i = 0; i < CJK_N_WRITINGS; i++) {
    segmenter->group_of[i] = entry->writings >> i & 1 ? IS_COVERED : 0;
  }
  *self = segmenter;
  return CJK_OK;
}

int cjk_cutter_segmenter_open(const CjkOptions *options, void **self, CjkError *error) {
  CjkRegistered *entry = cjk_registered_acquire(options->segment_name);
  if (entry && entry->cutter.cut) return cjk_cutter_segmenter_create(entry, self);
  if (entry) cjk_registered_release(entry);
  cjk_error(error, "the segmenter %s has just been unregistered", options->segment_name);
  return CJK_ERROR;
}

void cjk_cutter_segmenter_close(void *self) {
  CutterSegmenter *segmenter = (CutterSegmenter *)self;
  if (!segmenter) return;
  cjk_registered_release(segmenter->entry);
  cjk_cut_cache_free(&segmenter->cache);
  cjk_free(segmenter->text);
  cjk_free(segmenter->ends);
  cjk_free(segmenter);
}

/* ---- errors ---- */

static int length_of(const CjkRun *stretch) {
  return stretch->at[stretch->n] - stretch->at[0];
}

/* The bytes of a text that an error quotes, and what stands for the rest. */
static int quoted_length(const CutterSegmenter *segmenter, const CjkRun *stretch,
                         const char **rest) {
  int n = length_of(stretch);
  *rest = n > QUOTED ? "..." : "";
  if (n <= QUOTED) return n;
  for (n = QUOTED; (segmenter->text[n] & 0xC0) == 0x80;) n--;
  return n;
}

/* Says that the segmenter failed, why (the text in *error), and on which text. */
static int fail(const CutterSegmenter *segmenter, const CjkRun *stretch, int rc, CjkError *error) {
  CjkError why = *error;
  const char *rest;
  int n = quoted_length(segmenter, stretch, &rest);
  if (rc == CJK_NOMEM) return rc;
  cjk_error(error, "segmenter %s, text \"%.*s%s\": %.300s", segmenter->entry->name, n,
            segmenter->text, rest, why.message[0] ? why.message : "it failed and did not say why");
  cjk_error_clean(error);
  return CJK_ERROR;
}

/* ---- cutting ---- */

/* What a unit counts for: bytes or characters. */
static int measure(const CjkRun *stretch, int i, int in_characters) {
  if (!in_characters) return stretch->at[i + 1] - stretch->at[i];
  int n = 0;
  for (int at = stretch->at[i]; at < stretch->at[i + 1]; at++) {
    n += (stretch->text[at] & 0xC0) != 0x80;
  }
  return n;
}

/* Turns the ends of words into units, in place. An end inside a unit is left out, so that its word
** goes on to the next end. CJK_ERROR and why when they are no partition of the stretch. */
static int settle_ends(const CutterSegmenter *segmenter, const CjkRun *stretch, int *n_ends,
                       CjkError *error) {
  int in_characters = segmenter->entry->cutter.flags & CJK_ENDS_ARE_CHARACTERS;
  const char *counted = in_characters ? "character" : "byte";
  int *ends = segmenter->ends, n = *n_ends, last = 0, at = 0, unit = 0;
  *n_ends = 0;
  for (int i = 0; i < n; i++) {
    int end = ends[i];
    if (end <= last) {
      cjk_error(error, "word %d ends at %s %d and the one before it at %d: they must rise", i + 1,
                counted, end, last);
      return CJK_ERROR;
    }
    for (; unit < stretch->n && at < end; unit++) at += measure(stretch, unit, in_characters);
    if (at < end) {
      cjk_error(error, "word %d ends at %s %d, behind the end of the text (%d)", i + 1, counted,
                end, at);
      return CJK_ERROR;
    }
    if (!in_characters && (segmenter->text[end] & 0xC0) == 0x80) {
      cjk_error(error, "word %d ends at byte %d, inside a character", i + 1, end);
      return CJK_ERROR;
    }
    if (at == end) ends[(*n_ends)++] = unit;
    last = end;
  }
  if (unit == stretch->n && at == last) return CJK_OK;
  while (unit < stretch->n) at += measure(stretch, unit++, in_characters);
  cjk_error(error, "%s: the last word must end at %s %d, not %d",
            n ? "it left the end of the text out" : "it gave no words", counted, at, last);
  return CJK_ERROR;
}

static unsigned stamp_of(const CjkEmitter *emitter) {
  return emitter->stamp ? emitter->stamp(emitter->stamp_ctx) : 0;
}

/* CJK_ERROR and why when a cut is refused; turns its ends into units otherwise. */
static int check_cut(const CutterSegmenter *segmenter, const CjkRun *stretch, int is_disturbed,
                     int room, int *n_ends, CjkError *error) {
  if (is_disturbed) {
    cjk_error(error, CJK_USES_CONNECTION);
    return CJK_ERROR;
  }
  if (*n_ends < 0 || *n_ends > room) {
    cjk_error(error, "it gave %d words, and there is room for %d", *n_ends, room);
    return CJK_ERROR;
  }
  return settle_ends(segmenter, stretch, n_ends, error);
}

/* Has the host program's function cut segmenter->text into segmenter->ends. */
static int call_cutter(CutterSegmenter *segmenter, const CjkRun *stretch, CjkEmitter *emitter,
                       int *n_ends) {
  const CjkCutter *cutter = &segmenter->entry->cutter;
  CjkError *error = emitter->error;
  int n = length_of(stretch), room = 0;
  for (int i = 0; i < n; i++) room += (segmenter->text[i] & 0xC0) != 0x80;
  int rc = cjk_reserve((void **)&segmenter->ends, &segmenter->ends_capacity, room, sizeof(int));
  if (rc != CJK_OK) return rc;
  unsigned before = stamp_of(emitter);
  *n_ends = room;
  error->message[0] = 0;
  emitter->cutter = cutter;
  rc = cutter->cut(cutter->user, segmenter->text, n, emitter->locale, emitter->n_locale,
                   segmenter->ends, n_ends, error);
  emitter->cutter = NULL;
  error->message[sizeof(error->message) - 1] = 0;
  if (rc == CJK_OK) {
    int is_disturbed = emitter->was_entered || stamp_of(emitter) != before;
    rc = check_cut(segmenter, stretch, is_disturbed, room, n_ends, error);
    if (rc != CJK_OK && cutter->refused) cutter->refused(cutter->user, error);
  }
  return rc == CJK_OK ? rc : fail(segmenter, stretch, rc, error);
}

static int write_key(CutterSegmenter *segmenter, const CjkRun *stretch, const CjkEmitter *emitter,
                     int *n_key) {
  int n = length_of(stretch);
  *n_key = n + 1 + emitter->n_locale;
  int rc = cjk_reserve((void **)&segmenter->text, &segmenter->text_capacity, *n_key + 1, 1);
  if (rc != CJK_OK) return rc;
  memcpy(segmenter->text, stretch->text + stretch->at[0], (size_t)n);
  segmenter->text[n] = 0;
  if (emitter->n_locale) {
    memcpy(segmenter->text + n + 1, emitter->locale, (size_t)emitter->n_locale);
  }
  segmenter->text[*n_key] = 0;
  return CJK_OK;
}

static int emit_words(const CjkRun *stretch, const int *ends, int n, CjkEmitter *emitter) {
  int rc = CJK_OK;
  for (int i = 0, first = 0; rc == CJK_OK && i < n; first = ends[i++]) {
    rc = cjk_emit(emitter, 0, stretch->text + stretch->at[first],
                  stretch->at[ends[i]] - stretch->at[first], stretch->start[first],
                  stretch->end[ends[i] - 1]);
  }
  return rc;
}

int cjk_cutter_segment_stretch(void *self, const CjkRun *stretch, CjkEmitter *emitter) {
  CutterSegmenter *segmenter = (CutterSegmenter *)self;
  int n_key, n_ends = 0;
  cjk_emitter_mark(emitter, CJK_REGISTERED + cjk_registered_place(segmenter->entry));
  int rc = write_key(segmenter, stretch, emitter, &n_key);
  if (rc != CJK_OK) return rc;
  const int *ends = cjk_cut_cache_find(&segmenter->cache, segmenter->text, n_key, &n_ends);
  if (!ends) {
    rc = call_cutter(segmenter, stretch, emitter, &n_ends);
    if (rc == CJK_OK) {
      rc = cjk_cut_cache_add(&segmenter->cache, segmenter->text, n_key, segmenter->ends, n_ends);
    }
    ends = segmenter->ends;
  }
  return rc == CJK_OK ? emit_words(stretch, ends, n_ends, emitter) : rc;
}

int cjk_segment_by_cutter(void *self, const CjkRun *run, int more, const CjkOptions *options,
                          CjkEmitter *emitter, int *n_used) {
  CutterSegmenter *segmenter = (CutterSegmenter *)self;
  int n = more ? run->n - 1 : run->n; /* a part is cut as a run of its own */
  int rc = CJK_OK;
  for (int first = 0, behind; rc == CJK_OK && first < n; first = behind) {
    int group;
    behind = cjk_stretch_end(run, n, first, segmenter->group_of, &group);
    CjkRun stretch = cjk_run_part(run, first, behind);
    rc = group == IS_COVERED ? cjk_cutter_segment_stretch(self, &stretch, emitter)
                             : cjk_segment_rest(&stretch, options, emitter);
  }
  *n_used = n;
  return rc;
}
