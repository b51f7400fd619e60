/*
** fuzz_query.c: what cjk_query() makes of any text is an expression that FTS5 takes, and in the
** modes that ask for the text's own words it finds the text itself.
**
** Choices: table, mode, function_words, max_terms.
*/
#include "fuzz_sql.h"

static const char *const tokenizers[] = {
    "cjk",
    "cjk unigrams 0",
    "cjk segment unigram",
    "cjk segment jieba",
    "cjk fold_han 1 fold_kana 1 fold_prolonged 1 fold_iteration 1 join_lines 0",
    "cjk unigrams 0 fold_kana 1 fold_prolonged 1 fold_iteration 1",
    "cjk join_spaces 1 bridge_markup 1",
    "cjk segment jieba hmm 0 fold_han 1 porter unicode61 remove_diacritics 2",
    "porter cjk unigrams 0 tokenchars '+#.'",
    "cjk emoji 0 separators 'x' categories 'L* N* So'",
    "unicode61",
    "ascii",
};
static const char *const details[] = {"full", "column", "none"};
static const char *const modes[] = {"all", "any", "phrase", "prefix", "web", "words", "grams"};
enum {
  N_TOKENIZERS = sizeof(tokenizers) / sizeof(tokenizers[0]),
  N_DETAILS = 3,
  N_MODES = 7,
  BRIDGES = 6,
  FIRST_FOREIGN = 10
};

typedef struct Table {
  sqlite3_stmt *insert, *match;
} Table;

static Table tables[N_TOKENIZERS][N_DETAILS];
static sqlite3_stmt *query;

static sqlite3 *set_up(void) {
  sqlite3 *db = open_database();
  for (int i = 0; i < N_TOKENIZERS; i++) {
    for (int k = 0; k < N_DETAILS; k++) {
      char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE t%d_%d USING fts5(body, detail=%s, "
                                  "tokenize=%Q)",
                                  i, k, details[k], tokenizers[i]);
      execute(db, sql);
      sqlite3_free(sql);
      sql = sqlite3_mprintf("INSERT INTO t%d_%d VALUES(?1)", i, k);
      tables[i][k].insert = prepare(db, sql);
      sqlite3_free(sql);
      sql = sqlite3_mprintf("SELECT rowid FROM t%d_%d WHERE t%d_%d MATCH ?1", i, k, i, k);
      tables[i][k].match = prepare(db, sql);
      sqlite3_free(sql);
    }
  }
  query = prepare(db, "SELECT cjk_query(?1, ?2, json_object('tokenize', ?3, 'max_terms', ?4, "
                      "'function_words', ?5))");
  return db;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  Input in = {data, data + size};
  if (!db) db = set_up();
  unsigned tokenizer = take_choice(&in) % N_TOKENIZERS;
  unsigned choice = take_choice(&in);
  unsigned mode = choice % N_MODES, detail = choice / N_MODES % N_DETAILS;
  int function_words = (int)take_choice(&in) & 1, max_terms = 1 + (int)take_choice(&in), n;
  if (detail != 0) mode = N_MODES - 1; /* these tables have no phrases */
  char *text = take_rest(&in, &n);
  Table *table = &tables[tokenizer][detail];

  execute(db, "BEGIN");
  bind(table->insert, 1, text, n);
  step(table->insert);
  sqlite3_reset(table->insert);
  bind(query, 1, text, n);
  bind(query, 2, modes[mode], -1);
  bind(query, 3, tokenizers[tokenizer], -1);
  sqlite3_bind_int(query, 4, max_terms);
  sqlite3_bind_int(query, 5, function_words);
  require(step(query) == SQLITE_ROW, "there is a query");
  const char *expression = (const char *)sqlite3_column_text(query, 0);
  int length = sqlite3_column_bytes(query, 0);
  require(length > 0 && (int)strlen(expression) == length, "a query is a text without NUL");
  bind(table->match, 1, expression, length);
  int n_rows = count_rows(table->match);
  int is_nothing = strcmp(expression, "\"\"") == 0;
  /* -x takes away; bridges depend on what stands beside a word, and words can stand inside a tag;
  ** tokenizers of SQLite's own see broken bytes, and take what stands behind them along. */
  int may_miss = strcmp(modes[mode], "web") == 0 || tokenizer == BRIDGES ||
                 (tokenizer >= FIRST_FOREIGN && !is_valid_utf8(text, n));
  if (n_rows != !is_nothing && !(may_miss && n_rows == 0)) {
    fprintf(stderr, "%s, %s: %s\n", tokenizers[tokenizer], modes[mode], expression);
    require(0, "a text finds itself, and nothing finds nothing");
  }
  sqlite3_reset(query);
  execute(db, "ROLLBACK");
  free(text);
  return 0;
}
