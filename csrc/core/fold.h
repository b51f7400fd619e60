/*
** fold.h: source text -> folded code points, each with its source range (docs/stream.md,
** section 3).
**
** A CjkReader walks over text of any bytes and yields one folded code point at a time. It keeps no
** state but its position, so that looking ahead is reading with a copy. Composition needs the code
** point before and is the business of the run (runs.c), by cjk_compose().
*/
#ifndef CJK_FOLD_H
#define CJK_FOLD_H

#include <stdint.h>

#include "unicode.h"
#include "unicode_range.h"
#include "utf8.h"

enum { CJK_VOICING_MARK = 0x3099 };

typedef struct CjkReader {
  const uint8_t *text;
  int n;                 /* bytes of text */
  int position;          /* of the next source code point */
  const uint32_t *queue; /* rest of the folds of the last one */
  int n_queue;
  int start; /* of the last source code point */
  uint32_t source;
} CjkReader;

typedef struct CjkFolded {
  uint32_t code;       /* folded code point */
  uint32_t source;     /* the code point it comes from; CJK_BROKEN for broken bytes */
  unsigned properties; /* of the folded code point */
  int start, end;      /* source range in bytes */
  int is_break;        /* broken bytes or NUL: ends everything, yields nothing */
  int is_changed;      /* code is not the source */
} CjkFolded;

CjkReader cjk_reader(const char *text, int n, int position);

/* Properties of the source code point at the reader, unfolded, where they are quick to have: it is
** ASCII but NUL, or has three bytes. 0 otherwise. *length is its bytes. */
static inline unsigned cjk_peek(const CjkReader *reader, int *length) {
  const uint8_t *p = reader->text + reader->position;
  int rest = reader->n - reader->position;
  if (rest >= 3 && cjk_utf8_is_three(p)) {
    uint32_t cp = cjk_utf8_three(p);
    *length = 3;
    if (cp - CJK_RANGE_FIRST < CJK_RANGE_LENGTH) return CJK_RANGE_PROPERTIES;
    return cp < 0x800 ? 0 : cjk_properties(cp); /* overlong; surrogates have no properties */
  }
  *length = 1;
  return rest > 0 && p[0] > 0 && p[0] < 0x80 ? cjk_properties(p[0]) : 0;
}

static inline unsigned cjk_class_of(const CjkFolded *c) {
  return c->properties & CJK_CLASS_MASK;
}

/* Reads the next folded code point; 0 at the end of the text. */
int cjk_read(CjkReader *reader, CjkFolded *out);

/* Reads the next one that is no ignorable; 0 at the end of the text. */
int cjk_read_visible(CjkReader *reader, CjkFolded *out);

/* Canonical composition of kana with voicing marks and of jamo; 0 when the two do not compose. */
uint32_t cjk_compose(uint32_t first, uint32_t second);

/* What a conjoining jamo that did not compose becomes. */
uint32_t cjk_settle_jamo(uint32_t cp);

/* fold_kana: hiragana -> katakana of the same name; anything else as it is. */
uint32_t cjk_fold_kana(uint32_t cp);

/* Kana without its (semi-)voicing mark, and with the voicing mark; as it is where there is none. */
uint32_t cjk_unvoiced(uint32_t cp);
uint32_t cjk_voiced(uint32_t cp);

#endif
