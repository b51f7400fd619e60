/*
** interpreter.h: cutters that run in CPython.
**
** A callback made by ctypes takes the interpreter's lock and calls a Python function; what it can't
** do is leave an exception behind for whoever called SQLite, interrupt the main thread once SQLite
** has returned, or keep out of an interpreter that is going away. That is done here, with the
** functions of the interpreter given by address: nothing is linked.
*/
#ifndef CJK_INTERPRETER_H
#define CJK_INTERPRETER_H

#include "cjk.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CjkInterpreter {
  int (*ensure)(void);                        /* PyGILState_Ensure */
  void (*release)(int state);                 /* PyGILState_Release */
  void (*set_error)(void *type, void *value); /* PyErr_SetObject */
  void (*write_unraisable)(void *object);     /* PyErr_WriteUnraisable */
  void (*set_interrupt)(void);                /* PyErr_SetInterrupt */
} CjkInterpreter;

/* What a cut can come to, other than the number of words. In each case *error says why. */
enum {
  CJK_CUT_FAILED = 0,     /* somebody else has the exception */
  CJK_CUT_RAISES = -1,    /* the caller of SQLite raises it: it finds it set in its thread */
  CJK_CUT_REPORTS = -2,   /* sys.unraisablehook gets it */
  CJK_CUT_INTERRUPTS = -3 /* the same, and SIGINT reaches the main thread afterwards */
};

/* Cuts a text: ends of words as in CjkCutter.cut, counted in code points; returns their number or
** one of the above. An exception it describes in raised[]: type, value, and what raised it. */
typedef int (*CjkInterpretedCut)(const char *text, int *ends, int room, CjkError *error,
                                 void *raised[3]);

typedef struct CjkInterpreted CjkInterpreted;

/* Registers `cut` as cjk_register_segmenter() does. The handle is never freed: `cut` may go when
** cjk_interpreted_is_used() says 0. NULL with a message: it was refused, or out of memory. */
CJK_API CjkInterpreted *cjk_register_interpreted(const char *name, const char *languages,
                                                 const CjkInterpreter *interpreter,
                                                 CjkInterpretedCut cut, CjkError *error);
CJK_API int cjk_interpreted_is_used(CjkInterpreted *interpreted);

/* Before the interpreter goes: no call enters it any more, cuts fail. Returns how many are still
** inside; call it again until there are none. */
CJK_API int cjk_close_interpreter(void);

#ifdef __cplusplus
}
#endif
#endif
