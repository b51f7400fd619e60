/*
** fuzz_memory.c: any bytes, decoded, detected, compared and cut into chunks.
**
** Decoding takes all bytes, one character after the other, and encoding gives them back; a chunk is
** a piece of the text in its size, chunks go forward and leave out nothing but links and blanks; a
** language is one of those that there are; a relevance is from 0 to 1, and 1 of a text to itself.
**
** Line: the other text; then the text. Choices: size, overlap and profile of chunks.
*/
#include "chunks.h"
#include "detect.h"
#include "fuzz.h"
#include "relevance.h"

static void decode(const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  char again[4];
  for (uint32_t cp; p < end;) {
    int length = cjk_utf8_decode(p, end, &cp);
    require(length >= 1 && length <= 4 && length <= end - p, "a character has 1 to 4 bytes");
    if (cp == CJK_BROKEN) {
      require(*p >= 0x80 && length < 4, "ASCII and whole characters are not broken");
      for (int i = 1; i < length; i++) require((p[i] & 0xC0) == 0x80, "trail bytes go along");
    } else {
      require(cp < 0x110000 && (cp < 0xD800 || cp > 0xDFFF), "a character is a scalar value");
      require(cjk_utf8_encode(cp, again) == length && memcmp(again, p, (size_t)length) == 0,
              "encoding gives the bytes back");
    }
    p += length;
  }
}

static int count_characters(const char *text, int n) {
  const uint8_t *p = (const uint8_t *)text, *end = p + n;
  int count = 0;
  for (uint32_t cp; p < end; count++) p += cjk_utf8_decode(p, end, &cp);
  return count;
}

static void cut(const char *text, int n, const char *borders, const CjkChunkOptions *options) {
  CjkChunker chunker;
  CjkChunk chunk;
  CjkError error = {""};
  int start = -1, count = 0;
  int rc = cjk_chunker_open(&chunker, text, n, options, &error);
  if (rc != CJK_OK) {
    require(rc == CJK_ERROR && error.message[0], "an error has a message");
    cjk_chunker_close(&chunker);
    return;
  }
  while ((rc = cjk_chunker_next(&chunker, &chunk)) == CJK_OK && chunk.text) {
    require(chunk.ordinal == count++, "chunks are counted");
    require(chunk.start > start && chunk.start < chunk.end && chunk.end <= n,
            "chunks lie in the text and go forward");
    require(borders[chunk.start] && borders[chunk.end], "chunks hold whole characters");
    require(chunk.n > 0 && chunk.n <= chunk.end - chunk.start, "a chunk is a part of its place");
    int length = count_characters(chunk.text, chunk.n);
    require(options->chunk_size < 0 || length <= options->chunk_size, "a chunk has its size");
    start = chunk.start;
  }
  require(rc == CJK_OK, "odd text is no error");
  cjk_chunker_close(&chunker);
}

static double relate(const char *query, int n_query, const char *text, int n) {
  double score = -1;
  require(cjk_relevance(query, n_query, text, n, &score) == CJK_OK, "there is memory");
  require(score >= 0 && score <= 1, "relevance is 0 to 1");
  return score;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in = {data, data + size};
  int n, n_other;
  int chunk_size = (int)take_choice(&in), overlap = (int)take_choice(&in);
  CjkChunkOptions options = {chunk_size ? chunk_size : -1, overlap ? overlap - 1 : -1,
                             take_choice(&in) & 1 ? CJK_CHUNK_EXACT : CJK_CHUNK_NATURAL};
  char *other = take_line(&in, &n_other), *text = take_rest(&in, &n);
  text = realloc(text, n ? (size_t)n : 1); /* without the NUL behind it */
  char *borders = find_borders(text, n);
  decode(text, n);
  cut(text, n, borders, &options);
  require(strstr("zh ja ko th ar hi ru en", cjk_detect(text, n)) != NULL, "a language is known");
  double itself = relate(text, n, text, n);
  require(itself <= 0 || itself >= 1, "a text is wholly in itself, or has nothing to look for");
  relate(other, n_other, text, n);
  relate(text, n, other, n_other);
  free(borders);
  free(other);
  free(text);
  return 0;
}
