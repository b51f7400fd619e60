/*
** replay.c: what the tokenizer adds to the time of building an index.
**
**   make bench, or:  build/bench/benchmarks/replay build/bench/cjk.so FILE [ROUNDS]
**
** Builds the same index in memory twice, a row for each line of FILE: with tokenize='cjk', and with
** a tokenizer that hands FTS5 the same tokens from memory, where they were recorded before. The two
** take turns in ROUNDS rounds (default 5), each beginning every other one. Printed are the medians
** of CPU time, their ratio, and what tokenizing and replaying take alone, with a callback that only
** counts. The bar: a ratio of 1.05 at most.
**
** Takes about 25 bytes of memory a token: 220 MB for 16 MB of Chinese.
*/
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROUNDS = 101 };

typedef struct Token {
  int flags, start, end;
  int offset, n; /* its bytes */
} Token;

/* The recorded tokens of all lines, in their order. */
typedef struct Tape {
  Token *tokens;
  long n_tokens, tokens_capacity;
  char *bytes;
  long n_bytes, bytes_capacity;
  long *line_ends; /* of line i: how many tokens there are up to its end */
  long n_lines, lines_capacity;
  long line; /* the next to be replayed */
} Tape;

static Tape tape;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(const char *message) {
  fprintf(stderr, "replay: %s\n", message);
  exit(1);
}

static void check(int rc, sqlite3 *db) {
  if (rc != SQLITE_OK && rc != SQLITE_DONE) stop(sqlite3_errmsg(db));
}

/* Makes room for one more of `size` bytes each. */
static void *grow(void *block, long n, long *capacity, size_t size) {
  if (n < *capacity) return block;
  *capacity = *capacity ? *capacity * 2 : 1024;
  block = realloc(block, (size_t)*capacity * size);
  if (!block) stop("out of memory");
  return block;
}

/* ---- recording and replaying ---- */

static int record_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)ctx;
  while (tape.n_bytes + n >= tape.bytes_capacity) {
    tape.bytes = grow(tape.bytes, tape.bytes_capacity, &tape.bytes_capacity, 1);
  }
  tape.tokens = grow(tape.tokens, tape.n_tokens, &tape.tokens_capacity, sizeof(Token));
  Token *out = &tape.tokens[tape.n_tokens++];
  out->flags = flags;
  out->start = start;
  out->end = end;
  out->n = n;
  out->offset = (int)tape.n_bytes;
  memcpy(tape.bytes + tape.n_bytes, token, (size_t)n);
  tape.n_bytes += n;
  return SQLITE_OK;
}

static int replay_create(void *user, const char **argv, int argc, Fts5Tokenizer **out) {
  static int instance;
  (void)user, (void)argv, (void)argc;
  *out = (Fts5Tokenizer *)&instance;
  return SQLITE_OK;
}

static void replay_delete(Fts5Tokenizer *instance) {
  (void)instance;
}

static int replay_tokenize(Fts5Tokenizer *instance, void *ctx, int flags, const char *text, int n,
                           int (*on_token)(void *, int, const char *, int, int, int)) {
  long i = tape.line ? tape.line_ends[tape.line - 1] : 0, end = tape.line_ends[tape.line];
  int rc = SQLITE_OK;
  (void)instance, (void)flags, (void)text, (void)n;
  for (; rc == SQLITE_OK && i < end; i++) {
    const Token *t = &tape.tokens[i];
    rc = on_token(ctx, t->flags, tape.bytes + t->offset, t->n, t->start, t->end);
  }
  tape.line++;
  return rc;
}

static fts5_api *fts5_api_of(sqlite3 *db) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL), db);
  sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  return api;
}

/* ---- the text ---- */

static char *text;
static long n_text;

static void read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) stop("the file can't be read");
  fseek(file, 0, SEEK_END);
  n_text = ftell(file);
  rewind(file);
  text = malloc((size_t)n_text + 1);
  if (!text) stop("out of memory");
  n_text = (long)fread(text, 1, (size_t)n_text, file);
  fclose(file);
}

/* The line at `line` ends there; NULL behind the last. */
static const char *line_end(const char *line) {
  if (line >= text + n_text) return NULL;
  const char *end = memchr(line, '\n', (size_t)(text + n_text - line));
  return end ? end : text + n_text;
}

static void record(fts5_tokenizer *module, Fts5Tokenizer *cjk) {
  for (const char *line = text, *end; (end = line_end(line)) != NULL; line = end + 1) {
    int rc =
        module->xTokenize(cjk, NULL, FTS5_TOKENIZE_DOCUMENT, line, (int)(end - line), record_token);
    if (rc != SQLITE_OK) stop("the tokenizer failed");
    tape.line_ends = grow(tape.line_ends, tape.n_lines, &tape.lines_capacity, sizeof(long));
    tape.line_ends[tape.n_lines++] = tape.n_tokens;
  }
}

/* ---- what is timed ---- */

static int count_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)flags, (void)token, (void)n, (void)start, (void)end;
  ++*(long *)ctx;
  return SQLITE_OK;
}

static double tokenize_alone(fts5_tokenizer *module, Fts5Tokenizer *instance) {
  long n = 0;
  tape.line = 0;
  double start = now();
  for (const char *line = text, *end; (end = line_end(line)) != NULL; line = end + 1) {
    module->xTokenize(instance, &n, FTS5_TOKENIZE_DOCUMENT, line, (int)(end - line), count_token);
  }
  if (n != tape.n_tokens) stop("the tokens are not the same every time");
  return now() - start;
}

/* Time to fill a table; dropping it is not in it. */
static double build(sqlite3 *db, const char *create) {
  sqlite3_stmt *insert;
  tape.line = 0;
  double start = now();
  check(sqlite3_exec(db, create, NULL, NULL, NULL), db);
  check(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), db);
  check(sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?1)", -1, &insert, NULL), db);
  for (const char *line = text, *end; (end = line_end(line)) != NULL; line = end + 1) {
    sqlite3_bind_text(insert, 1, line, (int)(end - line), SQLITE_STATIC);
    check(sqlite3_step(insert), db);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  check(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), db);
  double seconds = now() - start;
  check(sqlite3_exec(db, "DROP TABLE t", NULL, NULL, NULL), db);
  return seconds;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, int n) {
  qsort(values, (size_t)n, sizeof(double), compare);
  return values[n / 2];
}

int main(int argc, char **argv) {
  static const char *const creates[] = {
      "CREATE VIRTUAL TABLE t USING fts5(body, tokenize='cjk')",
      "CREATE VIRTUAL TABLE t USING fts5(body, tokenize='replay')"};
  static fts5_tokenizer replay = {replay_create, replay_delete, replay_tokenize};
  double seconds[2][MAX_ROUNDS], alone[2][MAX_ROUNDS];
  int rounds = argc > 3 ? atoi(argv[3]) : 5;
  sqlite3 *db;
  fts5_tokenizer module;
  Fts5Tokenizer *cjk;
  char *message = NULL;
  void *user;
  if (argc < 3 || rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "usage: replay LIBRARY FILE [ROUNDS]\n");
    return 2;
  }
  read_file(argv[2]);
  check(sqlite3_open(":memory:", &db), db);
  sqlite3_enable_load_extension(db, 1);
  if (sqlite3_load_extension(db, argv[1], "sqlite3_cjk_init", &message) != SQLITE_OK) {
    stop(message);
  }
  fts5_api *api = fts5_api_of(db);
  check(api->xFindTokenizer(api, "cjk", &user, &module), db);
  check(module.xCreate(user, NULL, 0, &cjk), db);
  check(api->xCreateTokenizer(api, "replay", NULL, &replay, NULL), db);
  record(&module, cjk);
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < 2; i++) {
      int which = (round + i) % 2;
      seconds[which][round] = build(db, creates[which]);
    }
    alone[0][round] = tokenize_alone(&module, cjk);
    alone[1][round] = tokenize_alone(&replay, NULL);
  }
  double mine = median(seconds[0], rounds), theirs = median(seconds[1], rounds);
  printf("SQLite %s, %s, %.1f MB, %ld rows, %ld tokens, median of %d rounds\n",
         sqlite3_libversion(), argv[2], (double)n_text / 1e6, tape.n_lines, tape.n_tokens, rounds);
  printf("tokenize='cjk'           %8.3f s\n", mine);
  printf("tokens from memory       %8.3f s\n", theirs);
  printf("ratio                    %8.3f    (bar: 1.05)\n", mine / theirs);
  printf("tokenizing alone         %8.3f s  (%.1f %% of building)\n", median(alone[0], rounds),
         100 * median(alone[0], rounds) / mine);
  printf("replaying alone          %8.3f s\n", median(alone[1], rounds));
  module.xDelete(cjk);
  sqlite3_close(db);
  return 0;
}
