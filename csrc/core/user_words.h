/*
** user_words.h: words of the user, layered over a dictionary.
**
** A word added here has the frequency given, whether or not the dictionary has the word;
** frequency 0 takes a word away, and keeps the hidden Markov model from finding it again. As in
** jieba each addition also raises the sum of all frequencies, which makes every other word a
** little rarer.
**
** A trie in an open-addressing hash table keyed by parent and character. Only characters that begin
** a user word are ever looked up, so that other text costs one bit test a character. Words are
** added by one thread; after that any number of threads may read. About 40 bytes a character of
** the words.
*/
#ifndef CJK_USER_WORDS_H
#define CJK_USER_WORDS_H

#include "dictionary.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CJK_USER_WORD_MAX = 63 }; /* characters in the longest word */

typedef struct CjkUserWords CjkUserWords;

/* A word that was added. */
typedef struct CjkUserWord {
  uint64_t frequency;   /* 0: taken away */
  double log_frequency; /* minus infinity for frequency 0 */
  int split;            /* it was taken away once: not to be found as an unknown word either */
} CjkUserWord;

/* Makes an empty layer, NULL when out of memory. The dictionary must outlive it. All its memory
** comes from the two functions given (NULL: those of the C library), whatever cjk_set_allocator
** says: a layer can be there before the extension is loaded. The core links no
** mathematical library, so the caller lends its natural logarithm (`log` of <math.h>): with that of
** Python's `math` the words are cut as jieba in the same Python cuts them. */
CJK_API CjkUserWords *cjk_user_words_create(const CjkDictionary *dictionary, double (*log)(double),
                                            CjkReallocFn reallocate, CjkFreeFn release);
CJK_API void cjk_user_words_free(CjkUserWords *words);

/* Adds the word of `n` characters. Returns CJK_OK, CJK_NOMEM, CJK_TOOBIG (more than
** CJK_USER_WORD_MAX characters, or a frequency above 2^32), or CJK_ERROR (no character, or one that
** never stands in a word: cjk_dictionary_code). After an error nothing has changed. */
CJK_API int cjk_user_words_add(CjkUserWords *words, const uint32_t *word, size_t n,
                               uint64_t frequency);

/* The dictionary below, the sum of all frequencies, and its logarithm. */
CJK_API const CjkDictionary *cjk_user_words_dictionary(const CjkUserWords *words);
uint64_t cjk_user_words_total(const CjkUserWords *words);
double cjk_user_words_log_total(const CjkUserWords *words);

/* 16 hexadecimal digits that depend on the dictionary and on all words added, in their order. */
CJK_API const char *cjk_user_words_fingerprint(const CjkUserWords *words);

/* Gives the words a name for `segment NAME`, under the conditions of cjk_register_segmenter().
** After CJK_OK the registry owns them; they must not change any more. */
CJK_API int cjk_register_words(const char *name, CjkUserWords *words, CjkError *error);

/* Whether some user word begins with `character`. */
int cjk_user_words_begin(const CjkUserWords *words, uint32_t character);

/* The node of the prefix `node` (0: the empty one) continued with `character`; 0 when no user word
** begins so. */
uint32_t cjk_user_words_step(const CjkUserWords *words, uint32_t node, uint32_t character);

/* The word that ends at the node, or NULL: the prefix of a word only. */
const CjkUserWord *cjk_user_words_at(const CjkUserWords *words, uint32_t node);

#ifdef __cplusplus
}
#endif
#endif
