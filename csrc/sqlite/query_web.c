/*
** query_web.c: mode web of cjk_query(): "exact words", -without, one OR another, also as input methods
** of China and Japan type the signs.
**
** Words are joined by AND, NOT stands behind them all. OR joins the word behind it to the one before
** it; where that one yields no term, or is a word with a minus, it joins nothing.
*/
#include "phrases.h"

#include <string.h>

#include "../core/utf8.h"

/* One word or "quoted words" of a web query. */
typedef struct WebItem {
  int start, end;
  int is_negative;
  int is_or; /* the word OR, or | */
} WebItem;

/* Length of the quotation mark, minus or bar at text, 0 for none: ASCII, and what input methods of
** China and Japan type for it. */
static int sign_length(const char *text, int n, const char *const *signs) {
  for (; *signs; signs++) {
    int length = (int)strlen(*signs);
    if (length <= n && memcmp(text, *signs, (size_t)length) == 0) return length;
  }
  return 0;
}

static const char *const quotes[] = {"\"", "“", "”", "„", "＂", NULL};
static const char *const minuses[] = {"-", "－", "−", NULL};
static const char *const bars[] = {"OR", "|", "ＯＲ", "｜", NULL};

/* Where the next quotation mark is, from `at` on; n when there is none. */
static int find_quote(const char *text, int n, int at) {
  while (at < n && !sign_length(text + at, n - at, quotes)) at++;
  return at;
}

/* The end of the word at `at`: a blank or a quotation mark, for a"b c" is a and "b c". */
static int find_word_end(const char *text, int n, int at) {
  while (at < n && !cjk_blank_length(text + at, n - at) &&
         !sign_length(text + at, n - at, quotes)) {
    at = cjk_utf8_next(text, n, at);
  }
  return at;
}

/* Reads no further than the item goes, so that many of them take linear time. */
static int next_item(const char *text, int n, int *at, WebItem *item) {
  int start = cjk_skip_blanks(text, n, *at);
  if (start >= n) return 0;
  int minus = sign_length(text + start, n - start, minuses);
  item->is_negative = minus > 0 && start + minus < n;
  if (item->is_negative) start += minus;
  int quote = sign_length(text + start, n - start, quotes);
  item->is_or = 0;
  if (quote) {
    item->start = start + quote;
    item->end = find_quote(text, n, item->start);
    *at = item->end + (item->end < n ? sign_length(text + item->end, n - item->end, quotes) : 0);
    return 1;
  }
  item->start = start;
  item->end = find_word_end(text, n, start);
  *at = item->end;
  item->is_or =
      !item->is_negative && sign_length(text + start, item->end - start, bars) == item->end - start;
  return 1;
}

static int next_is_or(const char *text, int n, int at) {
  WebItem item;
  return next_item(text, n, &at, &item) && item.is_or;
}

/* The positive items: groups of alternatives, joined by AND. Words that have no alternative are one
** group to the writer, which leaves out those that stand there already. */
static int write_wanted_items(CjkPhrases *phrases, const char *text, int n) {
  int at = 0, is_alternative = 0, is_there = 0, n_groups = 0, rc = SQLITE_OK;
  WebItem item;
  while (rc == SQLITE_OK && phrases->n < CJK_MAX_PHRASES && next_item(text, n, &at, &item)) {
    if (item.is_or) {
      is_alternative = is_there;
      continue;
    }
    if (item.is_negative) {
      is_there = is_alternative = 0;
      continue;
    }
    if (!is_alternative) phrases->group = next_is_or(text, n, at) ? ++n_groups : 0;
    rc = cjk_phrases_add(phrases, text + item.start, item.end - item.start,
                         is_alternative ? " OR " : ") AND (", 0, &is_there);
    is_there |= is_alternative; /* to what stood before */
    is_alternative = 0;
  }
  return rc;
}

static int write_unwanted_items(CjkPhrases *phrases, const char *text, int n) {
  int at = 0, is_there, rc = SQLITE_OK;
  WebItem item;
  while (rc == SQLITE_OK && phrases->n < CJK_MAX_PHRASES && next_item(text, n, &at, &item)) {
    if (item.is_negative && !item.is_or) {
      rc = cjk_phrases_add(phrases, text + item.start, item.end - item.start, " OR ", 0, &is_there);
    }
  }
  return rc;
}

int cjk_write_web(CjkPhrases *phrases, const char *text, int n) {
  sqlite3_str *out = phrases->out, *part = sqlite3_str_new(NULL);
  phrases->out = part;
  int rc = write_wanted_items(phrases, text, n), n_wanted = phrases->n;
  int length = sqlite3_str_length(part);
  if (rc == SQLITE_OK && n_wanted) {
    sqlite3_str_appendf(out, "(%.*s)", length, sqlite3_str_value(part));
    sqlite3_str_reset(part);
    cjk_phrases_restart(phrases);
    rc = write_unwanted_items(phrases, text, n);
    length = sqlite3_str_length(part);
    if (rc == SQLITE_OK && phrases->n) {
      sqlite3_str_appendf(out, " NOT (%.*s)", length, sqlite3_str_value(part));
    }
  }
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(part);
  sqlite3_free(sqlite3_str_finish(part));
  phrases->out = out;
  phrases->n = n_wanted;
  return rc;
}
