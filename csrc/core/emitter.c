/*
** emitter.c: see emitter.h.
*/
#include "emitter.h"

#include <string.h>

#include "memory.h"

int cjk_emit_hold(CjkEmitter *emitter, const char *token, int n, int start, int end) {
  int rc = cjk_reserve((void **)&emitter->held, &emitter->held_capacity, n, 1);
  if (rc != CJK_OK) return rc;
  memcpy(emitter->held, token, (size_t)n);
  emitter->n_held = n;
  emitter->held_start = start;
  emitter->held_end = end;
  emitter->held_mark = emitter->mark;
  return CJK_OK;
}

int cjk_emit_held(CjkEmitter *emitter) {
  int n = emitter->n_held;
  emitter->n_held = 0;
  emitter->stopped = emitter->on_token(emitter->ctx, emitter->held_mark, emitter->held, n,
                                       emitter->held_start, emitter->held_end);
  return emitter->stopped;
}
