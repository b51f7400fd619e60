/*
** pieces.h: word stretches -> pieces -> the parent tokenizer (docs/stream.md 5.2).
**
** A piece is what the parent is handed in one call. It is the whole stretch, or, where the parent
** is
** unicode61 with known separators, what stands between two separators; then a piece of plain ASCII
** is itself one token and the parent is not asked at all. A piece that the fold leaves alone is
** handed on as it stands in the source; another one as folded text, with a map back.
*/
#ifndef CJK_PIECES_H
#define CJK_PIECES_H

#include "emitter.h"
#include "fold.h"
#include "runs.h"

typedef struct CjkPieces {
  CjkParent parent;
  int cuts_at_separators; /* the parent is unicode61, and its separators are those of the tables */
  uint8_t is_ascii_token[128]; /* with cuts_at_separators: which ASCII characters make words */
  int is_ascii_default;        /* cuts_at_separators, and letters and digits alone make words */
  CjkRunBuffer folded; /* the piece at work where the fold changes it; units are code points */
  char *lower;         /* a token in lower case */
  int lower_capacity;
} CjkPieces;

/* Letters and digits make words; cjk_plain_parent() is the parent. */
void cjk_pieces_init(CjkPieces *pieces);
void cjk_pieces_free(CjkPieces *pieces);

/* Moves the reader over separators that have no neighbour to matter to, and returns the properties
** of what comes then, as cjk_peek() knows them. Between CJK runs stands mostly one mark of
** punctuation: this is the way past it without a look at its fold. */
static inline unsigned cjk_pieces_skip_separators(const CjkPieces *pieces, CjkReader *reader) {
  int length = 0;
  for (;;) {
    unsigned properties = reader->n_queue ? 0 : cjk_peek(reader, &length);
    if (!pieces->is_ascii_default || !cjk_is_lone_separator(properties)) return properties;
    reader->position += length;
  }
}

/* Takes the word stretch that begins at the reader and emits the parent's tokens. The reader is
** left before the first character that belongs to no word stretch. With `keycaps`, U+20E3 behind a
** digit, # or * makes an emoji token of the two. */
int cjk_pieces_take(CjkPieces *pieces, CjkReader *reader, int keycaps, int reason,
                    const char *locale, int n_locale, CjkEmitter *emitter);

/* The parent where none is set: runs of ASCII letters, digits and whatever is not ASCII, ASCII in
** lower case. */
int cjk_plain_parent(void *self, int reason, const char *text, int n, const char *locale,
                     int n_locale, void *ctx, CjkTokenFn on_token);

#endif
