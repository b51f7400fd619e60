/*
** relevance.c: see relevance.h. Both sides are kept as code points, in buffers of a fixed size. All
** terms of the query lie inside its compact form, so that a term is a place in there.
*/
#include "relevance.h"

#include <stdint.h>
#include <string.h>

#include "cjk.h"
#include "memory.h"
#include "traits.h"
#include "utf8.h"

enum {
  LONGEST = 1200,
  LOWERED = 2 * LONGEST, /* one character can have two for its lower case */
  MOST_BIGRAMS = 24,
  MOST_TERMS = LOWERED / 2 + MOST_BIGRAMS,
  LEAST_PERCENT = 22,
  DOTTED_I = 0x130,
  DOT_ABOVE = 0x307
};

static const double bigram_weight = 0.72, long_weight = 0.28, best_inexact = 0.99;

typedef struct Side {
  uint32_t text[LOWERED]; /* normalised */
  int n;
  uint32_t compact[LOWERED]; /* the words of it, joined */
  int n_compact;
} Side;

typedef struct Term {
  int start, n; /* in the query's compact form */
} Term;

typedef struct Comparison {
  Side query, text;
  Term terms[MOST_TERMS];
  int n_terms;
} Comparison;

static uint32_t lower_of(uint32_t cp) {
  int low = 0, high = cjk_n_lower_ranges - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (cjk_lower_ranges[middle].first <= cp)
      low = middle;
    else
      high = middle - 1;
  }
  return (uint32_t)((int32_t)cp + cjk_lower_ranges[low].distance);
}

static void add_lowered(Side *side, uint32_t cp) {
  if (cp == DOTTED_I) {
    side->text[side->n++] = 'i';
    side->text[side->n++] = DOT_ABOVE;
  } else {
    side->text[side->n++] = cjk_traits(cp) & CJK_TRAIT_CASED ? lower_of(cp) : cp;
  }
}

/* NULs out, each run of blanks one space and none at the ends, 1,200 characters, lower case. */
static void normalise(Side *side, const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  int n_taken = 0, blank_before = 0;
  while (p < end && n_taken < LONGEST) {
    uint32_t cp;
    p += cjk_utf8_decode(p, end, &cp);
    if (cp == CJK_BROKEN) cp = CJK_REPLACEMENT;
    if (cp == 0) continue;
    if (cjk_traits(cp) & CJK_TRAIT_BLANK) {
      blank_before = n_taken > 0;
      continue;
    }
    if (blank_before) {
      side->text[side->n++] = ' ';
      if (++n_taken == LONGEST) break;
      blank_before = 0;
    }
    add_lowered(side, cp);
    n_taken++;
  }
}

static int contains(const uint32_t *text, int n_text, const uint32_t *part, int n) {
  for (int i = 0; i + n <= n_text; i++) {
    if (text[i] == part[0] && memcmp(text + i, part, (size_t)n * sizeof(*part)) == 0) return 1;
  }
  return 0;
}

static void add_distinct_term(Comparison *both, int start, int n) {
  const uint32_t *compact = both->query.compact;
  for (int i = 0; i < both->n_terms; i++) {
    const Term *term = &both->terms[i];
    if (term->n == n &&
        memcmp(compact + term->start, compact + start, (size_t)n * sizeof(*compact)) == 0) {
      return;
    }
  }
  Term term = {start, n};
  both->terms[both->n_terms++] = term;
}

/* Fills side->compact; words of two characters or more become terms of `terms_of`, if that is given
** (it is the comparison that the side is the query of). */
static void collect_words(Side *side, Comparison *terms_of) {
  int word = 0; /* where it starts */
  for (int i = 0; i <= side->n; i++) {
    if (i < side->n && cjk_traits(side->text[i]) & CJK_TRAIT_IN_WORD) {
      side->compact[side->n_compact++] = side->text[i];
      continue;
    }
    if (terms_of && side->n_compact - word >= 2)
      add_distinct_term(terms_of, word, side->n_compact - word);
    word = side->n_compact;
  }
}

static double score_terms(const Comparison *both) {
  int n_short = 0, n_short_matched = 0, n_long_matched = 0;
  for (int i = 0; i < both->n_terms; i++) {
    const Term *term = &both->terms[i];
    int matched =
        contains(both->text.text, both->text.n, both->query.compact + term->start, term->n);
    n_short += term->n == 2;
    n_short_matched += matched && term->n == 2;
    n_long_matched += matched && term->n > 2;
  }
  int needed = (n_short * LEAST_PERCENT + 99) / 100;
  if (needed < 2) needed = 2;
  if (n_long_matched == 0 && n_short_matched < needed) return 0;
  /* One operation a statement: fused ones would round otherwise than Python does. */
  double coverage = n_short ? (double)n_short_matched / n_short : 0;
  double share = (double)n_long_matched / both->n_terms;
  coverage *= bigram_weight;
  share *= long_weight;
  double score = coverage + share;
  return score < best_inexact ? score : best_inexact;
}

int cjk_relevance(const char *query, int n_query, const char *text, int n_text, double *score) {
  Comparison *both = (Comparison *)cjk_realloc(NULL, sizeof(*both));
  if (!both) return CJK_NOMEM;
  Side *asked = &both->query, *given = &both->text;
  asked->n = asked->n_compact = given->n = given->n_compact = both->n_terms = 0;
  normalise(asked, query, n_query);
  normalise(given, text, n_text);
  collect_words(asked, both);
  collect_words(given, NULL);
  if (asked->n_compact >= 2 &&
      contains(given->compact, given->n_compact, asked->compact, asked->n_compact)) {
    *score = 1;
  } else {
    for (int i = 0; i + 2 <= asked->n_compact && i < MOST_BIGRAMS; i++)
      add_distinct_term(both, i, 2);
    *score = score_terms(both);
  }
  cjk_free(both);
  return CJK_OK;
}
