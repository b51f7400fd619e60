/*
** host.h: FTS5's tokenizer interface, old and new, behind one door.
**
** fts5_api has version 2 up to SQLite 3.46 and version 3 from 3.47, which adds the locale. The
** types
** of version 3 are declared here under names of our own, so that the library compiles with older
** headers and serves both.
*/
#ifndef CJK_HOST_H
#define CJK_HOST_H

#include "register.h"

#include "../core/cjk.h"

/* Layouts as in fts5.h of SQLite 3.47. The members that every version has are called through the
** header's own types; here they only take their room. */
typedef struct CjkTokenizerV2 {
  int iVersion;
  int (*xCreate)(void *, const char **argv, int argc, Fts5Tokenizer **out);
  void (*xDelete)(Fts5Tokenizer *);
  int (*xTokenize)(Fts5Tokenizer *, void *ctx, int flags, const char *text, int n_text,
                   const char *locale, int n_locale, CjkTokenFn on_token);
} CjkTokenizerV2;

typedef struct CjkApiV3 {
  int iVersion;
  void (*version2[3])(void);
  int (*xCreateTokenizer_v2)(fts5_api *, const char *name, void *user, CjkTokenizerV2 *,
                             void (*destroy)(void *));
  int (*xFindTokenizer_v2)(fts5_api *, const char *name, void **user, CjkTokenizerV2 **);
} CjkApiV3;

/* The interface of auxiliary functions: version 2 in all versions we serve, 3 from SQLite 3.45, 4
** from 3.47. */
typedef struct CjkExtensionV4 {
  int iVersion;
  void (*version2[19])(void);
  int (*xQueryToken)(Fts5Context *, int phrase, int token, const char **out, int *n_out);
  int (*xInstToken)(Fts5Context *, int instance, int token, const char **out, int *n_out);
  int (*xColumnLocale)(Fts5Context *, int column, const char **out, int *n_out);
  int (*xTokenize_v2)(Fts5Context *, const char *text, int n_text, const char *locale, int n_locale,
                      void *ctx, CjkTokenFn on_token);
} CjkExtensionV4;

#define CJK_HAS_V2(api) ((api)->iVersion >= 3)

/* A tokenizer of any kind, found by name and created. */
typedef struct CjkHostTokenizer {
  Fts5Tokenizer *instance;
  fts5_tokenizer v1;
  CjkTokenizerV2 v2; /* by value: FTS5's goes with the connection, which a tokenizer may outlive */
  int is_v2;         /* 0: v1 serves */
  int needs_end;     /* it reads on behind the text's last byte until it meets a NUL */
} CjkHostTokenizer;

/* Creates the tokenizer argv[0] with the arguments behind it. SQLITE_ERROR with a message when the
** connection knows none of that name or it refuses the arguments. */
int cjk_host_create(fts5_api *api, const char *const *argv, int argc, CjkHostTokenizer *out,
                    CjkError *error);
int cjk_host_tokenize(CjkHostTokenizer *tokenizer, int flags, const char *text, int n_text,
                      const char *locale, int n_locale, void *ctx, CjkTokenFn on_token);
void cjk_host_delete(CjkHostTokenizer *tokenizer);

/* Where the connection's tokenizer `cjk` says why it refused its arguments or a text; NULL when that
** tokenizer is not ours. Clear it before a call to see what that one says. */
CjkError *cjk_refusal(fts5_api *api);

/* The next text's tokens say who made them: cjk_analyzer_explain(). Where `outermost`, which is to cut
** it, is no cjk they do not, and 0 is returned: what wraps a cjk need not know such flags. */
int cjk_explain_next(fts5_api *api, const CjkHostTokenizer *outermost);

#endif
