/*
** pieces.c: see pieces.h.
*/
#include "pieces.h"

#include <limits.h>
#include <string.h>

#include "emoji.h"
#include "memory.h"

enum { KEYCAP = 0x20E3, MAX_LOWER = 1024 };

/* One call's state. */
typedef struct Stretch {
  CjkPieces *pieces;
  CjkEmitter *emitter;
  int reason;
  const char *locale;
  int n_locale;
  const char *text; /* the source */
  int start, end;   /* the piece at work; empty when end <= start */
  int is_folded;    /* it is in pieces->folded instead */
  int is_ascii;
  CjkFolded last; /* the last character taken, for keycaps and widening */
} Stretch;

static int is_ascii_alphanumeric(int byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

void cjk_pieces_init(CjkPieces *pieces) {
  memset(pieces, 0, sizeof(*pieces));
  pieces->parent.tokenize = cjk_plain_parent;
  pieces->cuts_at_separators = 1;
  pieces->is_ascii_default = 1;
  for (int i = 0; i < 128; i++) pieces->is_ascii_token[i] = (uint8_t)is_ascii_alphanumeric(i);
}

void cjk_pieces_free(CjkPieces *pieces) {
  cjk_run_free(&pieces->folded);
  cjk_free(pieces->lower);
}

/* Emits an ASCII token in lower case. */
static int emit_ascii(CjkPieces *pieces, const char *token, int n, int start, CjkEmitter *emitter) {
  int i = 0;
  while (i < n && !(token[i] >= 'A' && token[i] <= 'Z')) i++;
  if (i == n) return cjk_emit(emitter, 0, token, n, start, start + n);
  int rc = cjk_reserve((void **)&pieces->lower, &pieces->lower_capacity, n, 1);
  if (rc != CJK_OK) return rc;
  for (i = 0; i < n; i++) {
    char byte = token[i];
    pieces->lower[i] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  }
  return cjk_emit(emitter, 0, pieces->lower, n, start, start + n);
}

static int forward_plain(void *ctx, int flags, const char *token, int n, int start, int end) {
  Stretch *stretch = (Stretch *)ctx;
  return cjk_emit(stretch->emitter, flags, token, n, stretch->start + start, stretch->start + end);
}

/* The unit of the folded piece that holds byte `offset`. */
static int unit_at(const CjkRunBuffer *folded, int offset) {
  int low = 0, high = folded->n - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (folded->at[middle] <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static int forward_folded(void *ctx, int flags, const char *token, int n, int start, int end) {
  Stretch *stretch = (Stretch *)ctx;
  const CjkRunBuffer *folded = &stretch->pieces->folded;
  int first = unit_at(folded, start), last = unit_at(folded, end > start ? end - 1 : start);
  return cjk_emit(stretch->emitter, flags, token, n, folded->start[first], folded->end[last]);
}

static int call_parent(Stretch *stretch, const char *text, int n, CjkTokenFn forward) {
  CjkParent parent = stretch->pieces->parent;
  int rc = parent.tokenize(parent.self, stretch->reason, text, n, stretch->locale,
                           stretch->n_locale, stretch, forward);
  /* FTS5's own tokenizers make success of a callback's SQLITE_DONE. */
  return rc == CJK_OK ? stretch->emitter->stopped : rc;
}

/* Hands the piece at work on, up to source offset `end` where it is plain. */
static int finish_piece(Stretch *stretch, int end) {
  CjkPieces *pieces = stretch->pieces;
  CjkRunBuffer *folded = &pieces->folded;
  const char *text = stretch->text + stretch->start;
  int n = end - stretch->start, rc = CJK_OK;
  if (stretch->is_folded) {
    if (folded->n > 0) {
      rc = call_parent(stretch, folded->bytes, folded->at[folded->n], forward_folded);
    }
  } else if (n > 0) {
    rc = pieces->cuts_at_separators && stretch->is_ascii && n <= MAX_LOWER
             ? emit_ascii(pieces, text, n, stretch->start, stretch->emitter)
             : call_parent(stretch, text, n, forward_plain);
  }
  stretch->is_folded = 0;
  stretch->is_ascii = 1;
  return rc;
}

static void begin_piece(Stretch *stretch, int start) {
  stretch->start = start;
  stretch->end = start;
}

static int fold_append(CjkRunBuffer *folded, const CjkFolded *c) {
  return cjk_run_push(folded, c->code, c->start, c->end);
}

/* Moves the plain piece at work into the folded buffer, one unit a code point. */
static int make_folded(Stretch *stretch) {
  CjkRunBuffer *folded = &stretch->pieces->folded;
  if (stretch->is_folded) return CJK_OK;
  CjkReader reader = cjk_reader(stretch->text, stretch->end, stretch->start);
  CjkFolded c;
  int rc = CJK_OK;
  cjk_run_reset(folded, stretch->text);
  stretch->is_folded = 1;
  while (rc == CJK_OK && cjk_read(&reader, &c)) rc = fold_append(folded, &c);
  return rc;
}

/* Takes one visible character into the piece at work. */
static int take_character(Stretch *stretch, const CjkFolded *c) {
  int rc = CJK_OK;
  if (!stretch->is_folded && stretch->end == stretch->start) begin_piece(stretch, c->start);
  if (c->is_changed || (!stretch->is_folded && c->start != stretch->end)) rc = make_folded(stretch);
  if (rc == CJK_OK && stretch->is_folded) rc = fold_append(&stretch->pieces->folded, c);
  if (c->code >= 0x80) stretch->is_ascii = 0;
  stretch->end = c->end;
  return rc;
}

/* An ignorable behind the piece at work: dropped; an extending one widens the character before. */
static int take_ignorable(Stretch *stretch, const CjkFolded *c) {
  if (stretch->end <= stretch->start || !(c->properties & CJK_EXTEND)) return CJK_OK;
  int rc = make_folded(stretch);
  return rc == CJK_OK ? cjk_run_widen(&stretch->pieces->folded, c->end) : rc;
}

static int is_separator(const CjkPieces *pieces, const CjkFolded *c) {
  if (!pieces->cuts_at_separators) return 0;
  return c->code < 0x80 ? !pieces->is_ascii_token[c->code] : (c->properties & CJK_SEPARATOR) != 0;
}

/* Whether `keycap` stands directly behind a digit, # or *. */
static int ends_keycap(const Stretch *stretch, const CjkFolded *keycap) {
  uint32_t cp = stretch->last.code;
  return keycap->code == KEYCAP && stretch->last.end == keycap->start &&
         ((cp >= '0' && cp <= '9') || cp == '#' || cp == '*');
}

/* The character before U+20E3 leaves the piece and makes an emoji token with it. */
static int take_keycap(Stretch *stretch, const CjkFolded *keycap, CjkReader *reader) {
  CjkFolded base = stretch->last;
  char token[8];
  int n = cjk_utf8_encode(base.code, token);
  n += cjk_utf8_encode(keycap->code, token + n);
  if (stretch->end > stretch->start && !is_separator(stretch->pieces, &base)) {
    if (stretch->is_folded) stretch->pieces->folded.n--;
    int rc = finish_piece(stretch, base.start);
    if (rc != CJK_OK) return rc;
  }
  int end = cjk_emoji_widen(reader, keycap->end);
  begin_piece(stretch, end);
  return cjk_emit(stretch->emitter, 0, token, n, base.start, end);
}

/* Skips plain ASCII of which nothing but the end matters: words of letters and digits. */
static void take_ascii_word(Stretch *stretch, CjkReader *reader) {
  const uint8_t *is_token = stretch->pieces->is_ascii_token;
  int position = reader->position;
  while (position < reader->n && reader->text[position] < 0x80 &&
         is_token[reader->text[position]]) {
    position++;
  }
  if (position == reader->position) return;
  stretch->last.code = reader->text[position - 1];
  stretch->last.start = position - 1;
  stretch->last.end = position;
  stretch->last.is_changed = 0;
  stretch->last.properties = cjk_properties(stretch->last.code);
  stretch->end = reader->position = position;
}

/* Takes one character; 0 in *go_on when it belongs to no word stretch. */
static int take_in_stretch(Stretch *stretch, CjkReader *reader, int keycaps, int *go_on) {
  CjkReader ahead = *reader;
  CjkFolded c;
  *go_on = cjk_read(&ahead, &c) && !c.is_break;
  if (!*go_on) return CJK_OK;
  switch (c.properties & CJK_CLASS_MASK) {
  case CJK_CLASS_IGNORABLE:
    *reader = ahead;
    if (c.properties & CJK_EXTEND && stretch->last.end == c.start) stretch->last.end = c.end;
    return take_ignorable(stretch, &c);
  case CJK_CLASS_WORD:
  case CJK_CLASS_MARK:
    break;
  default:
    *go_on = 0;
    return CJK_OK;
  }
  *reader = ahead;
  if (keycaps && ends_keycap(stretch, &c)) {
    int rc = take_keycap(stretch, &c, reader);
    stretch->last = c;
    return rc;
  }
  stretch->last = c;
  if (!is_separator(stretch->pieces, &c)) return take_character(stretch, &c);
  int rc = finish_piece(stretch, stretch->end);
  begin_piece(stretch, c.end);
  return rc;
}

int cjk_pieces_take(CjkPieces *pieces, CjkReader *reader, int keycaps, int reason,
                    const char *locale, int n_locale, CjkEmitter *emitter) {
  Stretch stretch = {
      pieces,           emitter,          reason, locale, n_locale, (const char *)reader->text,
      reader->position, reader->position, 0,      1,      {0}};
  int rc = CJK_OK, go_on = 1;
  stretch.last.end = -1;
  while (rc == CJK_OK && go_on) {
    if (pieces->cuts_at_separators && !stretch.is_folded && !reader->n_queue &&
        stretch.end == reader->position) {
      take_ascii_word(&stretch, reader);
    }
    rc = take_in_stretch(&stretch, reader, keycaps, &go_on);
  }
  if (rc == CJK_OK) rc = finish_piece(&stretch, stretch.end);
  return rc;
}

int cjk_plain_parent(void *self, int reason, const char *text, int n, const char *locale,
                     int n_locale, void *ctx, CjkTokenFn on_token) {
  CjkPieces words;
  CjkEmitter emitter;
  int rc = CJK_OK;
  (void)self, (void)reason, (void)locale, (void)n_locale;
  memset(&emitter, 0, sizeof(emitter));
  emitter.on_token = on_token;
  emitter.ctx = ctx;
  cjk_pieces_init(&words);
  for (int i = 0, start = 0; rc == CJK_OK && i <= n; i++) {
    if (i < n && ((text[i] & 0x80) || is_ascii_alphanumeric(text[i]))) continue;
    if (i > start) rc = emit_ascii(&words, text + start, i - start, start, &emitter);
    start = i + 1;
  }
  cjk_pieces_free(&words);
  return rc;
}
