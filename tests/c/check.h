/*
** check.h: the smallest harness that serves. A test program calls CHECK() and ends with
** `return check_result();`, which prints the count of checks and is 1 when one failed.
*/
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int checks_done, checks_failed;

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    checks_done++;                                                                                 \
    if (!(condition)) {                                                                            \
      checks_failed++;                                                                             \
      printf("%s:%d: %s\n    ", __FILE__, __LINE__, #condition);                                   \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
    }                                                                                              \
  } while (0)

static int check_result(void) {
  printf("%d checks, %d failed\n", checks_done, checks_failed);
  return checks_failed > 0;
}

#endif
