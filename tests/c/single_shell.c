/*
** single_shell.c: a program that links SQLite and cjk_tokenizer.c into itself, in C or C++.
**
** Reads SQL from standard input, a statement a line, and prints the rows of each, a column a line.
** With the argument `core` it prints the tokens of each line instead, by the tokenizer without
** SQLite. Exit status 1 with a message at the first error.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cjk_tokenizer.h"
#include "sqlite3.h"

enum { LONGEST = 1 << 20 };

static char line[LONGEST];

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

static int print_row(void *ctx, int n, char **values, char **names) {
  (void)ctx, (void)names;
  for (int i = 0; i < n; i++) printf("%s\n", values[i] ? values[i] : "NULL");
  return 0;
}

static int run_sql(void) {
  sqlite3 *db, *other;
  char *message = NULL;
  int rc = sqlite3_auto_extension((void (*)(void))sqlite3_cjk_init);
  if (rc == SQLITE_OK) rc = sqlite3_open(":memory:", &db);
  if (rc != SQLITE_OK) return fail("sqlite3_open() failed");
  while (fgets(line, sizeof(line), stdin)) {
    if (sqlite3_exec(db, line, print_row, NULL, &message) != SQLITE_OK) return fail(message);
  }
  if (sqlite3_close(db) != SQLITE_OK) return fail("sqlite3_close() failed");

  /* The other way: one connection alone. */
  sqlite3_reset_auto_extension();
  if (sqlite3_open(":memory:", &other) != SQLITE_OK) return fail("sqlite3_open() failed");
  rc = sqlite3_cjk_auto_init(other, &message, NULL);
  if (rc != SQLITE_OK) return fail(message ? message : sqlite3_errstr(rc));
  if (sqlite3_exec(other, "SELECT cjk_version()", NULL, NULL, &message)) return fail(message);
  return sqlite3_close(other) == SQLITE_OK ? 0 : fail("sqlite3_close() failed");
}

static int print_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)ctx;
  printf("%s%.*s %d-%d\n", flags & CJK_COLOCATED ? "+" : "", n, token, start, end);
  return CJK_OK;
}

static int run_core(void) {
  CjkAnalyzer *analyzer;
  CjkError error;
  int rc = cjk_analyzer_create(NULL, 0, &analyzer, &error);
  if (rc != CJK_OK) return fail(error.message);
  while (rc == CJK_OK && fgets(line, sizeof(line), stdin)) {
    int n = (int)strcspn(line, "\n");
    rc = cjk_analyze(analyzer, CJK_DOCUMENT, line, n, NULL, 0, NULL, print_token);
  }
  cjk_analyzer_free(analyzer);
  return rc == CJK_OK ? 0 : fail("cjk_analyze() failed");
}

int main(int argc, char **argv) {
  return argc > 1 && strcmp(argv[1], "core") == 0 ? run_core() : run_sql();
}
