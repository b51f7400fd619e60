/*
** search.h: cjk_search().
*/
#ifndef CJK_SEARCH_H
#define CJK_SEARCH_H

#include "host.h"

int cjk_register_search(sqlite3 *db, fts5_api *api);

#endif
