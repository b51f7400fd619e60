/*
** result.c: see result.h.
*/
#include "result.h"

void cjk_result_str(sqlite3_context *context, sqlite3_str *out) {
  int rc = sqlite3_str_errcode(out), n = sqlite3_str_length(out);
  char *text = sqlite3_str_finish(out);
  if (rc == SQLITE_TOOBIG)
    sqlite3_result_error_toobig(context);
  else if (rc != SQLITE_OK)
    sqlite3_result_error_nomem(context);
  else if (!text)
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  else
    sqlite3_result_text(context, text, n, sqlite3_free);
}
