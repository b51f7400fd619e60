/*
** cut_cache.h: how texts were cut before, so that a text that comes again costs one look-up.
**
** Key: any bytes (text, NUL, locale). Value: the ends of its words, counted in units. Memory stays
** below CJK_CUT_CACHE_BYTES, beyond which all is forgotten; long texts are not kept.
*/
#ifndef CJK_CUT_CACHE_H
#define CJK_CUT_CACHE_H

#include <stdint.h>

enum { CJK_CUT_CACHE_BYTES = 4 << 20, CJK_CUT_CACHE_LONGEST = 4096 };

typedef struct CjkCutCache {
  struct CjkCut *cuts;
  char *keys;                          /* end to end */
  int *ends;                           /* end to end */
  int *slots;                          /* number of a cut + 1; 0: free */
  int n_cuts, n_keys, n_ends, n_slots; /* n_slots is a power of two */
  int cuts_capacity, keys_capacity, ends_capacity;
} CjkCutCache;

/* The ends of the words of a key's text; NULL: it is not there. Valid until the next addition. */
const int *cjk_cut_cache_find(const CjkCutCache *cache, const char *key, int n, int *n_ends);

/* Adds a key that is not there. CJK_OK or CJK_NOMEM. */
int cjk_cut_cache_add(CjkCutCache *cache, const char *key, int n, const int *ends, int n_ends);

void cjk_cut_cache_free(CjkCutCache *cache);

#endif
