/*
** fuzz_analyze.c: any bytes, any options, any reason: tokens lie inside the text and their starts
** do not go back, and the same call gives the same tokens again.
**
** The first byte chooses the reason and how many arguments follow; each argument is one byte that
** picks a word from a list of option names and values (right ones and wrong ones); the rest is
** text.
**
**   make fuzz FUZZ_SECONDS=600
*/
#include "cjk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Seen {
  int n_text;
  int n_tokens;
  int last_start;
  uint64_t hash; /* FNV-1a over flags, offsets and bytes of all tokens */
} Seen;

static const char *const words[] = {
    "version",       "1",     "segment",        "bigram",     "unigram", "unigrams",    "0",
    "fold_kana",     "emoji", "fold_prolonged", "join_lines", "2",       "join_spaces", "porter",
    "bridge_markup", "",      "fold_iteration", "tokenchars", "-_",      "unicode61",   "nonsense",
};
enum { N_WORDS = sizeof words / sizeof words[0], MAX_ARGUMENTS = 15 };

static void require(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

static void mix(Seen *seen, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n; i++) seen->hash = (seen->hash ^ p[i]) * 0x100000001b3u;
}

static int on_token(void *ctx, int flags, const char *token, int n_token, int start, int end) {
  Seen *seen = ctx;
  require(n_token > 0, "a token has bytes");
  require(0 <= start && start <= end && end <= seen->n_text, "offsets lie inside the text");
  require(start >= seen->last_start, "starts do not go back");
  require(flags == 0 || seen->n_tokens > 0, "the first token is not colocated");
  seen->last_start = start;
  seen->n_tokens++;
  mix(seen, &flags, sizeof flags);
  mix(seen, &start, sizeof start);
  mix(seen, &end, sizeof end);
  mix(seen, token, (size_t)n_token);
  return CJK_OK;
}

static Seen analyze(CjkAnalyzer *analyzer, int reason, const char *text, int n) {
  Seen seen = {.n_text = n, .hash = 0xcbf29ce484222325u};
  int rc = cjk_analyze(analyzer, reason, text, n, NULL, 0, &seen, on_token);
  require(rc == CJK_OK, "odd text is no error");
  return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int reasons[] = {CJK_DOCUMENT, CJK_AUX, CJK_QUERY, CJK_QUERY | CJK_PREFIX};
  if (size == 0) return 0;
  int reason = reasons[data[0] & 3];
  int argc = (data[0] >> 2) % (MAX_ARGUMENTS + 1);
  if (size < 1 + (size_t)argc) return 0;
  const char *argv[MAX_ARGUMENTS];
  for (int i = 0; i < argc; i++) argv[i] = words[data[1 + i] % N_WORDS];

  CjkAnalyzer *analyzer = NULL;
  CjkError error = {{0}};
  int rc = cjk_analyzer_create(argv, argc, &analyzer, &error);
  if (rc != CJK_OK) {
    require(error.message[0] != 0, "an error has a message");
    require(memchr(error.message, 0, sizeof error.message) != NULL, "the message ends");
    return 0;
  }
  /* A copy of its own, without a byte behind: reading past the end is seen. */
  size_t n = size - 1 - (size_t)argc;
  char *text = malloc(n ? n : 1);
  if (text == NULL) abort();
  memcpy(text, data + 1 + argc, n);
  Seen first = analyze(analyzer, reason, text, (int)n);
  Seen second = analyze(analyzer, reason, text, (int)n);
  require(first.hash == second.hash, "the same call gives the same tokens");
  free(text);
  cjk_analyzer_free(analyzer);
  return 0;
}
