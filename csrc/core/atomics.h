/*
** atomics.h: variables that threads share, in C and in C++.
**
** CJK_ATOMIC(type) declares one. The operations are those of <stdatomic.h>, sequentially consistent
** where nothing else is said; in C++ the functions of the same names in <atomic> serve.
*/
#ifndef CJK_ATOMICS_H
#define CJK_ATOMICS_H

#ifdef __cplusplus
#include <atomic>
#define CJK_ATOMIC(type) std::atomic<type>
using std::memory_order_relaxed;
#else
#include <stdatomic.h>
#define CJK_ATOMIC(type) _Atomic(type)
#endif

typedef CJK_ATOMIC(int) CjkAtomicInt;

#endif
