/*
** highlight.c: cjk_highlight() and cjk_snippet(), FTS5 auxiliary functions.
**
**   SELECT cjk_highlight(t, 0, '<b>', '</b>') FROM t WHERE t MATCH '"学习"';
**   SELECT cjk_snippet(t, -1, '[', ']', '…', 40) FROM t WHERE t MATCH '"学习"';
**
** The second argument is the column's number; -1 takes the column with the most matches. Marks are
** exact to the character on every SQLite; those that overlap or touch are one. cjk_snippet() gives a
** piece of at most so many characters (code points): the one with the most different phrases of the
** query, rare ones before frequent ones, beginning and ending at a border of sentences or words where
** there is one near, and not inside a match; one match that is longer makes a longer snippet. NULL
** where the table keeps no text (contentless).
*/
#include "highlight.h"

#include <string.h>

#include "../core/utf8.h"
#include "matches.h"
#include "result.h"

/* ---- writing ---- */

typedef struct Marks {
  const char *open, *close, *ellipsis;
  int n_open, n_close, n_ellipsis;
} Marks;

/* Text [start, end) with its spans, which are merged, marked. */
static void write_marked(sqlite3_str *out, const CjkMatches *matches, int start, int end,
                         const Marks *marks) {
  int at = start;
  for (int i = 0; i < matches->n; i++) {
    CjkMark span = matches->spans[i];
    if (span.end <= start || span.start >= end) continue;
    if (span.start < start) span.start = start;
    if (span.end > end) span.end = end;
    sqlite3_str_append(out, matches->text + at, span.start - at);
    sqlite3_str_append(out, marks->open, marks->n_open);
    sqlite3_str_append(out, matches->text + span.start, span.end - span.start);
    sqlite3_str_append(out, marks->close, marks->n_close);
    at = span.end;
  }
  sqlite3_str_append(out, matches->text + at, end - at);
}

/* ---- arguments ---- */

static const char *text_argument(sqlite3_value *value, int *n) {
  const char *text = (const char *)sqlite3_value_text(value);
  *n = text ? sqlite3_value_bytes(value) : 0;
  return text ? text : "";
}

static void result_message(sqlite3_context *context, char *message) {
  if (message)
    sqlite3_result_error(context, message, -1);
  else
    sqlite3_result_error_nomem(context);
  sqlite3_free(message);
}

/* The column to look at: argument 0, or the one with the most matches for -1. */
static int choose_column(const Fts5ExtensionApi *extension, Fts5Context *context, int wanted,
                         int *column) {
  int n_columns = extension->xColumnCount(context), n = 0, best = 0;
  *column = wanted;
  if (wanted >= 0) return SQLITE_OK;
  int rc = extension->xInstCount(context, &n);
  *column = 0;
  for (int each = 0; rc == SQLITE_OK && each < n_columns; each++) {
    int count = 0;
    for (int i = 0; rc == SQLITE_OK && i < n; i++) {
      int phrase, at_column, position;
      rc = extension->xInst(context, i, &phrase, &at_column, &position);
      count += at_column == each;
    }
    if (count > best) {
      best = count;
      *column = each;
    }
  }
  return rc;
}

/* Checks the arguments, finds the matches; 0 when an error or NULL has been set as the result. */
static int find_matches(const char *name, const Fts5ExtensionApi *extension, Fts5Context *fts,
                        sqlite3_context *context, int argc, int n_arguments, sqlite3_value **argv,
                        CjkMatches *matches) {
  int n_columns = extension->xColumnCount(fts), column;
  memset(matches, 0, sizeof(*matches));
  if (argc != n_arguments) {
    result_message(context, sqlite3_mprintf("%s() takes %d arguments, the table's name included",
                                            name, n_arguments + 1));
    return 0;
  }
  int wanted = sqlite3_value_int(argv[0]);
  if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER || wanted < -1 || wanted >= n_columns) {
    result_message(context, sqlite3_mprintf("%s(): the second argument is a column's number, 0 to "
                                            "%d, or -1 for the best column",
                                            name, n_columns - 1));
    return 0;
  }
  int rc = choose_column(extension, fts, wanted, &column);
  if (rc == SQLITE_OK) {
    rc = cjk_matches_find((fts5_api *)extension->xUserData(fts), extension, fts, column, matches);
  }
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(context, rc);
    return 0;
  }
  return matches->text != NULL;
}

static Marks read_marks(sqlite3_value **argv) {
  Marks marks = {NULL, NULL, "", 0, 0, 0};
  marks.open = text_argument(argv[1], &marks.n_open);
  marks.close = text_argument(argv[2], &marks.n_close);
  return marks;
}

static void highlight_function(const Fts5ExtensionApi *extension, Fts5Context *fts,
                               sqlite3_context *context, int argc, sqlite3_value **argv) {
  CjkMatches matches = {0};
  if (find_matches("cjk_highlight", extension, fts, context, argc, 3, argv, &matches)) {
    Marks marks = read_marks(argv);
    sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(context));
    cjk_matches_merge(&matches);
    write_marked(out, &matches, 0, matches.n_text, &marks);
    cjk_result_str(context, out);
  }
  cjk_matches_free(&matches);
}

/* ---- snippets ---- */

typedef struct Window {
  int start, end; /* bytes */
} Window;

static int step_forward(const CjkMatches *m, int at, uint32_t *cp) {
  return at +
         cjk_utf8_decode((const uint8_t *)m->text + at, (const uint8_t *)m->text + m->n_text, cp);
}

/* The character that ends at `at`: the same one that a step forward would take, so a trail byte
** that no lead byte claims is one by itself. */
static int step_back(const CjkMatches *m, int at) {
  int start = at - 1;
  uint32_t cp;
  while (start > 0 && at - start < 4 && ((uint8_t)m->text[start] & 0xC0) == 0x80) start--;
  return step_forward(m, start, &cp) == at ? start : at - 1;
}

static int count_characters(const CjkMatches *m, int start, int end) {
  uint32_t cp;
  int n = 0;
  while (start < end) {
    start = step_forward(m, start, &cp);
    n++;
  }
  return n;
}

static unsigned properties_at(const CjkMatches *m, int at, uint32_t *cp) {
  step_forward(m, at, cp);
  if (*cp == CJK_BROKEN) return CJK_SEPARATOR;
  return cjk_properties(*cp);
}

/* Whether the character at `at` > 0 belongs to the same grapheme as the one before it: marks,
** selectors, joined emoji, half-width voicing marks. */
static int is_inside_grapheme(const CjkMatches *m, int at) {
  uint32_t cp, before;
  unsigned properties = properties_at(m, at, &cp);
  step_forward(m, step_back(m, at), &before);
  if (before != CJK_BROKEN && cjk_stands_alone(before)) return before == '\r' && cp == '\n';
  if (properties & CJK_MODIFIER || (cp != CJK_BROKEN && cjk_is_extending(cp))) return 1;
  if ((properties & CJK_JAMO) && before != CJK_BROKEN) return cjk_properties(before) & CJK_JAMO;
  return before == CJK_ZWJ;
}

static int ends_sentence(uint32_t cp) {
  return cp == '\n' || cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF61 || cp == '!' ||
         cp == '?' || cp == 0x2029;
}

/* How good a border between the characters before and at `at` is: 0 none (inside a word or
** grapheme), 1 between words or CJK characters, 2 after a separator, 3 after a sentence. */
static int border_quality(const CjkMatches *m, int at) {
  uint32_t cp, before;
  if (at <= 0 || at >= m->n_text) return 3;
  if (is_inside_grapheme(m, at)) return 0;
  unsigned properties = properties_at(m, at, &cp);
  unsigned properties_before = properties_at(m, step_back(m, at), &before);
  if (ends_sentence(before)) return 3;
  if (properties_before & CJK_SEPARATOR) return 2;
  int is_word = (properties & CJK_CLASS_MASK) == CJK_CLASS_WORD && !(properties & CJK_SEPARATOR);
  int was_word = (properties_before & CJK_CLASS_MASK) == CJK_CLASS_WORD;
  return is_word && was_word ? 0 : 1;
}

/* The best border among the next `room` characters from `at` in one direction (-1 or 1), the
** nearest
** of equal ones to the far end for sentences and words. Stays at `at` when there is none. */
static int find_border(const CjkMatches *m, int at, int room, int direction, int minimum) {
  int best = at, best_quality = minimum - 1, edge = at;
  uint32_t cp;
  for (int i = 0; i <= room; i++) {
    int quality = border_quality(m, edge);
    if (quality >= best_quality && quality >= minimum) {
      best = edge;
      best_quality = quality;
    }
    if (direction < 0 ? edge <= 0 : edge >= m->n_text) break;
    edge = direction < 0 ? step_back(m, edge) : step_forward(m, edge, &cp);
  }
  return best;
}

/* Scores the spans [first, last] of a window: each phrase counts once, a phrase that is rare in
** this text more; further instances a little. */
static double score_spans(const CjkMatches *m, const int *counts, char *seen, int n_phrases,
                          int first, int last) {
  double score = 0;
  memset(seen, 0, (size_t)n_phrases);
  for (int i = first; i <= last; i++) {
    int phrase = m->spans[i].phrase;
    score += seen[phrase] ? 0.01 : 1.0 + 1.0 / counts[phrase];
    seen[phrase] = 1;
  }
  return score;
}

enum { MAX_CHARACTERS = 100000000 };
enum { MAX_SCORED = 64 }; /* spans of one window that are looked at: time stays linear */

/* The window of spans with the best score; only the spans' own bytes, without what is around. */
static Window best_window(const CjkMatches *m, int n_phrases, int max_characters, int *counts,
                          char *seen) {
  Window best = {0, 0};
  double best_score = -1;
  for (int i = 0; i < m->n; i++) counts[m->spans[i].phrase]++;
  for (int first = 0; first < m->n; first++) {
    int last = first, end = m->spans[first].end, characters;
    characters = count_characters(m, m->spans[first].start, end);
    for (int i = first + 1; i < m->n && i < first + MAX_SCORED; i++) {
      CjkMark span = m->spans[i];
      if (span.end > end) {
        if (span.start - m->spans[first].start > 4 * (sqlite3_int64)max_characters) break;
        characters += count_characters(m, end, span.end);
        if (characters > max_characters) break;
        end = span.end;
      }
      last = i;
    }
    double score = score_spans(m, counts, seen, n_phrases, first, last);
    if (score > best_score) {
      best_score = score;
      best.start = m->spans[first].start;
      best.end = end;
    }
  }
  return best;
}

/* Adds what is around: two thirds of the room before, at a good border, the rest behind. */
static Window widen_window(const CjkMatches *m, Window window, int max_characters) {
  int room = max_characters - count_characters(m, window.start, window.end);
  uint32_t cp;
  if (room <= 0) return window;
  int before = 0, edge = window.start, wanted = room * 2 / 3, behind = 0;
  for (edge = window.end; behind < room && edge < m->n_text; behind++) {
    edge = step_forward(m, edge, &cp);
  }
  if (behind < room - wanted) wanted = room - behind; /* the text ends before: more at the left */
  int start = find_border(m, window.start, wanted, -1, 1);
  before = count_characters(m, start, window.start);
  window.start = start;
  window.end = find_border(m, window.end, room - before, 1, 1);
  return window;
}

/* The window without the matches that its ends would cut, but never without what it is for: those of
** `core`. A match that goes on behind these is shown as far as they go. */
static Window leave_cut_matches(const CjkMatches *m, Window window, Window core) {
  for (int i = 0; i < m->n; i++) { /* in the order of their starts: a new start may cut the next */
    CjkMark span = m->spans[i];
    if (span.start >= window.start || span.end <= window.start) continue;
    window.start = span.end < core.start ? span.end : core.start;
  }
  for (int i = m->n - 1; i >= 0; i--) {
    CjkMark span = m->spans[i];
    if (span.start >= window.end || span.end <= window.end) continue;
    window.end = span.start > core.end ? span.start : core.end;
  }
  return window;
}

static int choose_window(const CjkMatches *matches, int n_phrases, int max_characters,
                         Window *window) {
  size_t n = (size_t)n_phrases + 1;
  int *counts = (int *)sqlite3_malloc64(n * sizeof(int));
  char *seen = (char *)sqlite3_malloc64(n);
  window->start = window->end = 0;
  if (counts && seen) {
    memset(counts, 0, n * sizeof(int));
    if (matches->n) *window = best_window(matches, n_phrases, max_characters, counts, seen);
    Window core = *window;
    *window = leave_cut_matches(matches, widen_window(matches, core, max_characters), core);
  }
  int rc = counts && seen ? SQLITE_OK : SQLITE_NOMEM;
  sqlite3_free(counts);
  sqlite3_free(seen);
  return rc;
}

int cjk_snippet_write(sqlite3_str *out, CjkMatches *matches, int n_phrases, const char *open,
                      const char *close, const char *ellipsis, int max_characters) {
  Marks marks = {
      open, close, ellipsis, (int)strlen(open), (int)strlen(close), (int)strlen(ellipsis)};
  Window window;
  int rc = choose_window(matches, n_phrases, max_characters, &window);
  if (rc != SQLITE_OK) return rc;
  cjk_matches_merge(matches);
  if (window.start > 0) sqlite3_str_append(out, marks.ellipsis, marks.n_ellipsis);
  write_marked(out, matches, window.start, window.end, &marks);
  if (window.end < matches->n_text) sqlite3_str_append(out, marks.ellipsis, marks.n_ellipsis);
  return SQLITE_OK;
}

static void snippet_function(const Fts5ExtensionApi *extension, Fts5Context *fts,
                             sqlite3_context *context, int argc, sqlite3_value **argv) {
  CjkMatches matches = {0};
  int n;
  if (find_matches("cjk_snippet", extension, fts, context, argc, 5, argv, &matches)) {
    sqlite3_int64 wanted = sqlite3_value_int64(argv[4]);
    int max_characters = wanted > MAX_CHARACTERS ? MAX_CHARACTERS : (int)wanted;
    if (wanted < 1) {
      sqlite3_result_error(context,
                           "cjk_snippet(): the last argument is the largest number of "
                           "characters, 1 or more",
                           -1);
    } else {
      sqlite3_str *out = sqlite3_str_new(sqlite3_context_db_handle(context));
      int rc =
          cjk_snippet_write(out, &matches, extension->xPhraseCount(fts), text_argument(argv[1], &n),
                            text_argument(argv[2], &n), text_argument(argv[3], &n), max_characters);
      if (rc == SQLITE_OK)
        cjk_result_str(context, out);
      else
        sqlite3_free(sqlite3_str_finish(out)), sqlite3_result_error_code(context, rc);
    }
  }
  cjk_matches_free(&matches);
}

int cjk_register_highlight(fts5_api *api) {
  int rc = api->xCreateFunction(api, "cjk_highlight", api, highlight_function, NULL);
  if (rc == SQLITE_OK) rc = api->xCreateFunction(api, "cjk_snippet", api, snippet_function, NULL);
  return rc;
}
