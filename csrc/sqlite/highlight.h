/*
** highlight.h: marked text, for the auxiliary functions and for cjk_search().
*/
#ifndef CJK_HIGHLIGHT_H
#define CJK_HIGHLIGHT_H

#include "matches.h"

int cjk_register_highlight(fts5_api *api);

/* Appends the best piece of at most max_characters characters, spans marked. Merges the spans. */
int cjk_snippet_write(sqlite3_str *out, CjkMatches *matches, int n_phrases, const char *open,
                      const char *close, const char *ellipsis, int max_characters);

#endif
