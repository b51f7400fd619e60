/*
** memory.h: growable arrays of the core, over an allocator that the host may replace once at start
** (SQLite's own, so that its memory limits and fault injection see ours).
*/
#ifndef CJK_MEMORY_H
#define CJK_MEMORY_H

#include <stddef.h>

void *cjk_realloc(void *old, size_t size); /* NULL: out of memory, the old block is untouched */
void cjk_free(void *block);

/* Makes room for at least `need` elements of `size` bytes; CJK_OK, CJK_NOMEM or CJK_TOOBIG. Grows
** by half, so that appending one at a time is linear. */
int cjk_reserve(void **array, int *capacity, int need, size_t size);

#endif
