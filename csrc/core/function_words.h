/*
** function_words.h: question words and particles, which say nothing about what a text is about.
**
** Short, general lists for Chinese, Japanese, Korean and Thai, used on queries alone (never on
** documents), by the modes that look for any of the terms.
*/
#ifndef CJK_FUNCTION_WORDS_H
#define CJK_FUNCTION_WORDS_H

/* Length in bytes of the longest function word at the beginning of text, n > 0 bytes; 0: none. */
int cjk_function_word_length(const char *text, int n);

/* Looks for a function word from *at on: moves *at to where it begins and returns its length in
** bytes; 0: there is none any more. */
int cjk_next_function_word(const char *text, int n, int *at);

#endif
