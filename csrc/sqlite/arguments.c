/*
** arguments.c: see arguments.h.
*/
#include "arguments.h"

#include <string.h>

#include "../core/error.h"
#include "../core/options.h"

/* FTS5's barewords: ASCII letters, digits, _, U+001A, and whatever is not ASCII. */
static int is_bare(char byte) {
  return (byte & 0x80) || byte == '_' || byte == 26 || (byte >= '0' && byte <= '9') ||
         (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* Cuts one word at *in, writes it with its final NUL to *out, and moves both; 0: no word there. */
static int cut_word(const char **in, char **out) {
  const char *p = *in;
  char *to = *out;
  if (*p == '\'') {
    for (p++; *p && !(*p == '\'' && p[1] != '\''); p++) {
      *to++ = *p;
      if (*p == '\'') p++;
    }
    if (*p != '\'') return 0;
    p++;
  } else {
    while (is_bare(*p)) *to++ = *p++;
    if (p == *in) return 0;
  }
  *to++ = 0;
  *in = p;
  *out = to;
  return 1;
}

int cjk_arguments_parse(const char *text, CjkArguments *out, CjkError *error) {
  size_t n = strlen(text);
  /* Never more words than n, `cjk` before them and "" behind (SQLite's trigram reads one argument
  ** too far); the words' bytes, each with a NUL, lie behind the pointers. */
  size_t n_pointers = n + 2;
  char *block = (char *)sqlite3_malloc64(n_pointers * sizeof(char *) + 2 * n + 2);
  out->argv = (const char **)block;
  out->argc = 0;
  if (!block) return SQLITE_NOMEM;
  char *bytes = block + n_pointers * sizeof(char *);
  out->argv[0] = "cjk";
  for (;;) {
    while (*text == ' ') text++;
    if (!*text) break;
    out->argv[out->argc + 1] = bytes;
    if (!cut_word(&text, &bytes)) {
      cjk_error(error,
                "the tokenizer arguments can't be read at: %.100s (words of letters, digits and _, "
                "others in single quotes, blanks between them)",
                text);
      cjk_arguments_free(out);
      return SQLITE_ERROR;
    }
    out->argc++;
  }
  out->argv[out->argc + 1] = "";
  if (out->argc && !cjk_option_find(out->argv[1])) {
    memmove(out->argv, out->argv + 1, (size_t)(out->argc + 1) * sizeof(char *));
  } else {
    out->argc++; /* with `cjk` before it */
  }
  return SQLITE_OK;
}

void cjk_arguments_free(CjkArguments *arguments) {
  sqlite3_free(arguments->argv);
  arguments->argv = NULL;
}

int cjk_arguments_open(fts5_api *api, const char *text, CjkHostTokenizer *out, CjkError *error) {
  CjkArguments arguments;
  CjkError *refusal = cjk_refusal(api);
  int rc = cjk_arguments_parse(text, &arguments, error);
  if (rc != SQLITE_OK) return rc;
  if (refusal) refusal->message[0] = 0;
  rc = cjk_host_create(api, arguments.argv, arguments.argc, out, error);
  /* What a cjk says, at the top or inside another one, says more than that it refused. */
  if (rc != SQLITE_OK && refusal && refusal->message[0]) *error = *refusal;
  cjk_arguments_free(&arguments);
  return rc;
}
