/*
** error.h: setting a CjkError.
*/
#ifndef CJK_ERROR_H
#define CJK_ERROR_H

#include <stdio.h>

#include "cjk.h"

#define cjk_error(error, ...)                                                                      \
  ((void)snprintf((error)->message, sizeof((error)->message), __VA_ARGS__))

/* Makes valid UTF-8 of a message: what was quoted in it may be broken or cut. */
void cjk_error_clean(CjkError *error);

#endif
