/*
** registered.c: see registered.h.
**
** Whoever reads an entry holds a reference, which is only got while there is another one: the
** places are walked by acquiring each, looking, and letting go.
*/
#include "registered.h"

#include <limits.h>
#include <string.h>

#include "error.h"
#include "segmenters.h"

static CjkRegistered table[CJK_MAX_REGISTERED];
static CjkAtomicInt last_serial;
static CjkAtomicInt n_changes; /* of what is listed: a walk beside a change is done again */

/* ---- references ---- */

static int try_acquire(CjkRegistered *entry) {
  int n = atomic_load(&entry->references);
  while (n > 0) {
    if (atomic_compare_exchange_weak(&entry->references, &n, n + 1)) return 1;
  }
  return 0;
}

void cjk_registered_release(CjkRegistered *entry) {
  int n = atomic_load(&entry->references);
  while (!atomic_compare_exchange_weak(&entry->references, &n, n == 1 ? -1 : n - 1)) continue;
  if (n != 1) return;
  if (entry->cutter.destroy) entry->cutter.destroy(entry->cutter.user);
  cjk_user_words_free(entry->words);
  atomic_store(&entry->references, 0);
}

static void unlist(CjkRegistered *entry) {
  if (!atomic_exchange(&entry->is_listed, 0)) return;
  atomic_fetch_add(&n_changes, 1);
  cjk_registered_release(entry);
}

/* ---- looking up ---- */

static int serves(const CjkRegistered *entry, const char *name, int language) {
  if (!atomic_load(&entry->is_listed)) return 0;
  if (name) return strcmp(entry->name, name) == 0;
  return entry->cutter.cut != NULL && (entry->languages >> language & 1);
}

/* The newest listed entry of a name, or (name NULL) of a language. */
static CjkRegistered *acquire_newest(const char *name, int language) {
  for (;;) {
    int before = atomic_load(&n_changes);
    CjkRegistered *newest = NULL;
    for (int i = 0; i < CJK_MAX_REGISTERED; i++) {
      if (!try_acquire(&table[i])) continue;
      CjkRegistered *other = &table[i];
      if (serves(other, name, language) && (!newest || newest->serial < other->serial)) {
        other = newest;
        newest = &table[i];
      }
      if (other) cjk_registered_release(other);
    }
    if (atomic_load(&n_changes) == before) return newest;
    if (newest) cjk_registered_release(newest);
  }
}

CjkRegistered *cjk_registered_acquire(const char *name) {
  return acquire_newest(name, 0);
}

CjkRegistered *cjk_registered_acquire_language(CjkLanguage language) {
  return acquire_newest(NULL, (int)language);
}

int cjk_registered_place(const CjkRegistered *entry) {
  return (int)(entry - table);
}

const char *cjk_registered_name(int place) {
  return table[place].name;
}

void cjk_registered_each(void *ctx, void (*visit)(void *ctx, const char *name)) {
  for (int last = 0;;) {
    CjkRegistered *next = NULL;
    for (int i = 0; i < CJK_MAX_REGISTERED; i++) {
      if (!try_acquire(&table[i])) continue;
      CjkRegistered *other = &table[i];
      if (atomic_load(&other->is_listed) && other->serial > last &&
          (!next || other->serial < next->serial)) {
        other = next;
        next = &table[i];
      }
      if (other) cjk_registered_release(other);
    }
    if (!next) return;
    last = next->serial;
    visit(ctx, next->name);
    cjk_registered_release(next);
  }
}

/* ---- registering ---- */

/* A name that SQL needs no quotes for. */
static int is_name(const char *name) {
  size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  return n > 0 && n <= CJK_NAME_MAX && name[n] == 0;
}

static int check_name(const char *name, CjkError *error) {
  if (!is_name(name)) {
    cjk_error(error,
              "\"%.100s\" is no name for a segmenter: use 1 to %d lower-case letters, digits "
              "and _",
              name, CJK_NAME_MAX);
    cjk_error_clean(error);
    return CJK_ERROR;
  }
  if (cjk_segmenter_is_builtin(name)) {
    cjk_error(error, "the segmenter %s is built in: give yours another name", name);
    return CJK_ERROR;
  }
  return CJK_OK;
}

static int read_languages(const char *list, unsigned *languages, CjkError *error) {
  *languages = 0;
  for (const char *p = list; *(p += strspn(p, ", "));) {
    int n = (int)strcspn(p, ", ");
    int language = n == 2 ? cjk_language_of_locale(p, 2) : -1;
    if (language < 0) {
      cjk_error(error, "\"%.*s\" is no language for a segmenter; give some of:", n < 60 ? n : 60,
                p);
      for (int i = 0; i < CJK_N_LANGUAGES; i++) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof(error->message) - used, " %s",
                 cjk_language_code((CjkLanguage)i));
      }
      cjk_error_clean(error);
      return CJK_ERROR;
    }
    *languages |= 1u << language;
    p += n;
  }
  return CJK_OK;
}

static unsigned writings_of(unsigned languages) {
  unsigned writings = languages ? 0 : UINT_MAX;
  for (int i = 0; i < CJK_N_LANGUAGES; i++) {
    if (languages >> i & 1) writings |= cjk_language_writings((CjkLanguage)i);
  }
  return writings;
}

/* Puts an entry into the table and takes older ones of its name out of it. */
static int list_entry(const char *name, unsigned languages, const CjkCutter *cutter,
                      CjkUserWords *words, CjkError *error) {
  int place = 0, expected = 0;
  while (place < CJK_MAX_REGISTERED &&
         !atomic_compare_exchange_strong(&table[place].references, &expected, -1)) {
    place++;
    expected = 0;
  }
  if (place == CJK_MAX_REGISTERED) {
    cjk_error(error,
              "there are %d segmenters already, those included that open tables still use: "
              "unregister some",
              CJK_MAX_REGISTERED);
    return CJK_ERROR;
  }
  CjkRegistered *entry = &table[place];
  memset(&entry->cutter, 0, sizeof(entry->cutter));
  if (cutter) entry->cutter = *cutter;
  entry->cutter.languages = NULL; /* the caller's string */
  entry->words = words;
  entry->languages = languages;
  entry->writings = writings_of(languages);
  strcpy(entry->name, name);
  int serial = entry->serial = atomic_fetch_add(&last_serial, 1) + 1;
  atomic_store(&entry->is_listed, 1);
  atomic_store(&entry->references, 1);
  atomic_fetch_add(&n_changes, 1);
  for (int i = 0; i < CJK_MAX_REGISTERED; i++) {
    if (!try_acquire(&table[i])) continue;
    if (table[i].serial < serial && strcmp(table[i].name, name) == 0) unlist(&table[i]);
    cjk_registered_release(&table[i]);
  }
  return CJK_OK;
}

int cjk_register_segmenter(const char *name, const CjkCutter *cutter, CjkError *error) {
  unsigned languages = 0;
  error->message[0] = 0;
  int rc = check_name(name, error);
  if (rc == CJK_OK && (cutter->version != CJK_CUTTER_VERSION || !cutter->cut)) {
    cjk_error(error,
              "segmenter %s: its CjkCutter has version %d and %s function; version %d is "
              "needed, and a function",
              name, cutter->version, cutter->cut ? "a" : "no", CJK_CUTTER_VERSION);
    rc = CJK_ERROR;
  }
  if (rc == CJK_OK && cutter->languages) rc = read_languages(cutter->languages, &languages, error);
  return rc == CJK_OK ? list_entry(name, languages, cutter, NULL, error) : rc;
}

int cjk_register_words(const char *name, CjkUserWords *words, CjkError *error) {
  error->message[0] = 0;
  int rc = check_name(name, error);
  return rc == CJK_OK ? list_entry(name, 1u << CJK_CHINESE, NULL, words, error) : rc;
}

int cjk_unregister_segmenter(const char *name) {
  CjkRegistered *entry = cjk_registered_acquire(name);
  if (!entry) return CJK_ERROR;
  unlist(entry);
  cjk_registered_release(entry);
  return CJK_OK;
}
