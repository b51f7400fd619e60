/*
** python_words.c: see python_words.h.
*/
#include "python_words.h"

static CjkObject *make_list(const CjkPythonStrings *python, CjkObject *text, const CjkSpan *spans,
                            size_t n) {
  CjkObject *list = python->PyList_New((ptrdiff_t)n);
  for (size_t i = 0; list && i < n; i++) {
    CjkObject *word = python->PyUnicode_Substring(text, spans[i].start, spans[i].end);
    if (!word) { /* out of memory */
      python->Py_DecRef(list);
      return NULL;
    }
    python->PyList_SetItem(list, (ptrdiff_t)i, word);
  }
  return list;
}

CjkObject *cjk_words_cut_to_list(CjkWords *words, const CjkPythonStrings *python, CjkObject *text,
                                 CjkCutMode mode, int hmm) {
  const CjkSpan *spans = NULL;
  size_t n_spans = 0;
  uint32_t *codes = python->PyUnicode_AsUCS4Copy(text);
  if (!codes) return NULL;
  size_t n = (size_t)python->PyUnicode_GetLength(text);
  int rc = cjk_words_cut(words, codes, n, mode, hmm, &spans, &n_spans);
  python->PyMem_Free(codes);
  if (rc != CJK_OK) return python->PyLong_FromLong(rc);
  return make_list(python, text, spans, n_spans);
}
