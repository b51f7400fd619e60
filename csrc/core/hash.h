/*
** hash.h: the hash of bytes, FNV-1a, for tables in memory. It is written nowhere.
*/
#ifndef CJK_HASH_H
#define CJK_HASH_H

#include <stdint.h>

static inline uint32_t cjk_hash(const char *bytes, int n) {
  uint32_t hash = 0x811C9DC5u;
  for (int i = 0; i < n; i++) hash = (hash ^ (uint8_t)bytes[i]) * 0x01000193u;
  return hash;
}

#endif
