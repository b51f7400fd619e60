/*
** han.c: see han.h. CJK_OMIT_HAN_FOLD leaves the table out.
*/
#include "han.h"

#ifndef CJK_OMIT_HAN_FOLD

#include "han_table.h"

int cjk_has_han_fold(void) {
  return 1;
}

uint32_t cjk_fold_han(uint32_t cp) {
  if (cp >> 7 >= sizeof(han_index) / sizeof(han_index[0])) return cp;
  uint32_t folded = han_blocks[(unsigned)han_index[cp >> 7] << 7 | (cp & 127)];
  return folded ? folded : cp;
}

#else

int cjk_has_han_fold(void) {
  return 0;
}

uint32_t cjk_fold_han(uint32_t cp) {
  return cp;
}

#endif
