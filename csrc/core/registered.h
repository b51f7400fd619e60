/*
** registered.h: the segmenters that the host program gave a name (cjk_register_segmenter in cjk.h,
** cjk_register_words in user_words.h).
**
** One table for the process, of a fixed number of places, without locks: a place is free when
** nobody refers to it. The table itself is one reference, each open segmenter another, so that an
** entry stays as it is until the last one that uses it is closed. A fork at any moment leaves a
** usable table.
*/
#ifndef CJK_REGISTERED_H
#define CJK_REGISTERED_H

#include "atomics.h"
#include "cjk.h"
#include "languages.h"
#include "user_words.h"

enum { CJK_NAME_MAX = 63, CJK_MAX_REGISTERED = 256 };

typedef struct CjkRegistered {
  CjkAtomicInt references; /* 0: the place is free; -1: it is being filled */
  CjkAtomicInt is_listed;  /* new segmenters may use it */
  int serial;              /* the greater, the newer */
  char name[CJK_NAME_MAX + 1];
  unsigned languages;  /* bits 1 << CjkLanguage; 0: none was named */
  unsigned writings;   /* what it covers: bits 1 << CjkWriting */
  CjkCutter cutter;    /* .cut is NULL for user words */
  CjkUserWords *words; /* or NULL */
} CjkRegistered;

/* The newest entry of that name, with a reference for the caller; NULL: there is none. */
CjkRegistered *cjk_registered_acquire(const char *name);

/* The same for the newest cutter that names the language. */
CjkRegistered *cjk_registered_acquire_language(CjkLanguage language);

void cjk_registered_release(CjkRegistered *entry);

/* The number of the entry's place, and the name of the entry at a place, which must be in use. */
int cjk_registered_place(const CjkRegistered *entry);
const char *cjk_registered_name(int place);

/* Calls `visit` with the name of each listed entry, the oldest first. */
void cjk_registered_each(void *ctx, void (*visit)(void *ctx, const char *name));

#endif
