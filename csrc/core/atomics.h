/*
** atomics.h: an int that threads share, in C and in C++.
**
** The operations are those of <stdatomic.h>, sequentially consistent; in C++ the functions of the
** same names in <atomic> serve.
*/
#ifndef CJK_ATOMICS_H
#define CJK_ATOMICS_H

#ifdef __cplusplus
#include <atomic>
typedef std::atomic<int> CjkAtomicInt;
#else
#include <stdatomic.h>
typedef atomic_int CjkAtomicInt;
#endif

#endif
