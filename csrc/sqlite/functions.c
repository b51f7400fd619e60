/*
** functions.c: the scalar functions.
**
**   cjk_version()         the version of this library, as text
**   cjk_check(arguments)  'ok', or what is wrong with a tokenize= string. `arguments` is what would
**                         stand behind tokenize=, with or without the word cjk before options.
**                         NULL for NULL.
**   cjk_dictionary()      name and fingerprint of the dictionary of `segment jieba`; NULL without
**                         one
**   cjk_dictionary(name)  the same of the segmenter of that name: of user words the fingerprint that
**                         changes with them, of `auto` what it chooses now ("ja:fugashi zh:jieba");
**                         NULL for one without a dictionary
**   cjk_error()           why the last tokenizer of this connection refused its arguments or failed,
**                         which FTS5 does not say; NULL when none did
*/
#include "host.h"
#include "memory.h"
#include "query.h"

#include <string.h>

#include "../core/auto_segmenter.h"
#include "../core/dictionary.h"
#include "../core/error.h"
#include "../core/registered.h"

#include "arguments.h"

static void version_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc, (void)argv;
  sqlite3_result_text(context, CJK_VERSION, -1, SQLITE_STATIC);
}

static void result_dictionary(sqlite3_context *context, const char *name, const char *fingerprint) {
  char *text = sqlite3_mprintf("%s %s", name, fingerprint);
  if (text)
    sqlite3_result_text(context, text, -1, sqlite3_free);
  else
    sqlite3_result_error_nomem(context);
}

static void dictionary_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  const char *name = argc ? (const char *)sqlite3_value_text(argv[0]) : "jieba";
  const CjkDictionary *dictionary = cjk_dictionary_builtin();
  char choice[1024];
  if (!name) return;
  if (strcmp(name, "jieba") == 0) {
    if (dictionary) {
      result_dictionary(context, cjk_dictionary_name(dictionary),
                        cjk_dictionary_fingerprint(dictionary));
    }
    return;
  }
  if (strcmp(name, "auto") == 0) {
    cjk_auto_segmenter_choice(choice, (int)sizeof(choice));
    sqlite3_result_text(context, choice, -1, SQLITE_TRANSIENT);
    return;
  }
  CjkRegistered *entry = cjk_registered_acquire(name);
  if (entry && entry->words) {
    result_dictionary(context, name, cjk_user_words_fingerprint(entry->words));
  }
  if (entry) cjk_registered_release(entry);
}

static void error_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  const CjkError *refusal = cjk_refusal((fts5_api *)sqlite3_user_data(context));
  (void)argc, (void)argv;
  if (refusal && refusal->message[0]) {
    sqlite3_result_text(context, refusal->message, -1, SQLITE_TRANSIENT);
  }
}

/* Creates what the arguments ask for and throws it away. */
static int check_arguments(fts5_api *api, const char *text, CjkError *error) {
  CjkHostTokenizer tokenizer = {0};
  int rc = cjk_arguments_open(api, text, &tokenizer, error);
  cjk_host_delete(&tokenizer);
  return rc;
}

static void check_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  const char *text = (const char *)sqlite3_value_text(argv[0]);
  CjkError error = {""};
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  fts5_api *api = (fts5_api *)sqlite3_user_data(context);
  int rc = text ? check_arguments(api, text, &error) : SQLITE_NOMEM;
  cjk_error_clean(&error);
  if (rc == SQLITE_NOMEM)
    sqlite3_result_error_nomem(context);
  else
    sqlite3_result_text(context, rc ? error.message : "ok", -1, SQLITE_TRANSIENT);
}

static void *reallocate(void *old, size_t size) {
  return sqlite3_realloc64(old, size);
}

int cjk_register_functions(sqlite3 *db, fts5_api *api) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  cjk_set_allocator(reallocate, sqlite3_free);
  int rc = sqlite3_create_function(db, "cjk_version", 0, flags, api, version_function, NULL, NULL);
  if (rc == SQLITE_OK) {
    rc = sqlite3_create_function(db, "cjk_dictionary", 0, flags, api, dictionary_function, NULL,
                                 NULL);
  }
  /* Which tokenizers there are depends on the connection: not deterministic. */
  flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
  if (rc == SQLITE_OK) {
    rc = sqlite3_create_function(db, "cjk_dictionary", 1, flags, api, dictionary_function, NULL,
                                 NULL);
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_create_function(db, "cjk_error", 0, flags, api, error_function, NULL, NULL);
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_create_function(db, "cjk_check", 1, flags, api, check_function, NULL, NULL);
  }
  if (rc == SQLITE_OK) rc = cjk_register_memory(db, api);
  return rc == SQLITE_OK ? cjk_register_query(db, api) : rc;
}
