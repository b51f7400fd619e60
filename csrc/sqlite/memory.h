/*
** memory.h: registers what memory.c has.
*/
#ifndef CJK_SQLITE_MEMORY_H
#define CJK_SQLITE_MEMORY_H

#include "register.h"

int cjk_register_memory(sqlite3 *db, fts5_api *api);

#endif
