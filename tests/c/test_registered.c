/*
** test_registered.c: the registry of segmenters, and what a cutter may and may not do.
*/
#include <stdlib.h>
#include <string.h>

#include "auto_segmenter.h"
#include "check.h"
#include "cjk.h"
#include "cut_cache.h"
#include "cutter_segmenter.h"
#include "pairs.h"
#include "registered.h"
#include "segmenters.h"
#include "word_segmenter.h"

/* A cutter that gives what it is told to, and counts. */
typedef struct Told {
  const int *ends;
  int n_ends, rc;
  const char *message;
  CjkAnalyzer *enters; /* is asked for a text while the cutter runs */
  int n_calls, n_destroyed;
  char seen[64];
} Told;

static int ignore(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)ctx, (void)flags, (void)token, (void)n, (void)start, (void)end;
  return CJK_OK;
}

static int cut(void *user, const char *text, int n, const char *locale, int n_locale, int *ends,
               int *n_ends, CjkError *error) {
  Told *told = user;
  (void)locale, (void)n_locale;
  told->n_calls++;
  CHECK(text[n] == 0 && (int)strlen(text) == n, "%d bytes, then a NUL", n);
  snprintf(told->seen, sizeof(told->seen), "%s", text);
  if (told->enters) {
    int rc = cjk_analyze(told->enters, CJK_QUERY, "x", 1, NULL, 0, NULL, ignore);
    CHECK(rc == CJK_ERROR, "%d", rc);
  }
  if (told->message) snprintf(error->message, sizeof(error->message), "%s", told->message);
  for (int i = 0; i < told->n_ends && i < *n_ends; i++) ends[i] = told->ends[i];
  *n_ends = told->n_ends;
  return told->rc;
}

static void destroy(void *user) {
  ((Told *)user)->n_destroyed++;
}

static void register_told(const char *name, Told *told, int flags, const char *languages) {
  CjkCutter cutter = {CJK_CUTTER_VERSION, flags, languages, told, cut, destroy, NULL};
  CjkError error;
  int rc = cjk_register_segmenter(name, &cutter, &error);
  CHECK(rc == CJK_OK, "%s: %d %s", name, rc, error.message);
}

static CjkAnalyzer *opened(const char *name) {
  const char *argv[] = {"segment", name};
  CjkAnalyzer *analyzer = NULL;
  CjkError error;
  int rc = cjk_analyzer_create(argv, 2, &analyzer, &error);
  CHECK(rc == CJK_OK, "%s: %d %s", name, rc, error.message);
  return analyzer;
}

static int add(void *ctx, int flags, const char *token, int n, int start, int end) {
  char *line = ctx;
  size_t used = strlen(line);
  (void)start, (void)end;
  snprintf(line + used, 256 - used, "%s%s%.*s", used ? " " : "", flags & CJK_COLOCATED ? "+" : "",
           n, token);
  return CJK_OK;
}

/* The tokens of a text, with blanks between them. */
static int tokens(CjkAnalyzer *analyzer, const char *text, char line[256]) {
  line[0] = 0;
  return cjk_analyze(analyzer, CJK_DOCUMENT, text, (int)strlen(text), NULL, 0, line, add);
}

static void expect(int flags, const int *ends, int n_ends, const char *text, const char *expected) {
  Told told = {ends, n_ends, CJK_OK, NULL, NULL, 0, 0, ""};
  char line[256];
  register_told("told", &told, flags, NULL);
  CjkAnalyzer *analyzer = opened("told");
  int rc = tokens(analyzer, text, line);
  const char *message = cjk_analyzer_message(analyzer);
  if (rc == CJK_OK) {
    CHECK(strcmp(line, expected) == 0, "%s: %s, not %s", text, line, expected);
    CHECK(message[0] == 0, "%s", message);
  } else {
    CHECK(rc == CJK_ERROR && strstr(message, expected) && strstr(message, "segmenter told, text"),
          "%s: %d %s, not %s", text, rc, message, expected);
  }
  cjk_analyzer_free(analyzer);
  CHECK(cjk_unregister_segmenter("told") == CJK_OK && told.n_destroyed == 1, "%d",
        told.n_destroyed);
}

#define EXPECT(flags, text, expected, ...)                                                         \
  do {                                                                                             \
    const int ends[] = {__VA_ARGS__};                                                              \
    expect(flags, ends, (int)(sizeof(ends) / sizeof(ends[0])), text, expected);                    \
  } while (0)

static void ends_are_checked(void) {
  enum { CHARACTERS = CJK_ENDS_ARE_CHARACTERS };
  EXPECT(0, "一二三", "一二 三", 6, 9);
  EXPECT(CHARACTERS, "一二三", "一二 三", 2, 3);
  EXPECT(CHARACTERS, "一𠮷三", "一𠮷 三", 2, 3);
  EXPECT(CHARACTERS, "ที่นี่", "ที่ นี่", 1, 2, 3, 4, 6);
  EXPECT(CHARACTERS, "ที่นี่", "ที่นี่", 1, 6);
  EXPECT(0, "ที่นี่", "ที่ นี่", 9, 18);
  EXPECT(0, "一二三", "word 1 ends at byte 4, inside a character", 4, 9);
  EXPECT(0, "一二三", "it left the end of the text out: the last word must end at byte 9, not 6", 3,
         6);
  EXPECT(0, "ที่นี่", "must end at byte 18, not 12", 9, 12);
  EXPECT(0, "一二三", "word 1 ends at byte 12, behind the end of the text (9)", 12);
  EXPECT(CHARACTERS, "一二三", "word 2 ends at character 4, behind the end", 3, 4);
  EXPECT(0, "一二三", "word 2 ends at byte 3 and the one before it at 3: they must rise", 3, 3, 9);
  EXPECT(0, "一二三", "word 2 ends at byte 3 and the one before it at 6", 6, 3, 9);
  EXPECT(0, "一二三", "word 1 ends at byte 0 and", 0, 9);
  EXPECT(0, "一二三", "word 1 ends at byte -3", -3, 9);
  EXPECT(0, "一二三", "it gave 5 words, and there is room for 3", 1, 2, 3, 4, 9);
  expect(0, NULL, 0, "一二三", "it gave no words: the last word must end at byte 9, not 0");
  expect(0, NULL, -7, "一二三", "it gave -7 words");
}

static void failures_have_a_message(void) {
  const int ends[] = {3};
  Told told = {ends, 1, CJK_ERROR, "no model", NULL, 0, 0, ""};
  char line[256], text[400] = "";
  register_told("told", &told, 0, NULL);
  CjkAnalyzer *analyzer = opened("told");
  int rc = tokens(analyzer, "一", line);
  CHECK(rc == CJK_ERROR &&
            strcmp(cjk_analyzer_message(analyzer), "segmenter told, text \"一\": no model") == 0,
        "%d %s", rc, cjk_analyzer_message(analyzer));
  told.message = NULL;
  for (int i = 0; i < 100; i++) strcat(text, "一");
  rc = tokens(analyzer, text, line);
  CHECK(strstr(cjk_analyzer_message(analyzer), "一...\": it failed and did not say why"), "%s",
        cjk_analyzer_message(analyzer));
  strcpy(text, "𠮷"); /* four bytes: what is quoted would end inside a character */
  for (int i = 0; i < 100; i++) strcat(text, "一");
  rc = tokens(analyzer, text, line);
  CHECK(strstr(cjk_analyzer_message(analyzer), "一...\": it failed"), "%s",
        cjk_analyzer_message(analyzer));
  told.rc = CJK_NOMEM;
  rc = tokens(analyzer, "一", line);
  CHECK(rc == CJK_NOMEM, "%d", rc);
  told.rc = CJK_OK;
  rc = tokens(analyzer, "一", line);
  CHECK(rc == CJK_OK && cjk_analyzer_message(analyzer)[0] == 0, "%d", rc);
  told.enters = analyzer;
  rc = tokens(analyzer, "二", line);
  CHECK(rc == CJK_ERROR && strstr(cjk_analyzer_message(analyzer), "it used the connection"),
        "%d %s", rc, cjk_analyzer_message(analyzer));
  told.enters = NULL;
  rc = tokens(analyzer, "二", line);
  CHECK(rc == CJK_OK && strcmp(line, "二") == 0, "%d %s", rc, line);
  cjk_analyzer_free(analyzer);
  cjk_unregister_segmenter("told");
}

static void an_entry_lives_as_long_as_it_is_used(void) {
  const int ends[] = {3}, two[] = {3, 6};
  Told old = {ends, 1, CJK_OK, NULL, NULL, 0, 0, ""};
  Told new = {two, 2, CJK_OK, NULL, NULL, 0, 0, ""};
  char line[256];
  register_told("name", &old, 0, NULL);
  CjkAnalyzer *first = opened("name");
  register_told("name", &new, 0, NULL);
  CjkAnalyzer *second = opened("name");
  CHECK(tokens(first, "一", line) == CJK_OK && old.n_calls == 1, "%d", old.n_calls);
  CHECK(tokens(second, "一二", line) == CJK_OK && new.n_calls == 1, "%d", new.n_calls);
  CHECK(cjk_unregister_segmenter("name") == CJK_OK, "listed");
  CHECK(cjk_unregister_segmenter("name") == CJK_ERROR, "gone");
  CHECK(tokens(second, "三四", line) == CJK_OK && strcmp(line, "三 四") == 0, "%s", line);
  CHECK(old.n_destroyed + new.n_destroyed == 0, "in use");
  cjk_analyzer_free(first);
  CHECK(old.n_destroyed == 1 && new.n_destroyed == 0, "one");
  cjk_analyzer_free(second);
  CHECK(old.n_destroyed == 1 && new.n_destroyed == 1, "both");
}

static void languages_and_auto(void) {
  const int ends[] = {6};
  Told ja = {ends, 1, CJK_OK, NULL, NULL, 0, 0, ""}, th = ja;
  char line[256];
  register_told("ja", &ja, 0, "ja");
  register_told("th", &th, 0, "th lo");
  CjkAnalyzer *analyzer = opened("auto");
  CHECK(tokens(analyzer, "かな", line) == CJK_OK && strcmp(line, "かな") == 0, "%s", line);
  CHECK(tokens(analyzer, "กข", line) == CJK_OK && strcmp(line, "กข") == 0, "%s", line);
  CHECK(tokens(analyzer, "가나", line) == CJK_OK && strcmp(line, "가나 +가 나") == 0, "%s", line);
  line[0] = 0;
  CHECK(cjk_analyze(analyzer, CJK_QUERY, "漢字", 6, "ja-JP", 5, line, add) == CJK_OK &&
            strcmp(ja.seen, "漢字") == 0,
        "%s", ja.seen);
  cjk_analyzer_free(analyzer);
  analyzer = opened("th");
  CHECK(tokens(analyzer, "漢字", line) == CJK_OK && strcmp(line, "漢字 +漢 字") == 0, "%s", line);
  cjk_analyzer_free(analyzer);
  cjk_unregister_segmenter("ja");
  cjk_unregister_segmenter("th");
}

/* What `segment auto` chooses, and the names that there are. */
static void are_chosen(const char *choice, const char *names) {
  char line[256];
  cjk_auto_segmenter_choice(line, (int)sizeof(line));
  CHECK(strcmp(line, choice) == 0, "%s, not %s", line, choice);
  cjk_segmenter_names(line, (int)sizeof(line));
  CHECK(strcmp(line, names) == 0, "%s, not %s", line, names);
  for (int n = 1; n < 40; n++) {
    cjk_segmenter_names(line, n);
    CHECK((int)strlen(line) < n, "%s in %d bytes", line, n);
  }
}

/* Places are taken again; who is newest goes by the order of registering. */
static void the_newest_serves(void) {
  const int ends[] = {3};
  Told told = {ends, 1, CJK_OK, NULL, NULL, 0, 0, ""};
  are_chosen("zh:jieba", "bigram unigram jieba auto");
  register_told("one", &told, 0, "zh");
  register_told("two", &told, 0, "zh, ko");
  are_chosen("zh:two ko:two", "bigram unigram jieba auto one two");
  CjkAnalyzer *analyzer = opened("one");
  cjk_unregister_segmenter("one");
  are_chosen("zh:two ko:two", "bigram unigram jieba auto two");
  register_told("three", &told, 0, "ko");
  cjk_analyzer_free(analyzer); /* and with it the first place is free */
  register_told("four", &told, 0, "zh");
  are_chosen("zh:four ko:three", "bigram unigram jieba auto two three four");
  cjk_unregister_segmenter("four");
  cjk_unregister_segmenter("three");
  are_chosen("zh:two ko:two", "bigram unigram jieba auto two");
  cjk_unregister_segmenter("two");
}

static double one(double x) {
  (void)x;
  return 1;
}

static CjkUserWords *make_words(void) {
  static const uint32_t word[] = {0x77F3, 0x58A8, 0x70EF};
  CjkUserWords *words = cjk_user_words_create(cjk_dictionary_builtin(), one, NULL, NULL);
  CHECK(cjk_user_words_add(words, word, 3, 1000000) == CJK_OK, "not added");
  return words;
}

/* Words of the user under a name; what is registered as one kind does not open as the other. */
static void words_are_registered(void) {
  const int ends[] = {3};
  Told told = {ends, 1, CJK_OK, NULL, NULL, 0, 0, ""};
  CjkOptions options = {.segment = -1, .segment_name = "mine"};
  CjkUserWords *words = make_words();
  CjkError error;
  void *self = NULL;
  CHECK(cjk_register_words("jieba", words, &error) == CJK_ERROR && error.message[0],
        "a name taken");
  CHECK(cjk_register_words("mine", words, &error) == CJK_OK, "%s", error.message);
  are_chosen("zh:jieba", "bigram unigram jieba auto mine");
  CHECK(cjk_cutter_segmenter_open(&options, &self, &error) == CJK_ERROR &&
            strstr(error.message, "mine has just been unregistered"),
        "%s", error.message);
  CHECK(cjk_word_segmenter_open(&options, &self, &error) == CJK_OK, "%s", error.message);
  cjk_unregister_segmenter("mine");
  cjk_word_segmenter_close(self); /* frees the words */
  CHECK(cjk_word_segmenter_open(&options, &self, &error) == CJK_ERROR, "nobody");
  CHECK(cjk_cutter_segmenter_open(&options, &self, &error) == CJK_ERROR, "nobody");
  register_told("mine", &told, 0, NULL);
  CHECK(cjk_word_segmenter_open(&options, &self, &error) == CJK_ERROR &&
            strstr(error.message, "mine has just been unregistered"),
        "%s", error.message);
  cjk_unregister_segmenter("mine");
}

/* By locale: Han is Chinese, Japanese, or neither in Korean. */
static void auto_goes_by_the_locale(void) {
  static const struct {
    const char *locale, *expected;
  } cases[] = {{"zh", "是 大学"},      {"zh-TW", "是 大学"}, {"ZH_cn", "是 大学"},
               {"ja", "是大 学"},      {"ja_JP", "是大 学"}, {"ko", "是大 大学"},
               {"ko-KR", "是大 大学"}, {"en", "是 大学"},    {"th", "是 大学"},
               {"zhx", "是 大学"},     {"j", "是 大学"},     {"", "是 大学"}};
  char line[256];
  register_pairs("pairs", "ja", NULL);
  CjkAnalyzer *analyzer = opened("auto");
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    line[0] = 0;
    int rc = cjk_analyze(analyzer, CJK_QUERY, "是大学", 9, cases[i].locale,
                         (int)strlen(cases[i].locale), line, add);
    CHECK(rc == CJK_OK && strcmp(line, cases[i].expected) == 0, "%d: %s in %s", rc, line,
          cases[i].locale);
  }
  cjk_analyzer_free(analyzer);
  cjk_unregister_segmenter("pairs");
}

/* Counts bytes of tokens that are not colocated. */
static int count_bytes(void *ctx, int flags, const char *token, int n, int start, int end) {
  (void)token, (void)n;
  if (!(flags & CJK_COLOCATED)) *(int *)ctx += end - start;
  return CJK_OK;
}

/* Runs too long for a segmenter that sees whole ones come in parts, and nothing is lost. */
static void very_long_runs_come_in_parts(void) {
  static const char *const names[] = {"jieba", "auto", "pairs"};
  enum { N = (1 << 20) + 1000 };
  char *text = malloc(3 * N);
  for (int i = 0; i < N; i++) memcpy(text + 3 * i, i % 2 ? "京" : "北", 3);
  register_pairs("pairs", NULL, NULL);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    CjkAnalyzer *analyzer = opened(names[i]);
    int n_bytes = 0;
    int rc = cjk_analyze(analyzer, CJK_QUERY, text, 3 * N, NULL, 0, &n_bytes, count_bytes);
    CHECK(rc == CJK_OK && n_bytes == 3 * N, "%s: %d, %d bytes", names[i], rc, n_bytes);
    cjk_analyzer_free(analyzer);
  }
  cjk_unregister_segmenter("pairs");
  free(text);
}

static void what_is_refused(void) {
  Told told = {NULL, 0, CJK_OK, NULL, NULL, 0, 0, ""};
  CjkCutter good = {CJK_CUTTER_VERSION, 0, NULL, &told, cut, destroy, NULL}, bad = good;
  CjkError error;
  char long_name[] = "n123456789012345678901234567890123456789012345678901234567890123";
  const char *const names[] = {"", "A", "a b", "jieba", "auto", "\xFF", "é", long_name};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    CHECK(cjk_register_segmenter(names[i], &good, &error) == CJK_ERROR && error.message[0], "%s",
          names[i]);
  }
  bad.version = 99;
  CHECK(cjk_register_segmenter("x", &bad, &error) == CJK_ERROR && strstr(error.message, "99"), "%s",
        error.message);
  bad = good;
  bad.cut = NULL;
  CHECK(cjk_register_segmenter("x", &bad, &error) == CJK_ERROR, "%s", error.message);
  bad = good;
  bad.languages = "ja klingon";
  CHECK(cjk_register_segmenter("x", &bad, &error) == CJK_ERROR &&
            strstr(error.message, "klingon") && strstr(error.message, "zh ja"),
        "%s", error.message);
  CHECK(told.n_destroyed == 0, "never taken over");
  long_name[CJK_NAME_MAX] = 0;
  CHECK(cjk_register_segmenter(long_name, &good, &error) == CJK_OK, "%s", error.message);
  CHECK(cjk_unregister_segmenter(long_name) == CJK_OK, "the longest name");
}

static void the_table_has_an_end(void) {
  Told told = {NULL, 0, CJK_OK, NULL, NULL, 0, 0, ""};
  CjkCutter cutter = {CJK_CUTTER_VERSION, 0, NULL, &told, cut, destroy, NULL};
  CjkError error;
  char name[16];
  for (int i = 0; i < CJK_MAX_REGISTERED; i++) {
    snprintf(name, sizeof(name), "n%d", i);
    CHECK(cjk_register_segmenter(name, &cutter, &error) == CJK_OK, "%s", error.message);
  }
  CHECK(cjk_register_segmenter("more", &cutter, &error) == CJK_ERROR, "full");
  for (int i = 0; i < CJK_MAX_REGISTERED; i++) {
    snprintf(name, sizeof(name), "n%d", i);
    CHECK(cjk_unregister_segmenter(name) == CJK_OK, "%s", name);
  }
  CHECK(told.n_destroyed == CJK_MAX_REGISTERED, "%d", told.n_destroyed);
  CHECK(cjk_registered_acquire("n1") == NULL, "empty");
}

static int calls_left;

static void *failing_realloc(void *old, size_t size) {
  return calls_left-- > 0 ? realloc(old, size) : NULL;
}

/* A cache without memory says so, keeps what it has, and goes on; long texts are not kept. */
static void the_cache_runs_out_of_memory(void) {
  static char text[CJK_CUT_CACHE_LONGEST + 2];
  const int ends[] = {1};
  CjkCutCache cache;
  int n_ends, n_failed = 0;
  memset(&cache, 0, sizeof(cache));
  memset(text, 'x', sizeof(text) - 1);
  cjk_set_allocator(failing_realloc, free);
  for (int n = 1; n <= 300; n++) {
    for (calls_left = 0; cjk_cut_cache_add(&cache, text, n, ends, 1) != CJK_OK;) {
      CHECK(cjk_cut_cache_find(&cache, text, n, &n_ends) == NULL, "%d", n);
      calls_left = n_failed++ % 4;
    }
    for (int k = 1; k <= n; k++) CHECK(cjk_cut_cache_find(&cache, text, k, &n_ends), "%d", k);
  }
  CHECK(n_failed > 4, "%d", n_failed);
  CHECK(cjk_cut_cache_add(&cache, text, CJK_CUT_CACHE_LONGEST + 1, ends, 1) == CJK_OK, "too long");
  CHECK(!cjk_cut_cache_find(&cache, text, CJK_CUT_CACHE_LONGEST + 1, &n_ends), "too long");
  cjk_cut_cache_free(&cache);
  cjk_set_allocator(realloc, free);
}

static void the_cache_keeps_and_forgets(void) {
  CjkCutCache cache;
  char key[16];
  int n_ends, n_found = 0;
  memset(&cache, 0, sizeof(cache));
  CHECK(cjk_cut_cache_find(&cache, "x", 1, &n_ends) == NULL, "empty");
  for (int i = 0; i < 300000; i++) {
    const int ends[] = {i, i + 1};
    int n = snprintf(key, sizeof(key), "%d", i);
    CHECK(cjk_cut_cache_add(&cache, key, n, ends, 2) == CJK_OK, "%d", i);
    const int *found = cjk_cut_cache_find(&cache, key, n, &n_ends);
    CHECK(found && n_ends == 2 && found[0] == i && found[1] == i + 1, "%d", i);
  }
  for (int i = 0; i < 300000; i++) {
    int n = snprintf(key, sizeof(key), "%d", i);
    const int *found = cjk_cut_cache_find(&cache, key, n, &n_ends);
    CHECK(!found || (n_ends == 2 && found[0] == i), "%d", i);
    n_found += found != NULL;
  }
  CHECK(n_found > 1000 && n_found < 200000, "%d", n_found);
  size_t bytes = (size_t)cache.keys_capacity + (size_t)cache.ends_capacity * sizeof(int) +
                 (size_t)cache.n_slots * sizeof(int) + (size_t)cache.cuts_capacity * 20;
  CHECK(bytes <= CJK_CUT_CACHE_BYTES, "%d bytes", (int)bytes);
  cjk_cut_cache_free(&cache);
}

int main(void) {
  ends_are_checked();
  failures_have_a_message();
  an_entry_lives_as_long_as_it_is_used();
  languages_and_auto();
  the_newest_serves();
  words_are_registered();
  auto_goes_by_the_locale();
  very_long_runs_come_in_parts();
  what_is_refused();
  the_table_has_an_end();
  the_cache_keeps_and_forgets();
  the_cache_runs_out_of_memory();
  return check_result();
}
