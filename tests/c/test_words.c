/*
** test_words.c: words tile the text, come out as jieba's (tests/test_words_equality.py compares on
** real text), and neither odd text, nor damaged dictionaries, nor lack of memory does harm.
*/
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "utf8.h"
#include "words.h"

enum { MOST = 4096 };

static uint32_t text[MOST];
static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

static size_t decode(const char *bytes, uint32_t *out) {
  const uint8_t *p = (const uint8_t *)bytes, *end = p + strlen(bytes);
  size_t n = 0;
  while (p < end) p += cjk_utf8_decode(p, end, &out[n++]);
  return n;
}

/* Adds the characters [start, end) of `text`. */
static void append_word(char *out, size_t start, size_t end) {
  out += strlen(out);
  for (size_t i = start; i < end; i++) out += cjk_utf8_encode(text[i], out);
  *out = 0;
}

/* Cuts and joins the words with blanks. */
static const char *joined(CjkWords *words, const char *bytes, CjkCutMode mode, int hmm) {
  static char out[4 * MOST];
  const CjkSpan *spans;
  size_t n = decode(bytes, text), n_spans;
  out[0] = 0;
  if (cjk_words_cut(words, text, n, mode, hmm, &spans, &n_spans) != CJK_OK) return "error";
  for (size_t i = 0; i < n_spans; i++) {
    if (i > 0) strcat(out, " ");
    append_word(out, spans[i].start, spans[i].end);
  }
  return out;
}

static int join_run_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  char *out = ctx;
  if (*out) strcat(out, flags & CJK_COLOCATED ? "+" : " ");
  append_word(out, start, end);
  return CJK_OK;
}

/* The same for a run: pieces after blanks, colocated words after a plus. */
static const char *joined_run(CjkWords *words, const char *bytes, int hmm, int longer) {
  static char out[4 * MOST];
  size_t n = decode(bytes, text);
  out[0] = 0;
  int rc = cjk_words_cut_run(words, text, n, hmm, longer, out, join_run_word);
  return rc == CJK_OK ? out : "error";
}

#define CHECK_TEXT(actual, expected)                                                               \
  do {                                                                                             \
    const char *text_ = (actual);                                                                  \
    CHECK(strcmp(text_, (expected)) == 0, "%s instead of %s", text_, (expected));                  \
  } while (0)

static void modes_cut_as_jieba_does(CjkWords *words) {
  CHECK_TEXT(joined(words, "小明硕士毕业于中国科学院计算所", CJK_CUT_DEFAULT, 1),
             "小明 硕士 毕业 于 中国科学院 计算所");
  CHECK_TEXT(joined(words, "小明硕士毕业于中国科学院", CJK_CUT_SEARCH, 1),
             "小明 硕士 毕业 于 中国 科学 学院 科学院 中国科学院");
  CHECK_TEXT(joined(words, "清华大学", CJK_CUT_ALL, 0), "清华 清华大学 华大 大学");
  CHECK_TEXT(joined(words, "他来到了网易杭研大厦", CJK_CUT_DEFAULT, 1),
             "他 来到 了 网易 杭研 大厦");
  CHECK_TEXT(joined(words, "他来到了网易杭研大厦", CJK_CUT_DEFAULT, 0),
             "他 来到 了 网易 杭 研 大厦");
}

static void latin_and_digits_follow_their_own_rules(CjkWords *words) {
  CHECK_TEXT(joined(words, "用C++写3.14%和a.b.c", CJK_CUT_DEFAULT, 1),
             "用 C++ 写 3.14% 和 a . b . c");
  CHECK_TEXT(joined(words, "iPhone15-3.5.7", CJK_CUT_DEFAULT, 1), "iPhone15 - 3.5 . 7");
  CHECK_TEXT(joined(words, "iPhone15-3.5.7", CJK_CUT_DEFAULT, 0), "iPhone15 - 3 . 5 . 7");
  CHECK_TEXT(joined(words, "a\r\n b", CJK_CUT_DEFAULT, 1), "a \r\n   b");
  CHECK_TEXT(joined(words, "T恤xT恤", CJK_CUT_ALL, 0), "T恤 xT恤");
  CHECK_TEXT(joined(words, "", CJK_CUT_ALL, 0), "");
}

static void empty_words_of_cut_all(CjkWords *words) {
  const CjkSpan *spans;
  size_t n_spans, n = decode("a b", text);
  CHECK(cjk_words_cut(words, text, n, CJK_CUT_ALL, 0, &spans, &n_spans) == CJK_OK, "failed");
  CHECK(n_spans == 5, "%d words", (int)n_spans); /* a, nothing, the blank, nothing, b */
  CHECK(spans[1].start == 1 && spans[1].end == 1, "%d..%d", (int)spans[1].start, (int)spans[1].end);
}

/* Between blocks cut_all parts the text at what Python takes for white space. */
static void white_space_parts_cut_all(CjkWords *words) {
  for (uint32_t c = 1; c < 0x3100; c++) {
    uint32_t blanks[] = {0x4E00, 0x3001, c, 0x3001, 0x4E00};
    int is_blank = (c >= 9 && c <= 13) || (c >= 28 && c <= 32) || c == 0x85 || c == 0xA0 ||
                   c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
                   c == 0x202F || c == 0x205F || c == 0x3000;
    const CjkSpan *spans;
    size_t n;
    if (cjk_dictionary_code(cjk_dictionary_builtin(), c)) continue; /* of a block */
    CHECK(cjk_words_cut(words, blanks, 5, CJK_CUT_ALL, 0, &spans, &n) == CJK_OK, "U+%04X", c);
    CHECK(n == (is_blank ? 5 : 3), "U+%04X: %d spans", c, (int)n);
  }
}

static void runs_are_cut_into_the_finest_pieces(CjkWords *words) {
  CHECK_TEXT(joined_run(words, "自然语言处理", 1, 1), "自然+自然语言 语言 处理");
  CHECK_TEXT(joined_run(words, "自然语言", 1, 0), "自然 语言");
  CHECK_TEXT(joined_run(words, "冰淇淋", 1, 1), "冰+冰淇淋 淇 淋");
  CHECK_TEXT(joined_run(words, "中国科学院", 1, 1), "中国+中国科学院 科+科学+科学院 学院");
  CHECK_TEXT(joined_run(words, "网易杭研大厦", 1, 1), "网易 杭+杭研 研 大厦");
  CHECK_TEXT(joined_run(words, "网易杭研大厦", 0, 1), "网易 杭 研 大厦");
  CHECK_TEXT(joined_run(words, "a\r\nb", 1, 1),
             "a \r\n b"); /* what is between words is as it was */
  CHECK_TEXT(joined_run(words, "", 1, 1), "");
}

/* Characters of all the kinds that the code tells apart. */
static size_t random_text(size_t most) {
  static const char han[] = "的是一不在人中国自然语言处理王小明乒乓球拍卖完了科学院计算所龘"
                            "鿕"
                            "\u9FD6㐀";
  static const char other[] = "abXY019+#&._%-AT&TC++ \t\r\n\u3000，。あア한";
  uint32_t pool[2][128];
  size_t sizes[2] = {decode(han, pool[0]), decode(other, pool[1])};
  size_t n = random_below((uint32_t)most + 1);
  for (size_t i = 0; i < n; i++) {
    uint32_t which = random_below(4) == 0;
    text[i] = pool[which][random_below((uint32_t)sizes[which])];
    if (random_below(50) == 0) text[i] = random_below(UINT32_MAX) << random_below(8);
  }
  return n;
}

static void check_spans(const CjkSpan *spans, size_t n_spans, size_t n, CjkCutMode mode) {
  size_t next = 0;
  for (size_t i = 0; i < n_spans; i++) {
    CHECK(spans[i].start <= spans[i].end && spans[i].end <= n, "span %d", (int)i);
    if (mode == CJK_CUT_DEFAULT) CHECK(spans[i].start == next, "gap before span %d", (int)i);
    if (mode != CJK_CUT_ALL) CHECK(spans[i].start < spans[i].end, "span %d is empty", (int)i);
    next = spans[i].end;
  }
  CHECK(next == n || mode == CJK_CUT_ALL, "the last %d characters are lost", (int)(n - next));
}

typedef struct Pieces {
  uint32_t next;
  uint32_t last_start;
  size_t n;
  size_t limit; /* of the words that are taken; then 1234 ends the call */
  uint32_t hash;
} Pieces;

static int check_run_word(void *ctx, int flags, uint32_t start, uint32_t end) {
  Pieces *pieces = ctx;
  if (pieces->n++ == pieces->limit) return 1234;
  CHECK(start < end, "an empty piece");
  if (flags & CJK_COLOCATED) {
    CHECK(start < pieces->next && start >= pieces->last_start, "not in the piece before");
    CHECK(end > pieces->last_start + 1, "a single character is colocated");
  } else {
    CHECK(start == pieces->next, "a gap, or pieces overlap");
    pieces->next = end;
    pieces->last_start = start;
    pieces->hash = pieces->hash * 31 + end;
  }
  return CJK_OK;
}

static void words_tile_any_text(CjkWords *words, int rounds) {
  for (int round = 0; round < rounds; round++) {
    size_t n = random_text(round % 50 == 0 ? MOST : 40);
    /* A copy of its own, so that a sanitizer sees a read past the end. */
    uint32_t *copy = malloc(n ? n * sizeof(*copy) : 1);
    memcpy(copy, text, n * sizeof(*copy));
    for (int mode = CJK_CUT_DEFAULT; mode <= CJK_CUT_ALL; mode++) {
      const CjkSpan *spans;
      size_t n_spans;
      int rc = cjk_words_cut(words, copy, n, (CjkCutMode)mode, round & 1, &spans, &n_spans);
      CHECK(rc == CJK_OK, "rc %d", rc);
      check_spans(spans, n_spans, n, (CjkCutMode)mode);
    }
    Pieces with = {.limit = SIZE_MAX}, without = {.limit = SIZE_MAX}, some = {.limit = 3};
    cjk_words_cut_run(words, copy, n, 1, 1, &with, check_run_word);
    cjk_words_cut_run(words, copy, n, 1, 0, &without, check_run_word);
    CHECK(with.next == n && without.next == n, "pieces do not reach the end");
    CHECK(with.hash == without.hash, "pieces depend on the longer words");
    int rc = cjk_words_cut_run(words, copy, n, 0, 1, &some, check_run_word);
    CHECK(rc == (some.n > 3 ? 1234 : CJK_OK), "the callback's code is lost: %d", rc);
    free(copy);
  }
}

/* With bits turned over anywhere behind the header the words are wrong, and nothing else is. */
static void damaged_dictionaries_do_no_harm(const CjkDictionary *dictionary) {
  size_t n = sizeof(CjkDictionary);
  unsigned char *image = malloc(n);
  for (int round = 0; round < 40; round++) {
    memcpy(image, dictionary, n);
    for (int i = 0; i < 1 << (round % 20); i++) {
      size_t at = offsetof(CjkDictionary, total);
      at += (random_below(1 << 12) << 12 | random_below(1 << 12)) % (n - at);
      image[at] = (unsigned char)random_below(256);
    }
    const CjkDictionary *damaged = cjk_dictionary_open(image, n);
    CHECK(damaged != NULL, "the header is in order");
    if (damaged == NULL) continue;
    CjkWords *words = cjk_words_create(damaged, NULL, NULL, NULL);
    words_tile_any_text(words, 10);
    cjk_words_free(words);
  }
  free(image);
}

static void wrong_headers_are_refused(const CjkDictionary *dictionary) {
  size_t n = sizeof(CjkDictionary);
  unsigned char *image = malloc(n + 8);
  memcpy(image, dictionary, n);
  CHECK(cjk_dictionary_open(image, n) != NULL, "a copy is a dictionary");
  CHECK(cjk_dictionary_open(image, n - 1) == NULL, "a byte is missing");
  CHECK(cjk_dictionary_open(image, 0) == NULL, "no bytes at all");
  memmove(image + 4, image, n);
  CHECK(cjk_dictionary_open(image + 4, n) == NULL, "not aligned");
  for (size_t at = 0; at < offsetof(CjkDictionary, name); at++) {
    memcpy(image, dictionary, n);
    image[at] ^= 1;
    CHECK(cjk_dictionary_open(image, n) == NULL, "byte %d of the header is wrong", (int)at);
  }
  memcpy(image, dictionary, n);
  memset(image + offsetof(CjkDictionary, fingerprint), 'f', sizeof(dictionary->fingerprint));
  CHECK(cjk_dictionary_open(image, n) == NULL, "the fingerprint does not end");
  memcpy(image, dictionary, n);
  memset(image + offsetof(CjkDictionary, name), 'n', sizeof(dictionary->name));
  CHECK(cjk_dictionary_open(image, n) == NULL, "the name does not end");
  free(image);
}

/* An allocator that fails from a certain call on. */
static int calls_left, blocks;

static void *failing_realloc(void *old, size_t size) {
  if (calls_left-- <= 0) return NULL;
  blocks += old == NULL;
  return realloc(old, size);
}

static void counting_free(void *block) {
  blocks--;
  free(block);
}

/* With `between` every other character is no part of a word. */
static void lack_of_memory_is_an_error(const CjkDictionary *dictionary, int between) {
  int rc = CJK_NOMEM;
  for (int calls = 0; rc == CJK_NOMEM; calls++) {
    calls_left = calls;
    CjkWords *words = cjk_words_create(dictionary, NULL, failing_realloc, counting_free);
    if (words != NULL) {
      const CjkSpan *spans;
      size_t n_spans;
      for (size_t i = 0; i < MOST; i++) text[i] = between && i % 2 ? 0x3002 : 0x4E00;
      rc = cjk_words_cut(words, text, MOST, CJK_CUT_ALL, 0, &spans, &n_spans);
      CHECK(rc == CJK_OK || (rc == CJK_NOMEM && spans == NULL && n_spans == 0), "rc %d", rc);
      calls_left = 100;
      int again = cjk_words_cut(words, text, MOST, CJK_CUT_DEFAULT, 0, &spans, &n_spans);
      CHECK(again == CJK_OK, "not usable after an error: %d", again);
      cjk_words_free(words);
    }
    CHECK(blocks == 0, "%d blocks leaked", blocks);
    CHECK(calls < 100, "no end of allocations");
  }
}

/* The natural logarithm without a mathematical library: ln x = k ln 2 + 2 artanh((m - 1) / (m +
 * 1)). */
static double natural_log(double x) {
  double k = 0, sum = 0;
  for (; x >= 2; x /= 2) k++;
  double z = (x - 1) / (x + 1), power = z;
  for (int i = 1; i < 60; i += 2, power *= z * z) sum += power / i;
  return k * 0.6931471805599453 + 2 * sum;
}

static int add(CjkUserWords *user, const char *word, uint64_t frequency) {
  uint32_t characters[128];
  return cjk_user_words_add(user, characters, decode(word, characters), frequency);
}

static void user_words_lie_over_the_dictionary(const CjkDictionary *dictionary) {
  CjkUserWords *user = cjk_user_words_create(dictionary, natural_log, NULL, NULL);
  CjkWords *words = cjk_words_create(NULL, user, NULL, NULL);
  char before[17];
  strcpy(before, cjk_user_words_fingerprint(user));

  uint64_t frequency = 0;
  CHECK(cjk_words_suggest_frequency(words, text, 0, &frequency) == CJK_OK, "of nothing");
  size_t n = decode("石墨烯", text);
  CHECK_TEXT(joined(words, "石墨烯材料", CJK_CUT_DEFAULT, 0), "石墨 烯 材料");
  n = decode("石墨烯", text);
  CHECK(cjk_words_suggest_frequency(words, text, n, &frequency) == CJK_OK, "no suggestion");
  CHECK(add(user, "石墨烯", frequency) == CJK_OK, "not added");
  CHECK_TEXT(joined(words, "石墨烯材料", CJK_CUT_DEFAULT, 0), "石墨烯 材料");
  CHECK_TEXT(joined_run(words, "石墨烯材料", 1, 1), "石墨+石墨烯 烯 材料");
  CHECK(strcmp(before, cjk_user_words_fingerprint(user)) != 0, "the fingerprint is the same");

  CHECK_TEXT(joined(words, "清华大学", CJK_CUT_DEFAULT, 1), "清华大学");
  CHECK(add(user, "清华大学", 0) == CJK_OK, "not taken away");
  CHECK_TEXT(joined(words, "清华大学", CJK_CUT_DEFAULT, 1), "清华 大学");
  CHECK(add(user, "杭研", 0) == CJK_OK, "not taken away");
  CHECK_TEXT(joined(words, "网易杭研大厦", CJK_CUT_DEFAULT, 1), "网易 杭 研 大厦");

  CHECK(add(user, "", 1) == CJK_ERROR, "the empty word");
  CHECK(add(user, "莱昂·内托", 1) == CJK_ERROR, "a middle dot is no part of a word");
  CHECK(add(user, "长", (UINT64_C(1) << 32) + 1) == CJK_TOOBIG, "too frequent");
  for (n = 0; n < 64; n++) text[n] = 0x4E00 + (uint32_t)n;
  CHECK(cjk_user_words_add(user, text, 64, 1) == CJK_TOOBIG, "too long");
  CHECK(cjk_user_words_add(user, text, 63, 1000) == CJK_OK, "the longest");
  const CjkSpan *spans;
  CHECK(cjk_words_cut(words, text, 64, CJK_CUT_DEFAULT, 1, &spans, &n) == CJK_OK, "failed");
  CHECK(n == 2 && spans[0].end == 63, "the longest word is not found: %d words", (int)n);
  words_tile_any_text(words, 100);
  cjk_words_free(words);
  cjk_user_words_free(user);
}

/* Letters that are no words by themselves make one; what the user gave can be asked for again. */
static void user_words_of_letters(const CjkDictionary *dictionary) {
  CjkUserWords *user = cjk_user_words_create(dictionary, natural_log, NULL, NULL);
  CjkWords *words = cjk_words_create(NULL, user, NULL, NULL);
  uint64_t frequency = 0;
  CHECK(add(user, "xyz", 1000) == CJK_OK && add(user, "xyw", 5) == CJK_OK, "not added");
  CHECK_TEXT(joined(words, "xyz", CJK_CUT_DEFAULT, 0), "xyz");
  CHECK_TEXT(joined_run(words, "xyz", 1, 1), "x+xyz y z");
  size_t n = decode("xyz", text);
  CHECK(cjk_words_suggest_frequency(words, text, n, &frequency) == CJK_OK && frequency >= 1000,
        "%d", (int)frequency);
  n = decode("a。", text);
  CHECK(cjk_words_suggest_frequency(words, text, n, &frequency) == CJK_ERROR, "no word");
  CHECK(cjk_dictionary_code(dictionary, 0x4DFF) == 0, "before the first Han character");
  CHECK(!cjk_user_words_begin(user, 0x20000), "behind the last");
  cjk_words_free(words);
  cjk_user_words_free(user);
}

static void too_much_is_refused(const CjkDictionary *dictionary) {
  CjkUserWords *user = cjk_user_words_create(dictionary, natural_log, NULL, NULL);
  CjkWords *words = cjk_words_create(dictionary, NULL, NULL, NULL);
  const CjkSpan *spans;
  uint64_t frequency;
  size_t n_spans, most = (size_t)1 << 30;
  int rc = cjk_words_cut(words, text, most + 1, CJK_CUT_DEFAULT, 0, &spans, &n_spans);
  CHECK(rc == CJK_TOOBIG && !spans, "%d", rc);
  rc = cjk_words_suggest_frequency(words, text, most + 1, &frequency);
  CHECK(rc == CJK_TOOBIG, "%d", rc);
  size_t n = decode("石墨烯", text);
  CHECK(cjk_words_suggest_frequency(words, text, n, &frequency) == CJK_OK && frequency > 0,
        "without words of the user");
  for (size_t i = 0; i < 200; i++) text[i] = 0x9F98; /* no word has it */
  CHECK(cjk_words_cut(words, text, 200, CJK_CUT_DEFAULT, 1, &spans, &n_spans) == CJK_OK, "long");
  check_spans(spans, n_spans, 200, CJK_CUT_DEFAULT);
  cjk_words_free(words);
  cjk_user_words_free(user); /* empty */
  cjk_words_free(NULL);
  cjk_user_words_free(NULL);
}

static void many_user_words(const CjkDictionary *dictionary) {
  CjkUserWords *user = cjk_user_words_create(dictionary, natural_log, NULL, NULL);
  CjkWords *words = cjk_words_create(dictionary, user, NULL, NULL);
  enum { N = 20000 };
  for (uint32_t i = 0; i < N; i++) {
    uint32_t word[3] = {0x4E00 + i % 20000, 0x4E00 + i * 7 % 20000, 0x5000 + i % 3};
    CHECK(cjk_user_words_add(user, word, 3, 100000) == CJK_OK, "word %d", (int)i);
  }
  for (uint32_t i = 0; i < N; i += 7) {
    uint32_t word[3] = {0x4E00 + i % 20000, 0x4E00 + i * 7 % 20000, 0x5000 + i % 3};
    const CjkSpan *spans;
    size_t n_spans;
    cjk_words_cut(words, word, 3, CJK_CUT_DEFAULT, 0, &spans, &n_spans);
    CHECK(n_spans == 1, "word %d is cut in %d", (int)i, (int)n_spans);
  }
  cjk_words_free(words);
  cjk_user_words_free(user);
}

/* Whatever fails, the words added before are there, and adding goes on. */
static void user_words_survive_lack_of_memory(const CjkDictionary *dictionary) {
  enum { N = 300 };
  int n_failed = 0;
  calls_left = 0;
  CHECK(!cjk_user_words_create(dictionary, natural_log, failing_realloc, counting_free),
        "made of nothing");
  for (uint32_t first_failing = 0; first_failing < N; first_failing++) {
    calls_left = 1;
    CjkUserWords *user =
        cjk_user_words_create(dictionary, natural_log, failing_realloc, counting_free);
    CHECK(cjk_user_words_step(user, 0, 0x4E00) == 0, "a word in an empty layer");
    for (uint32_t i = 0; i < N; i++) {
      uint32_t word[2] = {0x4E00 + i, 0x5E73};
      calls_left = i < first_failing ? 9 : i % 2; /* none at all, or the first of two */
      int rc = cjk_user_words_add(user, word, 2, 1000);
      if (rc == CJK_OK) continue;
      CHECK(rc == CJK_NOMEM && i >= first_failing, "word %d: %d", (int)i, rc);
      n_failed++;
      calls_left = 9;
      CHECK(cjk_user_words_add(user, word, 2, 1000) == CJK_OK, "word %d", (int)i);
    }
    for (uint32_t i = 0; i < N; i++) {
      uint32_t node = cjk_user_words_step(user, 0, 0x4E00 + i);
      const CjkUserWord *word =
          cjk_user_words_at(user, node ? cjk_user_words_step(user, node, 0x5E73) : 0);
      CHECK(word && word->frequency == 1000, "word %d is lost", (int)i);
    }
    cjk_user_words_free(user);
  }
  CHECK(n_failed > N / 2, "only %d failures", n_failed);
  CHECK(blocks == 0, "%d blocks leak", blocks);
}

int main(void) {
  const CjkDictionary *dictionary = cjk_dictionary_builtin();
  CHECK(dictionary != NULL, "the library's image is no dictionary");
  if (dictionary == NULL) return check_result();
  CHECK_TEXT(cjk_dictionary_name(dictionary), "jieba 0.42.1");
  CHECK(strlen(cjk_dictionary_fingerprint(dictionary)) == 16, "no fingerprint");

  CjkWords *words = cjk_words_create(dictionary, NULL, NULL, NULL);
  modes_cut_as_jieba_does(words);
  latin_and_digits_follow_their_own_rules(words);
  empty_words_of_cut_all(words);
  white_space_parts_cut_all(words);
  runs_are_cut_into_the_finest_pieces(words);
  words_tile_any_text(words, 2000);
  cjk_words_free(words);

  wrong_headers_are_refused(dictionary);
  damaged_dictionaries_do_no_harm(dictionary);
  lack_of_memory_is_an_error(dictionary, 0);
  lack_of_memory_is_an_error(dictionary, 1);
  user_words_lie_over_the_dictionary(dictionary);
  user_words_of_letters(dictionary);
  too_much_is_refused(dictionary);
  many_user_words(dictionary);
  user_words_survive_lack_of_memory(dictionary);
  return check_result();
}
