/*
** words_throughput.c: cutting into words alone, no index.
**
**   words_throughput LIBRARY FILE [ROUNDS]
**
** Loads the library and prints how long that and the first word take, and the memory it costs this
** process alone. Then cuts each line of FILE in each mode, decoding it from UTF-8 every time,
** ROUNDS times over (default 7, the modes taking turns), and prints the median of the processor time as
** MB/s. benchmarks/words_throughput.py runs this beside other segmenters.
*/
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../csrc/core/utf8.h"
#include "../csrc/core/words.h"

enum { MAX_ROUNDS = 101 };

static struct {
  const CjkDictionary *(*builtin)(void);
  CjkWords *(*create)(const CjkDictionary *, const CjkUserWords *, CjkReallocFn, CjkFreeFn);
  int (*cut)(CjkWords *, const uint32_t *, size_t, CjkCutMode, int, const CjkSpan **, size_t *);
  int (*cut_run)(CjkWords *, const uint32_t *, size_t, int, int, void *, CjkRunWordFn);
} library;

typedef struct Case {
  const char *name;
  int run; /* cut_run instead of cut */
  CjkCutMode mode;
  int hmm;
  double seconds[MAX_ROUNDS];
  size_t n_words;
} Case;

static Case cases[] = {
    {"cut", 0, CJK_CUT_DEFAULT, 1, {0}, 0},
    {"cut, hmm 0", 0, CJK_CUT_DEFAULT, 0, {0}, 0},
    {"cut_for_search", 0, CJK_CUT_SEARCH, 1, {0}, 0},
    {"cut_for_search, hmm 0", 0, CJK_CUT_SEARCH, 0, {0}, 0},
    {"cut_all", 0, CJK_CUT_ALL, 0, {0}, 0},
    {"finest cut and longer words", 1, CJK_CUT_DEFAULT, 1, {0}, 0},
};
enum { N_CASES = sizeof(cases) / sizeof(cases[0]) };

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "words_throughput: %s %s\n", what, which);
  exit(1);
}

/* Kilobytes that this process has written and shares with nobody; -1 where there is no /proc. */
static long private_kilobytes(void) {
  char line[256];
  long kilobytes = -1;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  if (!file) return -1;
  while (fgets(line, sizeof line, file)) sscanf(line, "Private_Dirty: %ld", &kilobytes);
  fclose(file);
  return kilobytes;
}

static char *read_file(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot read", path);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*n + 1);
  if (!text || fread(text, 1, *n, file) != *n) fail("cannot read", path);
  fclose(file);
  return text;
}

/* POSIX wants functions from dlsym, ISO C does not know them: by way of the bytes. */
static void find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  if (!symbol) fail("the library has no function", name);
  memcpy(function, &symbol, sizeof symbol);
}

static CjkWords *load(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail("cannot load", dlerror());
  find(handle, "cjk_dictionary_builtin", &library.builtin);
  find(handle, "cjk_words_create", &library.create);
  find(handle, "cjk_words_cut", &library.cut);
  find(handle, "cjk_words_cut_run", &library.cut_run);
  return library.create(library.builtin(), NULL, NULL, NULL);
}

static int count_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  (void)flags, (void)start, (void)end;
  ++*(size_t *)ctx;
  return CJK_OK;
}

static size_t cut_line(CjkWords *words, const Case *c, const uint32_t *line, size_t n) {
  const CjkSpan *spans;
  size_t n_words = 0;
  int rc = c->run ? library.cut_run(words, line, n, c->hmm, 1, &n_words, count_word)
                  : library.cut(words, line, n, c->mode, c->hmm, &spans, &n_words);
  if (rc != CJK_OK) fail("cannot", c->name);
  return n_words;
}

static size_t cut_lines(CjkWords *words, const Case *c, const char *text, size_t n) {
  static uint32_t line[1 << 20];
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  size_t n_words = 0, length = 0;
  while (p < end) {
    p += cjk_utf8_decode(p, end, &line[length]);
    if (line[length] != '\n' && p < end && length + 1 < sizeof line / sizeof line[0]) {
      length++;
      continue;
    }
    n_words += cut_line(words, c, line, length);
    length = 0;
  }
  return n_words;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc < 3) fail("usage:", "words_throughput LIBRARY FILE [ROUNDS]");
  int rounds = argc > 3 ? atoi(argv[3]) : 7;
  if (rounds < 1 || rounds > MAX_ROUNDS) fail("ROUNDS is not between 1 and 101:", argv[3]);
  size_t n, n_spans;
  char *text = read_file(argv[2], &n);

  static const uint32_t first[] = {0x81EA, 0x7136, 0x8BED, 0x8A00, 0x5904, 0x7406};
  const CjkSpan *spans;
  long before = private_kilobytes();
  double start = now(CLOCK_MONOTONIC);
  CjkWords *words = load(argv[1]);
  double loaded = now(CLOCK_MONOTONIC);
  if (!words || library.cut(words, first, 6, CJK_CUT_SEARCH, 1, &spans, &n_spans) != CJK_OK)
    fail("cannot cut", argv[1]);
  double cut = now(CLOCK_MONOTONIC);
  printf("loaded in %.3f ms, first words %.3f ms later\n", (loaded - start) * 1e3,
         (cut - loaded) * 1e3);

  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < N_CASES; i++) {
      start = now(CLOCK_PROCESS_CPUTIME_ID);
      cases[i].n_words = cut_lines(words, &cases[i], text, n);
      cases[i].seconds[round] = now(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
  }
  for (int i = 0; i < N_CASES; i++) {
    qsort(cases[i].seconds, (size_t)rounds, sizeof(double), compare);
    double median = cases[i].seconds[rounds / 2];
    printf("%-28s %7.1f MB/s  %9zu words\n", cases[i].name, (double)n / median * 1e-6,
           cases[i].n_words);
  }
  printf("private memory: %ld kB\n", private_kilobytes() - before);
  return 0;
}
