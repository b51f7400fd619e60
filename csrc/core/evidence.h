/*
** evidence.h: how well texts answer a query: bm25 over units, bigrams and trigrams, times how much
** of the query a text covers, as a whole, in its best window and at its beginning.
**
** docs/ranking.md has the formulas and benchmarks/quality/evidence.py the same in Python. A unit is
** a character of a CJK run, a cluster of a complex one, or a word. The caller counts rows in its
** index and hands the texts of candidates in; nothing here knows where they come from.
**
**   cjk_evidence_create(&query_units, text, n, &evidence);
**   ... set rows of evidence->grams[] and evidence->unit_rows[], n_rows, mean_length
**   cjk_evidence_weigh(evidence);
**   for each candidate: cjk_evidence_add_column() once or more, cjk_evidence_end_row()
**   cjk_evidence_score(evidence, i)
**
** Cost: linear in the text for counting; the windows cost (matches) x (matches in a window).
*/
#ifndef CJK_EVIDENCE_H
#define CJK_EVIDENCE_H

#include "cjk.h"

enum { CJK_MAX_QUERY_UNITS = 256 }; /* of a query; what stands behind them does not count */

typedef struct CjkUnit {
  int offset, n;  /* its bytes in CjkUnits.bytes */
  int start, end; /* its bytes in the text */
  int joined;     /* the next unit is in the same run */
} CjkUnit;

typedef struct CjkUnits {
  CjkUnit *units;
  int n, capacity;
  char *bytes;
  int n_bytes, bytes_capacity;
} CjkUnits;

/* A CjkTokenFn: appends one token of `segment bigram unigrams 1`, cut as a document, to a CjkUnits.
 */
int cjk_units_add(void *units, int flags, const char *token, int n, int start, int end);
void cjk_units_free(CjkUnits *units);

/* Two neighbours of the query, or one unit that has none. */
typedef struct CjkGram {
  int place, length;
  int is_sought; /* 0: only counted */
  double rows;   /* that hold it: set by the caller */
} CjkGram;

typedef struct CjkEvidenceTerm {
  int place, length; /* one to three units of the query, from `place` on */
  double idf;
} CjkEvidenceTerm;

typedef struct CjkEvidence {
  const CjkUnits *query;
  int n;
  int *same;         /* of a unit: the first one of the same name */
  int *before;       /* of a unit: the one of the same name before it, -1 for none */
  int *last;         /* of a first unit: the last one of the same name */
  int *run;          /* length of the run that holds the unit */
  int *gram_at;      /* of a unit: the gram of it and the next one, -1 for none */
  int *term_at[3];   /* of a unit: the term of that many units from it on, -1 for none */
  int *is_listed[3]; /* whether that term is scored there, once for each order */
  char *counts;      /* 0: inside a function word */
  double *weight;
  double *unit_rows; /* of a first unit: rows that hold it, set by the caller */
  CjkGram *grams;
  int n_grams;
  CjkEvidenceTerm *terms;
  int n_terms;
  double n_rows, mean_length; /* of the table, set by the caller; length in units */

  int *slots, n_slots;                          /* first units by the hash of their name */
  int *match_of, *chain_at, *seen_at, *longest; /* of the row at work */
  struct CjkEvidenceMatch *matches;
  int n_matches, matches_capacity;
  double *sums;
  int sums_capacity;
  int length; /* units of the row so far */
  int n_candidates;
  double *found; /* n_terms for each candidate: how often it has the term, by column weight */
  int found_capacity;
  struct CjkEvidenceRow *rows;
  int rows_capacity;
} CjkEvidence;

/* Reads a query of these units; `units` must outlive it. CJK_OK or CJK_NOMEM. */
int cjk_evidence_create(const CjkUnits *units, const char *text, int n, CjkEvidence **out);
void cjk_evidence_free(CjkEvidence *evidence);

double cjk_evidence_idf(const CjkEvidence *evidence, double rows);

/* Makes the weights of the query's units, once all rows are set. */
void cjk_evidence_weigh(CjkEvidence *evidence);

/* Adds a column of the candidate at work; its terms count `weight` times. */
int cjk_evidence_add_column(CjkEvidence *evidence, const CjkUnits *text, double weight);
int cjk_evidence_end_row(CjkEvidence *evidence);

/* Makes the idf of trigrams and the mean length, once all candidates are there. */
void cjk_evidence_finish(CjkEvidence *evidence);
double cjk_evidence_score(const CjkEvidence *evidence, int candidate);

#endif
