/*
** python_words.h: the words of a Python str as a list of str.
**
** Through ctypes alone most of the time of cutting a sentence went into copies of its text, numbers
** and slices. Here CPython's own functions make the list, given by address: nothing is linked. The
** caller holds the interpreter's lock (ctypes.PyDLL), so a call should not be long.
*/
#ifndef CJK_PYTHON_WORDS_H
#define CJK_PYTHON_WORDS_H

#include "interpreter.h"
#include "words.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions of CPython's stable interface, in the order of _STRINGS in library.py. */
typedef struct CjkPythonStrings {
  ptrdiff_t (*PyUnicode_GetLength)(CjkObject *text);
  uint32_t *(*PyUnicode_AsUCS4Copy)(CjkObject *text);
  void (*PyMem_Free)(void *block);
  CjkObject *(*PyUnicode_Substring)(CjkObject *text, ptrdiff_t start, ptrdiff_t end);
  CjkObject *(*PyList_New)(ptrdiff_t n);
  int (*PyList_SetItem)(CjkObject *list, ptrdiff_t i, CjkObject *item);
  CjkObject *(*PyLong_FromLong)(long number);
  void (*Py_DecRef)(CjkObject *object);
} CjkPythonStrings;

/* A list of the words of `text`, a str, as cjk_words_cut() finds them; an int, its return code, when
** it fails; NULL with an exception set when Python does. */
CJK_API CjkObject *cjk_words_cut_to_list(CjkWords *words, const CjkPythonStrings *python,
                                         CjkObject *text, CjkCutMode mode, int hmm);

#ifdef __cplusplus
}
#endif
#endif
