/*
** arguments.h: a tokenize= string, cut into words as FTS5 cuts it.
*/
#ifndef CJK_ARGUMENTS_H
#define CJK_ARGUMENTS_H

#include "host.h"

typedef struct CjkArguments {
  const char **argv; /* argv[0] names the tokenizer */
  int argc;
} CjkArguments;

/* Cuts `text`: barewords and words in single quotes (a quote doubled stands for itself), blanks
** between them. The tokenizer is `cjk` where the string is empty or begins with the name of
** an option of it. SQLITE_OK, SQLITE_NOMEM, or SQLITE_ERROR with a message. */
int cjk_arguments_parse(const char *text, CjkArguments *out, CjkError *error);
void cjk_arguments_free(CjkArguments *arguments);

/* Creates the tokenizer of a tokenize= string. What goes wrong is said as well as anybody knows it. */
int cjk_arguments_open(fts5_api *api, const char *text, CjkHostTokenizer *out, CjkError *error);

#endif
