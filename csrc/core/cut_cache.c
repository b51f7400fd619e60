/*
** cut_cache.c: a hash table with linear probing, at most half full. See cut_cache.h.
*/
#include "cut_cache.h"

#include <string.h>

#include "cjk.h"
#include "hash.h"
#include "memory.h"

typedef struct CjkCut {
  uint32_t hash;
  int key, n_key; /* place in CjkCutCache.keys */
  int first, n;   /* place in CjkCutCache.ends */
} CjkCut;

const int *cjk_cut_cache_find(const CjkCutCache *cache, const char *key, int n, int *n_ends) {
  uint32_t mask = (uint32_t)cache->n_slots - 1;
  if (!cache->n_slots || n > CJK_CUT_CACHE_LONGEST) return NULL;
  for (uint32_t slot = cjk_hash(key, n) & mask; cache->slots[slot]; slot = (slot + 1) & mask) {
    const CjkCut *cut = &cache->cuts[cache->slots[slot] - 1];
    if (cut->n_key == n && memcmp(cache->keys + cut->key, key, (size_t)n) == 0) {
      *n_ends = cut->n;
      return cache->ends + cut->first;
    }
  }
  return NULL;
}

static void take_slot(CjkCutCache *cache, int i) {
  uint32_t mask = (uint32_t)cache->n_slots - 1, slot = cache->cuts[i].hash & mask;
  while (cache->slots[slot]) slot = (slot + 1) & mask;
  cache->slots[slot] = i + 1;
}

static int grow_slots(CjkCutCache *cache) {
  int n = cache->n_slots ? 2 * cache->n_slots : 256;
  int *slots = (int *)cjk_realloc(NULL, (size_t)n * sizeof(int));
  if (!slots) return CJK_NOMEM;
  memset(slots, 0, (size_t)n * sizeof(int));
  cjk_free(cache->slots);
  cache->slots = slots;
  cache->n_slots = n;
  for (int i = 0; i < cache->n_cuts; i++) take_slot(cache, i);
  return CJK_OK;
}

static int is_full(const CjkCutCache *cache, int n_key, int n_ends) {
  size_t bytes = (size_t)cache->n_keys + (size_t)n_key;
  bytes += ((size_t)cache->n_ends + (size_t)n_ends) * sizeof(int);
  bytes += (size_t)cache->n_cuts * sizeof(CjkCut) + (size_t)cache->n_slots * sizeof(int);
  return bytes > CJK_CUT_CACHE_BYTES / 3 * 2; /* arrays grow by half */
}

int cjk_cut_cache_add(CjkCutCache *cache, const char *key, int n, const int *ends, int n_ends) {
  if (n > CJK_CUT_CACHE_LONGEST) return CJK_OK;
  if (is_full(cache, n, n_ends)) {
    memset(cache->slots, 0, (size_t)cache->n_slots * sizeof(int));
    cache->n_cuts = cache->n_keys = cache->n_ends = 0;
  }
  int rc =
      cjk_reserve((void **)&cache->cuts, &cache->cuts_capacity, cache->n_cuts + 1, sizeof(CjkCut));
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&cache->keys, &cache->keys_capacity, cache->n_keys + n, 1);
  }
  if (rc == CJK_OK) {
    rc = cjk_reserve((void **)&cache->ends, &cache->ends_capacity, cache->n_ends + n_ends,
                     sizeof(int));
  }
  if (rc == CJK_OK && 2 * (cache->n_cuts + 1) > cache->n_slots) rc = grow_slots(cache);
  if (rc != CJK_OK) return rc;
  CjkCut cut = {cjk_hash(key, n), cache->n_keys, n, cache->n_ends, n_ends};
  cache->cuts[cache->n_cuts] = cut;
  memcpy(cache->keys + cache->n_keys, key, (size_t)n);
  memcpy(cache->ends + cache->n_ends, ends, (size_t)n_ends * sizeof(int));
  take_slot(cache, cache->n_cuts);
  cache->n_cuts++;
  cache->n_keys += n;
  cache->n_ends += n_ends;
  return CJK_OK;
}

void cjk_cut_cache_free(CjkCutCache *cache) {
  cjk_free(cache->cuts);
  cjk_free(cache->keys);
  cjk_free(cache->ends);
  cjk_free(cache->slots);
  memset(cache, 0, sizeof(*cache));
}
