/*
** interpreter.c: see interpreter.h.
*/
#include "interpreter.h"

#include <stdlib.h>
#include <string.h>

#include "atomics.h"
#include "error.h"
#include "registered.h"

struct CjkInterpreter {
  CjkPython python;
  void *state;
  int is_main; /* that of threads which Python does not know */
  CjkAtomicInt is_closed, n_inside;
};

struct CjkInterpreted {
  CjkInterpreter *interpreter;
  CjkPythonCutter cutter;
  CjkAtomicInt is_used;
};

/* ---- the gate ---- */

CjkInterpreter *cjk_open_interpreter(const CjkPython *python, void *state) {
  CjkInterpreter *interpreter = (CjkInterpreter *)calloc(1, sizeof(*interpreter));
  if (!interpreter) return NULL;
  interpreter->python = *python;
  interpreter->state = state;
  interpreter->is_main = python->PyInterpreterState_Main() == state;
  return interpreter;
}

int cjk_close_interpreter(CjkInterpreter *interpreter) {
  atomic_store(&interpreter->is_closed, 1);
  return atomic_load(&interpreter->n_inside);
}

/* Whether PyGILState_Ensure() leads this thread into the interpreter, and not into another one. */
static int is_thread_of(const CjkInterpreter *interpreter) {
  const CjkPython *python = &interpreter->python;
  void *thread = python->PyGILState_GetThisThreadState();
  return thread ? python->PyThreadState_GetInterpreter(thread) == interpreter->state
                : interpreter->is_main;
}

/* Gives the thread the interpreter's lock, or says why not. Counted before the gate is looked at:
** whoever closes it sees all that got through. Behind a closed gate nothing of Python is touched. */
static int enter(CjkInterpreter *interpreter, int *lock, CjkError *error) {
  atomic_fetch_add(&interpreter->n_inside, 1);
  if (atomic_load(&interpreter->is_closed)) {
    cjk_error(error, interpreter->is_main ? "the Python interpreter is exiting"
                                          : "the interpreter that registered it has ended");
  } else if (!is_thread_of(interpreter)) {
    cjk_error(error, "it belongs to another interpreter of this process: "
                     "register one in this one, under another name");
  } else {
    *lock = interpreter->python.PyGILState_Ensure();
    return 1;
  }
  atomic_fetch_sub(&interpreter->n_inside, 1);
  return 0;
}

static void leave(CjkInterpreter *interpreter, int lock) {
  interpreter->python.PyGILState_Release(lock);
  atomic_fetch_sub(&interpreter->n_inside, 1);
}

/* ---- calling; the thread has the interpreter's lock ---- */

/* Takes the exception that is set to where fail() says. */
static void hand_over(const CjkInterpreted *self, CjkError *error) {
  const CjkPython *python = &self->interpreter->python;
  CjkObject *type = NULL, *value = NULL, *traceback = NULL, *address, *answer = NULL;
  long fate = CJK_IS_REPORTED;
  cjk_error(error, "it raised an exception");
  python->PyErr_Fetch(&type, &value, &traceback);
  python->PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) python->PyException_SetTraceback(value, traceback);
  address = python->PyLong_FromVoidPtr(error->message);
  if (address) {
    answer =
        python->PyObject_CallFunctionObjArgs(self->cutter.fail, value, address, (CjkObject *)NULL);
    python->Py_DecRef(address);
  }
  if (answer) {
    fate = python->PyLong_AsLong(answer);
    python->Py_DecRef(answer);
  } else {
    python->PyErr_WriteUnraisable(self->cutter.fail);
  }
  python->PyErr_Restore(type, value, traceback);
  if (fate == CJK_IS_KEPT) python->PyErr_Restore(NULL, NULL, NULL);
  if (fate >= CJK_IS_REPORTED) python->PyErr_WriteUnraisable(self->cutter.blamed);
  if (fate == CJK_IS_INTERRUPTED) python->PyErr_SetInterrupt();
}

/* Finds the ends of the NUL-separated words, in bytes; -1: they are not those of the text. */
static int find_ends(const char *words, ptrdiff_t n, const char *text, int n_text, int *ends) {
  int at = 0, n_ends = 0;
  for (ptrdiff_t i = 0; i <= n; i++) {
    if (i == n || !words[i]) {
      if (at > (n_ends ? ends[n_ends - 1] : 0)) ends[n_ends++] = at;
    } else if (at == n_text || text[at++] != words[i]) {
      return -1;
    }
  }
  return at == n_text ? n_ends : -1;
}

/* The number of ends, or -1 with an exception set. */
static int cut_text(const CjkInterpreted *self, const char *text, int n, int *ends) {
  const CjkPython *python = &self->interpreter->python;
  CjkObject *source = python->PyUnicode_FromStringAndSize(text, n), *joined;
  const char *words;
  ptrdiff_t n_words;
  int n_ends = -1;
  if (!source) return -1;
  joined = python->PyObject_CallFunctionObjArgs(self->cutter.cut, source, (CjkObject *)NULL);
  words = joined ? python->PyUnicode_AsUTF8AndSize(joined, &n_words) : NULL;
  if (words) {
    n_ends = find_ends(words, n_words, text, n, ends);
    if (n_ends < 0) {
      CjkObject *none = python->PyObject_CallFunctionObjArgs(self->cutter.refuse, source, joined,
                                                             (CjkObject *)NULL);
      if (none) python->Py_DecRef(none);
    }
  }
  if (joined) python->Py_DecRef(joined);
  python->Py_DecRef(source);
  return n_ends;
}

static int cut(void *user, const char *text, int n, const char *locale, int n_locale, int *ends,
               int *n_ends, CjkError *error) {
  const CjkInterpreted *self = (const CjkInterpreted *)user;
  int found = -1, lock;
  (void)locale, (void)n_locale;
  if (enter(self->interpreter, &lock, error)) {
    found = cut_text(self, text, n, ends);
    if (found < 0) hand_over(self, error);
    leave(self->interpreter, lock);
  }
  *n_ends = found;
  return found < 0 ? CJK_ERROR : CJK_OK;
}

static void raise_message(const CjkInterpreted *self, const char *message) {
  const CjkPython *python = &self->interpreter->python;
  CjkObject *text = python->PyUnicode_FromStringAndSize(message, (ptrdiff_t)strlen(message));
  if (!text) return;
  CjkObject *none =
      python->PyObject_CallFunctionObjArgs(self->cutter.complain, text, (CjkObject *)NULL);
  python->Py_DecRef(text);
  if (none) python->Py_DecRef(none); /* never: it raises */
}

static void refused(void *user, CjkError *error) {
  const CjkInterpreted *self = (const CjkInterpreted *)user;
  CjkError why = *error;
  int lock;
  if (!enter(self->interpreter, &lock, &why)) return;
  cjk_error_clean(error);
  raise_message(self, error->message);
  hand_over(self, error);
  leave(self->interpreter, lock);
}

/* ---- registering ---- */

static void destroy(void *user) {
  atomic_store(&((CjkInterpreted *)user)->is_used, 0);
}

int cjk_interpreted_is_used(CjkInterpreted *interpreted) {
  return atomic_load(&interpreted->is_used);
}

/* Whether the name stands for a segmenter of another interpreter, which has not ended. */
static int is_anothers(const char *name, const CjkInterpreter *interpreter) {
  CjkRegistered *entry = cjk_registered_acquire(name);
  if (!entry) return 0;
  const CjkInterpreted *listed =
      entry->cutter.cut == cut ? (const CjkInterpreted *)entry->cutter.user : NULL;
  int found =
      listed && listed->interpreter != interpreter && !atomic_load(&listed->interpreter->is_closed);
  cjk_registered_release(entry);
  return found;
}

CjkInterpreted *cjk_register_interpreted(const char *name, const char *languages,
                                         CjkInterpreter *interpreter,
                                         const CjkPythonCutter *functions, CjkError *error) {
  if (is_anothers(name, interpreter)) {
    cjk_error(
        error,
        "the segmenter %s belongs to another interpreter of this process: give yours another name",
        name);
    return NULL;
  }
  CjkInterpreted *interpreted = (CjkInterpreted *)calloc(1, sizeof(*interpreted));
  if (!interpreted) {
    cjk_error(error, "out of memory");
    return NULL;
  }
  interpreted->interpreter = interpreter;
  interpreted->cutter = *functions;
  atomic_store(&interpreted->is_used, 1);
  CjkCutter cutter = {CJK_CUTTER_VERSION, 0, languages, interpreted, cut, destroy, refused};
  if (cjk_register_segmenter(name, &cutter, error) == CJK_OK) return interpreted;
  free(interpreted);
  return NULL;
}
