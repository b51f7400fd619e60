/*
** function_words.c: see function_words.h.
*/
#include "function_words.h"

#include <string.h>

static const char *const words[] = {
    "什么", "什麼", "怎么", "怎麼", "为什么", "為什麼", "哪里",
    "哪個", "哪个", "谁",   "誰",   "吗",     "嗎",
};

int cjk_function_word_length(const char *text, int n) {
  int longest = 0;
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    int length = (int)strlen(words[i]);
    if (length > longest && length <= n && memcmp(words[i], text, (size_t)length) == 0) {
      longest = length;
    }
  }
  return longest;
}
