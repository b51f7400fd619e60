/*
** han.h: fold_han, each Han character to the representative of its class of forms.
**
** The table is made at build time (tools/make_han_fold.py) from OpenCC's and Unicode's data and is
** part of the token stream. A build without it has no fold_han, and says so.
*/
#ifndef CJK_HAN_FOLD_H
#define CJK_HAN_FOLD_H

#include <stdint.h>

int cjk_has_han_fold(void);

/* The representative; the code point itself where it has none. */
uint32_t cjk_fold_han(uint32_t cp);

#endif
