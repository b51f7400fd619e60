/*
** hmm.h: words that the dictionary does not know.
**
** A stretch of Han characters is cut by the most likely sequence of states (a character begins,
** continues, ends or is a word) of jieba's hidden Markov model, found by Viterbi's algorithm. The
** doubles are those of jieba, added in its order, and ties go where they go there, so that the
** result is the same to the last bit (wherever a double is an IEEE double in registers, too).
**
** Time is linear in the text, memory one byte a character, given by the caller.
*/
#ifndef CJK_HMM_H
#define CJK_HMM_H

#include "dictionary.h"

/* Cuts the `n` > 0 characters with these codes (all Han). `ends[i]` is set to 1 where character i
** is the last of a word, else to 0. */
void cjk_hmm_cut(const CjkDictionary *dictionary, const uint16_t *codes, size_t n, uint8_t *ends);

#endif
