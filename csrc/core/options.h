/*
** options.h: the one table of tokenizer options.
**
** The parser, the error messages, cjk_options(), the command line's help and the reference page of
** the docs all come from it. Adding an option is one row in options.c and one field here.
*/
#ifndef CJK_OPTIONS_H
#define CJK_OPTIONS_H

#include "cjk.h"

typedef struct CjkOptions {
  int version;
  int segment;           /* row of the registry, see segmenters.h */
  char segment_name[64]; /* of a registered segmenter */
  int unigrams;
  int hmm;
  int fold_han;
  int fold_kana;
  int fold_prolonged;
  int fold_iteration;
  int join_lines;
  int join_spaces;
  int bridge_markup;
  int emoji;
} CjkOptions;

typedef enum CjkOptionKind {
  CJK_OPTION_CHOICE, /* one of a list of words; the field gets the number at the same place */
  CJK_OPTION_SEGMENT,
  CJK_OPTION_PARENT /* belongs to unicode61, which checks it */
} CjkOptionKind;

typedef struct CjkOptionRow {
  const char *name;
  CjkOptionKind kind;
  const char *values; /* blank-separated, the default first; free text for the parent's options */
  int numbers[4];     /* CHOICE: what each value sets the field to */
  int field;          /* offset into CjkOptions; -1: none */
  const char *help;   /* one line */
} CjkOptionRow;

/* Row i of the table, NULL behind the last. */
const CjkOptionRow *cjk_option_row(int i);

/* The row of that name in any case (as FTS5 compares its own), or NULL. */
const CjkOptionRow *cjk_option_find(const char *name);

/* Sets *options to the defaults, then by the pairs of argv up to the first word that is no option's
** name; *n_used is where that is. A parent's option is only checked to have a value. */
int cjk_options_parse(const char *const *argv, int argc, CjkOptions *options, int *n_used,
                      CjkError *error);

/* Compares as FTS5 does: ASCII letters without case. */
int cjk_same_word(const char *a, const char *b);

#endif
