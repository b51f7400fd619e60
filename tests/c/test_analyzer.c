/*
** test_analyzer.c: texts and their tokens, and what holds for any bytes.
**
** A stream is written as one line: tokens with blanks between them, "+" before a colocated one, and
** where offsets matter "token@start-end".
*/
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cjk.h"
#include "pieces.h"

typedef struct Stream {
  char *line;
  size_t n, capacity;
  int with_offsets;
  int n_tokens;
  int n_text, last_start;
} Stream;

static void put(Stream *stream, const char *bytes, size_t n) {
  if (stream->n + n + 1 > stream->capacity) {
    stream->capacity = 2 * (stream->n + n + 1);
    stream->line = realloc(stream->line, stream->capacity);
  }
  memcpy(stream->line + stream->n, bytes, n);
  stream->n += n;
  stream->line[stream->n] = 0;
}

static int on_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Stream *stream = ctx;
  char offsets[32];
  CHECK(start >= stream->last_start && start < end && end <= stream->n_text, "%d-%d of %d", start,
        end, stream->n_text);
  CHECK(n > 0, "an empty token at %d", start);
  stream->last_start = start;
  if (stream->n_tokens++) put(stream, " ", 1);
  if (flags & CJK_COLOCATED) put(stream, "+", 1);
  put(stream, token, (size_t)n);
  if (stream->with_offsets) {
    put(stream, offsets, (size_t)snprintf(offsets, sizeof(offsets), "@%d-%d", start, end));
  }
  return CJK_OK;
}

/* Analyses a copy of exactly n bytes. The arguments are words with single blanks between them. */
static int analyze(const char *arguments, int reason, const char *text, size_t n, Stream *stream) {
  char words[256], *copy = malloc(n ? n : 1);
  const char *argv[16];
  int argc = 0;
  CjkAnalyzer *analyzer;
  CjkError error;
  snprintf(words, sizeof(words), "%s", arguments);
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  int rc = cjk_analyzer_create(argv, argc, &analyzer, &error);
  if (rc == CJK_OK) {
    memcpy(copy, text, n);
    stream->n_text = (int)n;
    put(stream, "", 0);
    rc = cjk_analyze(analyzer, reason, copy, (int)n, NULL, 0, stream, on_token);
    cjk_analyzer_free(analyzer);
  }
  free(copy);
  return rc;
}

static void expect_for(int line, const char *arguments, int reason, const char *text,
                       const char *expected) {
  Stream stream = {.with_offsets = strchr(expected, '@') != NULL};
  int rc = analyze(arguments, reason, text, strlen(text), &stream);
  CHECK(rc == CJK_OK && strcmp(stream.line, expected) == 0,
        "line %d: '%s' with '%s' gave %d and\n      %s\n    not\n      %s", line, text, arguments,
        rc, stream.line, expected);
  free(stream.line);
}

#define DOCUMENT(arguments, text, expected)                                                        \
  expect_for(__LINE__, arguments, CJK_DOCUMENT, text, expected)
#define QUERY(arguments, text, expected) expect_for(__LINE__, arguments, CJK_QUERY, text, expected)

static void bigrams_and_unigrams(void) {
  DOCUMENT("", "", "");
  DOCUMENT("", "猫", "猫@0-3");
  DOCUMENT("", "学习", "学习@0-6 +学@0-3 习@3-6");
  DOCUMENT("", "机器学习", "机器 +机 器学 +器 学习 +学 习");
  DOCUMENT("unigrams 0", "机器学习", "机器 器学 学习 习");
  DOCUMENT("segment unigram", "机器学习", "机 器 学 习");
  DOCUMENT("", "今天、天气", "今天 +今 天 天气 +天 气");
  QUERY("", "猫", "猫");
  QUERY("", "机器学习", "机器 器学 学习");
  QUERY("", "学习abc", "学习 习 abc");
  QUERY("", "学习。", "学习");
  QUERY("", "abc学习", "abc 学习");
  QUERY("", "东京 大阪", "东京 京 大阪");
  QUERY("segment unigram", "学习abc", "学 习 abc");
}

static void runs_begin_and_end(void) {
  DOCUMENT("", "用Vue3写", "用 vue3 写");
  DOCUMENT("", "東京 大阪", "東京 +東 京 大阪 +大 阪");
  DOCUMENT("", "年々ー〆", "年々 +年 々ー +々 ー〆 +ー 〆");
  DOCUMENT("", "中文한국", "中文 +中 文한 +文 한국 +한 국");
  DOCUMENT("", "サン・テ", "サン +サ ン テ");
  DOCUMENT("", "文化ㆍ체육", "文化 +文 化 체육 +체 육");
  DOCUMENT("", "ㆍ", "ㆍ");
  DOCUMENT("", "สวัสดี", "สวั@0-9 +ส@0-3 วัส@3-12 +วั@3-9 สดี@9-18 +ส@9-12 ดี@12-18");
}

static void lines_and_spaces_and_markup(void) {
  DOCUMENT("", "東\n京", "東京@0-7 +東@0-3 京@4-7");
  DOCUMENT("", "東\r\n京", "東京 +東 京");
  DOCUMENT("", "東\n\n京", "東 京");
  DOCUMENT("", "서\n울", "서 울");
  DOCUMENT("join_lines 0", "東\n京", "東 京");
  DOCUMENT("join_spaces 1", "東 京 都", "東京 +東 京都 +京 都");
  DOCUMENT("join_spaces 1", "東京 大阪", "東京 +東 京 大阪 +大 阪");
  DOCUMENT("join_spaces 1", "東　京", "東京 +東 京");
  DOCUMENT("bridge_markup 1", "重**要**な", "重要 +重 要な +要 な");
  DOCUMENT("bridge_markup 1", "重<b class=x>要</b>な", "重要 +重 要な +要 な");
  DOCUMENT("bridge_markup 1", "重<br/>要", "重 br 要");
  DOCUMENT("bridge_markup 1", "重*a", "重 a");
}

/* Bridges are no longer than docs/stream.md says. */
static void bridges_have_an_end(void) {
  char bridge[600], text[700];
  for (int n = 250; n < 520; n++) {
    Stream stream = {0};
    int is_tag = n < 260;
    memset(bridge, is_tag ? 'x' : '*', (size_t)n);
    bridge[n] = 0;
    if (is_tag) memcpy(bridge, "<b ", 3), bridge[n - 1] = '>';
    snprintf(text, sizeof(text), "重%s要", bridge);
    analyze("bridge_markup 1", CJK_DOCUMENT, text, strlen(text), &stream);
    CHECK((strstr(stream.line, "重要") != NULL) == (n <= (is_tag ? 256 : 512)), "%d: %s", n,
          stream.line);
    free(stream.line);
  }
}

/* Long dashes between katakana are prolonged sound marks. */
static void dashes_prolong(void) {
  static const char *const dashes[] = {"—", "―", "−", "─", "━", "－"};
  for (size_t i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++) {
    char text[64];
    snprintf(text, sizeof(text), "サ%sバー%sバ", dashes[i], dashes[i]);
    DOCUMENT("segment unigram", text, "サ ー バ ー ー バ");
    snprintf(text, sizeof(text), "さ%sバ%s", dashes[i], dashes[i]);
    DOCUMENT("segment unigram", text, "さ バ");
    snprintf(text, sizeof(text), "サ%s\xFFバ", dashes[i]);
    DOCUMENT("segment unigram", text, "サ バ");
  }
}

static void folds(void) {
  DOCUMENT("", "ﾃﾞｰﾀ", "デー@0-9 +デ@0-6 ータ@6-12 +ー@6-9 タ@9-12");
  DOCUMENT("", "か\xE3\x82\x99き", "がき@0-9 +が@0-6 き@6-9");
  DOCUMENT("", "㍿", "株式@0-3 +株@0-3 式会@0-3 +式@0-3 会社@0-3 +会@0-3 社@0-3");
  DOCUMENT("", "Ｐython３", "python3@0-11");
  DOCUMENT("", "葛\xF3\xA0\x84\x80城", "葛城@0-10 +葛@0-7 城@7-10");
  DOCUMENT("", "会\xE2\x80\x8B议", "会议@0-9 +会@0-3 议@6-9");
  DOCUMENT("", "co\xC2\xADop", "coop@0-6");
  DOCUMENT("", "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "한@0-9");
  DOCUMENT("", "\xE1\x84\x92", "ㅎ@0-3");
  DOCUMENT("", "\xE1\x84\x93", "\xE1\x84\x93@0-3"); /* an old jamo has no letter */
  DOCUMENT("", "㈠東", "一@0-3 東@3-6");
  DOCUMENT("", "サ―バー", "サー +サ ーバ +ー バー +バ ー");
  DOCUMENT("", "そう――と", "そう +そ う と");
  DOCUMENT("fold_kana 1", "ひらガな", "ヒラ +ヒ ラガ +ラ ガナ +ガ ナ");
  DOCUMENT("fold_prolonged 1", "サーバー", "サー@0-6 +サ@0-3 ーバ@3-12 +ー@3-6 バ@6-12");
  DOCUMENT("fold_prolonged 1", "サーバー管", "サー +サ ーバ +ー バ管 +バ 管");
  DOCUMENT("fold_iteration 1", "時々いすゞ", "時時 +時 時い +時 いす +い すず +す ず");
  DOCUMENT("fold_iteration 1", "馬鹿々々", "馬鹿 +馬 鹿馬 +鹿 馬鹿 +馬 鹿");
  DOCUMENT("fold_iteration 1", "々", "々");
  DOCUMENT("segment unigram fold_iteration 1", "カヽバヽカヾか々〻", "カ カ バ ハ カ ガ か 々 〻");
}

static void emoji(void) {
  DOCUMENT("", "明日は🍐狩り", "明日 +明 日は +日 は 🍐 狩り +狩 り");
  DOCUMENT("", "❤\xEF\xB8\x8F❤", "❤@0-6 ❤@6-9");
  DOCUMENT("", "👨\xE2\x80\x8D👩\xE2\x80\x8D👧x", "👨\xE2\x80\x8D👩\xE2\x80\x8D👧@0-18 x@18-19");
  DOCUMENT("", "🇯🇵🇰🇷🇯", "🇯🇵 🇰🇷 🇯");
  DOCUMENT("", "👍🏽", "👍🏽");
  DOCUMENT("", "1\xEF\xB8\x8F\xE2\x83\xA3", "1\xE2\x83\xA3@0-7");
  DOCUMENT("", "a1\xE2\x83\xA3", "a 1\xE2\x83\xA3");
  DOCUMENT("", "#\xE2\x83\xA3*\xE2\x83\xA3", "#\xE2\x83\xA3 *\xE2\x83\xA3");
  DOCUMENT("", "🍐\xF3\xA0\x84\x80狩", "🍐@0-8 狩@8-11");
  DOCUMENT("", "a#\xE2\x83\xA3", "a #\xE2\x83\xA3");
  DOCUMENT("", "🍐\xE2\x80\x8B\xEF\xB8\x8F狩", "🍐@0-10 狩@10-13");
  DOCUMENT("emoji 0", "明🍐日", "明 日");
}

static void broken_text(void) {
  DOCUMENT("", "中\xE6", "中@0-3");
  DOCUMENT("", "中\xE0\x80\x80文", "中@0-3 文@6-9"); /* overlong */
  DOCUMENT("", "\xE0\x80\x80文", "文@3-6");
  DOCUMENT("", "中\xFF文", "中@0-3 文@4-7");
  DOCUMENT("",
           "ab\xFF"
           "cd",
           "ab@0-2 cd@3-5");
  Stream stream = {0};
  analyze("", CJK_DOCUMENT, "中\0文", 7, &stream);
  CHECK(strcmp(stream.line, "中 文") == 0, "a NUL separates: %s", stream.line);
  free(stream.line);
}

static void long_runs_are_as_short_ones(void) {
  enum { N = 5000 };
  for (int lead = 0; lead < 2; lead++) {
    size_t n = 0;
    char *text = malloc(N * 3 + 4);
    Stream stream = {0};
    if (lead) memcpy(text, "\xF0\xA0\x80\x80", 4), n = 4; /* not plain: the run is copied */
    for (int i = 0; i < N; i++, n += 3) memcpy(text + n, i % 2 ? "文" : "中", 3);
    analyze("", CJK_DOCUMENT, text, n, &stream);
    CHECK(stream.n_tokens == 2 * (N + lead) - 1, "%d tokens", stream.n_tokens);
    free(stream.line);
    Stream query = {0};
    analyze("", CJK_QUERY, text, n, &query);
    CHECK(query.n_tokens == N + lead - 1, "%d tokens", query.n_tokens);
    free(query.line);
    free(text);
  }
}

/* A run of more than a million units is several runs to options that rewrite, each of which ends in a
** mark here but for the last of the plain ones; words may be as long. */
static void very_long_texts(void) {
  enum { N = (1 << 20) + 1000 };
  char *text = malloc(3 * N);
  for (int plain = 0; plain < 2; plain++) {
    Stream stream = {0};
    for (int i = 0; i < N; i++) memcpy(text + 3 * i, i % 2 && i < N - plain * 900 ? "ー" : "サ", 3);
    analyze("segment unigram fold_prolonged 1 fold_iteration 1", CJK_DOCUMENT, text, 3 * N,
            &stream);
    CHECK(stream.n_tokens == N - 2 + plain, "%d tokens", stream.n_tokens);
    CHECK(stream.last_start == 3 * (N - 1 - !plain), "%d", stream.last_start);
    free(stream.line);
  }
  Stream word = {0};
  memset(text, 'A', N);
  analyze("", CJK_DOCUMENT, text, N, &word);
  CHECK(word.n_tokens == 1 && (int)word.n == N && word.line[N - 1] == 'a', "%d", (int)word.n);
  free(word.line);
  free(text);
}

/* Random bytes of many kinds: on_token() checks each token. */
static void any_bytes(void) {
  static const char *const parts[] = {
      "中",
      "か",
      "\xE3\x82\x99",
      "\xEF\xBE\x9E",
      "ｶ",
      "한",
      "\xE1\x84\x92",
      "\xE1\x85\xA1",
      "ㆍ",
      "ー",
      "―",
      "々",
      "ゞ",
      "㍿",
      "㋀",
      "ก",
      "\xE0\xB8\xB3",
      "a",
      "1",
      " ",
      "\n",
      "*",
      "<b>",
      "\xE2\x80\x8D",
      "\xEF\xB8\x8F",
      "🍐",
      "🇯",
      "\xF0\x9F\x8F\xBD",
      "\xE2\x83\xA3",
      "\xCC\x81",
      "\xFF",
      "\xE4\xB8",
  };
  static const char *const arguments[] = {"",
                                          "unigrams 0",
                                          "segment unigram",
                                          "fold_kana 1 fold_prolonged 1 fold_iteration 1",
                                          "join_spaces 1 bridge_markup 1",
                                          "emoji 0 join_lines 0"};
  unsigned seed = 1;
  for (int round = 0; round < 20000; round++) {
    char text[512];
    size_t n = 0;
    seed = seed * 1103515245u + 12345u;
    for (unsigned i = (seed >> 16) % 40; i > 0; i--) {
      seed = seed * 1103515245u + 12345u;
      const char *part = parts[(seed >> 16) % (sizeof(parts) / sizeof(parts[0]))];
      memcpy(text + n, part, strlen(part));
      n += strlen(part);
    }
    Stream stream = {0};
    int reason = round % 2 ? CJK_DOCUMENT : CJK_QUERY;
    int rc = analyze(arguments[round % 6], reason, text, n, &stream);
    CHECK(rc == CJK_OK, "%d", rc);
    free(stream.line);
  }
}

/* What serves where the host gives no parent: ASCII letters and digits, and all that is not ASCII. */
static void a_plain_parent(void) {
  static const char text[] = "Ab, é_X9";
  Stream stream = {.with_offsets = 1, .n_text = (int)strlen(text)};
  int rc = cjk_plain_parent(NULL, 0, text, (int)strlen(text), NULL, 0, &stream, on_token);
  CHECK(rc == CJK_OK && strcmp(stream.line, "ab@0-2 é@4-6 x9@7-9") == 0, "%d %s", rc, stream.line);
  free(stream.line);
}

static void wrong_arguments(void) {
  static const struct {
    const char *arguments, *part;
  } cases[] = {
      {"segment trigram", "bigram unigram"},
      {"unigrams 2", "1 0"},
      {"unigrams", "no value"},
      {"tokenchars", "no value behind it; give one"},
      {"version 2", "version"},
      {"remove_diacritics 2 porter", "porter"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char words[64];
    const char *argv[8];
    int argc = 0;
    CjkAnalyzer *analyzer;
    CjkError error;
    snprintf(words, sizeof(words), "%s", cases[i].arguments);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
    int rc = cjk_analyzer_create(argv, argc, &analyzer, &error);
    CHECK(rc == CJK_ERROR && strstr(error.message, cases[i].part), "'%s': %d %s",
          cases[i].arguments, rc, error.message);
  }
}

int main(void) {
  bigrams_and_unigrams();
  runs_begin_and_end();
  lines_and_spaces_and_markup();
  bridges_have_an_end();
  dashes_prolong();
  folds();
  emoji();
  broken_text();
  long_runs_are_as_short_ones();
  very_long_texts();
  any_bytes();
  a_plain_parent();
  wrong_arguments();
  return check_result();
}
