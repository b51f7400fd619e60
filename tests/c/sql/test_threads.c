/*
** test_threads.c: sixteen threads at once load the extension, register segmenters, index, search and
** close, each with connections of its own, and all get what one thread alone gets. Built with -fsanitize=thread
** (make tsan) it is also proof that nothing is shared without a lock.
*/
#include <pthread.h>

#include "atomics.h"
#include "sql.h"

enum { N_THREADS = 16, N_ROUNDS = 3 };

static const char script[] =
    "CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='cjk fold_han 1 fold_kana 1');"
    "CREATE VIRTUAL TABLE j USING fts5(a, b, tokenize='cjk segment jieba porter unicode61');"
    "CREATE VIRTUAL TABLE r USING fts5(a, b, tokenize='cjk segment pairs');"
    "CREATE VIRTUAL TABLE o USING fts5(a, tokenize='cjk segment auto');"
    "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
    "  INSERT INTO t SELECT '机器学习的方法有' || i || '种', 'サーバーの時々 hello' || i FROM n;"
    "INSERT INTO j SELECT a, b FROM t;"
    "INSERT INTO r SELECT a, b FROM t;"
    "INSERT INTO o SELECT a || b FROM t;"
    "SELECT count(*) FROM r('学习'); SELECT count(*) FROM o('机器');"
    "UPDATE t SET a = '今天天气很好，我们学习' WHERE rowid % 7 = 0;"
    "DELETE FROM j WHERE rowid % 5 = 0;"
    "SELECT count(*) FROM t('学习'); SELECT count(*) FROM j('机器');"
    "SELECT cjk_query('机器学习的方法有哪些', 'words'), cjk_query('机器学习 hello', 'any');"
    "SELECT cjk_highlight(t, 0, '<', '>'), cjk_snippet(t, 1, '<', '>', '…', 5) FROM t('天气 OR "
    "方');"
    "SELECT rowid, score, snippet FROM cjk_search('t', '天气学习', '{\"snippet\": 9}');"
    "SELECT rowid, cjk_rank(j) FROM j('方法 OR hello7') ORDER BY cjk_rank(j);"
    "SELECT * FROM cjk_tokens('机器学习，ｶﾞｷﾞ', 'cjk segment jieba');"
    "SELECT * FROM cjk_chunks('第一句。第二句。第三句。', '{\"chunk_size\": 5, \"overlap\": 1}');"
    "SELECT cjk_check('cjk nonsense'), cjk_detect('日本語の文'), cjk_relevance('学习', '机器学习');"
    "SELECT count(*) FROM cjk_options(); SELECT cjk_dictionary(), cjk_version();"
    "INSERT INTO t(t, rank) VALUES('integrity-check', 1);"
    "INSERT INTO j(j, rank) VALUES('integrity-check', 1);";

static Answer run_alone(void) {
  sqlite3 *db = NULL;
  Answer answer = {SQLITE_OK, NULL, 0, 0};
  answer.rc = sqlite3_open(":memory:", &db);
  if (answer.rc == SQLITE_OK) answer = run(db, script);
  if (answer.rc != SQLITE_OK) answer_add(&answer, sqlite3_errmsg(db), strlen(sqlite3_errmsg(db)));
  sqlite3_close(db);
  return answer;
}

static CjkAtomicInt n_destroyed;

static void count_destroyed(void *user) {
  (void)user;
  atomic_fetch_add(&n_destroyed, 1);
}

/* Registers a name that all threads share, and one that is this thread's and goes again. */
static int register_and_leave(const char *own) {
  int rc = register_pairs("pairs", "zh", count_destroyed);
  if (rc == CJK_OK) rc = register_pairs(own, NULL, count_destroyed);
  if (rc == CJK_OK) rc = cjk_unregister_segmenter(own);
  return rc;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opens = PTHREAD_COND_INITIALIZER;
static int n_waiting;

/* Lets all threads go at once. */
static void wait_for_all(void) {
  pthread_mutex_lock(&gate);
  if (++n_waiting == N_THREADS) pthread_cond_broadcast(&gate_opens);
  while (n_waiting < N_THREADS) pthread_cond_wait(&gate_opens, &gate);
  pthread_mutex_unlock(&gate);
}

typedef struct Work {
  char name[16]; /* of a segmenter */
  Answer answers[N_ROUNDS];
  int rc; /* of registering */
} Work;

static void *work(void *pointer) {
  Work *own = (Work *)pointer;
  wait_for_all();
  for (int i = 0; i < N_ROUNDS; i++) {
    if (own->rc == CJK_OK) own->rc = register_and_leave(own->name);
    own->answers[i] = run_alone();
  }
  return NULL;
}

int main(void) {
  static Work works[N_THREADS];
  pthread_t threads[N_THREADS];
  sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);
  for (int i = 0; i < N_THREADS; i++) {
    snprintf(works[i].name, sizeof(works[i].name), "own_%d", i);
    CHECK(pthread_create(&threads[i], NULL, work, &works[i]) == 0, "no thread %d", i);
  }
  for (int i = 0; i < N_THREADS; i++) pthread_join(threads[i], NULL);

  Answer right = run_alone();
  CHECK(right.rc == SQLITE_OK && right.n > 1000, "%d: %s", right.rc, right.text);
  for (int i = 0; i < N_THREADS; i++) {
    CHECK(works[i].rc == CJK_OK, "%s: %d", works[i].name, works[i].rc);
    for (int k = 0; k < N_ROUNDS; k++) {
      Answer *answer = &works[i].answers[k];
      CHECK(answer->rc == SQLITE_OK && strcmp(answer->text, right.text) == 0, "%d: %s", answer->rc,
            answer->text);
      free(answer->text);
    }
  }
  free(right.text);
  CHECK(cjk_unregister_segmenter("pairs") == CJK_OK, "not there");
  CHECK(cjk_unregister_segmenter("pairs") == CJK_ERROR, "an older one is there");
  CHECK(atomic_load(&n_destroyed) == 2 * N_THREADS * N_ROUNDS, "%d", atomic_load(&n_destroyed));
  return check_result();
}
