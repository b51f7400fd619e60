/*
** hmm.c: Viterbi's algorithm over four states, each with two possible predecessors.
*/
#include "hmm.h"

/* The two states that may come before each state. The second is the greater: it wins a tie. */
static const uint8_t before[CJK_STATES][2] = {
    {CJK_END, CJK_SINGLE},   /* CJK_BEGIN */
    {CJK_BEGIN, CJK_MIDDLE}, /* CJK_END */
    {CJK_BEGIN, CJK_MIDDLE}, /* CJK_MIDDLE */
    {CJK_END, CJK_SINGLE},   /* CJK_SINGLE */
};

static inline double emission(const CjkDictionary *dictionary, uint32_t code, int state) {
  uint32_t index = dictionary->emissions[code & (CJK_CODES - 1)][state];
  return dictionary->emission[index & (CJK_EMISSIONS - 1)];
}

/* Walks back from the best last state. choices[i] holds, one bit a state, which of the two states
** before was the better one at character i; it is replaced by the answer. */
static void trace_back(uint8_t *choices, size_t n, int state) {
  for (size_t i = n; i-- > 0;) {
    int previous = before[state][choices[i] >> state & 1];
    choices[i] = state == CJK_END || state == CJK_SINGLE;
    state = previous;
  }
}

void cjk_hmm_cut(const CjkDictionary *dictionary, const uint16_t *codes, size_t n, uint8_t *ends) {
  double score[CJK_STATES], next[CJK_STATES];
  for (int state = 0; state < CJK_STATES; state++)
    score[state] = dictionary->start[state] + emission(dictionary, codes[0], state);
  ends[0] = 0;
  for (size_t i = 1; i < n; i++) {
    unsigned choices = 0;
    for (int state = 0; state < CJK_STATES; state++) {
      int a = before[state][0], b = before[state][1];
      double emitted = emission(dictionary, codes[i], state);
      double via_a = score[a] + dictionary->transition[a][state] + emitted;
      double via_b = score[b] + dictionary->transition[b][state] + emitted;
      int second = via_b >= via_a;
      next[state] = second ? via_b : via_a;
      choices |= (unsigned)second << state;
    }
    ends[i] = (uint8_t)choices;
    for (int state = 0; state < CJK_STATES; state++) score[state] = next[state];
  }
  trace_back(ends, n, score[CJK_SINGLE] >= score[CJK_END] ? CJK_SINGLE : CJK_END);
}
