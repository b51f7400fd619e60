/*
** error.c: see error.h.
*/
#include "error.h"

#include <string.h>

#include "utf8.h"

void cjk_error_clean(CjkError *error) {
  uint8_t *p = (uint8_t *)error->message, *end = p + strlen(error->message);
  while (p < end) {
    uint32_t cp;
    int n = cjk_utf8_decode(p, end, &cp);
    if (cp == CJK_BROKEN) memset(p, '?', (size_t)n);
    p += n;
  }
}
