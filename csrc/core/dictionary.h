/*
** dictionary.h: reader of the compiled dictionary.
**
** The dictionary is one read-only image, made by tools/make_dictionary.py of the word list and the
** hidden Markov model of jieba 0.42.1, and linked into the library as it is. The image is the
** struct CjkDictionary below: nothing is parsed, copied or allocated, opening it is comparing a
** header, and all processes of a machine share its pages.
**
** The words are a double-array trie (Aoe 1989) over characters. A character has a code, 1 for the
** one with most siblings. The child of a unit on a code is the unit at its base plus the code,
** provided that this one is labelled with the code; no two units share a base, so that the label
** alone proves the parent. Base 0 is the root's, and says "no child" anywhere else.
**
** A damaged image gives wrong words, never a read outside it: indices are masked or compared with
** the constant sizes here, and walks end after CJK_WORD_MAX steps.
*/
#ifndef CJK_DICTIONARY_H
#define CJK_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "cjk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CJK_FIRST_HAN = 0x4E00, /* jieba's Han: the block as Unicode 8 had it */
  CJK_LAST_HAN = 0x9FD5,
  CJK_FIRST_HAN_SLOT = 128,
  CJK_SLOTS = CJK_FIRST_HAN_SLOT + CJK_LAST_HAN - CJK_FIRST_HAN + 1,
  CJK_CODES = 1 << 14,
  CJK_OTHER_CODE = CJK_CODES - 1, /* characters of the right kind that are in no word */
  CJK_UNITS = 645 << 10,
  CJK_FREQUENCIES = 1 << 13,
  CJK_EMISSIONS = 1 << 14,
  CJK_WORD_MAX = 16 /* characters in the longest word */
};

/* States of the hidden Markov model: a character begins, ends, continues or is a word. In this
** order the greater state wins a tie, as the greater letter does in jieba. */
enum { CJK_BEGIN, CJK_END, CJK_MIDDLE, CJK_SINGLE, CJK_STATES };

typedef struct CjkDictionary {
  char magic[8];
  uint32_t byte_order;
  uint32_t format;
  char name[32];        /* "jieba 0.42.1" */
  char fingerprint[32]; /* of all that follows, in hexadecimal digits */
  uint64_t total;       /* sum of the frequencies of all words */
  double log_total;
  double start[CJK_STATES];
  double transition[CJK_STATES][CJK_STATES]; /* from, to */
  double log_frequency[CJK_FREQUENCIES];     /* by frequency index; [0]: no word, minus infinity */
  double emission[CJK_EMISSIONS];            /* by emission index */
  uint32_t frequency[CJK_FREQUENCIES];       /* by frequency index */
  uint32_t links[CJK_UNITS];                 /* base << 12 | low bits of the frequency index */
  uint16_t labels[CJK_UNITS];                /* high bits of the frequency index << 14 | code */
  uint16_t codes[CJK_SLOTS + 2];             /* by slot (cjk_dictionary_code) */
  uint16_t emissions[CJK_CODES][CJK_STATES]; /* emission indices, by code */
} CjkDictionary;

/* A place in the trie. The root is {0, 0}. */
typedef struct CjkTrieUnit {
  uint32_t base;      /* of its children; 0 when it has none and is not the root */
  uint32_t frequency; /* frequency index of the word that ends here; 0: none does */
} CjkTrieUnit;

/* The dictionary that is linked into the library. */
CJK_API const CjkDictionary *cjk_dictionary_builtin(void);

/* The `n` bytes at `image` as a dictionary, or NULL when they are none for this machine and
** version. `image` must lie on a multiple of 8 and outlive its use. */
CJK_API const CjkDictionary *cjk_dictionary_open(const void *image, size_t n);

CJK_API const char *cjk_dictionary_name(const CjkDictionary *dictionary);
CJK_API const char *cjk_dictionary_fingerprint(const CjkDictionary *dictionary);

/* The code of a character: 0 for one that is never part of a word (it separates what jieba calls
** blocks), that is any but Han of U+4E00..9FD5, ASCII letters and digits and `+#&._%-`. */
static inline uint32_t cjk_dictionary_code(const CjkDictionary *dictionary, uint32_t character) {
  uint32_t slot = character;
  if (character >= CJK_FIRST_HAN_SLOT) {
    slot = character - CJK_FIRST_HAN + CJK_FIRST_HAN_SLOT;
    if (slot < CJK_FIRST_HAN_SLOT || slot >= CJK_SLOTS) return 0;
  }
  return dictionary->codes[slot];
}

/* Steps from the unit with base `base` on `code` (not 0): 1 and the child in `*child`, or 0. */
static inline int cjk_dictionary_step(const CjkDictionary *dictionary, uint32_t base, uint32_t code,
                                      CjkTrieUnit *child) {
  uint32_t unit = base + code;
  if (unit >= CJK_UNITS) return 0;
  uint32_t label = dictionary->labels[unit];
  if ((label & (CJK_CODES - 1)) != code) return 0;
  uint32_t link = dictionary->links[unit];
  child->base = link >> 12;
  child->frequency = ((label >> 14 << 12) | (link & 0xFFF)) & (CJK_FREQUENCIES - 1);
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
