/*
** cjk.h: the contract of the core.
**
** The core turns text into tokens. It knows no database: libc only, no SQLite header, and no global
** state that changes after start-up but the segmenters that are registered. docs/stream.md defines
** the tokens; this file, how to get them.
**
**   CjkAnalyzer *analyzer;
**   CjkError error;
**   int rc = cjk_analyzer_create(argv, argc, &analyzer, &error);
**   if (rc == CJK_OK) rc = cjk_analyze(analyzer, CJK_DOCUMENT, text, n, NULL, 0, ctx, on_token);
**   cjk_analyzer_free(analyzer);
**
** Lengths and offsets are bytes, always. Text is UTF-8 and may be broken in any way. Return codes
** are CJK_OK or a CJK_ error (the numbers of SQLite's codes, so that they pass through); a
** callback's own code ends the call at once and is returned as it is.
*/
#ifndef CJK_H
#define CJK_H

#include <stddef.h>
#include <stdint.h>

#ifndef CJK_API
#if defined(_WIN32)
#define CJK_API __declspec(dllexport)
#elif defined(__GNUC__)
#define CJK_API __attribute__((visibility("default")))
#else
#define CJK_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CJK_VERSION "0.1.0"
#define CJK_UNICODE_VERSION "15.0.0"

enum { CJK_OK = 0, CJK_ERROR = 1, CJK_NOMEM = 7, CJK_TOOBIG = 18 };

/* What the tokens are for: the values of FTS5_TOKENIZE_*; PREFIX is added to QUERY. */
enum { CJK_QUERY = 1, CJK_PREFIX = 2, CJK_DOCUMENT = 4, CJK_AUX = 8 };

/* Token flag: same position as the token before (FTS5_TOKEN_COLOCATED). */
enum { CJK_COLOCATED = 1 };

/* Receives one token: its bytes (valid during the call), and its range in the source text. The
** signature is that of FTS5's xToken, so that FTS5's own callback can be passed. */
typedef int (*CjkTokenFn)(void *ctx, int flags, const char *token, int n_token, int start, int end);

/* Tokenizes what is not CJK: `text` is valid UTF-8 without NUL; offsets are relative to it. */
typedef int (*CjkParentFn)(void *parent, int reason, const char *text, int n_text,
                           const char *locale, int n_locale, void *ctx, CjkTokenFn on_token);

typedef struct CjkParent {
  void *self;
  CjkParentFn tokenize;
} CjkParent;

/* What went wrong, in words a person can act on. */
typedef struct CjkError {
  char message[512];
} CjkError;

/* Replaces malloc for all of the core; only before the first analyzer is made. */
typedef void *(*CjkReallocFn)(void *old, size_t size);
typedef void (*CjkFreeFn)(void *block);
void cjk_set_allocator(CjkReallocFn reallocate, CjkFreeFn release);

typedef struct CjkAnalyzer CjkAnalyzer;

/* Makes an analyzer of tokenizer arguments: pairs of option name and value up to the first argument
** that is no option, which starts the parent's arguments (cjk_analyzer_parent_arguments()). */
int cjk_analyzer_create(const char *const *argv, int argc, CjkAnalyzer **out, CjkError *error);
void cjk_analyzer_free(CjkAnalyzer *analyzer);

/* The parent for word stretches. Without one a plain ASCII word tokenizer serves. */
void cjk_analyzer_set_parent(CjkAnalyzer *analyzer, CjkParent parent, int is_unicode61);

/* Arguments that belong to the parent: its name first; "unicode61" and the options meant for it
** when the arguments name none. The strings live as long as the analyzer. */
int cjk_analyzer_parent_arguments(const CjkAnalyzer *analyzer, const char *const **argv);

/* Name of option i, NULL behind the last. */
const char *cjk_option_name(int i);

/* Tokenizes one text. `reason` is CJK_DOCUMENT, CJK_AUX, CJK_QUERY or CJK_QUERY | CJK_PREFIX. One
** analyzer serves one thread at a time. Time is linear in n; memory is bounded by the longest run.
*/
int cjk_analyze(CjkAnalyzer *analyzer, int reason, const char *text, int n, const char *locale,
                int n_locale, void *ctx, CjkTokenFn on_token);

/* Why the last cjk_analyze() returned CJK_ERROR by itself; "" when it did not, or when it returned
** what a callback had returned. */
const char *cjk_analyzer_message(const CjkAnalyzer *analyzer);

/* A number that changes when somebody uses what the analyzer works for, which a segmenter of the host
** program must not do: a cut during which it changes fails. */
void cjk_analyzer_set_stamp(CjkAnalyzer *analyzer, void *ctx, unsigned (*stamp)(void *ctx));

/* With `explains` each token's flags say, above the lowest eight bits, who made it:
** cjk_segmenter_name(flags >> 8). */
void cjk_analyzer_explain(CjkAnalyzer *analyzer, int explains);

/* The name of a segmenter by such a number, while the analyzer lives; NULL for 0: no segmenter. */
const char *cjk_segmenter_name(int number);

/* ---- segmenters of the host program ---- */

enum { CJK_CUTTER_VERSION = 1 };

/* Flags of a cutter. */
enum { CJK_ENDS_ARE_CHARACTERS = 1 /* code points, not bytes */ };

/* A function that cuts texts into words, for `segment NAME`. */
typedef struct CjkCutter {
  int version; /* CJK_CUTTER_VERSION */
  int flags;
  /* What it is for, as in "zh ja" (zh ja ko th lo km my); NULL: any text. It is asked only for
  ** stretches in the scripts of these languages, the rest has bigrams, and `segment auto` takes it
  ** for them. */
  const char *languages;
  void *user; /* the first argument of both functions */
  /* Writes the end of each word of `text` to `ends`, in rising order; the last is the end of the
  ** text, so that the words are a partition of it. `text` is a stretch of folded text: valid UTF-8
  ** without NUL or blanks, not empty, with a NUL behind it. *n_ends is the room (as many as there
  ** are characters), then the number of ends. An end inside a unit (of Thai, a character with its
  ** vowel signs) is passed over. Documents and queries are cut alike, and texts that came before
  ** are not always asked for again: the same text must have the same words.
  **
  ** Returns CJK_OK; or CJK_ERROR, with a message, or CJK_NOMEM: the statement then fails, with it
  ** the transaction when it was writing. Called in any thread, in several at a time; it must not
  ** use the connection that calls it. */
  int (*cut)(void *user, const char *text, int n_text, const char *locale, int n_locale, int *ends,
             int *n_ends, CjkError *error);
  /* Called, when it is not NULL, once nothing uses the cutter any more, in any thread. */
  void (*destroy)(void *user);
  /* Called, when it is not NULL, with what was wrong in the last call of `cut` although that returned
  ** CJK_OK, or in what it is doing; may write a better message. For hosts with exceptions. */
  void (*refused)(void *user, CjkError *error);
} CjkCutter;

/* Gives a cutter a name (lower-case letters, digits and _; at most 63), for the process, as far
** as it uses this file of the library. Tokenizers made from now on have it (SQLite makes those of
** open tables again after a change of the schema); the others keep the one they have. *cutter is
** copied. CJK_ERROR with a message: the name is built in or no name, an unknown language, or the
** table is full; `destroy` is not called then. Any thread. */
CJK_API int cjk_register_segmenter(const char *name, const CjkCutter *cutter, CjkError *error);

/* Takes a name away; CJK_ERROR when nothing is registered under it. */
CJK_API int cjk_unregister_segmenter(const char *name);

#ifdef __cplusplus
}
#endif
#endif
