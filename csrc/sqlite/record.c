/*
** record.c: see record.h. cjk_record_of() is in tokenizer.c, which knows the tokenizers.
*/
#include "record.h"

#include <string.h>

#include "../core/memory.h"

enum { XQUERYTOKEN_SINCE = 3045000, MAX_RECORDED = 4096 };

int cjk_record_is_needed(void) {
  return sqlite3_libversion_number() < XQUERYTOKEN_SINCE;
}

void cjk_record_begin(CjkRecord *record) {
  if (record->n <= MAX_RECORDED) return;
  int n = record->n / 2, first = record->at[record->n - n]; /* the newer half stays */
  memmove(record->bytes, record->bytes + first, (size_t)(record->at[record->n] - first));
  memmove(record->at, record->at + record->n - n, (size_t)(n + 1) * sizeof(int));
  for (int i = 0; i <= n; i++) record->at[i] -= first;
  record->n = n;
}

int cjk_record_add(CjkRecord *record, const char *term, int n) {
  int rc = cjk_reserve((void **)&record->at, &record->at_capacity, record->n + 2, sizeof(int));
  if (rc != CJK_OK) return rc;
  if (record->n == 0) record->at[0] = 0;
  int used = record->at[record->n];
  rc = cjk_reserve((void **)&record->bytes, &record->bytes_capacity, used + n, 1);
  if (rc != CJK_OK) return rc;
  if (n) memcpy(record->bytes + used, term, (size_t)n);
  record->at[++record->n] = used + n;
  return CJK_OK;
}

void cjk_record_free(CjkRecord *record) {
  cjk_free(record->bytes);
  cjk_free(record->at);
  memset(record, 0, sizeof(*record));
}
