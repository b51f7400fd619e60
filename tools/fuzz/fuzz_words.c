/*
** fuzz_words.c: any text, any mode, over a sound dictionary or a damaged one: the words lie
** inside the text, those of cut tile it, and nothing outside of the dictionary's image is read.
**
** The first byte is the mode, the second how many bytes of the image are changed; each change is
** three bytes of offset and one value; the rest is text. A sanitizer watches the copy of the image.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"
#include "words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TEXT = 4096, MAX_CHANGES = 64 };

static void require(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

static int on_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  uint32_t *next = ctx;
  require(start < end, "a piece has characters");
  require(flags == CJK_COLOCATED || start == *next, "pieces tile the run");
  if (flags == 0) *next = end;
  return CJK_OK;
}

static void cut(const CjkDictionary *dictionary, int mode, const uint32_t *text, size_t n) {
  CjkWords *words = cjk_words_create(dictionary, NULL, NULL, NULL);
  const CjkSpan *spans;
  size_t n_spans, next = 0;
  require(words != NULL, "there is memory");
  int rc = cjk_words_cut(words, text, n, (CjkCutMode)(mode % 3), mode & 4, &spans, &n_spans);
  require(rc == CJK_OK, "odd text is no error");
  for (size_t i = 0; i < n_spans; i++) {
    require(spans[i].start <= spans[i].end && spans[i].end <= n, "words lie inside the text");
    require(mode % 3 != CJK_CUT_DEFAULT || spans[i].start == next, "words tile the text");
    next = spans[i].end;
  }
  uint32_t reached = 0;
  rc = cjk_words_cut_run(words, text, n, mode & 4, mode & 8, &reached, on_word);
  require(rc == CJK_OK && reached == n, "pieces reach the end");
  cjk_words_free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t *image; /* a copy without a byte behind it, made whole again after each call */
  const CjkDictionary *sound = cjk_dictionary_builtin();
  require(sound != NULL, "the library has a dictionary");
  if (image == NULL) image = malloc(sizeof *sound);
  require(image != NULL, "there is memory");
  if (size == 0) memcpy(image, sound, sizeof *sound);
  if (size < 2) return 0;

  static int is_copied;
  if (!is_copied) memcpy(image, sound, sizeof *sound);
  is_copied = 1;
  const uint8_t *p = data + 2, *end = data + size;
  size_t changed[MAX_CHANGES], n_changed = 0, first = offsetof(CjkDictionary, total);
  for (; n_changed < data[1] % MAX_CHANGES && end - p >= 4; p += 4) {
    size_t at = ((size_t)p[0] << 16 | (size_t)p[1] << 8 | p[2]) % (sizeof *sound - first);
    changed[n_changed++] = first + at;
    image[first + at] = p[3];
  }
  size_t n = 0, room = (size_t)(end - p) < MAX_TEXT ? (size_t)(end - p) : MAX_TEXT;
  uint32_t *text = malloc((room + 1) * sizeof *text);
  require(text != NULL, "there is memory");
  while (p < end && n < room) p += cjk_utf8_decode(p, end, &text[n++]);
  cut(cjk_dictionary_open(image, sizeof *sound), data[0], text, n);
  free(text);
  for (size_t i = 0; i < n_changed; i++) image[changed[i]] = ((const uint8_t *)sound)[changed[i]];
  return 0;
}
