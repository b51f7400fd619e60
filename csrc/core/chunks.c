/*
** chunks.c: see chunks.h. Three layers: the source without its note links, character by character;
** the borders of one stretch of it; the chunks.
*/
#include "chunks.h"

#include <stddef.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "traits.h"
#include "utf8.h"

enum {
  LATIN_SIZE = 1750,
  LATIN_OVERLAP = 175,
  CJK_SIZE = 600,
  CJK_OVERLAP = 60,
  OVERLAP_RATIO = 10, /* one in ten */
  ID_LENGTH = 32,
  MARKS_LOOKED_BACK = 64,
  IDEOGRAPHIC_SPACE = 0x3000
};

enum { ENDS_SENTENCE = 1, ENDS_PARAGRAPH = 2 };

/* ---- the source without its note links ---- */

static int is_digit_or_small(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* The length of the note link that begins at text[at], 0 when there is none. */
static int link_length(const char *text, int n, int at) {
  int in_brackets = text[at] == '(';
  int id = at + in_brackets + 2, end = id + ID_LENGTH;
  if (id > n - ID_LENGTH || memcmp(text + id - 2, ":/", 2) != 0) return 0;
  for (int i = id; i < end; i++) {
    if (!is_digit_or_small(text[i])) return 0;
  }
  if (in_brackets) return end < n && text[end] == ')' ? end + 1 - at : 0;
  if (end < n && (is_digit_or_small(text[end]) || (text[end] >= 'A' && text[end] <= 'Z'))) return 0;
  return end - at;
}

/* The next character from chunker->at on, and its place; 0 at the end. */
static int next_char(CjkChunker *chunker, uint32_t *cp, int *place) {
  const char *text = chunker->source;
  while (chunker->at < chunker->end) {
    int skipped = 0;
    if (text[chunker->at] == '(' || text[chunker->at] == ':') {
      skipped = link_length(text, chunker->n_source, chunker->at);
    }
    if (skipped == 0) {
      const uint8_t *p = (const uint8_t *)text + chunker->at;
      *place = chunker->at;
      chunker->at += cjk_utf8_decode(p, (const uint8_t *)text + chunker->n_source, cp);
      if (*cp == CJK_BROKEN) *cp = CJK_REPLACEMENT;
      return 1;
    }
    chunker->at += skipped;
  }
  return 0;
}

/* What the first reading finds, of the text without links and blanks at its ends. */
typedef struct Survey {
  int start, end; /* in the source; equal: there is nothing */
  int n_chars, n_cjk;
} Survey;

static Survey survey_text(CjkChunker *chunker) {
  uint32_t cjk = CJK_TRAIT_EXACT_CJK, cp;
  Survey survey = {0, 0, 0, 0};
  int place, n_chars = 0;
  if (chunker->options.profile == CJK_CHUNK_NATURAL) cjk |= CJK_TRAIT_MORE_CJK;
  while (next_char(chunker, &cp, &place)) {
    uint32_t traits = cjk_traits(cp);
    int is_blank = (traits & CJK_TRAIT_BLANK) != 0;
    if (n_chars == 0 && is_blank) continue;
    if (n_chars++ == 0) survey.start = place;
    survey.n_cjk += (traits & cjk) != 0;
    if (!is_blank) {
      survey.end = chunker->at;
      survey.n_chars = n_chars;
    }
  }
  return survey;
}

/* Reads on until there are `need` characters or none are left. */
static int fill(CjkChunker *chunker, int need) {
  uint32_t cp;
  int place, rc = CJK_OK;
  while (chunker->n_chars < need && next_char(chunker, &cp, &place)) {
    rc = cjk_reserve((void **)&chunker->chars, &chunker->chars_capacity, chunker->n_chars + 1,
                     sizeof(*chunker->chars));
    if (rc != CJK_OK) return rc;
    CjkChunkChar next = {cp, cjk_traits(cp), place, 0};
    chunker->chars[chunker->n_chars++] = next;
  }
  return rc;
}

/* ---- borders: `chars` begins where the chunk does, places are indexes ---- */

static int count_flag_halves_before(const CjkChunkChar *chars, int at) {
  int first = at;
  while (first > 0 && chars[first - 1].traits & CJK_TRAIT_FLAG_HALF) first--;
  return at - first;
}

static int has_virama_before(const CjkChunkChar *chars, int at) {
  int last = at > MARKS_LOOKED_BACK ? at - MARKS_LOOKED_BACK : 0;
  for (int i = at - 1; i >= last; i--) {
    if (chars[i].traits & CJK_TRAIT_VIRAMA) return 1;
    if (chars[i].cp != CJK_ZWJ && !(chars[i].traits & CJK_TRAIT_MARK)) return 0;
  }
  return 0;
}

/* Whether no grapheme cluster is cut before chars[at]; 0 < at, and chars[at] is there. */
static int is_border(const CjkChunkChar *chars, int at) {
  const CjkChunkChar *before = &chars[at - 1], *after = &chars[at];
  if (after->traits & (CJK_TRAIT_MARK | CJK_TRAIT_EXTENDS)) return 0;
  if (before->cp == '\r' && after->cp == '\n') return 0;
  if (before->cp == CJK_ZWJ || before->traits & CJK_TRAIT_PREPENDED) return 0;
  if (before->traits & CJK_TRAIT_LEADING_JAMO &&
      (after->traits & CJK_TRAIT_LEADING_JAMO || (after->cp >= 0xAC00 && after->cp <= 0xD7A3))) {
    return 0;
  }
  if (before->traits & after->traits & CJK_TRAIT_FLAG_HALF) {
    return count_flag_halves_before(chars, at) % 2 == 0;
  }
  return !(after->traits & CJK_TRAIT_LETTER && has_virama_before(chars, at));
}

static int is_blank_in_line(const CjkChunkChar *c) {
  return c->cp == ' ' || c->cp == '\t' || c->cp == IDEOGRAPHIC_SPACE;
}

static int is_ascii_stop(const CjkChunkChar *c) {
  return c->cp == '.' || c->cp == '!' || c->cp == '?';
}

/* Behind blanks and one line break. */
static int skip_blanks_and_break(const CjkChunkChar *chars, int n, int at) {
  while (at < n && is_blank_in_line(&chars[at])) at++;
  if (at + 1 < n && chars[at].cp == '\r' && chars[at + 1].cp == '\n') return at + 2;
  return at + (at < n && chars[at].cp == '\n');
}

static int skip_closing(const CjkChunkChar *chars, int n, int at) {
  while (at < n && chars[at].traits & CJK_TRAIT_CLOSING) at++;
  return at;
}

/* The end of the paragraph break at the line break chars[at]; 0 when no blank line follows. */
static int paragraph_end(const CjkChunkChar *chars, int n, int at) {
  int end = 0;
  for (int i = at + 1; i < n; i++) {
    if (chars[i].cp == '\n')
      end = i + 1;
    else if (chars[i].cp != '\r' && !is_blank_in_line(&chars[i]))
      break;
  }
  return end;
}

/* The end of the sentence whose stop or line break is chars[at]; 0 when it is none. */
static int sentence_end(const CjkChunkChar *chars, int n, int at) {
  int i = at + 1;
  if (chars[at].cp == '\n') return i;
  if (chars[at].traits & CJK_TRAIT_STOP) {
    while (i < n && chars[i].traits & CJK_TRAIT_STOP) i++;
    return skip_blanks_and_break(chars, n, skip_closing(chars, n, i));
  }
  /* Of a row of ASCII stops the first speaks for all. */
  if (!is_ascii_stop(&chars[at]) || (at > 0 && is_ascii_stop(&chars[at - 1]))) return 0;
  while (i < n && is_ascii_stop(&chars[i])) i++;
  i = skip_closing(chars, n, i);
  if (i == n) return 0;
  int counts = is_blank_in_line(&chars[i]) || chars[i].cp == '\r' || chars[i].cp == '\n' ||
               chars[i].traits & (CJK_TRAIT_EXACT_CJK | CJK_TRAIT_MORE_CJK);
  return counts ? skip_blanks_and_break(chars, n, i) : 0;
}

static void mark_stops(CjkChunkChar *chars, int n) {
  for (int i = 0; i < n; i++) chars[i].stops = 0;
  for (int i = 0, end; i < n; i = end ? end : i + 1) {
    end = chars[i].cp == '\n' ? paragraph_end(chars, n, i) : 0;
    if (end && end < n) chars[end].stops |= ENDS_PARAGRAPH;
  }
  for (int i = 0, end; i < n; i = end ? end : i + 1) {
    end = sentence_end(chars, n, i);
    if (end && end < n) chars[end].stops |= ENDS_SENTENCE;
  }
}

/* Whether a word begins at chars[at], going by the character before it. */
static int is_word_start(const CjkChunkChar *chars, int at) {
  const uint32_t nowhere = CJK_TRAIT_BLANK | CJK_TRAIT_PUNCTUATION;
  const uint32_t cjk = CJK_TRAIT_HAN | CJK_TRAIT_HIRAGANA | CJK_TRAIT_KATAKANA | CJK_TRAIT_HANGUL;
  uint32_t before = chars[at - 1].traits, after = chars[at].traits;
  if (after & nowhere) return 0;
  if (before & (CJK_TRAIT_BLANK | CJK_TRAIT_CJK_PUNCTUATION)) return 1;
  if (before & CJK_TRAIT_HAN) return !(after & (CJK_TRAIT_HAN | CJK_TRAIT_HIRAGANA));
  if (before & cjk) return !(before & after & cjk);
  return !(before & nowhere) && after & cjk;
}

static int is_any(const CjkChunkChar *chars, int at) {
  (void)chars, (void)at;
  return 1;
}

static int is_stop(const CjkChunkChar *chars, int at) {
  return chars[at].stops != 0;
}

static int is_paragraph_end(const CjkChunkChar *chars, int at) {
  return (chars[at].stops & ENDS_PARAGRAPH) != 0;
}

static int is_sentence_end(const CjkChunkChar *chars, int at) {
  return (chars[at].stops & ENDS_SENTENCE) != 0;
}

typedef int (*IsPlace)(const CjkChunkChar *chars, int at);

/* Where a chunk ends: the best border in [low, high]. */
static int last_border(const CjkChunkChar *chars, int low, int high) {
  static const IsPlace kinds[] = {is_paragraph_end, is_sentence_end, is_word_start, is_any};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    for (int at = high; at >= low; at--) {
      if (kinds[i](chars, at) && is_border(chars, at)) return at;
    }
  }
  return high;
}

/* Where the next one begins: the best border in [low, end), else end. */
static int first_border(const CjkChunkChar *chars, int low, int end) {
  static const IsPlace kinds[] = {is_stop, is_word_start, is_any};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    for (int at = low; at < end; at++) {
      if (kinds[i](chars, at) && is_border(chars, at)) return at;
    }
  }
  return end;
}

/* ---- chunks ---- */

static int set_sizes(CjkChunker *chunker, const Survey *survey, CjkError *error) {
  CjkChunkOptions *options = &chunker->options;
  int is_cjk = survey->n_cjk > 0 && (int64_t)survey->n_cjk * 10 >= (int64_t)survey->n_chars * 3;
  if (options->overlap < 0) {
    options->overlap = options->chunk_size > 0 ? options->chunk_size / OVERLAP_RATIO
                       : is_cjk                ? CJK_OVERLAP
                                               : LATIN_OVERLAP;
  }
  if (options->chunk_size < 0) options->chunk_size = is_cjk ? CJK_SIZE : LATIN_SIZE;
  if (options->overlap < options->chunk_size) return CJK_OK;
  cjk_error(error, "overlap must be smaller than chunk_size (%d), not %d", options->chunk_size,
            options->overlap);
  return CJK_ERROR;
}

int cjk_chunker_open(CjkChunker *chunker, const char *text, int n, const CjkChunkOptions *options,
                     CjkError *error) {
  memset(chunker, 0, sizeof(*chunker));
  chunker->source = text;
  chunker->n_source = chunker->end = n;
  chunker->options = *options;
  Survey survey = survey_text(chunker);
  chunker->at = survey.start;
  chunker->end = survey.end;
  chunker->is_done = survey.start == survey.end;
  return set_sizes(chunker, &survey, error);
}

/* Sets the text of the chunk: the source itself, or a copy where links stand in it. */
static int set_text(CjkChunker *chunker, CjkChunk *chunk) {
  const char *source = chunker->source;
  int kept_from = chunk->start;
  chunk->text = source + chunk->start;
  chunk->n = 0;
  for (int at = chunk->start;;) {
    int skipped = 0;
    if (at < chunk->end && (source[at] == '(' || source[at] == ':')) {
      skipped = link_length(source, chunker->n_source, at);
    }
    if (skipped == 0 && at < chunk->end) {
      at++;
      continue;
    }
    int n = at - kept_from;
    if (skipped || chunk->n) { /* there is a link: copy */
      int rc = cjk_reserve((void **)&chunker->bytes, &chunker->bytes_capacity,
                           chunk->end - chunk->start, 1);
      if (rc != CJK_OK) return rc;
      memcpy(chunker->bytes + chunk->n, source + kept_from, (size_t)n);
      chunk->text = chunker->bytes;
    }
    chunk->n += n;
    if (skipped == 0) break;
    at += skipped;
    kept_from = at;
  }
  return CJK_OK;
}

static int end_of_char(const CjkChunker *chunker, const CjkChunkChar *c) {
  uint32_t ignored;
  const uint8_t *text = (const uint8_t *)chunker->source;
  return c->place + cjk_utf8_decode(text + c->place, text + chunker->n_source, &ignored);
}

int cjk_chunker_next(CjkChunker *chunker, CjkChunk *chunk) {
  int size = chunker->options.chunk_size, overlap = chunker->options.overlap;
  memset(chunk, 0, sizeof(*chunk));
  if (chunker->is_done) return CJK_OK;
  int rc = fill(chunker, size + 1);
  if (rc != CJK_OK) return rc;
  CjkChunkChar *chars = chunker->chars;
  int end = chunker->n_chars, next = end;
  if (end <= size) {
    chunker->is_done = 1;
  } else if (chunker->options.profile == CJK_CHUNK_EXACT) {
    end = size;
    next = size - overlap;
  } else {
    int least = size / 2 > overlap + 1 ? size / 2 : overlap + 1;
    mark_stops(chars, chunker->n_chars);
    end = last_border(chars, least, size);
    next = first_border(chars, end - overlap, end);
  }
  chunk->ordinal = chunker->ordinal++;
  chunk->start = chars[0].place;
  chunk->end = end_of_char(chunker, &chars[end - 1]);
  rc = set_text(chunker, chunk);
  chunker->n_chars -= next;
  memmove(chars, chars + next, (size_t)chunker->n_chars * sizeof(*chars));
  return rc;
}

void cjk_chunker_close(CjkChunker *chunker) {
  cjk_free(chunker->chars);
  cjk_free(chunker->bytes);
  chunker->chars = NULL;
  chunker->bytes = NULL;
}
