/*
** test_forms.c: forms that text and SQL may take, all of them, by tables: blanks, ends of sentences,
** ways to write a CREATE statement, values of any type as arguments.
*/
#include <stdarg.h>

#include "sql.h"

/* Runs a statement made of a format, whose answer must be `expected`. */
static void gives(sqlite3 *db, const char *expected, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *sql = sqlite3_vmprintf(format, arguments);
  va_end(arguments);
  Answer answer = run(db, sql);
  CHECK(answer.rc == SQLITE_OK, "%d: %s in %s", answer.rc, sqlite3_errmsg(db), sql);
  CHECK(strcmp(answer.text, expected) == 0, "%s instead of %s: %s", answer.text, expected, sql);
  free(answer.text);
  sqlite3_free(sql);
}

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* White_Space of Unicode. */
static const int blanks[] = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,   0xA0,   0x1680,
                             0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
                             0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};

static void words_end_at_any_blank(sqlite3 *db) {
  for (int i = 0; i < LENGTH(blanks); i++) {
    gives(db, "\"学习\" AND \"机器\"|\n", "SELECT cjk_query('学习' || char(%d) || '机器')",
          blanks[i]);
  }
  for (const int *other = (const int[]){0x200B, 0x2100, 0x3001, 0x1681, 0}; *other; other++) {
    gives(db, "1|\n", "SELECT cjk_query('学习' || char(%d) || '机器') NOT LIKE '%% AND %%'",
          *other);
  }
}

/* Ends of sentences are the best places to begin a snippet at. */
static void snippets_begin_behind_sentences(sqlite3 *db) {
  static const int ends[] = {'\n', '!', '?', 0x2029, 0x3002, 0xFF01, 0xFF1F, 0xFF61};
  must(db, "CREATE VIRTUAL TABLE s USING fts5(x, tokenize='cjk')");
  for (int i = 0; i < LENGTH(ends); i++) {
    must(db, "DELETE FROM s");
    gives(db, "", "INSERT INTO s VALUES('其他的句子很长' || char(%d) || '我学习')", ends[i]);
    gives(db, "~我<学习>|\n", "SELECT cjk_snippet(s, 0, '<', '>', '~', 5) FROM s('学习')");
  }
}

/* With join_spaces characters that stand apart are a run, whatever blank of a line is between. */
static void characters_apart_are_joined(sqlite3 *db) {
  for (int i = 0; i < LENGTH(blanks); i++) {
    int is_in_line = blanks[i] == 0x09 || (blanks[i] >= 0x20 && blanks[i] != 0x85 &&
                                           blanks[i] != 0x2028 && blanks[i] != 0x2029);
    gives(db, is_in_line ? "1|\n" : "0|\n",
          "SELECT EXISTS (SELECT 1 FROM cjk_tokens(replace('机 器 学', ' ', char(%d)), "
          "'cjk join_lines 0 join_spaces 1') WHERE token = '器学')",
          blanks[i]);
  }
}

/* With bridge_markup Markdown's marks and the tags of inline HTML are no borders; nothing else. */
static void markup_is_bridged(sqlite3 *db) {
  static const char *const bridges[] = {"*",      "**",      "_",           "~~",
                                        "`",      "<b>",     "</b>",        "<EM>",
                                        "<br/>x", "<i a=1>", "</span ><u>", "**<b>"};
  static const char *const borders[] = {
      "+",  "<p>",     "<>",    "</>",  "<",     "<b",  "b>", "<b*>", "<abcdefghijklmnop>",
      "*a", "<table>", "<[b]>", "<zz>", "*<hr>", "**<", "** "};
  for (int i = 0; i < LENGTH(bridges); i++) {
    int has_text = strchr(bridges[i], 'x') != NULL;
    gives(db, has_text ? "0|\n" : "1|\n",
          "SELECT EXISTS (SELECT 1 FROM cjk_tokens('重%q要', 'cjk bridge_markup 1') "
          "WHERE token = '重要')",
          bridges[i]);
  }
  for (int i = 0; i < LENGTH(borders); i++) {
    gives(db, "0|\n",
          "SELECT EXISTS (SELECT 1 FROM cjk_tokens('重%q要', 'cjk bridge_markup 1') "
          "WHERE token = '重要')",
          borders[i]);
  }
}

/* However short, a snippet begins and ends between graphemes. */
static void snippets_keep_graphemes_whole(sqlite3 *db) {
  static const char *const graphemes[] = {
      "\r\n",
      "e\xCC\x81",
      "👩‍👧",
      "👍🏽",
      "ｶﾞ",
      "ﾊﾟ",
      "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB",
      "か\xE3\x82\x99",
  };
  must(db, "CREATE VIRTUAL TABLE g USING fts5(x, tokenize='cjk')");
  for (int i = 0; i < LENGTH(graphemes); i++) {
    must(db, "DELETE FROM g");
    gives(db, "", "INSERT INTO g VALUES(replace('........学习........', '.', '%q'))", graphemes[i]);
    for (int n = 1; n < 20; n++) {
      gives(db, "<学习>|\n",
            "SELECT replace(replace(cjk_snippet(g, 0, '<', '>', '~', %d), '~', ''), '%q', '') "
            "FROM g('学习')",
            n, graphemes[i]);
    }
  }
}

/* However the table was declared, a search finds its tokenizer and its columns. */
static void tables_are_found_as_declared(sqlite3 *db) {
  static const char *const declarations[] = {
      "f USING fts5(a, b, tokenize='cjk')",
      "f\tUSING\nfts5\r(\fa , b , tokenize = \"cjk\" )",
      "/* USING fts5(x) */ f -- USING fts4(y)\n USING /**/ fts5 /* ( */ (a, b, tokenize='cjk')",
      "[f] USING \"fts5\"([a], `b`, tokenize=[cjk])",
      "'f' uSiNg 'FTS5'('a' unindexed, \"b\", TOKENIZE='cjk')",
      "\"f\" USING fts5(a, b, prefix='2 3', tokenize='cjk tokenchars ''-_''')",
      "f USING fts5(a, b, tokenize='cjk', content='', detail=column)",
  };
  for (int i = 0; i < LENGTH(declarations); i++) {
    gives(db, "", "CREATE VIRTUAL TABLE %s", declarations[i]);
    must(db, "INSERT INTO f(rowid, a, b) VALUES(7, 'x', '机器学习')");
    gives(db, "7|\n", "SELECT rowid FROM cjk_search('f', '学习', '{\"columns\": \"b\"}')");
    gives(db, "7|\n", "SELECT rowid FROM cjk_search('f', '学习', '{\"weights\": \"0, 2 \"}')");
    must(db, "DROP TABLE f");
  }
  must(db, "CREATE VIRTUAL TABLE q USING fts5(\"a\"\"b\", [c d], 'e''f', tokenize='cjk')");
  must(db, "INSERT INTO q VALUES('学习', '机器', '天气')");
  gives(db, "1|\n", "SELECT rowid FROM cjk_search('q', '学习', '{\"columns\": \"a\\\"b\"}')");
  gives(db, "1|\n", "SELECT rowid FROM cjk_search('q', '机器', '{\"columns\": \"C D\"}')");
  gives(db, "1|\n", "SELECT rowid FROM cjk_search('q', '天气', '{\"columns\": \"e''f, c d\"}')");
  gives(db, "", "SELECT rowid FROM cjk_search('q', '天气', '{\"columns\": \"c d\"}')");
}

static void other_tables_are_refused(sqlite3 *db) {
  static const char *const declarations[] = {
      "VIRTUAL TABLE o USING fts5vocab(s, col)", "VIRTUAL TABLE o USING fts5(a)",
      "VIRTUAL TABLE o USING fts5vocab(s, row)", "TABLE o(\"using\", fts5)",
      "TABLE o AS SELECT 1 AS 'using'",
  };
  for (int i = 0; i < LENGTH(declarations); i++) {
    gives(db, "", "CREATE %s", declarations[i]);
    Answer answer = run(db, "SELECT * FROM cjk_search('o', 'x')");
    CHECK(answer.rc == SQLITE_ERROR, "%d: %s", answer.rc, declarations[i]);
    CHECK(strstr(sqlite3_errmsg(db), "cjk_search(): \"o\""), "%s", sqlite3_errmsg(db));
    free(answer.text);
    must(db, "DROP TABLE o");
  }
}

/* NULL is no argument, numbers and blobs are their text. */
static void values_of_any_type(sqlite3 *db) {
  gives(db, "\"12\"|\n", "SELECT cjk_query(12, NULL, NULL)");
  gives(db, "NULL|\n", "SELECT cjk_query(NULL, 'all')");
  gives(db, "\"学习\"|\n", "SELECT cjk_query(CAST('学习' AS BLOB), CAST('any' AS BLOB), '{}')");
  gives(db, "1|\n", "SELECT cjk_check(12) LIKE '%%12%%'");
  gives(db, "NULL|\n", "SELECT cjk_check(NULL)");
  CHECK(register_pairs("pairs", NULL, NULL) == CJK_OK, "not registered");
  gives(db, "NULL|NULL|NULL|\n",
        "SELECT cjk_dictionary(NULL), cjk_dictionary('nobody'), cjk_dictionary('pairs')");
  cjk_unregister_segmenter("pairs");
  gives(db, "\"a\"\"b\" AND \"c\"|\n", "SELECT cjk_query('a\"b c')");
  gives(db, "ok|\n", "SELECT cjk_check('cjk segment jieba')");
}

/* Any text gives a query that FTS5 can read, in any mode and for any tokenizer. */
static void queries_can_be_read(sqlite3 *db) {
  static const char *const texts[] = {
      "'가ㆍ나 ①㎏a caf' || char(233) || ' e' || char(769) || 'x'",
      "CAST(x'E4B8ADFFE69687' AS TEXT)",
      "CAST(x'8080' AS TEXT)",
      "CAST(x'61E4B8' AS TEXT)",
      "'👨‍👩‍👧👍🏽 🇯🇵x 学' || char(0x200D) || '习0' || char(0x20E3)",
      "'ｶﾞ ﾊﾟ か' || char(0x3099) || ' ' || char(0x1112, 0x1161, 0x11AB) || ' ㄱㄴ 한ㄱ ㅎ 과'",
      "'a\"b \"' || char(0) || ' -x OR | OR -\"y z'",
      "'-学习 －方法 −x “机器” OR 天气 ｜ ＯＲ'",
      "'哪 谁 吗 what'",
      "'什么'",
      "'x -'",
      "replace(hex(zeroblob(10000)), '00', '学习 ')",
      "replace(hex(zeroblob(1100)), '00', '한') || 'ㄱ'",
      "''",
  };
  static const char *const modes[] = {"all", "any", "phrase", "prefix", "web", "words", "grams"};
  static const char *const tokenizers[] = {"cjk", "cjk unigrams 0", "cjk segment jieba",
                                           "porter cjk fold_prolonged 1", "unicode61"};
  for (int i = 0; i < LENGTH(texts) * LENGTH(modes) * LENGTH(tokenizers); i++) {
    gives(db, "1|\n",
          "SELECT count(*) >= 0 FROM s(cjk_query(%s, '%s', json_object('tokenize', '%s', "
          "'max_terms', 3)))",
          texts[i % LENGTH(texts)], modes[i / LENGTH(texts) % LENGTH(modes)],
          tokenizers[i / LENGTH(texts) / LENGTH(modes)]);
  }
}

/* Nothing is written twice, and at most a thousand words are. */
static void words_are_written_once(sqlite3 *db) {
  static const char query[] =
      "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < %d) "
      "SELECT length(q) - length(replace(q, ' AND ', '    ')) FROM "
      "(SELECT cjk_query(group_concat('w' || (i %% %d), ' '), '%s') AS q FROM i)";
  static const char *const modes[] = {"all", "prefix", "web"};
  for (int i = 0; i < LENGTH(modes); i++) {
    /* The last word is half typed in mode prefix: it is another one. */
    gives(db, i == 1 ? "900|\n" : "899|\n", query, 2700, 900, modes[i]);
    gives(db, "999|\n", query, 3000, 3000, modes[i]);
  }
  gives(db, "998|\n",
        "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 1500) "
        "SELECT length(q) - length(replace(q, ' OR ', '   ')) - 1 FROM "
        "(SELECT cjk_query('a ' || group_concat('-w' || i, ' '), 'web') AS q FROM i)");
  gives(db, "(\"a\" OR \"b\") AND (\"a\" OR \"c\") AND (\"a\")|\n",
        "SELECT cjk_query('a OR b a OR c a a', 'web')");
}

/* Marks go to the ends of graphemes, and a phrase without terms marks nothing. */
static void marks_keep_graphemes_whole(sqlite3 *db) {
  must(db, "CREATE VIRTUAL TABLE m USING fts5(x, tokenize='cjk')");
  must(db, "INSERT INTO m VALUES('学习 กขค हिन्दी ｶﾞｷﾞ ' || CAST(x'E5ADADAD' AS TEXT) || '机')");
  must(db,
       "INSERT INTO m VALUES(CAST(x'FF' AS TEXT) || char(0x1112, 0x1161) || char(13) || 'x大' || "
       "CAST(x'FF' AS TEXT) || ' 小')");
  gives(db, "<大>|<小>|\n",
        "SELECT cjk_snippet(m, 0, '<', '>', '', 1), "
        "(SELECT cjk_snippet(m, 0, '<', '>', '', 1) FROM m('小')) FROM m('大')");
  gives(db, "2|\n", "SELECT rowid FROM cjk_search('m', '大 小')");
  gives(db, "<学习>|\n",
        "SELECT substr(cjk_highlight(m, 0, '<', '>'), 1, 4) FROM m('学习 OR \"。\"')");
  gives(db, "<กข>|\n", "SELECT cjk_snippet(m, 0, '<', '>', '', 1) FROM m('กข*')");
  gives(db, "<ก>|\n", "SELECT cjk_snippet(m, 0, '<', '>', '', 1) FROM m('ก*')");
  gives(db, "<हिन्दी>|\n", "SELECT cjk_snippet(m, 0, '<', '>', '', 1) FROM m('\"हिन्दी\"')");
  gives(db, "<机>|\n", "SELECT cjk_snippet(m, 0, '<', '>', '', 1) FROM m('机')");
  for (int n = 1; n < 30; n++) {
    gives(db, "1|1|\n",
          "SELECT instr(x, cjk_snippet(m, 0, '', '', '', %d)) > 0, (SELECT instr(x, cjk_snippet(m, "
          "0, "
          "'', '', '', %d)) > 0 FROM m('小')) FROM m('机')",
          n, n);
  }
}

/* In a table without texts a half-typed word is marked with all that it may become. */
static void prefixes_without_texts(sqlite3 *db) {
  must(db, "CREATE VIRTUAL TABLE p USING fts5(x, content='', tokenize='cjk')");
  must(db, "INSERT INTO p(rowid, x) VALUES(3, '한국의 수도')");
  gives(db, "3|1|NULL|\n",
        "SELECT rowid, expression LIKE '%%한국%%', snippet "
        "FROM cjk_search('p', '한구', '{\"mode\": \"prefix\", \"snippet\": 5}')");
  gives(db, "3|NULL|NULL|\n",
        "SELECT rowid, snippet, highlights FROM cjk_search('p', '한국', "
        "'{\"snippet\": 5, \"highlight\": 1}')");
}

/* What is missing or out of range is named. */
static void wrong_arguments_are_named(sqlite3 *db) {
  static const struct {
    const char *call, *reason;
  } cases[] = {
      {"cjk_highlight(s)", "cjk_highlight() takes 4 arguments"},
      {"cjk_snippet(s, 0, '', '', '')", "cjk_snippet() takes 6 arguments"},
      {"cjk_highlight(s, 'x', '', '')", "a column's number, 0 to 0"},
      {"cjk_highlight(s, -2, '', '')", "a column's number, 0 to 0"},
      {"cjk_highlight(s, 1, '', '')", "a column's number, 0 to 0"},
      {"cjk_snippet(s, 0, '', '', '', 0)", "1 or more"},
      {"cjk_totals(s)", "for cjk_search() alone"},
      {"cjk_totals(s, 1)", "for cjk_search() alone"},
  };
  static const char *const questions[][2] = {
      {"SELECT * FROM cjk_tokens", "cjk_tokens() needs a text"},
      {"SELECT * FROM cjk_tokens('a', 'cjk', 'x')", "'document' or 'query'"},
      {"SELECT * FROM cjk_chunks", "cjk_chunks() needs a text"},
      {"SELECT * FROM cjk_chunks('a', '{\"profile\": \"x\"}')", "natural, exact, not \"x\""},
      {"SELECT * FROM cjk_search", "needs a table's name and a query"},
      {"SELECT * FROM cjk_search('s')", "needs a table's name and a query"},
      {"SELECT * FROM cjk_search(NULL, 'x')", "needs a table's name and a query"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"mode\": 1}')", "option mode is a text"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"limit\": -1}')", "a number from 0 to"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"limit\": 1000001}')", "a number from 0 to"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"limit\": 1.5}')", "a number from 0 to"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"mode\": \"words\"}')", "no mode \"words\""},
      {"SELECT * FROM cjk_search('s', 'x', '{\"mode\": \"grams\"}')", "no mode \"grams\""},
      {"SELECT * FROM cjk_search('s', 'x', '{\"weights\": \"1,,\"}')", "weights are numbers"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"weights\": \"-1\"}')", "weights are numbers"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"weights\": \"1;\"}')", "weights are numbers"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"weights\": \"1,2\"}')", "weights are numbers"},
      {"SELECT * FROM cjk_search('s', 'x', '{\"columns\": \" , \"}')", "no column \"\""},
      {"SELECT cjk_query('x', 'all', '{\"tokenize\": \"cjk ''\"}')", "can't be read at: '"},
      {"SELECT cjk_query('x', 'all', '{\"tokenize\": \"cjk -\"}')", "can't be read at: -"},
      {"SELECT cjk_query('x', 'all', '{\"tokenize\": \"nobody\"}')", "\"nobody\" is neither"},
      {"SELECT cjk_query('x', 'all', '{')", "options are a JSON object"},
      {"SELECT cjk_query('x', 'all', '[]')", "options are a JSON object"},
      {"SELECT cjk_query('x', 'all', '{\"x\": 1}')", "\"x\" is no option"},
      {"SELECT cjk_query('学习', 'all', '{\"tokenize\": \"trigram\"}')", "no term for \"学习\""},
      {"SELECT cjk_query('ก 🍐 -- a', 'all', '{\"tokenize\": \"trigram\"}')", "no term for \"ก\""},
      {"SELECT cjk_query('-a', 'any', '{\"tokenize\": \"trigram\"}')", "no term for \"-a\""},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    char *sql = sqlite3_mprintf("SELECT %s FROM s('学习')", cases[i].call);
    fails_with(db, sql, cases[i].reason);
    sqlite3_free(sql);
  }
  for (int i = 0; i < LENGTH(questions); i++) fails_with(db, questions[i][0], questions[i][1]);
  gives(db, "\"\"|\n", "SELECT cjk_query('-- …', 'all', '{\"tokenize\": \"trigram\"}')");
  gives(db, "\"\"|\n",
        "SELECT cjk_query(CAST(x'FF20CC81' AS TEXT), 'all', "
        "'{\"tokenize\": \"trigram\"}')");
  gives(db, "\"\"|\n", "SELECT cjk_query(char(0x200D), 'all', '{\"tokenize\": \"trigram\"}')");
  gives(db, "1|1|1|\n",
        "SELECT cjk_query('什么学习', 'any', '{\"function_words\": true}') LIKE '%%什么%%', "
        "cjk_query('什么学习', 'any', '{\"function_words\": false}') NOT LIKE '%%什么%%', "
        "cjk_query('什么', 'any') LIKE '%%什么%%'");
  gives(db, "我学习|\n",
        "SELECT trim(cjk_snippet(s, 0, '', '', '', 1e12), '其他的句子很长｡') "
        "FROM s('学习')");
}

/* A SQLite that cannot run what options are read with: any reason is told. */
static void options_need_json(sqlite3 *db) {
  int most = sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 1);
  fails_with(db, "SELECT cjk_query('x', 'any', '{}')", "options need SQLite's JSON functions: ");
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, most);
  gives(db, "\"x\"|\n", "SELECT cjk_query('x', 'any', '{}')");
}

/* A result that SQLite does not take, and one without bytes. */
static void results_have_limits(sqlite3 *db) {
  must(db, "CREATE VIRTUAL TABLE r USING fts5(x, y, tokenize='cjk')");
  must(db, "INSERT INTO r VALUES('学习', '')");
  int most = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1000);
  Answer answer = run(db, "SELECT cjk_highlight(r, 0, printf('%600d', 1), printf('%600d', 2)) "
                          "FROM r('学习')");
  CHECK(answer.rc == SQLITE_TOOBIG, "%d: %s", answer.rc, sqlite3_errmsg(db));
  free(answer.text);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most);
  gives(db, "|<学习>|\n",
        "SELECT cjk_highlight(r, 1, '<', '>'), cjk_highlight(r, 0, '<', '>') "
        "FROM r('学习')");
}

/* Functions that give tables stand anywhere in a query; their arguments are no columns of theirs. */
static void tables_of_functions(sqlite3 *db) {
  must(db, "CREATE TABLE texts(x); INSERT INTO texts VALUES('学习'), ('a b c'), (NULL), (7)");
  gives(db, "7|\n", "SELECT count(*) FROM texts JOIN cjk_tokens(texts.x)");
  gives(db, "7|\n", "SELECT count(*) FROM cjk_tokens(texts.x) JOIN texts");
  gives(db, "2|\n",
        "SELECT count(*) FROM texts JOIN cjk_tokens(texts.x, 'cjk', NULL) "
        "WHERE token >= 'b' AND token < 'd'");
  gives(db, "3|\n", "SELECT count(*) FROM texts JOIN cjk_chunks(texts.x)");
  gives(db, "0|\n", "SELECT count(*) FROM cjk_tokens('a') WHERE mode > 'a'");
  gives(db, "0|a|NULL|NULL|NULL|NULL|\n",
        "SELECT rowid, token, text, arguments, mode, locale FROM cjk_tokens('a')");
  gives(db, "0|a|NULL|NULL|\n", "SELECT rowid, text, source, options FROM cjk_chunks('a')");
  gives(db, "1|NULL|NULL|NULL|\n",
        "SELECT _rowid_, \"table\", query, options FROM cjk_search('s', '学习')");
  gives(db, "0|version|\n", "SELECT rowid, name FROM cjk_options LIMIT 1");
  gives(db, "", "SELECT rowid FROM cjk_search('s', NULL)");
  gives(db, "", "SELECT rowid FROM cjk_search('s', ' 。')");
  gives(db, "", "SELECT rowid FROM cjk_search('s', '。', '{\"mode\": \"all\"}')");
  static const char *const orders[] = {"score DESC", "score", "rowid", "score DESC, rowid"};
  for (int i = 0; i < LENGTH(orders); i++) {
    gives(db, "1|\n", "SELECT rowid FROM cjk_search('s', '学习') ORDER BY %s", orders[i]);
  }
}

int main(void) {
  sqlite3 *db = open_memory();
  words_end_at_any_blank(db);
  snippets_begin_behind_sentences(db);
  wrong_arguments_are_named(db);
  options_need_json(db);
  results_have_limits(db);
  tables_of_functions(db);
  characters_apart_are_joined(db);
  markup_is_bridged(db);
  snippets_keep_graphemes_whole(db);
  tables_are_found_as_declared(db);
  other_tables_are_refused(db);
  values_of_any_type(db);
  queries_can_be_read(db);
  words_are_written_once(db);
  marks_keep_graphemes_whole(db);
  prefixes_without_texts(db);
  CHECK(sqlite3_close(db) == SQLITE_OK, "not closed");
  return check_result();
}
