/*
** native_segmenter.c: a segmenter in C, given a name and used by an FTS5 table.
**
**   cc -I csrc/core examples/native_segmenter.c path/to/cjk.so -lsqlite3 -o native_segmenter
**   LD_LIBRARY_PATH=path/to ./native_segmenter
**
** It cuts Japanese where the kind of character changes: kanji, hiragana, katakana. A real one would
** call a morphological analyser in the same place.
*/
#include <sqlite3.h>
#include <stdio.h>

#include "cjk.h"

/* The entry point of cjk.so that sqlite3_auto_extension() takes. */
int sqlite3_cjk_auto_init(sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

enum { HIRAGANA, KATAKANA, OTHER };

/* The kind of the character at `p`; *length is its bytes. The text is valid UTF-8. */
static int kind_of(const unsigned char *p, int *length) {
  *length = p[0] < 0x80 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
  if (*length != 3) return OTHER;
  unsigned code = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
  if (code >= 0x3041 && code <= 0x309F) return HIRAGANA;
  return code >= 0x30A0 && code <= 0x30FF ? KATAKANA : OTHER;
}

/* A CjkCutter's function: the end of each word, in bytes. */
static int cut(void *user, const char *text, int n, const char *locale, int n_locale, int *ends,
               int *n_ends, CjkError *error) {
  const unsigned char *bytes = (const unsigned char *)text;
  int last_kind = -1, length, found = 0;
  (void)user, (void)locale, (void)n_locale, (void)error;
  for (int at = 0; at < n; at += length) {
    int kind = kind_of(bytes + at, &length);
    if (last_kind >= 0 && kind != last_kind) ends[found++] = at;
    last_kind = kind;
  }
  ends[found++] = n;
  *n_ends = found;
  return CJK_OK;
}

static int print_row(void *ctx, int n, char **values, char **names) {
  (void)ctx, (void)names;
  for (int i = 0; i < n; i++) printf("%s%s", i ? " " : "", values[i] ? values[i] : "NULL");
  printf("\n");
  return 0;
}

static int fail(sqlite3 *db) {
  fprintf(stderr, "%s\n", sqlite3_errmsg(db));
  return 1;
}

int main(void) {
  CjkCutter cutter = {CJK_CUTTER_VERSION, 0, "ja", NULL, cut, NULL, NULL};
  CjkError error;
  sqlite3 *db;
  if (cjk_register_segmenter("kinds", &cutter, &error) != CJK_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return fail(db);
  if (sqlite3_exec(db,
                   "CREATE VIRTUAL TABLE notes USING fts5(body, tokenize = 'cjk segment kinds');"
                   "INSERT INTO notes VALUES ('東京タワーへ行く'), ('京都の寺');"
                   "SELECT token, segmenter FROM cjk_tokens('東京タワーへ行く', 'segment kinds');"
                   "SELECT rowid, body FROM notes('タワー');",
                   print_row, NULL, NULL) != SQLITE_OK) {
    return fail(db);
  }
  return sqlite3_close(db);
}
