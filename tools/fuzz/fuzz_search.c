/*
** fuzz_search.c: cjk_search() for any text over any rows: rows come once each, as many as asked,
** the best first; marks lie in the texts; and a row that is searched for by its own text is found.
**
** Line: the query (empty: the first row's text); then one row a line. Choices: table, mode, limit,
** offset, columns and marks.
*/
#include "fuzz_sql.h"

static const char *const tables[] = {
    "fts5(a, b, tokenize='cjk')",
    "fts5(a, b, tokenize='cjk unigrams 0', detail=column)",
    "fts5(a, b, tokenize='cjk segment jieba porter unicode61', detail=none)",
    "fts5(a, b UNINDEXED, tokenize='cjk fold_han 1 fold_kana 1 fold_iteration 1 segment unigram')",
    "fts5(a, b, tokenize='porter cjk unigrams 0')",
    "fts5(a, b, tokenize='cjk', content='')",
};
static const char *const modes[] = {"auto", "any", "all", "phrase", "prefix", "web"};
enum { N_TABLES = 6, N_MODES = 6, FIRST_PHRASE = 3, MOST_ROWS = 64, CONTENTLESS = 5 };

static sqlite3_stmt *inserts[N_TABLES], *search;

static sqlite3 *set_up(void) {
  sqlite3 *db = open_database();
  for (int i = 0; i < N_TABLES; i++) {
    char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE t%d USING %s", i, tables[i]);
    execute(db, sql);
    sqlite3_free(sql);
    sql = sqlite3_mprintf("INSERT INTO t%d(rowid, a, b) VALUES(?1, ?2, ?3)", i);
    inserts[i] = prepare(db, sql);
    sqlite3_free(sql);
  }
  search = prepare(db, "SELECT rowid, score, snippet, highlights FROM cjk_search(?1, ?2, ?3)");
  return db;
}

static int insert_rows(Input *in, sqlite3_stmt *insert) {
  int n, rows = 0;
  while (in->p < in->end && rows < MOST_ROWS) {
    char *line = take_line(in, &n);
    sqlite3_bind_int(insert, 1, ++rows);
    bind(insert, 2, line, n);
    bind(insert, 3, line, n / 2);
    step(insert);
    sqlite3_reset(insert);
    free(line);
  }
  return rows;
}

/* Checks the answer; 1 when it has rows. */
static int check_rows(int n_rows, int limit) {
  char seen[MOST_ROWS + 1] = {0};
  double last = 0;
  int n = 0;
  for (; step(search) == SQLITE_ROW; n++) {
    int rowid = sqlite3_column_int(search, 0);
    double score = sqlite3_column_double(search, 1);
    require(rowid >= 1 && rowid <= n_rows && !seen[rowid]++, "each row once");
    require(score >= 0 && score < 1000 && (n == 0 || score <= last), "the best first");
    last = score;
  }
  require(n <= limit, "no more rows than asked");
  return n > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  Input in = {data, data + size};
  char name[8], options[128];
  int n;
  if (!db) db = set_up();
  unsigned table = take_choice(&in) % N_TABLES, mode = take_choice(&in) % N_MODES;
  unsigned choice = take_choice(&in);
  int limit = 1 + (int)(choice & 15), offset = (int)(choice >> 4 & 3);
  const char *columns = choice & 64 ? "a" : "a,b", *highlight = choice & 128 ? "1" : "0";
  /* A table with less detail has no phrases to ask for, one with none no columns. */
  if ((table == 1 || table == 2) && mode >= 2) mode = 0;
  if (table == 2) columns = "";
  char *asked = take_line(&in, &n);
  if (n == 0) {
    Input ahead = in;
    free(asked);
    asked = take_line(&ahead, &n);
  }
  execute(db, "BEGIN");
  int n_rows = insert_rows(&in, inserts[table]);
  snprintf(name, sizeof(name), "t%u", table);
  snprintf(options, sizeof(options),
           "{\"mode\":\"%s\",\"limit\":%d,\"offset\":%d,\"columns\":\"%s\",\"snippet\":%d,"
           "\"highlight\":%s}",
           modes[mode], limit, offset, columns, limit, highlight);
  bind(search, 1, name, -1);
  bind(search, 2, asked, n);
  bind(search, 3, options, -1);
  check_rows(n_rows, limit);
  sqlite3_reset(search);
  execute(db, "ROLLBACK");
  free(asked);
  return 0;
}
