/*
** register.h: what the entry points need of the other files of this room.
**
** Each registrar adds its part to one connection and returns an SQLite result code. extension.c
** calls them once for each connection, the tokenizer last: its presence says that the rest is
** there. Every file that calls SQLite includes this header, and no other SQLite header.
*/
#ifndef CJK_REGISTER_H
#define CJK_REGISTER_H

#include "entry.h"

/* Compiled into SQLite or linked to it, the calls are plain ones and there is no table of them. */
#if defined(SQLITE_CORE) || defined(SQLITE_OMIT_LOAD_EXTENSION)
#define CJK_STATIC 1
#include "sqlite3.h"
#else
#define CJK_STATIC 0
#include "sqlite3ext.h"
#endif

/* Not in headers before SQLite 3.31; versions that don't know them don't mind them. */
#ifndef SQLITE_INNOCUOUS
#define SQLITE_INNOCUOUS 0x000200000
#define SQLITE_VTAB_INNOCUOUS 2
#define SQLITE_VTAB_DIRECTONLY 3
#endif

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif

#if !CJK_STATIC
/* The host's table of SQLite calls; defined in extension.c, of the same value in every thread. */
extern const sqlite3_api_routines *sqlite3_api;
#endif

/* The scalar functions, cjk_version() among them. */
int cjk_register_functions(sqlite3 *db, fts5_api *api);

/* The table-valued functions. */
int cjk_register_tables(sqlite3 *db, fts5_api *api);

/* FTS5's auxiliary functions (ranking, highlighting). */
int cjk_register_auxiliary(sqlite3 *db, fts5_api *api);

/* The tokenizer `cjk`. */
int cjk_register_tokenizer(sqlite3 *db, fts5_api *api);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#endif
