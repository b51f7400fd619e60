/*
** emoji.h: one token for each emoji sequence (docs/stream.md 5.3).
*/
#ifndef CJK_EMOJI_H
#define CJK_EMOJI_H

#include "emitter.h"
#include "fold.h"
#include "runs.h"

/* Takes the sequence that begins at the reader (a character of class EMOJI) and emits its token.
** `scratch` holds its bytes. */
int cjk_emoji_take(CjkReader *reader, CjkRunBuffer *scratch, CjkEmitter *emitter);

/* Moves the reader over marks and extend ignorables that widen the emoji which ends at `end`, plain
** ignorables between them; returns its new end. */
int cjk_emoji_widen(CjkReader *reader, int end);

#endif
