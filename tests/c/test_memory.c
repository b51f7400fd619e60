/*
** test_memory.c: detect, relevance and chunks alone, at their edges: exact copies of the text, so
** that a sanitizer sees a read past the end, and memory that runs out.
*/
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "chunks.h"
#include "cjk.h"
#include "detect.h"
#include "memory.h"
#include "relevance.h"

#define LINK "(:/0123456789abcdef0123456789abcdef)"

static const char *const texts[] = {
    "",
    " ",
    "学",
    "\xE5\xAD",
    "a\xF0\x9F",
    "学习。\xE5",
    "(",
    ":",
    ":/",
    "(:/0123456789abcdef0123456789abcde",
    "(:/0123456789abcdef0123456789abcdef",
    ":/0123456789abcdef0123456789abcdef",
    ":/0123456789abcdef0123456789abcdefX",
    ":/0123456789abcdef0123456789abcdef{",
    "a:/0123456789abcdef0123456789abcdef_",
    "क्\xE2\x80\x8Dष",
    "a\rb\r",
    "a\r\n",
    LINK,
    " " LINK " ",
    "a" LINK,
    LINK LINK "a" LINK "b" LINK LINK,
    "\xF0\x9F\x87\xAF\xF0\x9F\x87\xB5\xF0\x9F\x87\xAF",
    "a.\n\n\n",
    "\n",
    "...\"",
};
enum { N_TEXTS = sizeof(texts) / sizeof(texts[0]) };

/* A copy of exactly n bytes. */
static char *copy_of(const char *text, size_t n) {
  char *copy = malloc(n ? n : 1);
  memcpy(copy, text, n);
  return copy;
}

/* Cuts a text and checks that its chunks lie in it, in order, each within its size. Returns their
** number, or minus the error. */
static int cut(const char *text, int n, int size, int overlap) {
  CjkChunkOptions options = {size, overlap, CJK_CHUNK_NATURAL};
  CjkChunker chunker;
  CjkChunk chunk;
  CjkError error;
  int count = 0, start = -1;
  int rc = cjk_chunker_open(&chunker, text, n, &options, &error);
  while (rc == CJK_OK && (rc = cjk_chunker_next(&chunker, &chunk)) == CJK_OK && chunk.text) {
    CHECK(chunk.ordinal == count, "%d: %s", chunk.ordinal, text);
    CHECK(chunk.start > start && chunk.end > chunk.start && chunk.end <= n, "%d", chunk.start);
    CHECK(chunk.n > 0 && chunk.n <= chunk.end - chunk.start && chunk.n <= 4 * size, "%d", chunk.n);
    start = chunk.start;
    count++;
  }
  cjk_chunker_close(&chunker);
  return rc == CJK_OK ? count : -rc;
}

static void nothing_is_read_past_the_end(void) {
  for (int i = 0; i < N_TEXTS; i++) {
    size_t n = strlen(texts[i]);
    for (size_t length = 0; length <= n; length++) {
      char *copy = copy_of(texts[i], length);
      double score = -1;
      for (int size = 1; size < 5; size++) cut(copy, (int)length, size, size / 2);
      CHECK(strlen(cjk_detect(copy, (int)length)) == 2, "%s", texts[i]);
      CHECK(cjk_relevance(copy, (int)length, copy, (int)length, &score) == CJK_OK, "%s", texts[i]);
      CHECK(score == 0 || score == 1, "%f: %s", score, texts[i]);
      free(copy);
    }
  }
}

static void links_are_no_text(void) {
  CHECK(cut("", 0, 9, 0) == 0, "nothing in nothing");
  CHECK(cut(LINK " " LINK, 2 * 36 + 1, 9, 0) == 0, "nothing but links");
  CHECK(cut("a" LINK "b", 38, 2, 0) == 1, "two characters");
  CHECK(cut("ab", 2, 3, 3) == -CJK_ERROR, "overlap as large as the chunk");
}

static int n_allocations_left;

static void *failing_realloc(void *old, size_t size) {
  return n_allocations_left-- > 0 ? realloc(old, size) : NULL;
}

static void memory_may_run_out(void) {
  char text[4000];
  double score;
  int n_failed = 0;
  for (size_t i = 0; i < sizeof(text); i += 40) memcpy(text + i, "word " LINK "\n", 40);
  for (int left = 0;; left++) {
    n_allocations_left = left;
    int count = cut(text, (int)sizeof(text), 150, 10);
    if (count > 0) break;
    CHECK(count == -CJK_NOMEM, "%d", count);
    n_failed++;
  }
  CHECK(n_failed >= 2, "%d", n_failed);
  n_allocations_left = 0;
  CHECK(cjk_relevance("a", 1, "a", 1, &score) == CJK_NOMEM, "relevance");
}

/* Arrays have an end, before sizes overflow. */
static void arrays_may_be_too_big(void) {
  void *array = NULL;
  int capacity = 0;
  CHECK(cjk_reserve(&array, &capacity, INT_MAX, 8) == CJK_TOOBIG, "too big");
  CHECK(array == NULL && capacity == 0, "%d", capacity);
}

int main(void) {
  cjk_set_allocator(failing_realloc, free);
  n_allocations_left = 1000000;
  nothing_is_read_past_the_end();
  links_are_no_text();
  memory_may_run_out();
  arrays_may_be_too_big();
  return check_result();
}
