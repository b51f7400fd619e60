/*
** interpreter.h: cutters that are Python functions.
**
** Through ctypes a Python function could be called as it is, but slowly, and an exception could
** not be left behind for whoever called SQLite. So CPython's own functions are called here, given by
** address: nothing is linked. What the Python side has to provide is in
** cjk_tokenizer/segmenting.py. Cost of a call: about half a microsecond.
*/
#ifndef CJK_INTERPRETER_H
#define CJK_INTERPRETER_H

#include "cjk.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void CjkObject; /* PyObject */

/* Functions of CPython's stable interface, in the order of _PYTHON in segmenting.py. */
typedef struct CjkPython {
  int (*PyGILState_Ensure)(void);
  void (*PyGILState_Release)(int state);
  void (*Py_DecRef)(CjkObject *object);
  CjkObject *(*PyUnicode_FromStringAndSize)(const char *text, ptrdiff_t n);
  const char *(*PyUnicode_AsUTF8AndSize)(CjkObject *text, ptrdiff_t *n);
  CjkObject *(*PyLong_FromVoidPtr)(void *pointer);
  long (*PyLong_AsLong)(CjkObject *number);
  CjkObject *(*PyObject_CallFunctionObjArgs)(CjkObject *callable, ...);
  void (*PyErr_Fetch)(CjkObject **type, CjkObject **value, CjkObject **traceback);
  void (*PyErr_Restore)(CjkObject *type, CjkObject *value, CjkObject *traceback);
  void (*PyErr_NormalizeException)(CjkObject **type, CjkObject **value, CjkObject **traceback);
  int (*PyException_SetTraceback)(CjkObject *value, CjkObject *traceback);
  void (*PyErr_WriteUnraisable)(CjkObject *object);
  void (*PyErr_SetInterrupt)(void);
  void *(*PyGILState_GetThisThreadState)(void);
  void *(*PyThreadState_GetInterpreter)(void *thread);
  void *(*PyInterpreterState_Main)(void);
} CjkPython;

/* The functions of one segmenter, callable objects that the Python side keeps alive:
**   cut(text)               its words, joined by NUL characters
**   refuse(text, joined)    raises why these are not the words of the text
**   complain(message)       raises an error with this message
**   fail(exception, error)  what is to become of an exception, one of the numbers below; writes the
**                           message of the CjkError at the address `error` */
typedef struct CjkPythonCutter {
  CjkObject *cut, *refuse, *complain, *fail;
  CjkObject *blamed; /* what sys.unraisablehook is told to have raised */
} CjkPythonCutter;

enum {
  CJK_IS_KEPT,       /* somebody has it already */
  CJK_IS_RAISED,     /* whoever called SQLite finds it set in its thread */
  CJK_IS_REPORTED,   /* sys.unraisablehook gets it */
  CJK_IS_INTERRUPTED /* the same, and SIGINT reaches the main thread afterwards */
};

/* One interpreter of the process, which may have several. What it registers is called in its own
** threads only: in any other a cut fails, since objects of an interpreter are not to be touched
** there. `state` is its PyInterpreterState. Never freed; NULL: out of memory. */
typedef struct CjkInterpreter CjkInterpreter;
CJK_API CjkInterpreter *cjk_open_interpreter(const CjkPython *python, void *state);

/* Before the interpreter goes: no call enters it any more, cuts fail. Returns how many are still
** inside; call it again until there are none. */
CJK_API int cjk_close_interpreter(CjkInterpreter *interpreter);

/* Registers it as cjk_register_segmenter() does, but not under the name of a segmenter of another
** interpreter. The handle is never freed; the objects may go when cjk_interpreted_is_used() says 0.
** NULL with a message: refused, or out of memory. */
typedef struct CjkInterpreted CjkInterpreted;
CJK_API CjkInterpreted *cjk_register_interpreted(const char *name, const char *languages,
                                                 CjkInterpreter *interpreter,
                                                 const CjkPythonCutter *cutter, CjkError *error);
CJK_API int cjk_interpreted_is_used(CjkInterpreted *interpreted);

#ifdef __cplusplus
}
#endif
#endif
