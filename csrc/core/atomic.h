/*
** atomic.h: C11's atomics under the names that C and C++ share, so that the sources compile as both.
** An atomic variable is declared as CJK_ATOMIC(type).
*/
#ifndef CJK_ATOMIC_H
#define CJK_ATOMIC_H

#ifdef __cplusplus
#include <atomic>
#define CJK_ATOMIC(type) std::atomic<type>
using std::atomic_compare_exchange_strong;
using std::atomic_load;
using std::atomic_load_explicit;
using std::atomic_store;
using std::memory_order_relaxed;
#else
#include <stdatomic.h>
#define CJK_ATOMIC(type) _Atomic(type)
#endif

#endif
