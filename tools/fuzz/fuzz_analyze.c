/*
** fuzz_analyze.c: any bytes, any options, any reason: what holds for every token stream.
**
** Tokens are valid UTF-8, their ranges lie in the text, begin and end between characters, and do
** not go back; the same call gives the same tokens again; and a text as a query is a phrase of
** itself as a document.
**
** Choices: how the arguments are made, one for each option of the table; then the reason.
*/
#include "cjk.h"
#include "fuzz.h"
#include "options.h"
#include "segmenters.h"

typedef struct Token {
  int flags, start, end;
  int offset, n; /* its bytes in Stream.bytes */
} Token;

typedef struct Stream {
  const char *borders; /* of the text */
  int n_text;
  Token *tokens;
  int n, capacity;
  char *bytes;
  int n_bytes, bytes_capacity;
} Stream;

static void *grow(void *array, int *capacity, int need, size_t size) {
  if (need <= *capacity) return array;
  *capacity = 2 * need + 1024;
  array = realloc(array, (size_t)*capacity * size);
  require(array != NULL, "there is memory");
  return array;
}

static int on_token(void *ctx, int flags, const char *token, int n, int start, int end) {
  Stream *stream = ctx;
  require(n > 0, "a token has bytes");
  require(is_valid_utf8(token, n) && !memchr(token, 0, (size_t)n), "a token is text");
  require(0 <= start && start < end && end <= stream->n_text, "a range lies in the text");
  require(stream->borders[start] && stream->borders[end], "a range does not cut a character");
  require(!stream->n || start >= stream->tokens[stream->n - 1].start, "starts do not go back");
  require(flags == 0 || (flags == CJK_COLOCATED && stream->n > 0), "flags make sense");
  stream->tokens = grow(stream->tokens, &stream->capacity, stream->n + 1, sizeof(Token));
  stream->bytes = grow(stream->bytes, &stream->bytes_capacity, stream->n_bytes + n, 1);
  Token kept = {flags, start, end, stream->n_bytes, n};
  stream->tokens[stream->n++] = kept;
  memcpy(stream->bytes + stream->n_bytes, token, (size_t)n);
  stream->n_bytes += n;
  return CJK_OK;
}

static Stream analyze(CjkAnalyzer *analyzer, int reason, const char *text, int n,
                      const char *borders) {
  Stream stream = {.borders = borders, .n_text = n};
  int rc = cjk_analyze(analyzer, reason, text, n, NULL, 0, &stream, on_token);
  require(rc == CJK_OK, "odd text is no error");
  return stream;
}

static void free_stream(Stream *stream) {
  free(stream->tokens);
  free(stream->bytes);
}

static int is_same(const Stream *a, const Stream *b) {
  if (a->n != b->n || a->n_bytes != b->n_bytes) return 0;
  if (a->n == 0) return 1;
  return memcmp(a->tokens, b->tokens, (size_t)a->n * sizeof(Token)) == 0 &&
         memcmp(a->bytes, b->bytes, (size_t)a->n_bytes) == 0;
}

/* Whether the query's tokens stand in the document at the same positions. */
static int is_phrase_of(const Stream *query, const Stream *document) {
  int at = 0;
  for (int i = 0; i < query->n; i++) {
    const Token *wanted = &query->tokens[i];
    int found = 0, first = at;
    if (wanted->flags) continue;
    for (; at < document->n && (at == first || document->tokens[at].flags); at++) {
      const Token *token = &document->tokens[at];
      found |=
          token->n == wanted->n && memcmp(document->bytes + token->offset,
                                          query->bytes + wanted->offset, (size_t)token->n) == 0;
    }
    if (!found) return 0;
  }
  return 1;
}

/* The choice's value of an option, NULL for none; the strings live in `room`. */
static const char *choose_value(const CjkOptionRow *row, unsigned choice, char *room, size_t size) {
  char names[256];
  const char *values = row->kind == CJK_OPTION_SEGMENT
                           ? cjk_segmenter_names(names, (int)sizeof(names))
                           : row->values;
  if (choice == 0) return NULL;
  if (!*values) return "-_";
  while (--choice % 256 && strchr(values, ' ')) values = strchr(values, ' ') + 1;
  snprintf(room, size, "%.*s", (int)strcspn(values, " "), values);
  return room;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int reasons[] = {CJK_DOCUMENT, CJK_AUX, CJK_QUERY, CJK_QUERY | CJK_PREFIX};
  enum { MOST = 64 };
  Input in = {data, data + size};
  const char *argv[2 * MOST], *value;
  char room[MOST][64];
  int argc = 0, n;
  const CjkOptionRow *row;
  for (int i = 0; (row = cjk_option_row(i)) && i < MOST; i++) {
    if (!(value = choose_value(row, take_choice(&in), room[i], sizeof(room[i])))) continue;
    argv[argc++] = row->name;
    argv[argc++] = value;
  }
  int reason = reasons[take_choice(&in) % 4];
  CjkAnalyzer *analyzer = NULL;
  CjkError error = {""};
  require(cjk_analyzer_create(argv, argc, &analyzer, &error) == CJK_OK, error.message);

  char *text = take_rest(&in, &n), *exact = realloc(text, n ? (size_t)n : 1);
  char *borders = find_borders(exact, n);
  Stream first = analyze(analyzer, reason, exact, n, borders);
  Stream second = analyze(analyzer, reason, exact, n, borders);
  Stream document = analyze(analyzer, CJK_DOCUMENT, exact, n, borders);
  require(is_same(&first, &second), "the same call gives the same tokens");
  if (reason & CJK_QUERY) require(is_phrase_of(&first, &document), "a text finds itself");
  free_stream(&first);
  free_stream(&second);
  free_stream(&document);
  cjk_analyzer_free(analyzer);
  free(borders);
  free(exact);
  return 0;
}
