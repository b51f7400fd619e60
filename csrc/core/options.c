/*
** options.c: the option table and its parser. See options.h.
*/
#include "options.h"

#include <stddef.h>
#include <string.h>

#include "error.h"
#include "segmenters.h"

#define FIELD(name) (int)offsetof(CjkOptions, name)
#define SWITCH_ON                                                                                  \
  "1 0", {                                                                                         \
    1, 0, 0, 0                                                                                     \
  }
#define SWITCH_OFF                                                                                 \
  "0 1", {                                                                                         \
    0, 1, 0, 0                                                                                     \
  }

/* clang-format off */
static const CjkOptionRow rows[] = {
  {"version", CJK_OPTION_CHOICE, "1", {1, 0, 0, 0}, FIELD(version),
   "token stream version"},
  {"segment", CJK_OPTION_SEGMENT, "", {0, 0, 0, 0}, FIELD(segment),
   "how runs of CJK characters are cut"},
  {"unigrams", CJK_OPTION_CHOICE, SWITCH_ON, FIELD(unigrams),
   "each character beside its bigram; 0: smaller index, one character needs a prefix query"},
  {"hmm", CJK_OPTION_CHOICE, SWITCH_ON, FIELD(hmm),
   "segment jieba: find words that the dictionary does not know"},
  {"fold_han", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(fold_han),
   "Traditional, Simplified, Japanese forms and name variants of Han characters alike"},
  {"fold_kana", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(fold_kana),
   "hiragana and katakana alike"},
  {"fold_prolonged", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(fold_prolonged),
   "prolonged sound mark at the end of a kana word ignored"},
  {"fold_iteration", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(fold_iteration),
   "iteration marks alike to what they repeat"},
  {"join_lines", CJK_OPTION_CHOICE, SWITCH_ON, FIELD(join_lines),
   "a single line break between Han or kana does not cut"},
  {"join_spaces", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(join_spaces),
   "blanks between single characters do not cut (OCR text)"},
  {"bridge_markup", CJK_OPTION_CHOICE, SWITCH_OFF, FIELD(bridge_markup),
   "Markdown marks and inline tags between CJK characters do not cut"},
  {"emoji", CJK_OPTION_CHOICE, SWITCH_ON, FIELD(emoji),
   "index emoji"},
  {"remove_diacritics", CJK_OPTION_PARENT, "1 0 2", {0, 0, 0, 0}, -1,
   "unicode61: accents on Latin letters"},
  {"tokenchars", CJK_OPTION_PARENT, "", {0, 0, 0, 0}, -1,
   "unicode61: further characters that belong to words"},
  {"separators", CJK_OPTION_PARENT, "", {0, 0, 0, 0}, -1,
   "unicode61: further characters that separate words"},
  {"categories", CJK_OPTION_PARENT, "", {0, 0, 0, 0}, -1,
   "unicode61: general categories that make words"},
};
/* clang-format on */

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

const CjkOptionRow *cjk_option_row(int i) {
  return i < N_ROWS ? &rows[i] : NULL;
}

static int lower(int byte) {
  return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte;
}

int cjk_same_word(const char *a, const char *b) {
  while (*a && lower(*a) == lower(*b)) a++, b++;
  return lower(*a) == lower(*b);
}

const CjkOptionRow *cjk_option_find(const char *name) {
  for (int i = 0; i < N_ROWS; i++) {
    if (cjk_same_word(rows[i].name, name)) return &rows[i];
  }
  return NULL;
}

/* The place of `word` in a blank-separated list, or -1. */
static int find_in_list(const char *list, const char *word) {
  size_t n = strlen(word);
  for (int place = 0; *list; place++) {
    size_t length = strcspn(list, " ");
    if (length == n && memcmp(list, word, n) == 0) return place;
    list += length + strspn(list + length, " ");
  }
  return -1;
}

static int set_choice(const CjkOptionRow *row, const char *value, CjkOptions *options,
                      CjkError *error) {
  int place = find_in_list(row->values, value);
  if (place < 0) {
    cjk_error(error, "option %s of tokenizer cjk: \"%.100s\" is no value of it; give one of: %s",
              row->name, value, row->values);
    return CJK_ERROR;
  }
  memcpy((char *)options + row->field, &row->numbers[place], sizeof(int));
  return CJK_OK;
}

static int set_segment(const char *value, CjkOptions *options, CjkError *error) {
  int found = cjk_segmenter_find(value);
  if (found < 0) {
    char names[200];
    cjk_segmenter_names(names, (int)sizeof(names));
    cjk_error(error,
              "option segment of tokenizer cjk: there is no segmenter \"%.64s\" in this program; "
              "known are: %s. Others it must register before it uses the table: "
              "cjk_tokenizer.register_segmenter() in Python, cjk_register_segmenter() in C",
              value, names);
    return CJK_ERROR;
  }
  options->segment = found;
  snprintf(options->segment_name, sizeof(options->segment_name), "%s", value);
  return CJK_OK;
}

static void set_defaults(CjkOptions *options) {
  memset(options, 0, sizeof(*options));
  for (int i = 0; i < N_ROWS; i++) {
    if (rows[i].kind == CJK_OPTION_CHOICE) {
      memcpy((char *)options + rows[i].field, &rows[i].numbers[0], sizeof(int));
    }
  }
}

int cjk_options_parse(const char *const *argv, int argc, CjkOptions *options, int *n_used,
                      CjkError *error) {
  int i = 0, rc = CJK_OK;
  set_defaults(options);
  while (rc == CJK_OK && i < argc) {
    const CjkOptionRow *row = cjk_option_find(argv[i]);
    if (!row) break;
    if (i + 1 >= argc) {
      cjk_error(error, "option %s of tokenizer cjk has no value behind it; give one%s%s", row->name,
                *row->values ? " of: " : "", row->values);
      return CJK_ERROR;
    }
    if (row->kind == CJK_OPTION_CHOICE) rc = set_choice(row, argv[i + 1], options, error);
    if (row->kind == CJK_OPTION_SEGMENT) rc = set_segment(argv[i + 1], options, error);
    i += 2;
  }
  *n_used = i;
  return rc;
}

const char *cjk_option_name(int i) {
  const CjkOptionRow *row = cjk_option_row(i);
  return row ? row->name : NULL;
}
