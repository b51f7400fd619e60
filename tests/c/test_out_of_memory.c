/*
** test_out_of_memory.c: wherever the core asks for memory it may get none, and wherever it hands out a
** token it may be stopped: the code comes back, and the same analyzer then takes the same text as if
** nothing had been.
**
** Buffers begin with 64 elements and grow by half. Texts that differ in the number of characters
** before what is looked at let each kind of character come where a buffer is full. CJK_OOM_STRIDE=7
** in the environment takes every 7th of them (for valgrind and sanitizers).
*/
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cjk.h"
#include "pairs.h"
#include "user_words.h"

/* ---- an allocator that fails once ---- */

static int n_left = -1; /* allocations until the fault; negative: none */
static int has_failed;

static void *failing_realloc(void *old, size_t size) {
  if (n_left < 0 || n_left-- > 0) return realloc(old, size);
  has_failed = 1;
  return NULL;
}

static void fail_at(int n) {
  n_left = n;
  has_failed = 0;
}

/* ---- tokens ---- */

enum { STOPPED = 77 };

/* What came out: a number that depends on every token, and how many there were. */
typedef struct Seen {
  unsigned hash;
  int n, stop_at; /* the token that is refused; 0: none is */
} Seen;

static void mix(Seen *seen, unsigned value) {
  seen->hash = (seen->hash ^ value) * 0x01000193u;
}

static int on_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Seen *seen = ctx;
  if (++seen->n == seen->stop_at) return STOPPED;
  for (int i = 0; i < n; i++) mix(seen, (unsigned char)token[i]);
  mix(seen, (unsigned)flags);
  mix(seen, (unsigned)start);
  mix(seen, (unsigned)end);
  return CJK_OK;
}

static int create(const char *arguments, CjkAnalyzer **out) {
  char words[256];
  const char *argv[16];
  int argc = 0;
  CjkError error;
  snprintf(words, sizeof(words), "%s", arguments);
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  return cjk_analyzer_create(argv, argc, out, &error);
}

/* An analyzer's answer for the text, or its code. */
static int analyze(CjkAnalyzer *analyzer, const char *text, int reason, int stop_at, Seen *seen) {
  Seen fresh = {0, 0, stop_at};
  *seen = fresh;
  return cjk_analyze(analyzer, reason, text, (int)strlen(text), "ja", 2, seen, on_token);
}

/* ---- what must hold ---- */

static void is_as_ever(CjkAnalyzer *analyzer, const char *text, int reason, const Seen *right) {
  Seen seen;
  int rc = analyze(analyzer, text, reason, 0, &seen);
  CHECK(rc == CJK_OK && seen.hash == right->hash && seen.n == right->n, "%d, %d tokens, not %d: %s",
        rc, seen.n, right->n, text);
}

static void each_allocation_fails(const char *arguments, const char *text, int reason,
                                  const Seen *right) {
  for (int n = 0;; n++) {
    CjkAnalyzer *analyzer;
    Seen seen;
    CHECK(create(arguments, &analyzer) == CJK_OK, "%s", arguments);
    fail_at(n);
    int rc = analyze(analyzer, text, reason, 0, &seen);
    n_left = -1;
    CHECK(rc == (has_failed ? CJK_NOMEM : CJK_OK), "allocation %d: %d of %s with %s", n, rc, text,
          arguments);
    is_as_ever(analyzer, text, reason, right);
    cjk_analyzer_free(analyzer);
    if (!has_failed) return;
  }
}

static void each_token_is_refused(const char *arguments, const char *text, int reason,
                                  const Seen *right) {
  CjkAnalyzer *analyzer;
  CHECK(create(arguments, &analyzer) == CJK_OK, "%s", arguments);
  for (int n = 1; n <= right->n; n++) {
    Seen seen;
    int rc = analyze(analyzer, text, reason, n, &seen);
    CHECK(rc == STOPPED && seen.n == n, "%d after %d of %d tokens of %s", rc, seen.n, n, text);
    CHECK(cjk_analyzer_message(analyzer)[0] == 0, "%s", cjk_analyzer_message(analyzer));
  }
  is_as_ever(analyzer, text, reason, right);
  cjk_analyzer_free(analyzer);
}

static void survives(const char *arguments, const char *text, int reason, int is_stopped) {
  CjkAnalyzer *analyzer;
  Seen right;
  CHECK(create(arguments, &analyzer) == CJK_OK, "%s", arguments);
  CHECK(analyze(analyzer, text, reason, 0, &right) == CJK_OK, "%s", text);
  cjk_analyzer_free(analyzer);
  each_allocation_fails(arguments, text, reason, &right);
  if (is_stopped) each_token_is_refused(arguments, text, reason, &right);
}

/* ---- the texts ---- */

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const options[] = {
    "",
    "segment jieba",
    "segment auto unigrams 0",
    "segment pairs fold_kana 1",
    "segment mine hmm 0",
    "segment unigram fold_kana 1 fold_prolonged 1 fold_iteration 1",
    "fold_han 1 join_spaces 1 bridge_markup 1",
};

static const char *const leads[] = {"学", "あ", "ｶ", "ก", "x", "Ａ", "\xE1\x84\x92"};

static const char *const tails[] = {
    "学习",
    "學習",
    "ｶﾞ",
    "か\xE3\x82\x99か",
    "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB한",
    "\xE1\x84\x92",
    "学\xCC\x81习",
    "葛\xF3\xA0\x84\x80城",
    "กิำ",
    "ก\xE2\x80\x8D\xE0\xB8\xB4",
    "👨\xE2\x80\x8D👩\xE2\x80\x8D👧",
    "👍🏽\xEF\xB8\x8F",
    "🏴\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF",
    "🇯🇵🇰",
    "a1\xEF\xB8\x8F\xE2\x83\xA3",
    "Ａ2\xE2\x83\xA3",
    "ÄbC",
    "co\xC2\xADop\xCC\x81",
    "a\xCC\x81\xE2\x80\x8D b",
    "㍿㋀㈠東\n京",
    "\xE1\x84\x93",
    "会\xE2\x80\x8B议",
    "#\xE2\x83\xA3*\xE2\x83\xA3",
    "サ―バー管",
    "ひー々",
    "時々いすゞゝ",
    "馬鹿々々〻",
    "東\n京",
    "東 京 都",
    "重<b>要</b>*な",
    "中\xFF文",
};

/* Around the numbers of characters at which a buffer of bytes or of units is full. */
static const int counts[] = {0,  1,  19, 20, 21, 22, 30, 31, 32, 33, 46, 47,
                             48, 49, 61, 62, 63, 64, 65, 94, 95, 96, 97};

static void texts_survive(int stride) {
  char text[1024];
  int place = 0;
  for (int i = 0; i < LENGTH(leads) * LENGTH(tails) * LENGTH(counts); i++) {
    const char *lead = leads[i % LENGTH(leads)];
    const char *tail = tails[i / LENGTH(leads) % LENGTH(tails)];
    int count = counts[i / LENGTH(leads) / LENGTH(tails)];
    if (i % stride) continue;
    text[0] = 0;
    for (int n = 0; n < count; n++) strcat(text, lead);
    strcat(text, tail);
    strcat(text, " x");
    /* All options meet all texts, but not at all counts. */
    for (int k = 0; k < 2; k++, place++) {
      int reason = place % 3 ? CJK_DOCUMENT : CJK_QUERY;
      survives(options[place % LENGTH(options)], text, reason, count < 2 || count == 64);
    }
  }
}

/* Longer than what is handed to a segmenter at once. */
static void long_runs_survive(void) {
  enum { N = 1100 };
  char text[4 * N + 8];
  for (int i = 0; i < LENGTH(leads); i++) {
    text[0] = 0;
    for (int n = 0; n < N; n++) strcat(text, n % 7 ? "学" : leads[i]);
    for (int k = 0; k < LENGTH(options); k++) survives(options[k], text, CJK_DOCUMENT, 0);
  }
}

/* Making an analyzer, what it makes of its arguments included. */
static void creating_survives(void) {
  for (int i = 0; i < LENGTH(options); i++) {
    for (int n = 0; n == 0 || has_failed; n++) {
      CjkAnalyzer *analyzer;
      fail_at(n);
      int rc = create(options[i], &analyzer);
      n_left = -1;
      CHECK(rc == (has_failed ? CJK_NOMEM : CJK_OK), "allocation %d: %d of %s", n, rc, options[i]);
      CHECK(!has_failed || !analyzer, "an analyzer without memory");
      cjk_analyzer_free(analyzer);
    }
  }
}

static double one(double x) {
  (void)x;
  return 1;
}

static void register_words(void) {
  static const uint32_t word[] = {0x77F3, 0x58A8, 0x70EF};
  CjkUserWords *words = cjk_user_words_create(cjk_dictionary_builtin(), one, NULL, NULL);
  CjkError error;
  CHECK(cjk_user_words_add(words, word, 3, 1000000) == CJK_OK, "not added");
  CHECK(cjk_register_words("mine", words, &error) == CJK_OK, "%s", error.message);
}

int main(void) {
  const char *given = getenv("CJK_OOM_STRIDE");
  CHECK(register_pairs("pairs", "ja ko th", NULL) == CJK_OK, "not registered");
  register_words();
  cjk_set_allocator(failing_realloc, free);
  creating_survives();
  texts_survive(given && atoi(given) > 0 ? atoi(given) : 1);
  long_runs_survive();
  return check_result();
}
