/*
** chunks.h: cutting a text into overlapping chunks for an embedding model.
**
** The rule is the docstring of cjk_tokenizer/memory/chunking.py. Sizes are characters (code points,
** a broken sequence counts as one); places are bytes of the source. The text is read twice, once
** for its length and scripts, once chunk by chunk: memory is some bytes for each character of one
** chunk, time is linear in the size of the chunks together.
**
**   CjkChunker chunker;
**   rc = cjk_chunker_open(&chunker, text, n, &options, &error);
**   while (rc == CJK_OK && (rc = cjk_chunker_next(&chunker, &chunk)) == CJK_OK && chunk.text) ...
**   cjk_chunker_close(&chunker);
*/
#ifndef CJK_CHUNKS_H
#define CJK_CHUNKS_H

#include <stdint.h>

#include "cjk.h"

typedef enum CjkChunkProfile { CJK_CHUNK_NATURAL, CJK_CHUNK_EXACT } CjkChunkProfile;

typedef struct CjkChunkOptions {
  int chunk_size, overlap; /* -1: by the text's scripts; a tenth of a given chunk_size */
  CjkChunkProfile profile;
} CjkChunkOptions;

typedef struct CjkChunk {
  int ordinal;
  int start, end;   /* in the source, note links in between included */
  const char *text; /* without them; valid until the next call; NULL behind the last chunk */
  int n;
} CjkChunk;

/* One character of the chunk at work. */
typedef struct CjkChunkChar {
  uint32_t cp, traits;
  int place; /* in the source */
  int stops; /* whether a sentence or paragraph ends before it */
} CjkChunkChar;

typedef struct CjkChunker {
  const char *source;
  int n_source;
  int at, end; /* what is left to read */
  CjkChunkOptions options;
  CjkChunkChar *chars; /* from where the next chunk begins */
  int n_chars, chars_capacity;
  char *bytes; /* a chunk without its links */
  int bytes_capacity;
  int ordinal, is_done;
} CjkChunker;

/* CJK_OK, or CJK_ERROR with a message for sizes that are out of the question. Keeps the pointer to
** the text. Safe to close in any case. */
int cjk_chunker_open(CjkChunker *chunker, const char *text, int n, const CjkChunkOptions *options,
                     CjkError *error);
int cjk_chunker_next(CjkChunker *chunker, CjkChunk *chunk);
void cjk_chunker_close(CjkChunker *chunker);

#endif
