/* sanitizer.c - programs compiled by gcc: accesses come through the callbacks of its ThreadSanitizer, basic blocks through
 * those of its coverage.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each place in the code is a segment of one access, or of none for a block, that is announced when it first runs. */
#include "recorder.h"

#include <string.h>

/* Only programs that foresee cc compiled with gcc have this file. */
__attribute__((constructor(102))) static void rewritten(void) { fr_rewritten = 1; }

enum { READ, WRITE, BLOCK };
enum { TABLE = 1 << 20 };

extern uint64_t fr_cursor, fr_limit;
uint64_t fr_full(void);
struct fr_segment *fr_new_segment(unsigned words);

struct site {
    uint64_t key;
    struct fr_segment *segment;
};

static struct site *table;

static struct fr_segment *announce(uintptr_t pc, unsigned kind, unsigned size)
{
    struct fr_segment *s = fr_new_segment(kind == BLOCK ? 0 : 1);
    const uint64_t x[] = {s->number, pc, size, kind};
    unsigned char data[40], *p = data;
    for (unsigned i = 0; i < 4; i++)
        p = fr_put(p, x[i]);
    fr_wire_record(FR_SITE, 0, data, (size_t)(p - data));
    return s;
}

static struct fr_segment *segment_at(uintptr_t pc, unsigned kind, unsigned size)
{
    if (!table)
        table = fr_map(TABLE * sizeof *table);
    uint64_t key = (uint64_t)pc << 2 | kind;
    uint64_t i = key * 0x9E3779B97F4A7C15u >> 44;
    for (unsigned tried = 0; table[i].key != key; i = (i + 1) % TABLE, tried++) {
        if (table[i].key == 0) {
            table[i].key = key;
            table[i].segment = announce(pc, kind, size);
            break;
        }
        if (tried == TABLE - 1)
            fr_fail("more than a million places in the code access memory; build with clang");
    }
    return table[i].segment;
}

static inline void append(uintptr_t pc, unsigned kind, unsigned size, uint64_t address)
{
    if (!fr_open)
        return;
    uint64_t *w = (uint64_t *)fr_cursor;
    *w++ = (uint64_t)segment_at(pc, kind, size);
    if (kind != BLOCK)
        *w++ = address;
    fr_cursor = (uint64_t)w;
    if (fr_cursor >= fr_limit)
        fr_full();
}

#define PC ((uintptr_t)__builtin_return_address(0))

#define CALLBACKS(n)                                                                                                   \
    void __tsan_read##n(void *p) { append(PC, READ, n, (uint64_t)p); }                                                 \
    void __tsan_write##n(void *p) { append(PC, WRITE, n, (uint64_t)p); }                                               \
    void __tsan_unaligned_read##n(void *p) { append(PC, READ, n, (uint64_t)p); }                                       \
    void __tsan_unaligned_write##n(void *p) { append(PC, WRITE, n, (uint64_t)p); }                                     \
    void __tsan_volatile_read##n(void *p) { append(PC, READ, n, (uint64_t)p); }                                        \
    void __tsan_volatile_write##n(void *p) { append(PC, WRITE, n, (uint64_t)p); }                                      \
    void __tsan_read_write##n(void *p)                                                                                 \
    {                                                                                                                  \
        append(PC, READ, n, (uint64_t)p);                                                                              \
        append(PC, WRITE, n, (uint64_t)p);                                                                             \
    }
CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)

enum { PIECE = 32 }; /* bytes of one access of a block copy */

static void range(uintptr_t pc, unsigned kind, uint64_t p, size_t n)
{
    for (size_t k = 0; k < n; k += PIECE)
        append(pc, kind, PIECE, p + k);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void) {}
void __tsan_read_range(void *p, size_t n) { range(PC, READ, (uint64_t)p, n); }
void __tsan_write_range(void *p, size_t n) { range(PC, WRITE, (uint64_t)p, n); }
void __tsan_vptr_update(void **p, void *v) { (void)v; append(PC, WRITE, 8, (uint64_t)p); }
void __tsan_vptr_read(void **p) { append(PC, READ, 8, (uint64_t)p); }

/* In a plain run one thread may wait for another, too: they take turns after so many blocks. */
void __sanitizer_cov_trace_pc(void)
{
    enum { TURN = 1 << 20 };
    static unsigned blocks;
    if (fr_open)
        append(PC, BLOCK, 0, 0);
    else if (++blocks % TURN == 0)
        fr_yield();
}

/* Atomic operations must be done here. All virtual threads are one, so that plain operations do. */
#define FETCH(bits, type, name, value)                                                                                 \
    type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order)                                       \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        append(PC, READ, bits / 8, (uint64_t)p);                                                                       \
        append(PC, WRITE, bits / 8, (uint64_t)p);                                                                      \
        type o = *p;                                                                                                   \
        *p = (type)(value);                                                                                            \
        return o;                                                                                                      \
    }

#define ATOMICS(bits, type)                                                                                            \
    type __tsan_atomic##bits##_load(const volatile type *p, int order)                                                 \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        append(PC, READ, bits / 8, (uint64_t)p);                                                                       \
        return *p;                                                                                                     \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order)                                              \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        append(PC, WRITE, bits / 8, (uint64_t)p);                                                                      \
        *p = v;                                                                                                        \
    }                                                                                                                  \
    FETCH(bits, type, add, o + v)                                                                                      \
    FETCH(bits, type, sub, o - v)                                                                                      \
    FETCH(bits, type, and, o & v)                                                                                      \
    FETCH(bits, type, or, o | v)                                                                                       \
    FETCH(bits, type, xor, o ^ v)                                                                                      \
    FETCH(bits, type, nand, ~(o & v))                                                                                  \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order)                                           \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        append(PC, READ, bits / 8, (uint64_t)p);                                                                       \
        append(PC, WRITE, bits / 8, (uint64_t)p);                                                                      \
        type o = *p;                                                                                                   \
        *p = v;                                                                                                        \
        return o;                                                                                                      \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int order, int failure)       \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        (void)failure;                                                                                                 \
        append(PC, READ, bits / 8, (uint64_t)p);                                                                       \
        if (*p != *e) {                                                                                                \
            *e = *p;                                                                                                   \
            return 0;                                                                                                  \
        }                                                                                                              \
        append(PC, WRITE, bits / 8, (uint64_t)p);                                                                      \
        *p = v;                                                                                                        \
        return 1;                                                                                                      \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int order, int failure)         \
    {                                                                                                                  \
        return __tsan_atomic##bits##_compare_exchange_strong(p, e, v, order, failure);                                 \
    }                                                                                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int order, int failure)          \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        (void)failure;                                                                                                 \
        append(PC, READ, bits / 8, (uint64_t)p);                                                                       \
        type o = *p;                                                                                                   \
        if (o == e) {                                                                                                  \
            append(PC, WRITE, bits / 8, (uint64_t)p);                                                                  \
            *p = v;                                                                                                    \
        }                                                                                                              \
        return o;                                                                                                      \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;
ATOMICS(128, uint128)
#endif
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

void *__tsan_memcpy(void *d, const void *s, size_t n)
{
    range(PC, READ, (uint64_t)s, n);
    range(PC, WRITE, (uint64_t)d, n);
    return memcpy(d, s, n);
}

void *__tsan_memmove(void *d, const void *s, size_t n)
{
    range(PC, READ, (uint64_t)s, n);
    range(PC, WRITE, (uint64_t)d, n);
    return memmove(d, s, n);
}

void *__tsan_memset(void *d, int c, size_t n)
{
    range(PC, WRITE, (uint64_t)d, n);
    return memset(d, c, n);
}
