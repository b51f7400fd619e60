/*
** matches.c: see matches.h.
**
** FTS5 says "phrase 2 at position 17"; the text is tokenized again to learn which bytes that is. At
** one position stand tokens of several lengths (a bigram and its first character, a word and a
** longer one), so where a phrase ends depends on its last term. FTS5's own highlight() always takes
** the first of them.
*/
#include "matches.h"

#include <stdlib.h>
#include <string.h>

#include "../core/memory.h"
#include "../core/utf8.h"
#include "record.h"

/* The last term of each phrase: kept for the statement as FTS5's auxiliary data. */
typedef struct Terms {
  int is_sure; /* 0: taken from the record, and no row has been seen that they fit */
  int n;       /* phrases */
  char **term;
  int *n_term; /* -1: not known */
} Terms;

/* How well a token is what the phrase ends in. */
enum { NOTHING, FIRST_OF_POSITION, BEGINS_WITH_TERM, IS_TERM };

/* The beginning or end of an instance, waiting for its position to come by. */
typedef struct Event {
  int position;
  int span;
  int is_end;
  int quality; /* of an end: of the token taken so far */
} Event;

typedef struct Scan {
  CjkMatches *matches;
  const Terms *terms;
  Event *events; /* by position */
  int n_events, event;
  int position;
  int clipped; /* first event of the last position whose prefix ends inside a token; -1: none */
} Scan;

static void free_terms(void *pointer) {
  Terms *terms = (Terms *)pointer;
  for (int i = 0; terms->term && i < terms->n; i++) sqlite3_free(terms->term[i]);
  sqlite3_free(terms->term);
  sqlite3_free(terms->n_term);
  sqlite3_free(terms);
}

static int keep_term(Terms *terms, int phrase, const char *term, int n) {
  terms->term[phrase] = (char *)sqlite3_malloc64((sqlite3_uint64)n + 1);
  if (!terms->term[phrase]) return SQLITE_NOMEM;
  memcpy(terms->term[phrase], term, (size_t)n);
  terms->n_term[phrase] = n;
  return SQLITE_OK;
}

/* The last terms as SQLite says them. */
static int ask_terms(Terms *terms, const Fts5ExtensionApi *extension, Fts5Context *context) {
  const CjkExtensionV4 *newer = (const CjkExtensionV4 *)extension;
  int rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < terms->n; i++) {
    const char *term = NULL;
    int n = 0, size = extension->xPhraseSize(context, i);
    if (size < 1) continue;
    rc = newer->xQueryToken(context, i, size - 1, &term, &n);
    if (rc == SQLITE_OK) rc = keep_term(terms, i, term, n);
  }
  return rc;
}

static void forget_terms(Terms *terms) {
  for (int i = 0; i < terms->n; i++) {
    sqlite3_free(terms->term[i]);
    terms->term[i] = NULL;
    terms->n_term[i] = -1;
  }
}

/* The last terms as the tokenizer wrote them down, the query's terms ending before term `end` of
** the record. */
static int recall_terms(Terms *terms, const CjkRecord *record, int end, int total,
                        const Fts5ExtensionApi *extension, Fts5Context *context) {
  int last = end - total - 1, rc = SQLITE_OK;
  forget_terms(terms);
  for (int i = 0; rc == SQLITE_OK && i < terms->n; i++) {
    int size = extension->xPhraseSize(context, i);
    last += size;
    if (size < 1) continue;
    rc = keep_term(terms, i, record->bytes + record->at[last],
                   record->at[last + 1] - record->at[last]);
  }
  return rc;
}

static int get_terms(const Fts5ExtensionApi *extension, Fts5Context *context, Terms **out) {
  Terms *terms = (Terms *)extension->xGetAuxdata(context, 0);
  *out = terms;
  if (terms) return SQLITE_OK;
  terms = (Terms *)sqlite3_malloc(sizeof(*terms));
  if (!terms) return SQLITE_NOMEM;
  terms->n = extension->xPhraseCount(context);
  size_t n = (size_t)terms->n + 1;
  terms->term = (char **)sqlite3_malloc64(n * sizeof(char *));
  terms->n_term = (int *)sqlite3_malloc64(n * sizeof(int));
  int rc = terms->term && terms->n_term ? SQLITE_OK : SQLITE_NOMEM;
  if (terms->term) memset(terms->term, 0, n * sizeof(char *));
  for (int i = 0; rc == SQLITE_OK && i < terms->n; i++) terms->n_term[i] = -1;
  terms->is_sure = extension->iVersion >= 3;
  if (rc == SQLITE_OK && terms->is_sure) rc = ask_terms(terms, extension, context);
  if (rc != SQLITE_OK) {
    free_terms(terms);
    return rc;
  }
  *out = terms;
  return extension->xSetAuxdata(context, terms, free_terms);
}

/* Lists the instances in the column as spans without bytes, and their ends as events. */
static int list_instances(const Fts5ExtensionApi *extension, Fts5Context *context, int column,
                          Scan *scan) {
  CjkMatches *matches = scan->matches;
  int n = 0, capacity = 0;
  int rc = extension->xInstCount(context, &n);
  for (int i = 0; rc == SQLITE_OK && i < n; i++) {
    int phrase, at_column, position;
    rc = extension->xInst(context, i, &phrase, &at_column, &position);
    if (rc != SQLITE_OK || at_column != column) continue;
    rc = cjk_reserve((void **)&matches->spans, &matches->capacity, matches->n + 1, sizeof(CjkMark));
    if (rc == SQLITE_OK) {
      rc = cjk_reserve((void **)&scan->events, &capacity, scan->n_events + 2, sizeof(Event));
    }
    if (rc != SQLITE_OK) break;
    int last = position + extension->xPhraseSize(context, phrase) - 1;
    Event begin = {position, matches->n, 0, NOTHING}, end = {last, matches->n, 1, NOTHING};
    CjkMark span = {-1, -1, phrase};
    scan->events[scan->n_events++] = begin;
    scan->events[scan->n_events++] = end;
    matches->spans[matches->n++] = span;
  }
  return rc;
}

static int by_position(const void *a, const void *b) {
  const Event *x = (const Event *)a, *y = (const Event *)b;
  return x->position != y->position ? (x->position < y->position ? -1 : 1) : 0;
}

static int quality_of(const Terms *terms, int phrase, const char *token, int n) {
  int n_term = terms->n_term[phrase];
  if (n_term < 0 || n_term > n || memcmp(token, terms->term[phrase], (size_t)n_term) != 0) {
    return FIRST_OF_POSITION;
  }
  return n_term == n ? IS_TERM : BEGINS_WITH_TERM;
}

/* Whether the token's characters are units of their own, so that a prefix of it ends between two.
 */
static int is_cut_in_units(const char *token, int n) {
  uint32_t cp = CJK_BROKEN;
  if (n) cjk_utf8_decode((const uint8_t *)token, (const uint8_t *)token + n, &cp);
  unsigned kind = cp == CJK_BROKEN ? 0 : cjk_properties(cp) & CJK_CLASS_MASK;
  return kind == CJK_CLASS_CJK || kind == CJK_CLASS_COMPLEX;
}

/* A prefix that ended inside a bigram of the position before ends where this position begins. */
static void clip_prefixes(Scan *scan, int start) {
  for (int i = scan->clipped; i >= 0 && i < scan->event; i++) {
    Event *event = &scan->events[i];
    CjkMark *span = &scan->matches->spans[event->span];
    if (event->quality == BEGINS_WITH_TERM && span->start < start && start < span->end) {
      span->end = start;
    }
  }
  scan->clipped = -1;
}

static int on_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Scan *scan = (Scan *)ctx;
  if (!(flags & FTS5_TOKEN_COLOCATED)) {
    scan->position++;
    while (scan->event < scan->n_events && scan->events[scan->event].position < scan->position) {
      scan->event++;
    }
    clip_prefixes(scan, start);
    if (scan->event >= scan->n_events) return SQLITE_DONE;
  }
  for (int i = scan->event; i < scan->n_events && scan->events[i].position == scan->position; i++) {
    Event *event = &scan->events[i];
    CjkMark *span = &scan->matches->spans[event->span];
    if (!event->is_end) {
      if (span->start < 0) span->start = start;
      continue;
    }
    int quality = quality_of(scan->terms, span->phrase, token, n);
    if (quality <= event->quality) continue;
    event->quality = quality;
    span->end = end;
    if (quality == BEGINS_WITH_TERM && is_cut_in_units(token, n)) scan->clipped = scan->event;
  }
  return SQLITE_OK;
}

static int tokenize_column(const Fts5ExtensionApi *extension, Fts5Context *context, int column,
                           Scan *scan) {
  const CjkExtensionV4 *newer = (const CjkExtensionV4 *)extension;
  const char *locale = NULL, *text = scan->matches->text;
  int n_locale = 0, n = scan->matches->n_text;
  if (extension->iVersion < 4) return extension->xTokenize(context, text, n, scan, on_token);
  int rc = newer->xColumnLocale(context, column, &locale, &n_locale);
  if (rc != SQLITE_OK) return rc;
  return newer->xTokenize_v2(context, text, n, locale, n_locale, scan, on_token);
}

/* Finds the bytes of all spans, from the beginning. */
static int scan_column(const Fts5ExtensionApi *extension, Fts5Context *context, int column,
                       Scan *scan) {
  scan->event = 0;
  scan->position = scan->clipped = -1;
  for (int i = 0; i < scan->n_events; i++) scan->events[i].quality = NOTHING;
  for (int i = 0; i < scan->matches->n; i++) {
    scan->matches->spans[i].start = scan->matches->spans[i].end = -1;
  }
  int rc = tokenize_column(extension, context, column, scan);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int fits(const Scan *scan) {
  for (int i = 0; i < scan->n_events; i++) {
    if (scan->events[i].is_end && scan->events[i].quality < BEGINS_WITH_TERM) return 0;
  }
  return 1;
}

enum { MAX_TRIES = 64 };

/* Scans with the newest recorded terms that fit the column. Where none does (a host's own tokenizer
** around ours, say) the first token of a position is marked, as FTS5 does. */
static int find_terms(fts5_api *api, const Fts5ExtensionApi *extension, Fts5Context *context,
                      int column, Scan *scan, Terms *terms) {
  const CjkRecord *record = cjk_record_of(api, extension, context);
  int total = 0, rc = SQLITE_OK;
  for (int i = 0; i < terms->n; i++) total += extension->xPhraseSize(context, i);
  int end = record ? record->n : 0;
  for (int tries = 0; rc == SQLITE_OK && tries < MAX_TRIES && end >= total; tries++, end--) {
    rc = recall_terms(terms, record, end, total, extension, context);
    if (rc == SQLITE_OK) rc = scan_column(extension, context, column, scan);
    if (rc == SQLITE_OK && fits(scan)) {
      terms->is_sure = 1;
      return SQLITE_OK;
    }
  }
  forget_terms(terms);
  return rc == SQLITE_OK ? scan_column(extension, context, column, scan) : rc;
}

static int by_start(const void *a, const void *b) {
  const CjkMark *x = (const CjkMark *)a, *y = (const CjkMark *)b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->end != y->end ? (x->end < y->end ? -1 : 1) : 0;
}

/* Whether the character at `at` extends the one before it. */
static int extends_grapheme(const CjkMatches *matches, int at) {
  const uint8_t *text = (const uint8_t *)matches->text, *end = text + matches->n_text;
  uint32_t cp, before;
  if (at <= 0 || at >= matches->n_text) return 0;
  cjk_utf8_decode(text + at, end, &cp);
  cjk_utf8_decode(text + cjk_utf8_previous(matches->text, at), end, &before);
  if (cp == CJK_BROKEN || before == CJK_BROKEN || cjk_stands_alone(before)) return 0;
  return cjk_is_extending(cp);
}

/* Widens a span over marks at its ends, which unicode61 would cut off. */
static void widen_span(const CjkMatches *matches, CjkMark *span) {
  const char *text = matches->text;
  while (extends_grapheme(matches, span->start)) {
    span->start = cjk_utf8_previous(text, span->start);
  }
  while (extends_grapheme(matches, span->end)) {
    span->end = cjk_utf8_next(text, matches->n_text, span->end);
  }
}

/* Drops spans whose position the text does not have (it was changed behind FTS5's back). */
static void sort_spans(CjkMatches *matches) {
  int n = 0;
  for (int i = 0; i < matches->n; i++) {
    CjkMark span = matches->spans[i];
    if (span.start >= 0 && span.end > span.start && span.end <= matches->n_text) {
      widen_span(matches, &span);
      matches->spans[n++] = span;
    }
  }
  matches->n = n;
  if (n) qsort(matches->spans, (size_t)n, sizeof(CjkMark), by_start);
}

int cjk_matches_find(fts5_api *api, const Fts5ExtensionApi *extension, Fts5Context *context,
                     int column, CjkMatches *out) {
  Terms *terms = NULL;
  Scan scan = {out, NULL, NULL, 0, 0, -1, -1};
  memset(out, 0, sizeof(*out));
  int rc = get_terms(extension, context, &terms);
  if (rc == SQLITE_OK) rc = extension->xColumnText(context, column, &out->text, &out->n_text);
  if (rc == SQLITE_OK && out->text) rc = list_instances(extension, context, column, &scan);
  if (rc == SQLITE_OK && scan.n_events) {
    scan.terms = terms;
    qsort(scan.events, (size_t)scan.n_events, sizeof(Event), by_position);
    rc = terms->is_sure ? scan_column(extension, context, column, &scan)
                        : find_terms(api, extension, context, column, &scan, terms);
    sort_spans(out);
  }
  cjk_free(scan.events);
  return rc;
}

void cjk_matches_merge(CjkMatches *matches) {
  int n = 0;
  for (int i = 0; i < matches->n; i++) {
    CjkMark span = matches->spans[i];
    if (n && span.start <= matches->spans[n - 1].end) {
      if (span.end > matches->spans[n - 1].end) matches->spans[n - 1].end = span.end;
    } else {
      matches->spans[n++] = span;
    }
  }
  matches->n = n;
}

void cjk_matches_free(CjkMatches *matches) {
  cjk_free(matches->spans);
  memset(matches, 0, sizeof(*matches));
}
