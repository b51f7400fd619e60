/*
** bridges.c: what a cjk run goes on over: a line break, blanks of OCR text, markup.
**
** docs/stream.md, section 4. Each bridge looks ahead with a copy of the reader, and no further than
** the next character but one or a fixed number of bytes, so that time stays linear.
*/
#include <string.h>

#include "runs.h"

enum { MAX_TAG = 256, MAX_MARKUP = 512 };

static int is_class(const CjkFolded *c, unsigned class) {
  return (c->properties & CJK_CLASS_MASK) == class;
}

/* Moves the reader before the next character that is no ignorable, and reads that; 0 at the end. */
static int skip_ignorables(CjkReader *reader, CjkFolded *next) {
  for (;;) {
    CjkReader ahead = *reader;
    if (!cjk_read(&ahead, next)) return 0;
    if (!is_class(next, CJK_CLASS_IGNORABLE)) return !next->is_break;
    *reader = ahead;
  }
}

static int bridge_line(const CjkRunBuffer *run, CjkReader *reader) {
  const uint8_t *p = reader->text + reader->position;
  int length = p[0] == '\n' ? 1 : 0;
  if (p[0] == '\r') length = reader->position + 1 < reader->n && p[1] == '\n' ? 2 : 1;
  CjkReader ahead = *reader;
  CjkFolded next;
  ahead.position += length;
  if (!length || !(cjk_properties(run->last) & CJK_JOINS)) return 0;
  if (!skip_ignorables(&ahead, &next) || !is_class(&next, CJK_CLASS_CJK)) return 0;
  if (!(next.properties & CJK_JOINS)) return 0;
  *reader = ahead;
  return 1;
}

/* Whether the unit that begins at the reader is followed by no cjk code point. */
static int is_isolated(CjkReader reader) {
  CjkFolded next;
  uint32_t unit = 0;
  while (cjk_read_visible(&reader, &next) && !next.is_break) {
    if (is_class(&next, CJK_CLASS_MARK)) continue;
    if (!is_class(&next, CJK_CLASS_CJK) && !is_class(&next, CJK_CLASS_VOICING)) return 1;
    uint32_t composed = unit ? cjk_compose(unit, next.code) : next.code;
    if (!composed) return 0;
    unit = composed;
  }
  return 1;
}

static int blank_length(const uint8_t *p, int n) {
  if (n >= 1 && (p[0] == ' ' || p[0] == '\t')) return 1;
  return n >= 3 && memcmp(p, "\xE3\x80\x80", 3) == 0 ? 3 : 0;
}

static int bridge_spaces(const CjkRunBuffer *run, CjkReader *reader) {
  CjkReader ahead = *reader;
  CjkFolded next;
  int length;
  if (run->n - run->gap != 1) return 0;
  while ((length = blank_length(ahead.text + ahead.position, ahead.n - ahead.position)) > 0) {
    ahead.position += length;
  }
  if (ahead.position == reader->position || !skip_ignorables(&ahead, &next)) return 0;
  if (!is_class(&next, CJK_CLASS_CJK) || !is_isolated(ahead)) return 0;
  *reader = ahead;
  return 1;
}

static int is_inline_name(const char *name, int n) {
  static const char names[] = " a abbr b bdi bdo cite code del dfn em font i ins kbd mark q rb rp "
                              "rt ruby s samp small span "
                              "strike strong sub sup tt u var wbr ";
  char padded[16];
  if (n < 1 || n > (int)sizeof(padded) - 3) return 0;
  padded[0] = ' ';
  for (int i = 0; i < n; i++) {
    padded[i + 1] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
  }
  padded[n + 1] = ' ';
  padded[n + 2] = 0;
  return strstr(names, padded) != NULL;
}

/* Length of the inline tag at text, 0 when there is none. */
static int tag_length(const char *text, int n) {
  if (n > MAX_TAG) n = MAX_TAG;
  const char *close = n > 0 && text[0] == '<' ? memchr(text, '>', (size_t)n) : NULL;
  if (!close) return 0;
  const char *name = text + (text[1] == '/' ? 2 : 1);
  int length = 0;
  while (name + length < close && strchr(" \t\r\n/", name[length]) == NULL) length++;
  return is_inline_name(name, length) ? (int)(close - text) + 1 : 0;
}

static int bridge_markup(CjkReader *reader) {
  CjkReader ahead = *reader;
  CjkFolded next;
  const char *text = (const char *)reader->text;
  int first = reader->position, length = 1;
  while (length && ahead.position < ahead.n && ahead.position - first <= MAX_MARKUP) {
    char byte = text[ahead.position];
    length = byte == '*' || byte == '_' || byte == '~' || byte == '`'
                 ? 1
                 : tag_length(text + ahead.position, ahead.n - ahead.position);
    ahead.position += length;
  }
  if (ahead.position == first || ahead.position - first > MAX_MARKUP) return 0;
  if (!skip_ignorables(&ahead, &next) || !is_class(&next, CJK_CLASS_CJK)) return 0;
  *reader = ahead;
  return 1;
}

int cjk_run_bridge(CjkRunBuffer *run, const CjkOptions *options, CjkReader *reader) {
  if (reader->n_queue || reader->position >= reader->n) return 0;
  if ((options->join_lines && bridge_line(run, reader)) ||
      (options->join_spaces && bridge_spaces(run, reader))) {
    run->gap = run->n;
    return 1;
  }
  return options->bridge_markup && bridge_markup(reader);
}
