/*
** test_searches.c: what holds for any search: pages put together are the whole, scores never rise, no
** row comes twice, each has a gram of the query in it, and a small budget finds rows that a large one
** finds. Over a table of thousands of short random texts, in which there are many ties.
*/
#include "sql.h"

static unsigned random_state = 1;

static int random_below(int n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (int)((random_state >> 8) % (unsigned)n);
}

enum { N_ROWS = 4000 };

static const char *const parts[] = {"学", "习",   "机",    "器",   "的", "天", "气",
                                    "。", " ",    "word ", "ก",    "ข",  "ค",  "한",
                                    "국", "什么", "🍐",     "ーバ", "サ", "x1 "};
enum { N_PARTS = sizeof(parts) / sizeof(parts[0]) };

static void append_random(char *text, int n) {
  for (int i = 0; i < n; i++) strcat(text, parts[random_below(N_PARTS)]);
}

/* Rowids have gaps, so that numbers of rows are estimated wrongly. */
static void fill(sqlite3 *db, const char *table) {
  char *sql = sqlite3_mprintf("INSERT INTO %s(rowid, a, b) VALUES(?1, ?2, ?3)", table);
  sqlite3_stmt *statement = NULL;
  must(db, "BEGIN");
  CHECK(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
  for (int i = 0; i < N_ROWS; i++) {
    char a[400] = "", b[400] = "";
    append_random(a, random_below(12));
    append_random(b, random_below(12));
    sqlite3_bind_int64(statement, 1, i < N_ROWS / 2 ? i + 1 : i * 1000);
    sqlite3_bind_text(statement, 2, a, -1, SQLITE_STATIC);
    if (i % 5) sqlite3_bind_text(statement, 3, b, -1, SQLITE_STATIC);
    CHECK(sqlite3_step(statement) == SQLITE_DONE, "%s", sqlite3_errmsg(db));
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_free(sql);
  must(db, "COMMIT");
}

typedef struct Hits {
  sqlite3_int64 rowids[2 * N_ROWS];
  double scores[2 * N_ROWS];
  int n;
} Hits;

/* Appends the rows of one search. */
static void search(sqlite3 *db, const char *table, const char *query, const char *options,
                   Hits *hits) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(db, "SELECT rowid, score FROM cjk_search(?1, ?2, ?3)", -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, query, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, options, -1, SQLITE_STATIC);
  int rc = SQLITE_OK;
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW && hits->n < 2 * N_ROWS) {
    hits->rowids[hits->n] = sqlite3_column_int64(statement, 0);
    hits->scores[hits->n++] = sqlite3_column_double(statement, 1);
  }
  CHECK(rc == SQLITE_DONE, "%d: %s in %s", rc, sqlite3_errmsg(db), options);
  sqlite3_finalize(statement);
}

static int has(const Hits *hits, sqlite3_int64 rowid) {
  for (int i = 0; i < hits->n; i++) {
    if (hits->rowids[i] == rowid) return 1;
  }
  return 0;
}

static void scores_never_rise(const Hits *hits, const char *query) {
  for (int i = 1; i < hits->n; i++) {
    CHECK(hits->scores[i] <= hits->scores[i - 1], "row %d of %s", i, query);
  }
  for (int i = 0; i < hits->n && i < 200; i++) {
    Hits before = *hits;
    before.n = i;
    CHECK(!has(&before, hits->rowids[i]), "%lld comes twice", (long long)hits->rowids[i]);
  }
}

/* Pages of any size, as far as a search looks for candidates. */
static void pages_are_the_whole(sqlite3 *db, const char *table, const char *query, const char *mode,
                                int page) {
  static Hits whole, pages;
  char options[200];
  enum { MOST = 90 };
  whole.n = pages.n = 0;
  snprintf(options, sizeof(options), "{\"mode\": \"%s\", \"limit\": %d}", mode, MOST);
  search(db, table, query, options, &whole);
  scores_never_rise(&whole, query);
  for (int offset = 0; offset < MOST; offset += page) {
    int limit = offset + page < MOST ? page : MOST - offset;
    snprintf(options, sizeof(options), "{\"mode\": \"%s\", \"limit\": %d, \"offset\": %d}", mode,
             limit, offset);
    search(db, table, query, options, &pages);
  }
  CHECK(whole.n == pages.n, "%d rows, %d in pages of %s", whole.n, pages.n, query);
  for (int i = 0; i < whole.n && i < pages.n; i++) {
    CHECK(whole.rowids[i] == pages.rowids[i] && whole.scores[i] == pages.scores[i],
          "row %d of %s in %s", i, query, mode);
  }
}

static void small_budgets_find_less(sqlite3 *db, const char *table, const char *query) {
  static Hits all, some;
  char options[200];
  all.n = 0;
  search(db, table, query, "{\"mode\": \"any\", \"limit\": 8000}", &all);
  scores_never_rise(&all, query);
  for (int budget = 1; budget < 4000; budget = budget * 3 + 1) {
    some.n = 0;
    snprintf(options, sizeof(options), "{\"mode\": \"any\", \"limit\": 50, \"budget\": %d}",
             budget);
    search(db, table, query, options, &some);
    scores_never_rise(&some, query);
    for (int i = 0; i < some.n; i++) {
      CHECK(has(&all, some.rowids[i]), "%lld, budget %d of %s", (long long)some.rowids[i], budget,
            query);
    }
  }
}

/* All rows that FTS5 finds by one term, in any order, and no others. */
static void a_word_finds_what_fts5_finds(sqlite3 *db, const char *table, const char *word) {
  static Hits found;
  char *sql = sqlite3_mprintf("SELECT count(*) FROM %s(cjk_query(%Q))", table, word);
  Answer answer = run(db, sql);
  found.n = 0;
  search(db, table, word, "{\"limit\": 8000}", &found);
  CHECK(answer.rc == SQLITE_OK && atoi(answer.text) == found.n, "%s rows, not %d, of %s",
        answer.text, found.n, word);
  free(answer.text);
  sqlite3_free(sql);
}

int main(void) {
  static const char *const tables[] = {"t", "j", "k"}, *const modes[] = {"auto", "any", "all",
                                                                         "prefix", "web"};
  static const char *const words[] = {"学习", "word", "한국", "กข", "x1", "🍐"};
  sqlite3 *db = open_memory();
  must(db, "CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='cjk')");
  must(db, "CREATE VIRTUAL TABLE j USING fts5(a, b, tokenize='cjk segment jieba')");
  must(db, "CREATE VIRTUAL TABLE k USING fts5(a, b, content='', tokenize='cjk unigrams 0')");
  for (int i = 0; i < 3; i++) fill(db, tables[i]);
  for (int round = 0; round < 60; round++) {
    char query[400] = "";
    const char *table = tables[round % 3];
    append_random(query, 1 + random_below(round % 10 ? 6 : 30));
    pages_are_the_whole(db, table, query, modes[round % 5], 1 + random_below(40));
    if (round % 4 == 0) small_budgets_find_less(db, table, query);
  }
  char query[2000] = "什么学习";
  for (int i = 0; i < 100; i++) append_random(query, 2);
  strcat(query, " 什么什么");
  pages_are_the_whole(db, "t", query, "auto", 7);
  pages_are_the_whole(db, "j", "什么", "auto", 7);
  pages_are_the_whole(db, "t", "ก", "any", 7);
  pages_are_the_whole(db, "t", "กขอะไร คก", "auto", 7);
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    a_word_finds_what_fts5_finds(db, "t", words[i]);
  }
  CHECK(sqlite3_close(db) == SQLITE_OK, "a statement is open");
  return check_result();
}
