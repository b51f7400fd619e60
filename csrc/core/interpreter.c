/*
** interpreter.c: see interpreter.h.
*/
#include "interpreter.h"

#include <stdlib.h>

#include "atomics.h"
#include "error.h"

struct CjkInterpreted {
  CjkInterpreter interpreter;
  CjkInterpretedCut cut;
  CjkAtomicInt is_used;
};

static CjkAtomicInt is_closed;
static CjkAtomicInt n_inside;

/* Counted before the gate is looked at: whoever closes it sees all that got through. */
static int enter(void) {
  atomic_fetch_add(&n_inside, 1);
  return !atomic_load(&is_closed);
}

static void leave(void) {
  atomic_fetch_sub(&n_inside, 1);
}

int cjk_close_interpreter(void) {
  atomic_store(&is_closed, 1);
  return atomic_load(&n_inside);
}

static int call(const CjkInterpreted *self, const char *text, int *ends, int room,
                CjkError *error) {
  const CjkInterpreter *interpreter = &self->interpreter;
  void *raised[3] = {NULL, NULL, NULL};
  int state = interpreter->ensure();
  /* When ctypes itself fails, Ctrl-C at the wrong moment say, it returns any number: no words. */
  ends[0] = 0;
  int n = self->cut(text, ends, room, error, raised);
  if (n > 0 || !raised[1]) {
    interpreter->release(state);
    return n;
  }
  interpreter->set_error(raised[0], raised[1]);
  if (n != CJK_CUT_RAISES) interpreter->write_unraisable(raised[2]);
  if (n == CJK_CUT_INTERRUPTS) interpreter->set_interrupt();
  interpreter->release(state);
  return n;
}

static int cut(void *user, const char *text, int n_text, const char *locale, int n_locale,
               int *ends, int *n_ends, CjkError *error) {
  int n = CJK_CUT_FAILED;
  (void)n_text, (void)locale, (void)n_locale;
  if (enter())
    n = call((CjkInterpreted *)user, text, ends, *n_ends, error);
  else
    cjk_error(error, "the Python interpreter is exiting");
  leave();
  *n_ends = n;
  return n > 0 ? CJK_OK : CJK_ERROR;
}

static void destroy(void *user) {
  atomic_store(&((CjkInterpreted *)user)->is_used, 0);
}

int cjk_interpreted_is_used(CjkInterpreted *interpreted) {
  return atomic_load(&interpreted->is_used);
}

CjkInterpreted *cjk_register_interpreted(const char *name, const char *languages,
                                         const CjkInterpreter *interpreter,
                                         CjkInterpretedCut function, CjkError *error) {
  CjkInterpreted *interpreted = (CjkInterpreted *)calloc(1, sizeof(*interpreted));
  if (!interpreted) {
    cjk_error(error, "out of memory");
    return NULL;
  }
  interpreted->interpreter = *interpreter;
  interpreted->cut = function;
  atomic_store(&interpreted->is_used, 1);
  CjkCutter cutter = {
      CJK_CUTTER_VERSION, CJK_ENDS_ARE_CHARACTERS, languages, interpreted, cut, destroy};
  if (cjk_register_segmenter(name, &cutter, error) == CJK_OK) return interpreted;
  free(interpreted);
  return NULL;
}
