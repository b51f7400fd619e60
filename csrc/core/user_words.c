/*
** user_words.c: the trie of user words. Nodes lie in an array in the order of their making; a hash
** table with linear probing finds the child of a node by (node, character).
*/
#include "user_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cjk.h"

typedef struct Node {
  uint32_t parent;
  uint32_t character;
  int is_word;
  CjkUserWord word;
} Node;

struct CjkUserWords {
  const CjkDictionary *dictionary;
  CjkReallocFn reallocate;
  CjkFreeFn release;
  double (*log)(double);
  uint64_t total;
  double log_total;
  uint64_t hash; /* FNV-1a over the dictionary's fingerprint and all that was added */
  char fingerprint[17];
  Node *nodes; /* [0] is the root */
  uint32_t n_nodes;
  uint32_t *slots;  /* indices of nodes, 0: free */
  uint32_t n_slots; /* a power of two; at most half of the slots are taken */
  uint32_t begins[CJK_LAST_HAN / 32 + 1];
};

static void hash_number(CjkUserWords *words, uint64_t number) {
  for (int i = 0; i < 8; i++, number >>= 8)
    words->hash = (words->hash ^ (number & 0xFF)) * 0x100000001B3u;
  for (int i = 0; i < 16; i++)
    words->fingerprint[i] = "0123456789abcdef"[words->hash >> (60 - 4 * i) & 15];
}

CjkUserWords *cjk_user_words_create(const CjkDictionary *dictionary, double (*log)(double),
                                    CjkReallocFn reallocate, CjkFreeFn release) {
  if (reallocate == NULL) {
    reallocate = realloc;
    release = free;
  }
  CjkUserWords *words = (CjkUserWords *)reallocate(NULL, sizeof(CjkUserWords));
  if (words == NULL) return NULL;
  memset(words, 0, sizeof(CjkUserWords));
  words->reallocate = reallocate;
  words->release = release;
  words->dictionary = dictionary;
  words->log = log;
  words->total = dictionary->total;
  words->log_total = dictionary->log_total;
  words->hash = 0xCBF29CE484222325u;
  for (const char *digit = dictionary->fingerprint; *digit; digit++)
    hash_number(words, (uint64_t)*digit);
  words->n_nodes = 1;
  return words;
}

void cjk_user_words_free(CjkUserWords *words) {
  if (words == NULL) return;
  if (words->nodes != NULL) words->release(words->nodes);
  if (words->slots != NULL) words->release(words->slots);
  words->release(words);
}

const CjkDictionary *cjk_user_words_dictionary(const CjkUserWords *words) {
  return words->dictionary;
}

uint64_t cjk_user_words_total(const CjkUserWords *words) {
  return words->total;
}

double cjk_user_words_log_total(const CjkUserWords *words) {
  return words->log_total;
}

const char *cjk_user_words_fingerprint(const CjkUserWords *words) {
  return words->fingerprint;
}

int cjk_user_words_begin(const CjkUserWords *words, uint32_t character) {
  return character <= CJK_LAST_HAN && (words->begins[character / 32] >> character % 32 & 1);
}

/* The slot of the child, or the free slot where it belongs. There are always free slots. */
static uint32_t find_node_slot(const CjkUserWords *words, uint32_t parent, uint32_t character) {
  uint32_t slot = (parent * 0x9E3779B1u) ^ (character * 0x85EBCA6Bu);
  for (slot ^= slot >> 15;; slot++) {
    slot &= words->n_slots - 1;
    const Node *node = words->nodes + words->slots[slot];
    if (words->slots[slot] == 0 || (node->parent == parent && node->character == character))
      return slot;
  }
}

uint32_t cjk_user_words_step(const CjkUserWords *words, uint32_t node, uint32_t character) {
  return words->n_slots == 0 ? 0 : words->slots[find_node_slot(words, node, character)];
}

const CjkUserWord *cjk_user_words_at(const CjkUserWords *words, uint32_t node) {
  return words->n_slots && words->nodes[node].is_word ? &words->nodes[node].word : NULL;
}

/* Makes room for CJK_USER_WORD_MAX more nodes. */
static int reserve_nodes(CjkUserWords *words) {
  uint32_t needed = 2 * (words->n_nodes + CJK_USER_WORD_MAX);
  uint32_t n = words->n_slots ? words->n_slots : 256;
  while (n < needed) n *= 2;
  if (n == words->n_slots) return CJK_OK;
  if (n > UINT32_C(1) << 28) return CJK_TOOBIG;
  Node *nodes = (Node *)words->reallocate(words->nodes, n / 2 * sizeof(Node));
  if (nodes == NULL) return CJK_NOMEM;
  words->nodes = nodes;
  uint32_t *slots = (uint32_t *)words->reallocate(words->slots, n * sizeof(uint32_t));
  if (slots == NULL) return CJK_NOMEM;
  memset(slots, 0, n * sizeof(uint32_t));
  words->slots = slots;
  words->n_slots = n;
  memset(&nodes[0], 0, sizeof(Node));
  for (uint32_t i = 1; i < words->n_nodes; i++)
    slots[find_node_slot(words, nodes[i].parent, nodes[i].character)] = i;
  return CJK_OK;
}

int cjk_user_words_add(CjkUserWords *words, const uint32_t *word, size_t n, uint64_t frequency) {
  if (n > CJK_USER_WORD_MAX || frequency > UINT64_C(1) << 32) return CJK_TOOBIG;
  if (n == 0) return CJK_ERROR;
  for (size_t i = 0; i < n; i++)
    if (cjk_dictionary_code(words->dictionary, word[i]) == 0) return CJK_ERROR;
  int rc = reserve_nodes(words);
  if (rc != CJK_OK) return rc;

  uint32_t parent = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t slot = find_node_slot(words, parent, word[i]);
    if (words->slots[slot] == 0) {
      Node node = {parent, word[i], 0, {0}};
      words->nodes[words->n_nodes] = node;
      words->slots[slot] = words->n_nodes++;
    }
    parent = words->slots[slot];
    hash_number(words, word[i]);
  }
  hash_number(words, UINT64_C(1) << 32 | frequency);
  words->begins[word[0] / 32] |= UINT32_C(1) << word[0] % 32;
  words->nodes[parent].is_word = 1;
  CjkUserWord *added = &words->nodes[parent].word;
  added->frequency = frequency;
  added->log_frequency = frequency ? words->log((double)frequency) : -INFINITY;
  added->split |= frequency == 0;
  words->total += frequency;
  words->log_total = words->log((double)words->total);
  return CJK_OK;
}
