/*
** bridges.c: what a cjk run goes on over: a line break, blanks of OCR text, markup.
**
** docs/stream.md, section 4. Each bridge looks ahead with a copy of the reader, and no further than
** the next character but one or a fixed number of bytes, so that time stays linear.
*/
#include <string.h>

#include "runs.h"

enum { MAX_TAG = 256, MAX_MARKUP = 512 };

static int is_class(const CjkFolded *c, unsigned kind) {
  return cjk_class_of(c) == kind;
}

/* A letter or digit of any script, or a mark of one; but no jamo that stands by itself. */
static int is_letter(unsigned properties) {
  switch (properties & CJK_CLASS_MASK) {
  case CJK_CLASS_CJK:
    return (properties & (CJK_JOINS | CJK_SYLLABLE | CJK_JAMO)) != 0;
  case CJK_CLASS_COMPLEX:
  case CJK_CLASS_MARK:
  case CJK_CLASS_VOICING:
    return 1;
  case CJK_CLASS_WORD:
    return !(properties & CJK_SEPARATOR);
  default:
    return 0;
  }
}

/* Properties of the folded code point before the reader, ignorables skipped. */
static unsigned properties_before(const CjkReader *reader) {
  const uint8_t *text = reader->text;
  for (int at = reader->position; at > 0;) {
    CjkFolded c = {0};
    int end = at--;
    while (at > 0 && end - at < 4 && (text[at] & 0xC0) == 0x80) at--;
    CjkReader back = cjk_reader((const char *)text, end, at);
    while (cjk_read(&back, &c)) continue; /* the last of an expansion */
    if (c.is_break) return CJK_CLASS_WORD | CJK_SEPARATOR;
    if (!is_class(&c, CJK_CLASS_IGNORABLE)) return c.properties;
  }
  return CJK_CLASS_WORD | CJK_SEPARATOR;
}

int cjk_is_dot(const CjkFolded *c, const CjkReader *at, CjkReader behind) {
  CjkFolded next;
  if (c->source != 0x318D) return 0;
  if (is_letter(properties_before(at))) return 1;
  return cjk_read_visible(&behind, &next) && !next.is_break && is_letter(next.properties);
}

/* Moves the reader over ignorables, and reads what comes then; whether that is a unit of a cjk run. */
static int is_at_unit(CjkReader *reader, CjkFolded *next) {
  CjkReader behind = *reader;
  while (cjk_read(&behind, next) && !next->is_break) {
    if (!is_class(next, CJK_CLASS_IGNORABLE)) {
      return is_class(next, CJK_CLASS_CJK) && !cjk_is_dot(next, reader, behind);
    }
    *reader = behind;
  }
  return 0;
}

/* Length of a line break, 0 for none. */
static int line_break_length(const uint8_t *p, int n) {
  if (n >= 1 && p[0] == '\n') return 1;
  if (n < 1 || p[0] != '\r') return 0;
  return n >= 2 && p[1] == '\n' ? 2 : 1;
}

static int bridge_line(const CjkRunBuffer *run, CjkReader *reader) {
  CjkReader ahead = *reader;
  CjkFolded next;
  while (ahead.position < ahead.n &&
         (ahead.text[ahead.position] == ' ' || ahead.text[ahead.position] == '\t')) {
    ahead.position++; /* blanks at the end of the line */
  }
  int length = line_break_length(ahead.text + ahead.position, ahead.n - ahead.position);
  ahead.position += length;
  if (!length || !(cjk_properties(run->last) & CJK_JOINS)) return 0;
  if (!is_at_unit(&ahead, &next) || !(next.properties & CJK_JOINS)) return 0;
  *reader = ahead;
  return 1;
}

/* Whether the unit that begins at the reader has no cjk unit directly behind it. */
static int is_isolated(CjkReader reader) {
  CjkFolded next;
  CjkReader at = reader;
  uint32_t unit = 0;
  for (; cjk_read(&reader, &next) && !next.is_break; at = reader) {
    if (is_class(&next, CJK_CLASS_MARK) || is_class(&next, CJK_CLASS_IGNORABLE)) continue;
    if (!is_class(&next, CJK_CLASS_CJK) && !is_class(&next, CJK_CLASS_VOICING)) return 1;
    if (cjk_is_dot(&next, &at, reader)) return 1;
    uint32_t composed = unit ? cjk_compose(unit, next.code) : next.code;
    if (!composed) return 0;
    unit = composed;
  }
  return 1;
}

/* Blanks inside a line: Unicode's space separators and the tab. */
static int blank_length(const uint8_t *p, int n) {
  uint32_t cp = 0;
  int length = n > 0 ? cjk_utf8_decode(p, p + n, &cp) : 0;
  int is_blank = cp == ' ' || cp == '\t' || cp == 0xA0 || cp == 0x1680 ||
                 (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F || cp == 0x205F || cp == 0x3000;
  return is_blank ? length : 0;
}

static int bridge_spaces(const CjkRunBuffer *run, CjkReader *reader) {
  CjkReader ahead = *reader;
  CjkFolded next;
  int length;
  if (run->n - run->gap != 1) return 0;
  while ((length = blank_length(ahead.text + ahead.position, ahead.n - ahead.position)) > 0) {
    ahead.position += length;
  }
  if (ahead.position == reader->position || !is_at_unit(&ahead, &next)) return 0;
  if (!is_isolated(ahead)) return 0;
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

/* Length of the inline tag at text, of which n > 0 bytes are left; 0 when there is none. */
static int tag_length(const char *text, int n) {
  if (n > MAX_TAG) n = MAX_TAG;
  if (text[0] != '<') return 0;
  const char *close = (const char *)memchr(text, '>', (size_t)n);
  if (!close) return 0;
  const char *name = text + (text[1] == '/' ? 2 : 1);
  int length = 0;
  while (name + length < close && memchr(" \t\r\n\f/", name[length], 6) == NULL) length++;
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
  if (!is_at_unit(&ahead, &next)) return 0;
  *reader = ahead;
  return 1;
}

int cjk_run_bridge(CjkRunBuffer *run, const CjkOptions *options, CjkReader *reader) {
  if (reader->n_queue) return 0;
  if ((options->join_lines && bridge_line(run, reader)) ||
      (options->join_spaces && bridge_spaces(run, reader))) {
    run->gap = run->n;
    run->is_closed = 1;
  } else if (options->bridge_markup && bridge_markup(reader)) {
    run->is_closed = 1;
  } else {
    return 0;
  }
  return 1;
}
