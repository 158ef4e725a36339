#ifndef FORESEE_STDATOMIC_H
#define FORESEE_STDATOMIC_H
#include <stddef.h>
#include <stdint.h>
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef _Bool atomic_bool;
typedef char atomic_char;
typedef unsigned char atomic_uchar;
typedef short atomic_short;
typedef int atomic_int;
typedef unsigned int atomic_uint;
typedef long atomic_long;
typedef unsigned long atomic_ulong;
typedef long long atomic_llong;
typedef unsigned long long atomic_ullong;
typedef int32_t atomic_int_least32_t;
typedef uint32_t atomic_uint_least32_t;
typedef int64_t atomic_int_least64_t;
typedef uint64_t atomic_uint_least64_t;
typedef size_t atomic_size_t;
typedef ptrdiff_t atomic_ptrdiff_t;
typedef intptr_t atomic_intptr_t;
typedef uintptr_t atomic_uintptr_t;
typedef _Bool atomic_flag;
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0
#define atomic_init(p, x) (*(p) = (x))
#define atomic_load(p) (*(p))
#define atomic_load_explicit(p, order) (*(p))
#define atomic_store(p, x) (*(p) = (x))
#define atomic_store_explicit(p, x, order) (*(p) = (x))
#define atomic_fetch_add(p, x) ((*(p) += (x)) - (x))
#define atomic_fetch_add_explicit(p, x, order) ((*(p) += (x)) - (x))
#define atomic_fetch_sub(p, x) ((*(p) -= (x)) + (x))
#define atomic_fetch_sub_explicit(p, x, order) ((*(p) -= (x)) + (x))
long atomic_fetch_or(volatile void *, long);
long atomic_fetch_or_explicit(volatile void *, long, memory_order);
long atomic_fetch_and(volatile void *, long);
long atomic_fetch_and_explicit(volatile void *, long, memory_order);
long atomic_exchange(volatile void *, long);
long atomic_exchange_explicit(volatile void *, long, memory_order);
#define atomic_thread_fence(order) ((void)0)
#define atomic_signal_fence(order) ((void)0)
#define atomic_flag_clear(p) (*(p) = 0)
_Bool atomic_flag_test_and_set(volatile atomic_flag *);
int atomic_compare_exchange_strong(volatile void *, void *, long);
int atomic_compare_exchange_weak(volatile void *, void *, long);
#endif
