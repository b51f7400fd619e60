/*
** result.h: what is written with a sqlite3_str as the result of an SQL function.
*/
#ifndef CJK_RESULT_H
#define CJK_RESULT_H

#include "register.h"

/* Sets the text, or the error that writing ended in, as the result; frees `out`. */
void cjk_result_str(sqlite3_context *context, sqlite3_str *out);

#endif
