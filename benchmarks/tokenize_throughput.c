/*
** tokenize_throughput.c: tokenizing alone, no index.
**
**   tokenize_throughput LIBRARY FILE [ROUNDS]
**
** Calls xTokenize of each tokenizer for each line of FILE with a callback that only counts, the
** tokenizers taking turns in ROUNDS rounds (default 5), and prints the median of each as MB/s and
** as ratio to unicode61. memcpy and a loop that decodes UTF-8 are printed as the ceiling.
*/
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../csrc/core/utf8.h"

enum { MAX_ROUNDS = 101 };

typedef struct Case {
  const char *name;
  const char *arguments[8];
  Fts5Tokenizer *instance;
  fts5_tokenizer module;
  double seconds[MAX_ROUNDS];
  long n_tokens;
} Case;

static Case cases[] = {
    {"unicode61", {"unicode61"}, 0, {0}, {0}, 0},
    {"trigram", {"trigram"}, 0, {0}, {0}, 0},
    {"cjk", {"cjk"}, 0, {0}, {0}, 0},
    {"cjk unigrams 0", {"cjk", "unigrams", "0"}, 0, {0}, {0}, 0},
    {"cjk segment unigram", {"cjk", "segment", "unigram"}, 0, {0}, {0}, 0},
    {"cjk fold_kana 1", {"cjk", "fold_kana", "1"}, 0, {0}, {0}, 0},
    {"cjk fold_han 1", {"cjk", "fold_han", "1"}, 0, {0}, {0}, 0},
    {"cjk fold_prolonged 1", {"cjk", "fold_prolonged", "1"}, 0, {0}, {0}, 0},
    {"cjk fold_iteration 1", {"cjk", "fold_iteration", "1"}, 0, {0}, {0}, 0},
};
enum { N_CASES = sizeof(cases) / sizeof(cases[0]) };

static int count_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)flags, (void)token, (void)n, (void)start, (void)end;
  ++*(long *)ctx;
  return SQLITE_OK;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *read_file(const char *path, long *n) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *n = ftell(file);
  rewind(file);
  char *text = malloc((size_t)*n + 1);
  *n = (long)fread(text, 1, (size_t)*n, file);
  fclose(file);
  return text;
}

static void run_case(Case *one, const char *text, long n, int round) {
  double start = now();
  one->n_tokens = 0;
  for (const char *line = text, *end = text + n; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    one->module.xTokenize(one->instance, &one->n_tokens, FTS5_TOKENIZE_DOCUMENT, line,
                          (int)(stop - line), count_token);
    line = stop + 1;
  }
  one->seconds[round] = now() - start;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, int n) {
  qsort(values, (size_t)n, sizeof(double), compare);
  return values[n / 2];
}

static void print_ceilings(const char *text, long n) {
  char *copy = malloc((size_t)n);
  memset(copy, 1, (size_t)n);
  double start = now();
  memcpy(copy, text, (size_t)n);
  double copying = now() - start;
  uint32_t cp, sum = (uint32_t)copy[n / 2];
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  start = now();
  for (; p < end; sum += cp) p += cjk_utf8_decode(p, end, &cp);
  double decoding = now() - start;
  printf("%-24s %8.0f MB/s\n%-24s %8.0f MB/s  (sum %u)\n", "memcpy", (double)n / 1e6 / copying,
         "decode UTF-8", (double)n / 1e6 / decoding, sum);
  free(copy);
}

static fts5_api *fts5_api_of(sqlite3 *db) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL) != SQLITE_OK) return NULL;
  sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  return api;
}

int main(int argc, char **argv) {
  sqlite3 *db;
  char *message = NULL;
  long n = 0;
  int rounds = argc > 3 ? atoi(argv[3]) : 5;
  if (argc < 3 || rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "usage: tokenize_throughput LIBRARY FILE [ROUNDS]\n");
    return 2;
  }
  char *text = read_file(argv[2], &n);
  sqlite3_open(":memory:", &db);
  sqlite3_enable_load_extension(db, 1);
  if (!text || sqlite3_load_extension(db, argv[1], "sqlite3_cjk_init", &message) != SQLITE_OK) {
    fprintf(stderr, "%s\n", text ? message : "the file can't be read");
    return 1;
  }
  fts5_api *api = fts5_api_of(db);
  for (int i = 0; i < N_CASES; i++) {
    void *user;
    int n_arguments = 0;
    while (cases[i].arguments[n_arguments]) n_arguments++;
    if (api->xFindTokenizer(api, cases[i].arguments[0], &user, &cases[i].module) != SQLITE_OK ||
        cases[i].module.xCreate(user, cases[i].arguments + 1, n_arguments - 1,
                                &cases[i].instance) != SQLITE_OK) {
      cases[i].instance = NULL;
    }
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < N_CASES; i++) {
      if (cases[i].instance) run_case(&cases[i], text, n, round);
    }
  }
  printf("SQLite %s, %s, %.1f MB, median of %d rounds\n", sqlite3_libversion(), argv[2],
         (double)n / 1e6, rounds);
  double base = median(cases[0].seconds, rounds);
  for (int i = 0; i < N_CASES; i++) {
    if (!cases[i].instance) continue;
    double seconds = i ? median(cases[i].seconds, rounds) : base;
    printf("%-24s %8.0f MB/s  %5.2f x unicode61  %9ld tokens\n", cases[i].name,
           (double)n / 1e6 / seconds, base / seconds, cases[i].n_tokens);
    cases[i].module.xDelete(cases[i].instance);
  }
  print_ceilings(text, n);
  free(text);
  sqlite3_close(db);
  return 0;
}
