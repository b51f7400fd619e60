/*
** memory.c: see memory.h. The allocator is set by whoever loads the library, always to the same one
** in a process; atomic, since connections are opened in many threads.
*/
#include "memory.h"

#include <limits.h>
#include <stdlib.h>

#include "atomics.h"
#include "cjk.h"

static CJK_ATOMIC(CjkReallocFn) realloc_fn = realloc;
static CJK_ATOMIC(CjkFreeFn) free_fn = free;

void cjk_set_allocator(CjkReallocFn reallocate, CjkFreeFn release) {
  atomic_store(&realloc_fn, reallocate);
  atomic_store(&free_fn, release);
}

void *cjk_realloc(void *old, size_t size) {
  return atomic_load_explicit(&realloc_fn, memory_order_relaxed)(old, size);
}

void cjk_free(void *block) {
  if (block) atomic_load_explicit(&free_fn, memory_order_relaxed)(block);
}

int cjk_reserve(void **array, int *capacity, int need, size_t size) {
  if (need <= *capacity) return CJK_OK;
  if (need > INT_MAX / 2) return CJK_TOOBIG;
  int wanted = *capacity + *capacity / 2;
  if (wanted < need) wanted = need;
  if (wanted < 64) wanted = 64;
  void *grown = cjk_realloc(*array, (size_t)wanted * size);
  if (!grown) return CJK_NOMEM;
  *array = grown;
  *capacity = wanted;
  return CJK_OK;
}
