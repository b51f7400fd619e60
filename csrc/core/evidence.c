/*
** evidence.c: see evidence.h.
*/
#include "evidence.h"

#include <string.h>

#include "function_words.h"
#include "hash.h"
#include "memory.h"
#include "unicode.h"
#include "utf8.h"

static const double K1 = 1.2, B = 0.75; /* FTS5's */
enum { WINDOW = 2, LEAST_WINDOW = 4 };  /* units of a window for each unit of the query */
enum { STEPS = 4 };                     /* windows begin so many to a width */

typedef struct CjkEvidenceMatch {
  int at;     /* place in the row */
  int place;  /* in the query */
  int chain;  /* of matching neighbours that ends here */
  int before; /* match that the chain comes from, -1: none */
  int full;   /* length of the longest chain that goes through here */
} Match;

typedef struct CjkEvidenceRow {
  double length, whole, best, lead;
} Row;

/* ---- units ---- */

int cjk_units_add(void *ctx, int flags, const char *token, int n, int start, int end) {
  CjkUnits *units = (CjkUnits *)ctx;
  int is_beside = flags & CJK_COLOCATED;
  /* What stands before its own first character is a gram. */
  if (is_beside && units->n && !units->units[units->n - 1].joined) units->n--;
  int rc = cjk_reserve((void **)&units->units, &units->capacity, units->n + 1, sizeof(CjkUnit));
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&units->bytes, &units->bytes_capacity, units->n_bytes + n, 1);
  }
  if (rc != CJK_OK) return rc;
  CjkUnit unit = {units->n_bytes, n, start, end, is_beside};
  units->units[units->n++] = unit;
  if (n) memcpy(units->bytes + units->n_bytes, token, (size_t)n);
  units->n_bytes += n;
  return CJK_OK;
}

void cjk_units_free(CjkUnits *units) {
  cjk_free(units->units);
  cjk_free(units->bytes);
  memset(units, 0, sizeof(*units));
}

static const char *name_of(const CjkUnits *units, int i) {
  return units->bytes + units->units[i].offset;
}

static unsigned class_of_unit(const CjkUnits *units, int i) {
  const uint8_t *p = (const uint8_t *)name_of(units, i);
  uint32_t cp = CJK_BROKEN; /* of a token without bytes: not every tokenizer gives some */
  if (units->units[i].n) cjk_utf8_decode(p, p + units->units[i].n, &cp);
  if (cp == CJK_BROKEN) return CJK_CLASS_WORD;
  return cjk_properties(cp) & CJK_CLASS_MASK;
}

static int is_word_unit(const CjkUnits *units, int i) {
  unsigned kind = class_of_unit(units, i);
  return kind != CJK_CLASS_CJK && kind != CJK_CLASS_COMPLEX && kind != CJK_CLASS_EMOJI;
}

/* The slot of the query's unit of that name, or the free one where it belongs. */
static int *find_name_slot(const CjkEvidence *e, const char *name, int n) {
  unsigned slot = cjk_hash(name, n) & (unsigned)(e->n_slots - 1);
  for (;;) {
    int i = e->slots[slot];
    if (i < 0 || (e->query->units[i].n == n && memcmp(name_of(e->query, i), name, (size_t)n) == 0))
      return &e->slots[slot];
    slot = (slot + 1) & (unsigned)(e->n_slots - 1);
  }
}

/* ---- the query ---- */

static void name_units(CjkEvidence *e) {
  for (int i = 0; i < e->n; i++) {
    int *slot = find_name_slot(e, name_of(e->query, i), e->query->units[i].n);
    if (*slot < 0) *slot = i;
    e->same[i] = *slot;
    e->before[i] = *slot == i ? -1 : e->last[*slot];
    e->last[*slot] = i;
  }
}

static int is_joined(const CjkEvidence *e, int i) {
  return i >= 0 && i + 1 < e->n && e->query->units[i].joined;
}

static void measure_runs(CjkEvidence *e) {
  for (int i = 0; i < e->n;) {
    int end = i;
    while (is_joined(e, end)) end++;
    for (int length = end + 1 - i; i <= end; i++) e->run[i] = length;
  }
}

/* Marks what lies inside a function word: function_at[i] is the number of the word, 0 for none. */
static int find_function_words(CjkEvidence *e, const char *text, int n, int *function_at) {
  int first = 0, number = 0, n_left = 0;
  for (int at = 0, length; first < e->n && (length = cjk_next_function_word(text, n, &at)) > 0;
       at += length) {
    number++;
    while (first < e->n && e->query->units[first].start < at) first++;
    for (; first < e->n && e->query->units[first].end <= at + length; first++) {
      function_at[first] = number;
      n_left++;
    }
  }
  return n_left;
}

/* Whether units [i, i + length) lie inside one function word. */
static int is_left_out(const int *function_at, int i, int length) {
  return function_at[i] && function_at[i] == function_at[i + length - 1];
}

static int in_one_run(const CjkEvidence *e, int i, int length) {
  for (int k = 0; k + 1 < length; k++) {
    if (!is_joined(e, i + k)) return 0;
  }
  return i + length <= e->n;
}

static int is_same(const CjkEvidence *e, int i, int j, int length) {
  for (int k = 0; k < length; k++) {
    if (e->same[i + k] != e->same[j + k]) return 0;
  }
  return 1;
}

static void add_gram(CjkEvidence *e, int place, int length, int is_sought) {
  int i = 0;
  while (i < e->n_grams &&
         !(e->grams[i].length == length && is_same(e, e->grams[i].place, place, length))) {
    i++;
  }
  if (i == e->n_grams) {
    CjkGram gram = {place, length, 0, 0};
    e->grams[e->n_grams++] = gram;
  }
  e->grams[i].is_sought |= is_sought;
  if (length == 2) e->gram_at[place] = i;
}

static void list_grams(CjkEvidence *e, const int *function_at) {
  for (int i = 0; i + 1 < e->n; i++) {
    if (is_joined(e, i) && !is_left_out(function_at, i, 2)) add_gram(e, i, 2, 1);
  }
  for (int i = 0; i < e->n; i++) {
    if (e->run[i] == 1 && e->counts[i]) add_gram(e, i, 1, 1);
  }
  for (int i = 0; i + 1 < e->n; i++) { /* what cluster weights look at */
    if (is_joined(e, i) && class_of_unit(e->query, i) == CJK_CLASS_COMPLEX) add_gram(e, i, 2, 0);
  }
}

static void add_query_term(CjkEvidence *e, int place, int length) {
  int i = 0;
  while (i < e->n_terms &&
         !(e->terms[i].length == length && is_same(e, e->terms[i].place, place, length))) {
    i++;
  }
  e->term_at[length - 1][place] = i;
  if (i < e->n_terms) return;
  CjkEvidenceTerm term = {place, length, 0};
  e->terms[e->n_terms++] = term;
  e->is_listed[length - 1][place] = 1;
}

/* Of what lies inside a function word nothing counts. */
static void list_terms(CjkEvidence *e) {
  for (int length = 1; length <= 3; length++) {
    for (int i = 0; i + length <= e->n; i++) {
      int n_counting = 0;
      for (int k = 0; k < length; k++) n_counting += e->counts[i + k];
      int least = length == 3 ? 2 : 1;
      if (n_counting >= least && in_one_run(e, i, length)) add_query_term(e, i, length);
    }
  }
}

static int allocate(CjkEvidence *e) {
  size_t n = (size_t)e->n + 1;
  int **arrays[] = {&e->same,         &e->before,       &e->last,         &e->run,
                    &e->gram_at,      &e->term_at[0],   &e->term_at[1],   &e->term_at[2],
                    &e->is_listed[0], &e->is_listed[1], &e->is_listed[2], &e->match_of,
                    &e->chain_at,     &e->longest};
  for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
    *arrays[i] = (int *)cjk_realloc(NULL, n * sizeof(int));
    if (!*arrays[i]) return CJK_NOMEM;
    memset(*arrays[i], i >= 8 && i <= 10 ? 0 : -1, n * sizeof(int));
  }
  for (e->n_slots = 64; e->n_slots < 2 * e->n;) e->n_slots *= 2;
  e->slots = (int *)cjk_realloc(NULL, (size_t)e->n_slots * sizeof(int));
  e->seen_at = (int *)cjk_realloc(NULL, 3 * n * sizeof(int));
  e->counts = (char *)cjk_realloc(NULL, n);
  e->weight = (double *)cjk_realloc(NULL, n * sizeof(double));
  e->unit_rows = (double *)cjk_realloc(NULL, n * sizeof(double));
  e->grams = (CjkGram *)cjk_realloc(NULL, 2 * n * sizeof(CjkGram));
  e->terms = (CjkEvidenceTerm *)cjk_realloc(NULL, 3 * n * sizeof(CjkEvidenceTerm));
  if (!e->slots || !e->seen_at || !e->counts || !e->weight || !e->unit_rows || !e->grams ||
      !e->terms)
    return CJK_NOMEM;
  memset(e->slots, -1, (size_t)e->n_slots * sizeof(int));
  memset(e->counts, 0, n);
  for (size_t i = 0; i < n; i++) e->weight[i] = e->unit_rows[i] = 0;
  return CJK_OK;
}

int cjk_evidence_create(const CjkUnits *units, const char *text, int n, CjkEvidence **out) {
  int function_at[CJK_MAX_QUERY_UNITS + 1] = {0};
  CjkEvidence *e = (CjkEvidence *)cjk_realloc(NULL, sizeof(*e));
  *out = NULL;
  if (!e) return CJK_NOMEM;
  memset(e, 0, sizeof(*e));
  e->query = units;
  e->n = units->n < CJK_MAX_QUERY_UNITS ? units->n : CJK_MAX_QUERY_UNITS;
  if (allocate(e) != CJK_OK) {
    cjk_evidence_free(e);
    return CJK_NOMEM;
  }
  name_units(e);
  measure_runs(e);
  if (find_function_words(e, text, n, function_at) == e->n) {
    memset(function_at, 0, sizeof(function_at));
  }
  for (int i = 0; i < e->n; i++) e->counts[i] = function_at[i] == 0;
  list_grams(e, function_at);
  list_terms(e);
  *out = e;
  return CJK_OK;
}

void cjk_evidence_free(CjkEvidence *e) {
  if (!e) return;
  void *blocks[] = {e->same,     e->before,   e->last,      e->run,   e->gram_at,
                    e->match_of, e->chain_at, e->longest,   e->slots, e->seen_at,
                    e->counts,   e->weight,   e->unit_rows, e->grams, e->terms,
                    e->matches,  e->found,    e->rows,      e->sums};
  for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) cjk_free(blocks[i]);
  for (int i = 0; i < 3; i++) {
    cjk_free(e->term_at[i]);
    cjk_free(e->is_listed[i]);
  }
  cjk_free(e);
}

/* ---- weights ---- */

/* The natural logarithm: libm's has a symbol version that old systems lack. x = m * 2^k with m near
** 1, and log m = 2 atanh((m - 1) / (m + 1)). */
static double natural_log(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  int k = (int)(bits >> 52 & 0x7FF) - 1023;
  bits = (bits & 0xFFFFFFFFFFFFFull) | 1023ull << 52;
  memcpy(&x, &bits, sizeof(x));
  if (x > 1.4142135623730951) {
    x /= 2;
    k++;
  }
  double s = (x - 1) / (x + 1), square = s * s, sum = 0;
  for (int i = 25; i >= 1; i -= 2) sum = sum * square + 1.0 / i;
  return 2 * s * sum + k * 0.69314718055994531;
}

double cjk_evidence_idf(const CjkEvidence *e, double rows) {
  double x = 1 + (e->n_rows - rows + 0.5) / (rows + 0.5);
  return natural_log(x > 1 ? x : 1);
}

/* Of the bigram at `place`, which is a gram: a term, or of a complex script. */
static double gram_idf(const CjkEvidence *e, int place) {
  return cjk_evidence_idf(e, e->grams[e->gram_at[place]].rows);
}

/* A character weighs its idf, a word twice that, a cluster (which says little by itself) its idf
** and half of that of its bigrams. */
static double weigh_unit(const CjkEvidence *e, int i) {
  double idf = cjk_evidence_idf(e, e->unit_rows[e->same[i]]);
  if (is_word_unit(e->query, i)) return 2 * idf;
  if (class_of_unit(e->query, i) != CJK_CLASS_COMPLEX) return idf;
  double sum = 0;
  int n = 0;
  if (is_joined(e, i - 1)) sum += gram_idf(e, i - 1), n++;
  if (is_joined(e, i)) sum += gram_idf(e, i), n++;
  return n ? idf + sum / n / 2 : idf;
}

void cjk_evidence_weigh(CjkEvidence *e) {
  for (int i = 0; i < e->n; i++) e->weight[i] = e->counts[i] ? weigh_unit(e, i) : 0;
}

/* ---- candidates ---- */

static int begin_row(CjkEvidence *e) {
  size_t n = (size_t)e->n_terms;
  int need = (e->n_candidates + 1) * e->n_terms;
  int rc = cjk_reserve((void **)&e->found, &e->found_capacity, need + 1, sizeof(double));
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&e->rows, &e->rows_capacity, e->n_candidates + 1, sizeof(Row));
  }
  if (rc != CJK_OK) return rc;
  for (size_t i = 0; i < n; i++) e->found[(size_t)e->n_candidates * n + i] = 0;
  for (size_t i = 0; i < n; i++) e->seen_at[i] = -1;
  for (int i = 0; i < e->n; i++) e->chain_at[i] = -2;
  e->n_matches = 0;
  return CJK_OK;
}

static void count_term(CjkEvidence *e, int length, int place, int at, double weight) {
  int term = e->term_at[length - 1][place];
  if (term < 0 || e->seen_at[term] == at) return;
  e->seen_at[term] = at; /* the same term may stand in the query twice */
  e->found[(size_t)e->n_candidates * (size_t)e->n_terms + (size_t)term] += weight;
}

int cjk_evidence_add_column(CjkEvidence *e, const CjkUnits *text, double weight) {
  int rc = e->length == 0 ? begin_row(e) : CJK_OK;
  for (int j = 0; rc == CJK_OK && j < text->n; j++) {
    int at = e->length + j, first = *find_name_slot(e, name_of(text, j), text->units[j].n);
    int goes_on = j > 0 && text->units[j - 1].joined;
    if (first < 0) continue;
    rc =
        cjk_reserve((void **)&e->matches, &e->matches_capacity, e->n_matches + e->n, sizeof(Match));
    if (rc != CJK_OK) break;
    /* From the last place to the first: a place reads what the one before it had at the last unit.
     */
    for (int i = e->last[first]; i >= 0; i = e->before[i]) {
      int is_next = goes_on && is_joined(e, i - 1) && e->chain_at[i - 1] == at - 1;
      Match match = {at, i, 1, -1, 1};
      if (is_next) {
        match.before = e->match_of[i - 1];
        match.chain = match.full = e->matches[match.before].chain + 1;
      }
      e->match_of[i] = e->n_matches;
      e->chain_at[i] = at;
      e->matches[e->n_matches++] = match;
      for (int length = 1; length <= 3 && length <= match.chain; length++) {
        count_term(e, length, i - length + 1, at, weight);
      }
    }
  }
  e->length += text->n;
  return rc;
}

static double credit(const CjkEvidence *e, int place, double length) {
  double run = e->run[place];
  return e->weight[place] * (length / (length + 1) * (run + 1) / run);
}

/* How much of the query, 0 to 1, the matches at `first` <= place < `end` cover. A unit counts by
** the longest chain that holds it, cut at `first`: L of the R units of its run, L/(L+1) in parts of
** R/(R+1). */
static double cover(CjkEvidence *e, double total, int from, int first, int end) {
  double sum = 0;
  memset(e->longest, 0, (size_t)e->n * sizeof(int));
  for (int m = from; m < e->n_matches && e->matches[m].at < end; m++) {
    Match match = e->matches[m];
    int length = match.at - first + 1 < match.chain ? match.at - first + 1 : match.chain;
    for (int k = match.place - length + 1; k <= match.place; k++) {
      if (e->longest[k] < length) e->longest[k] = length;
    }
  }
  for (int k = 0; k < e->n; k++) {
    if (e->longest[k]) sum += credit(e, k, e->longest[k]);
  }
  return total > 0 ? sum / total : 0;
}

/* Sets sums[m] to no less than what matches before m can add to any window, of total. */
static void bound_windows(CjkEvidence *e, double total, double *sums) {
  for (int m = e->n_matches - 1; m >= 0; m--) {
    Match *match = &e->matches[m];
    if (match->before < 0) continue;
    Match *before = &e->matches[match->before];
    if (before->full < match->full) before->full = match->full;
  }
  sums[0] = 0;
  for (int m = 0; m < e->n_matches; m++) {
    Match match = e->matches[m];
    sums[m + 1] = sums[m] + credit(e, match.place, match.full) / (total > 0 ? total : 1);
  }
}

/* The best of the windows that begin a quarter of their width apart. Most are passed over: even if
** nothing in them were found twice they would not be better. */
static int find_best_window(CjkEvidence *e, double total, int width, double *best) {
  int rc = cjk_reserve((void **)&e->sums, &e->sums_capacity, e->n_matches + 1, sizeof(double));
  if (rc != CJK_OK) return rc;
  bound_windows(e, total, e->sums);
  int last = e->matches[e->n_matches - 1].at, step = width / STEPS > 1 ? width / STEPS : 1;
  for (int at = step, first = 0, end = 0; at <= last; at += step) {
    while (e->matches[first].at < at) first++; /* the last match is at `last` */
    while (end < e->n_matches && e->matches[end].at < at + width) end++;
    if (e->sums[end] - e->sums[first] < *best * (1 - 1e-9)) continue;
    double covered = cover(e, total, first, at, at + width);
    if (covered > *best) *best = covered;
  }
  return CJK_OK;
}

int cjk_evidence_end_row(CjkEvidence *e) {
  int rc = e->length == 0 ? begin_row(e) : CJK_OK, width = 0;
  double total = 0;
  if (rc != CJK_OK) return rc;
  for (int i = 0; i < e->n; i++) {
    total += e->weight[i];
    width += WINDOW * e->counts[i];
  }
  if (width < LEAST_WINDOW) width = LEAST_WINDOW;
  Row row = {(double)e->length, 0, 0, 0};
  if (e->n_matches) {
    row.best = row.lead = cover(e, total, 0, 0, width);
    row.whole = cover(e, total, 0, 0, e->length);
    rc = find_best_window(e, total, width, &row.best);
  }
  e->rows[e->n_candidates++] = row;
  e->length = 0;
  return rc;
}

/* ---- scores ---- */

/* Of the candidates with ab, the share that has abc; likewise bc. Never fewer than seen. */
static double trigram_rows(const CjkEvidence *e, const CjkEvidenceTerm *term, const int *among) {
  double here = among[term - e->terms], least = -1;
  for (int k = 0; k < 2; k++) {
    int half = e->term_at[1][term->place + k], gram = e->gram_at[term->place + k];
    double rows = e->grams[gram].rows * here / (among[half] > 1 ? among[half] : 1);
    if (least < 0 || rows < least) least = rows;
  }
  return least > here ? least : here;
}

/* What lengths are measured by: the table's mean, but no less than half of the candidates'. Long
** rows match more often, so candidates are longer than the rows of any table. Where they are more
** than twice as long, texts stand among short lines, beside which every text is long. */
static double find_mean_length(const CjkEvidence *e) {
  double sum = 0, n = e->n_candidates, mean = e->mean_length;
  for (int i = 0; i < e->n_candidates; i++) sum += e->rows[i].length;
  if (n > 0 && mean < sum / n / 2) mean = sum / n / 2;
  return mean > 0 ? mean : 1;
}

void cjk_evidence_finish(CjkEvidence *e) {
  int *among = e->seen_at; /* candidates that have the term */
  for (int i = 0; i < e->n_terms; i++) {
    among[i] = 0;
    for (int row = 0; row < e->n_candidates; row++) {
      among[i] += e->found[(size_t)row * (size_t)e->n_terms + (size_t)i] > 0;
    }
  }
  e->mean_length = find_mean_length(e);
  for (int i = 0; i < e->n_terms; i++) {
    CjkEvidenceTerm *term = &e->terms[i];
    if (term->length == 1)
      term->idf = cjk_evidence_idf(e, e->unit_rows[e->same[term->place]]);
    else if (term->length == 2)
      term->idf = gram_idf(e, term->place);
    else
      term->idf = cjk_evidence_idf(e, trigram_rows(e, term, among));
  }
}

double cjk_evidence_score(const CjkEvidence *e, int candidate) {
  const Row *row = &e->rows[candidate];
  const double *found = e->found + (size_t)candidate * (size_t)e->n_terms;
  double norm = K1 * (1 - B + B * row->length / e->mean_length);
  double score = 0;
  for (int i = 0; i < e->n_terms; i++) {
    const CjkEvidenceTerm *term = &e->terms[i];
    if (found[i] <= 0) continue;
    double part = term->idf * found[i] * (K1 + 1) / (found[i] + norm);
    score += part / term->length;
    /* A word stands for the bigrams and trigrams that it does not have. */
    if (term->length == 1 && is_word_unit(e->query, term->place)) score += part / 2 + part / 3;
  }
  return score * row->whole * (1 + row->best) * (1 + row->lead);
}
