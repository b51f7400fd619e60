/*
** emitter.h: the way out for tokens.
**
** In a query the last unit of a run is held back: it becomes a token only when another token
** follows in the same call (docs/stream.md 5.1).
*/
#ifndef CJK_EMITTER_H
#define CJK_EMITTER_H

#include "cjk.h"

/* What is wrong when a segmenter comes back to where it is called from. */
#define CJK_USES_CONNECTION                                                                        \
  "it used the connection that it cuts for; a segmenter must leave that alone"

typedef struct CjkEmitter {
  CjkTokenFn on_token;
  void *ctx;
  int is_query;
  const char *locale; /* of the text; not the end of a string */
  int n_locale;
  int explains;                 /* tokens are marked with who made them */
  int mark;                     /* what is ORed into the flags of tokens now */
  unsigned (*stamp)(void *ctx); /* cjk_analyzer_set_stamp(); may be NULL */
  void *stamp_ctx;
  const CjkCutter *cutter; /* at work now, or NULL */
  int was_entered;         /* the analyzer was asked for another text in the middle of this one */
  CjkError *error;         /* why a segmenter fails */
  int stopped; /* what the callback returned when it was not CJK_OK: no further call of it */
  char *held;  /* the token held back */
  int held_capacity;
  int n_held; /* its bytes; 0: none is held */
  int held_start, held_end, held_mark;
} CjkEmitter;

/* Has tokens marked as those of a segmenter, by its number (segmenters.h), where that is asked. */
static inline void cjk_emitter_mark(CjkEmitter *emitter, int number) {
  emitter->mark = emitter->explains ? (number + 1) * 256 : 0;
}

/* Holds a token back; it takes the place of one held before. */
int cjk_emit_hold(CjkEmitter *emitter, const char *token, int n, int start, int end);

/* Emits the token held back. */
int cjk_emit_held(CjkEmitter *emitter);

/* Emits a token, the one held back before it. */
static inline int cjk_emit(CjkEmitter *emitter, int flags, const char *token, int n, int start,
                           int end) {
  int rc = emitter->n_held ? cjk_emit_held(emitter) : CJK_OK;
  if (rc == CJK_OK) {
    rc = emitter->stopped =
        emitter->on_token(emitter->ctx, flags | emitter->mark, token, n, start, end);
  }
  return rc;
}

#endif
