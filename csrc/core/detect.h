/*
** detect.h: the language of a text, by the scripts it is written in.
**
** The rule is the docstring of cjk_tokenizer/memory/language.py. No allocation; linear, some
** hundreds of megabytes a second. Broken bytes count for nothing.
*/
#ifndef CJK_DETECT_H
#define CJK_DETECT_H

#include <stdint.h>

#include "traits.h"

/* Adds up the code points of each script in n bytes of UTF-8. */
void cjk_count_scripts(const char *text, int n, int64_t counts[CJK_N_SCRIPTS]);

/* The language: zh, ja, ko, th, ar, hi, ru, or en for everything else. */
const char *cjk_detect(const char *text, int n);

#endif
