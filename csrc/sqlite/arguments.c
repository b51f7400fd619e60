/*
** arguments.c: see arguments.h.
*/
#include "arguments.h"

#include <string.h>

#include "../core/error.h"
#include "../core/options.h"
#include "register.h"

static int is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* FTS5's barewords: ASCII letters, digits, _, U+001A, and whatever is not ASCII. */
static int is_bare(char byte) {
  return (byte & 0x80) || byte == '_' || byte == 26 || (byte >= '0' && byte <= '9') ||
         (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

/* Cuts one word at *in, writes it with its final NUL to *out, and moves both; 0: no word there. */
static int cut_word(const char **in, char **out) {
  const char *p = *in;
  char *to = *out;
  char close = *p == '[' ? ']' : *p;
  if (*p == '\'' || *p == '"' || *p == '`' || *p == '[') {
    for (p++; *p && !(*p == close && (close == ']' || p[1] != close)); p++) {
      *to++ = *p;
      if (*p == close) p++;
    }
    if (*p != close) return 0;
    p++;
  } else {
    while (is_bare(*p)) *to++ = *p++;
    if (p == *in) return 0;
  }
  if (*p && !is_blank(*p)) return 0;
  *to++ = 0;
  *in = p;
  *out = to;
  return 1;
}

int cjk_arguments_parse(const char *text, CjkArguments *out, CjkError *error) {
  size_t n = strlen(text);
  /* Never more words than n / 2 + 1, and `cjk` before them; the words' bytes lie behind. */
  size_t n_pointers = n / 2 + 2;
  char *block = sqlite3_malloc64(n_pointers * sizeof(char *) + n + 2);
  out->argv = (const char **)block;
  out->argc = 0;
  if (!block) return SQLITE_NOMEM;
  char *bytes = block + n_pointers * sizeof(char *);
  out->argv[0] = "cjk";
  for (;;) {
    while (is_blank(*text)) text++;
    if (!*text) break;
    out->argv[out->argc + 1] = bytes;
    if (!cut_word(&text, &bytes)) {
      cjk_error(error,
                "the tokenizer arguments can't be read at: %.100s (words of letters, digits and _, "
                "others in quotes, blanks between them)",
                text);
      cjk_arguments_free(out);
      return SQLITE_ERROR;
    }
    out->argc++;
  }
  if (out->argc && !cjk_option_find(out->argv[1])) {
    memmove(out->argv, out->argv + 1, (size_t)out->argc * sizeof(char *));
  } else {
    out->argc++; /* with `cjk` before it */
  }
  return SQLITE_OK;
}

void cjk_arguments_free(CjkArguments *arguments) {
  sqlite3_free(arguments->argv);
  arguments->argv = NULL;
}
