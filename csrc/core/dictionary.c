/*
** dictionary.c: opens a dictionary image, and the one that is linked into the library.
**
** CJK_DICTIONARY_IMAGE is the path of the image that tools/make_dictionary.py wrote, in quotes; the
** assembler copies its bytes into the read-only section. Compilers that can't (MSVC, those for
** WebAssembly) leave it undefined: the C array that `make_dictionary.py --array` writes is compiled
** and linked beside this file, which takes two seconds and 120 MB of memory. With
** CJK_OMIT_DICTIONARY the library has no dictionary, and says so where one is asked for.
*/
#include "dictionary.h"

#include <assert.h>
#include <string.h>

#if defined(CJK_OMIT_DICTIONARY)

#elif defined(CJK_DICTIONARY_IMAGE)

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define SYMBOL STRING(__USER_LABEL_PREFIX__) "cjk_dictionary_image"

#if defined(__APPLE__)
#define SECTION ".const"
#define HIDDEN ".private_extern "
#elif defined(_WIN32)
#define SECTION ".section .rdata,\"dr\""
#define HIDDEN ".globl "
#else
#define SECTION ".section .rodata"
#define HIDDEN ".hidden "
#endif
/* clang-format off */
__asm__(SECTION "\n"
        ".globl " SYMBOL "\n" HIDDEN SYMBOL "\n"
        ".globl " SYMBOL "_end\n" HIDDEN SYMBOL "_end\n"
        ".balign 64\n" SYMBOL ":\n"
        ".incbin \"" CJK_DICTIONARY_IMAGE "\"\n" SYMBOL "_end:\n"
        ".byte 0\n"
        ".text\n");
/* clang-format on */
extern const unsigned char cjk_dictionary_image[], cjk_dictionary_image_end[];

#else
#ifdef __cplusplus
extern "C" {
#endif
extern const uint64_t cjk_dictionary_image[], cjk_dictionary_size;
#ifdef __cplusplus
}
#endif
#endif

static_assert(sizeof(CjkDictionary) == 256 + 12 * CJK_FREQUENCIES + 8 * CJK_EMISSIONS +
                                           6 * CJK_UNITS + 2 * (CJK_SLOTS + 2) + 8 * CJK_CODES,
              "the image has no padding");

const CjkDictionary *cjk_dictionary_builtin(void) {
#if defined(CJK_OMIT_DICTIONARY)
  return NULL;
#elif defined(CJK_DICTIONARY_IMAGE)
  uintptr_t start = (uintptr_t)cjk_dictionary_image, end = (uintptr_t)cjk_dictionary_image_end;
  return cjk_dictionary_open(cjk_dictionary_image, (size_t)(end - start));
#else
  return cjk_dictionary_open(cjk_dictionary_image, (size_t)cjk_dictionary_size);
#endif
}

const CjkDictionary *cjk_dictionary_open(const void *image, size_t n) {
  const CjkDictionary *dictionary = (const CjkDictionary *)image;
  if (n != sizeof(CjkDictionary) || (uintptr_t)image % 8 != 0) return NULL;
  if (memcmp(dictionary->magic, "CJKWORDS", 8) != 0) return NULL;
  if (dictionary->byte_order != 0x01020304 || dictionary->format != 1) return NULL;
  if (dictionary->name[sizeof(dictionary->name) - 1] != 0) return NULL;
  if (dictionary->fingerprint[sizeof(dictionary->fingerprint) - 1] != 0) return NULL;
  return dictionary;
}

const char *cjk_dictionary_name(const CjkDictionary *dictionary) {
  return dictionary->name;
}

const char *cjk_dictionary_fingerprint(const CjkDictionary *dictionary) {
  return dictionary->fingerprint;
}
