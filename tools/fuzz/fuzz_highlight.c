/*
** fuzz_highlight.c: cjk_highlight() and cjk_snippet() of any text under any query.
**
** Marks stand in pairs, hold something, touch neither each other nor the inside of a character, and
** without them the text is what it was; a snippet is a piece of it, no longer than asked but for a
** mark that is; and a text that is searched for by itself is marked.
**
** Line: the query (empty: a part of the text); then the text. Choices: table, mode, length of the
** snippet, which part.
*/
#include "fuzz_sql.h"
#include "unicode.h"

#define OPEN '\x01'
#define CLOSE '\x02'
#define ELLIPSIS '\x03'

static const char *const tokenizers[] = {
    "cjk",
    "cjk unigrams 0",
    "cjk segment unigram",
    "cjk segment jieba",
    "cjk fold_han 1 fold_kana 1 fold_prolonged 1 fold_iteration 1 bridge_markup 1 join_spaces 1",
    "cjk segment jieba fold_kana 1 fold_prolonged 1 porter unicode61",
    "porter cjk",
};
static const char *const modes[] = {"all", "any", "phrase", "prefix", "web", "words"};
enum { N_TOKENIZERS = sizeof(tokenizers) / sizeof(tokenizers[0]), N_MODES = 6 };

typedef struct Table {
  sqlite3_stmt *insert, *marked;
} Table;

static Table tables[N_TOKENIZERS];
static sqlite3_stmt *query;

static sqlite3 *set_up(void) {
  sqlite3 *db = open_database();
  for (int i = 0; i < N_TOKENIZERS; i++) {
    char *sql =
        sqlite3_mprintf("CREATE VIRTUAL TABLE t%d USING fts5(body, tokenize=%Q)", i, tokenizers[i]);
    execute(db, sql);
    sqlite3_free(sql);
    sql = sqlite3_mprintf("INSERT INTO t%d VALUES(?1)", i);
    tables[i].insert = prepare(db, sql);
    sqlite3_free(sql);
    sql = sqlite3_mprintf("SELECT cjk_highlight(t%d, 0, char(1), char(2)), "
                          "cjk_snippet(t%d, -1, char(1), char(2), char(3), ?2) "
                          "FROM t%d WHERE t%d MATCH ?1",
                          i, i, i, i);
    tables[i].marked = prepare(db, sql);
    sqlite3_free(sql);
  }
  query = prepare(db, "SELECT cjk_query(?1, ?2, json_object('tokenize', ?3))");
  return db;
}

/* The signs of the marks become blanks, so that only marks have them. */
static void clear_signs(char *text, int n) {
  for (int i = 0; i < n; i++) {
    if (text[i] >= OPEN && text[i] <= ELLIPSIS) text[i] = ' ';
  }
}

static unsigned properties_at(const char *text, int n, int at, uint32_t *cp) {
  cjk_utf8_decode((const uint8_t *)text + at, (const uint8_t *)text + n, cp);
  return *cp == CJK_BROKEN ? CJK_CLASS_WORD : cjk_properties(*cp);
}

/* Whether the character at `at` extends the one before it. Nothing extends broken bytes, controls,
** line breaks and what else is invisible. */
static int extends(const char *text, int n, int at) {
  uint32_t cp, before;
  if (at <= 0 || at >= n) return 0;
  unsigned left = properties_at(text, n, cjk_utf8_previous(text, at), &before);
  unsigned properties = properties_at(text, n, at, &cp);
  if (before < 0x20 || (before >= 0x7F && before < 0xA0) || before == 0x2028 || before == 0x2029 ||
      before == CJK_BROKEN) {
    return 0;
  }
  if ((left & CJK_CLASS_MASK) == CJK_CLASS_IGNORABLE && !(left & CJK_EXTEND)) return 0;
  return (properties & CJK_EXTEND) || (properties & CJK_CLASS_MASK) == CJK_CLASS_MARK;
}

static int count_characters(const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  int count = 0;
  for (uint32_t cp; p < end; count++) p += cjk_utf8_decode(p, end, &cp);
  return count;
}

/* Checks the marks, and takes them out: the length that is left. *n_marks: how many there were;
** *longest: characters of the longest. */
static int take_marks_out(char *marked, int n, int *n_marks, int *longest) {
  int out = 0, opened = -1, closed = -1;
  *n_marks = *longest = 0;
  for (int i = 0; i < n; i++) {
    if (marked[i] == OPEN) {
      require(opened < 0 && closed != out, "marks neither stand in each other nor touch");
      opened = out;
    } else if (marked[i] == CLOSE) {
      require(opened >= 0 && opened < out, "a mark holds something");
      int length = count_characters(marked + opened, out - opened);
      if (length > *longest) *longest = length;
      closed = out;
      opened = -1;
      ++*n_marks;
    } else {
      marked[out++] = marked[i];
    }
  }
  require(opened < 0, "a mark is closed");
  return out;
}

/* Where marks begin and end: between whole characters. */
static void check_places(const char *marked, int n, const char *text, int n_text) {
  char *borders = find_borders(text, n_text);
  for (int i = 0, at = 0; i < n; i++) {
    if (marked[i] != OPEN && marked[i] != CLOSE) {
      at++;
      continue;
    }
    require(borders[at], "a mark does not cut a character");
    require(!extends(text, n_text, at), "a mark does not cut a grapheme");
  }
  free(borders);
}

static void check_row(sqlite3_stmt *row, const char *text, int n, int max_characters) {
  int n_marks, n_shown, longest, at = 0;
  int n_marked = sqlite3_column_bytes(row, 0);
  char *marked = copy_bytes(sqlite3_column_text(row, 0), (size_t)n_marked);
  check_places(marked, n_marked, text, n);
  n_marked = take_marks_out(marked, n_marked, &n_marks, &longest);
  require(n_marked == n && memcmp(marked, text, (size_t)n) == 0, "the text is what it was");

  int n_snippet = sqlite3_column_bytes(row, 1);
  char *snippet = copy_bytes(sqlite3_column_text(row, 1), (size_t)n_snippet), *piece = snippet;
  if (n_snippet && *piece == ELLIPSIS) piece++, n_snippet--;
  if (n_snippet && piece[n_snippet - 1] == ELLIPSIS) n_snippet--;
  n_snippet = take_marks_out(piece, n_snippet, &n_shown, &longest);
  while (at + n_snippet <= n && memcmp(text + at, piece, (size_t)n_snippet) != 0) at++;
  require(at + n_snippet <= n, "a snippet is a piece of the text");
  require((n_shown > 0) == (n_marks > 0), "a snippet shows a match");
  int length = count_characters(piece, n_snippet);
  require(length <= max_characters + 2 * longest, "a snippet is as long as asked");
  free(marked);
  free(snippet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sqlite3 *db;
  Input in = {data, data + size};
  int n_asked, n;
  if (!db) db = set_up();
  unsigned tokenizer = take_choice(&in) % N_TOKENIZERS, mode = take_choice(&in) % N_MODES;
  int max_characters = 1 + (int)take_choice(&in);
  unsigned first = take_choice(&in), part = take_choice(&in);
  char *asked = take_line(&in, &n_asked), *text = take_rest(&in, &n);
  clear_signs(text, n);
  if (n_asked == 0 && n > 0) {
    int start = (int)(first % (unsigned)n), length = (int)(part % (unsigned)(n - start)) + 1;
    free(asked);
    asked = copy_bytes(text + start, (size_t)length);
    n_asked = length;
  }
  Table *table = &tables[tokenizer];
  execute(db, "BEGIN");
  bind(table->insert, 1, text, n);
  step(table->insert);
  sqlite3_reset(table->insert);
  bind(query, 1, asked, n_asked);
  bind(query, 2, modes[mode], -1);
  bind(query, 3, tokenizers[tokenizer], -1);
  require(step(query) == SQLITE_ROW, "there is a query");
  sqlite3_bind_value(table->marked, 1, sqlite3_column_value(query, 0));
  sqlite3_bind_int(table->marked, 2, max_characters);
  while (step(table->marked) == SQLITE_ROW) check_row(table->marked, text, n, max_characters);
  sqlite3_reset(table->marked);
  sqlite3_reset(query);
  execute(db, "ROLLBACK");
  free(asked);
  free(text);
  return 0;
}
