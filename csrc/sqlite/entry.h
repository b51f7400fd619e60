/*
** entry.h: the entry points, for load_extension() and for programs that link the library in:
**
**   sqlite3_auto_extension((void (*)(void))sqlite3_cjk_auto_init);   every connection opened later
**   sqlite3_cjk_auto_init(db, NULL, NULL);                           this connection
**
** The second form is for a library that was built into the program (SQLITE_CORE) and has no table
** of SQLite calls to get. Where it is, sqlite3_cjk_init does the same as sqlite3_cjk_auto_init.
** Both return an SQLite result code, and a message to free with sqlite3_free() where one is wanted.
*/
#ifndef CJK_ENTRY_H
#define CJK_ENTRY_H

#if defined(_WIN32)
#define CJK_ENTRY __declspec(dllexport)
#elif defined(__GNUC__)
#define CJK_ENTRY __attribute__((visibility("default")))
#else
#define CJK_ENTRY
#endif

struct sqlite3;
struct sqlite3_api_routines;

#ifdef __cplusplus
extern "C" {
#endif

CJK_ENTRY int sqlite3_cjk_init(struct sqlite3 *db, char **message,
                               const struct sqlite3_api_routines *api);
CJK_ENTRY int sqlite3_cjk_auto_init(struct sqlite3 *db, char **message,
                                    const struct sqlite3_api_routines *api);

#ifdef __cplusplus
}
#endif
#endif
