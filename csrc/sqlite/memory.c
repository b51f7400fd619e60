/*
** memory.c: what a store of memories needs around its index: languages, relevance, chunks.
**
**   cjk_detect(text)            the language by script: zh ja ko th ar hi ru, else en
**   cjk_relevance(query, text)  0 to 1: how much of the query is literally in the text
**
**   SELECT ordinal, start, "end", text FROM cjk_chunks(text [, options]);
**       the text in overlapping chunks for an embedding model. Sizes are characters, start and end
**       bytes of the text as it was given. `options` is a JSON object: chunk_size (default 1750, or
**       600 where CJK dominates), overlap (175 or 60, or a tenth of chunk_size), profile
**       ("natural", or "exact": at every multiple of the step).
**
** NULL gives NULL, or no rows; numbers and blobs are taken as text. The rules are those of
** cjk_tokenizer/memory (docs/memory.md). Cost: all linear; cjk_chunks copies the text once and
** holds one chunk at a time.
*/
#include "memory.h"

#include <stddef.h>
#include <string.h>

#include "../core/chunks.h"
#include "../core/detect.h"
#include "../core/error.h"
#include "../core/relevance.h"
#include "json_options.h"
#include "vtab.h"

/* ---- the scalar functions ---- */

static void detect_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  const char *text = (const char *)sqlite3_value_text(argv[0]);
  if (text)
    sqlite3_result_text(context, cjk_detect(text, sqlite3_value_bytes(argv[0])), -1, SQLITE_STATIC);
  else
    sqlite3_result_error_nomem(context);
}

static void relevance_function(sqlite3_context *context, int argc, sqlite3_value **argv) {
  double score = 0;
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  if (sqlite3_value_type(argv[1]) == SQLITE_NULL) return;
  const char *query = (const char *)sqlite3_value_text(argv[0]);
  const char *text = (const char *)sqlite3_value_text(argv[1]);
  if (query && text &&
      cjk_relevance(query, sqlite3_value_bytes(argv[0]), text, sqlite3_value_bytes(argv[1]),
                    &score) == CJK_OK) {
    sqlite3_result_double(context, score);
  } else {
    sqlite3_result_error_nomem(context);
  }
}

/* ---- cjk_chunks ---- */

enum { CHUNK_ORDINAL, CHUNK_START, CHUNK_END, CHUNK_TEXT, CHUNK_SOURCE };
enum { N_CHUNK_ARGUMENTS = 2 }; /* source, options: the hidden columns */
enum { LARGEST_SIZE = 1000000000 };

typedef struct ChunksCursor {
  sqlite3_vtab_cursor base;
  sqlite3_value *source; /* our copy of the text */
  CjkChunker chunker;
  CjkChunk chunk;
} ChunksCursor;

/* The options as JSON gives them. */
typedef struct ChunksOptions {
  int chunk_size, overlap;
  char *profile;
} ChunksOptions;

static const CjkJsonField chunk_fields[] = {
    {"chunk_size", CJK_JSON_INTEGER, (int)offsetof(ChunksOptions, chunk_size), 1, LARGEST_SIZE},
    {"overlap", CJK_JSON_INTEGER, (int)offsetof(ChunksOptions, overlap), 0, LARGEST_SIZE},
    {"profile", CJK_JSON_TEXT, (int)offsetof(ChunksOptions, profile), 0, 0},
    {NULL, CJK_JSON_TEXT, 0, 0, 0}};

static int chunks_connect(sqlite3 *db, void *user, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **message) {
  (void)argc, (void)argv, (void)message;
  return cjk_vtab_connect(db, user,
                          "CREATE TABLE x(ordinal INTEGER, start INTEGER, \"end\" INTEGER, "
                          "text TEXT, source HIDDEN, options HIDDEN)",
                          SQLITE_VTAB_INNOCUOUS, out);
}

static int chunks_best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  (void)base;
  info->estimatedCost = 1000;
  info->estimatedRows = 10;
  return cjk_vtab_take_arguments(info, CHUNK_SOURCE, N_CHUNK_ARGUMENTS);
}

static int chunks_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  (void)base;
  return cjk_vtab_open(sizeof(ChunksCursor), out);
}

/* Back to no text and no rows. */
static void reset_chunks(ChunksCursor *cursor) {
  cjk_chunker_close(&cursor->chunker);
  sqlite3_value_free(cursor->source);
  cursor->source = NULL;
  memset(&cursor->chunk, 0, sizeof(cursor->chunk));
}

static int chunks_close(sqlite3_vtab_cursor *base) {
  reset_chunks((ChunksCursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

static int read_options(sqlite3 *db, sqlite3_value *value, CjkChunkOptions *out, CjkError *error) {
  ChunksOptions read = {-1, -1, NULL};
  int rc = SQLITE_OK;
  if (value && sqlite3_value_type(value) != SQLITE_NULL) {
    const char *json = (const char *)sqlite3_value_text(value);
    rc = json ? cjk_json_read(db, "cjk_chunks", json, chunk_fields, &read, error) : SQLITE_NOMEM;
  }
  out->chunk_size = read.chunk_size;
  out->overlap = read.overlap;
  out->profile = CJK_CHUNK_NATURAL;
  if (rc == SQLITE_OK && read.profile && strcmp(read.profile, "natural") != 0) {
    out->profile = CJK_CHUNK_EXACT;
    if (strcmp(read.profile, "exact") != 0) {
      cjk_error(error, "cjk_chunks(): option profile is one of natural, exact, not \"%.60s\"",
                read.profile);
      rc = SQLITE_ERROR;
    }
  }
  sqlite3_free(read.profile);
  return rc;
}

/* Keeps a copy of the text and begins to cut it; no text for NULL. */
static int open_text(ChunksCursor *cursor, sqlite3_value *value, const CjkChunkOptions *options,
                     CjkError *error) {
  CjkError refusal = {""};
  if (sqlite3_value_type(value) == SQLITE_NULL) return SQLITE_OK;
  cursor->source = sqlite3_value_dup(value);
  const char *text = cursor->source ? (const char *)sqlite3_value_text(cursor->source) : NULL;
  if (!text) return SQLITE_NOMEM;
  int rc = cjk_chunker_open(&cursor->chunker, text, sqlite3_value_bytes(cursor->source), options,
                            &refusal);
  if (rc == CJK_ERROR) cjk_error(error, "cjk_chunks(): option %.400s", refusal.message);
  return rc == CJK_OK ? cjk_chunker_next(&cursor->chunker, &cursor->chunk) : rc;
}

static int chunks_filter(sqlite3_vtab_cursor *base, int given, const char *plan, int argc,
                         sqlite3_value **argv) {
  ChunksCursor *cursor = (ChunksCursor *)base;
  CjkChunkOptions options;
  CjkError error = {""};
  int rc = SQLITE_ERROR, has_source = given & 1;
  (void)plan, (void)argc;
  reset_chunks(cursor);
  if (has_source)
    rc = read_options(((CjkVtab *)base->pVtab)->db, given & 2 ? argv[1] : NULL, &options, &error);
  else
    cjk_error(&error, "cjk_chunks() needs a text");
  if (rc == SQLITE_OK) rc = open_text(cursor, argv[0], &options, &error);
  return cjk_vtab_result(base->pVtab, rc, &error);
}

static int chunks_next(sqlite3_vtab_cursor *base) {
  ChunksCursor *cursor = (ChunksCursor *)base;
  return cjk_chunker_next(&cursor->chunker, &cursor->chunk);
}

static int chunks_eof(sqlite3_vtab_cursor *base) {
  return ((ChunksCursor *)base)->chunk.text == NULL;
}

static int chunks_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  const CjkChunk *chunk = &((ChunksCursor *)base)->chunk;
  switch (column) {
  case CHUNK_ORDINAL:
    sqlite3_result_int(context, chunk->ordinal);
    break;
  case CHUNK_START:
    sqlite3_result_int(context, chunk->start);
    break;
  case CHUNK_END:
    sqlite3_result_int(context, chunk->end);
    break;
  case CHUNK_TEXT:
    sqlite3_result_text(context, chunk->text, chunk->n, SQLITE_TRANSIENT);
    break;
  default:
    break; /* the arguments: NULL */
  }
  return SQLITE_OK;
}

static int chunks_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((ChunksCursor *)base)->chunk.ordinal;
  return SQLITE_OK;
}

static const CjkVtabMethods chunks_methods = {chunks_connect, chunks_best_index, chunks_open,
                                              chunks_close,   chunks_filter,     chunks_next,
                                              chunks_eof,     chunks_column,     chunks_rowid};

int cjk_register_memory(sqlite3 *db, fts5_api *api) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int rc = sqlite3_create_function(db, "cjk_detect", 1, flags, api, detect_function, NULL, NULL);
  if (rc == SQLITE_OK) {
    rc =
        sqlite3_create_function(db, "cjk_relevance", 2, flags, api, relevance_function, NULL, NULL);
  }
  if (rc == SQLITE_OK) rc = cjk_vtab_register(db, "cjk_chunks", api, &chunks_methods);
  return rc;
}
