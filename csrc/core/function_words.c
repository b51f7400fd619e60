/*
** function_words.c: see function_words.h. Question words and what closes a question: short, general
** lists on purpose. A language may stand in several lines.
*/
#include "function_words.h"

#include <string.h>

#include "utf8.h"

static const char *const words[] = {
    /* clang-format off */
    /* Chinese */
    "什么", "什麼", "甚么", "甚麼", "为什么", "為什麼", "怎么", "怎麼", "怎样", "怎樣", "怎么样", "怎麼樣", "为何", "為何",
    "如何", "何时", "何時", "何地", "何处", "何處",
    "哪", "哪个", "哪個", "哪些", "哪里", "哪裡", "哪裏", "哪儿", "哪兒", "哪年", "哪位", "哪种", "哪種", "哪一", "谁", "誰",
    "多少", "多久", "几个", "幾個", "几年", "幾年",
    "是否", "是不是", "有没有", "有沒有", "请问", "請問", "吗", "嗎", "呢",
    /* Japanese */
    "どこ", "どちら", "どれ", "どの", "どのような", "どのように", "どのくらい", "どれくらい", "どんな", "どう", "どうして", "いつ",
    "いくつ", "いくら", "だれ", "なぜ",
    "なに", "なんという", "何", "何年", "何人", "何時", "何月", "何日", "何回", "でしょうか", "ですか", "ますか", "ましたか",
    "でしたか", "だったか", "のか",
    /* Korean */
    "무엇", "무엇을", "무엇인가", "무슨", "어디", "어디에", "어디서", "언제", "누구", "누가", "왜", "어떻게", "어떤", "어느",
    "몇", "얼마", "얼마나", "입니까", "습니까",
    "인가요", "나요", "까요", "는가",
    /* Thai */
    "อะไร", "ใคร", "ใด", "ไหน", "ที่ไหน", "ที่ใด", "เมื่อไร", "เมื่อไหร่", "เมื่อใด", "อย่างไร",
    "ยังไง", "ทำไม", "เพราะเหตุใด", "กี่", "เท่าไร", "เท่าไหร่", "เท่าใด",
    "หรือไม่", "หรือเปล่า", "บ้าง", "คือ",
    /* clang-format on */
};

int cjk_function_word_length(const char *text, int n) {
  int longest = 0;
  if (!((unsigned char)text[0] & 0x80)) return 0; /* none of them is ASCII */
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (words[i][0] != text[0] || n < 2 || words[i][1] != text[1]) continue;
    int length = (int)strlen(words[i]);
    if (length > longest && length <= n && memcmp(words[i], text, (size_t)length) == 0) {
      longest = length;
    }
  }
  return longest;
}

int cjk_next_function_word(const char *text, int n, int *at) {
  for (; *at < n; *at = cjk_utf8_next(text, n, *at)) {
    int length = cjk_function_word_length(text + *at, n - *at);
    if (length) return length;
  }
  return 0;
}
