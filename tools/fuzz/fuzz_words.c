/*
** fuzz_words.c: any text, any mode, over a sound dictionary or a damaged one, with words of the user
** or without: the words lie inside the text, those of cut tile it, nothing outside of the
** dictionary's image is read, and an image with another header is none.
**
** Choices: the mode, how many bytes of the image are changed, and for each of them three of the
** place and one of the value. Line: the user's words, with blanks between; then the text.
*/
#include <math.h>
#include <stddef.h>

#include "fuzz.h"
#include "words.h"

enum { MAX_TEXT = 4096, MAX_CHANGES = 64 };
enum { CUT_MODE = 3, HMM = 4, LONGER = 8, HEADER = 16, USER = 32 }; /* bits of the first choice */

static int on_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  uint32_t *next = ctx;
  require(start < end, "a piece has characters");
  require(flags == CJK_COLOCATED || start == *next, "pieces tile the run");
  if (flags == 0) *next = end;
  return CJK_OK;
}

/* The code points of a text; the caller frees them. */
static uint32_t *decode(const char *text, int n_text, size_t *n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n_text;
  uint32_t *codes = malloc(((size_t)n_text + 1) * sizeof(*codes));
  require(codes != NULL, "there is memory");
  for (*n = 0; p < end && *n < MAX_TEXT; ++*n) p += cjk_utf8_decode(p, end, &codes[*n]);
  return codes;
}

static void cut(const CjkDictionary *dictionary, const CjkUserWords *user, unsigned mode,
                const uint32_t *text, size_t n) {
  CjkWords *words = cjk_words_create(dictionary, user, NULL, NULL);
  CjkCutMode cut_mode = (CjkCutMode)((mode & CUT_MODE) % 3);
  const CjkSpan *spans;
  size_t n_spans, next = 0;
  require(words != NULL, "there is memory");
  int rc = cjk_words_cut(words, text, n, cut_mode, mode & HMM, &spans, &n_spans);
  require(rc == CJK_OK, "odd text is no error");
  for (size_t i = 0; i < n_spans; i++) {
    require(spans[i].start <= spans[i].end && spans[i].end <= n, "words lie inside the text");
    require(cut_mode != CJK_CUT_DEFAULT || spans[i].start == next, "words tile the text");
    next = spans[i].end;
  }
  require(cut_mode != CJK_CUT_DEFAULT || next == n, "words reach the end");
  uint32_t reached = 0;
  rc = cjk_words_cut_run(words, text, n, mode & HMM, mode & LONGER, &reached, on_word);
  require(rc == CJK_OK && reached == n, "pieces reach the end");
  uint64_t frequency;
  rc = cjk_words_suggest_frequency(words, text, n < CJK_USER_WORD_MAX ? n : CJK_USER_WORD_MAX,
                                   &frequency);
  require(rc == CJK_OK || rc == CJK_ERROR, "any word has a frequency, or can be none");
  cjk_words_free(words);
}

/* A layer of the line's words; every third one is taken away. */
static CjkUserWords *make_user_words(const CjkDictionary *dictionary, const uint32_t *line,
                                     size_t n) {
  CjkUserWords *user = cjk_user_words_create(dictionary, log, NULL, NULL);
  require(user != NULL, "there is memory");
  for (size_t start = 0, end = 0, i = 0; start < n; start = end + 1, i++) {
    for (end = start; end < n && line[end] != ' ';) end++;
    int rc = cjk_user_words_add(user, line + start, end - start, i % 3 == 2 ? 0 : i * 1000);
    require(rc == CJK_OK || rc == CJK_ERROR || rc == CJK_TOOBIG, "a word is taken or refused");
  }
  return user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t *image; /* a copy without a byte behind it, made whole again after each call */
  const CjkDictionary *sound = cjk_dictionary_builtin();
  require(sound != NULL, "the library has a dictionary");
  if (image == NULL) {
    image = malloc(sizeof *sound);
    require(image != NULL, "there is memory");
    memcpy(image, sound, sizeof *sound);
    require(cjk_dictionary_open(image, sizeof *sound - 8) == NULL, "a part is no dictionary");
  }
  Input in = {data, data + size};
  unsigned mode = take_choice(&in);
  size_t changed[MAX_CHANGES], n_changed = take_choice(&in) % MAX_CHANGES;
  size_t first = mode & HEADER ? 0 : offsetof(CjkDictionary, total);
  size_t room = mode & HEADER ? offsetof(CjkDictionary, total) : sizeof *sound - first;
  for (size_t i = 0; i < n_changed; i++) {
    size_t at = take_choice(&in);
    at = at << 8 | take_choice(&in);
    at = first + (at << 8 | take_choice(&in)) % room;
    changed[i] = at;
    image[at] = (uint8_t)take_choice(&in);
  }
  int n_line, n_text;
  size_t n_codes, n;
  char *line = take_line(&in, &n_line), *bytes = take_rest(&in, &n_text);
  uint32_t *codes = decode(line, n_line, &n_codes), *text = decode(bytes, n_text, &n);
  const CjkDictionary *dictionary = cjk_dictionary_open(image, sizeof *sound);
  require(dictionary || mode & HEADER, "what follows the header may be anything");
  if (dictionary) {
    require(strlen(cjk_dictionary_name(dictionary)) < sizeof(sound->name), "the name ends");
    require(strlen(cjk_dictionary_fingerprint(dictionary)) < sizeof(sound->fingerprint),
            "the fingerprint ends");
    CjkUserWords *user = mode & USER ? make_user_words(dictionary, codes, n_codes) : NULL;
    cut(dictionary, user, mode, text, n);
    if (user) cjk_user_words_free(user);
  }
  for (size_t i = 0; i < n_changed; i++) image[changed[i]] = ((const uint8_t *)sound)[changed[i]];
  free(codes);
  free(text);
  free(line);
  free(bytes);
  return 0;
}
