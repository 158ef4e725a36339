/* heap.c - where arrays are allocated.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C library's allocator does the work. Recorded are large blocks, which are arrays worth a name, and everything
 * that is allocated inside parallel regions, which may belong to one thread. */
#define _GNU_SOURCE
#include "recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>

enum { LARGE = 4096 };

extern void *__libc_malloc(size_t) __attribute__((weak));
extern void *__libc_calloc(size_t, size_t) __attribute__((weak));
extern void *__libc_realloc(void *, size_t) __attribute__((weak));
extern void *__libc_memalign(size_t, size_t) __attribute__((weak));
extern void __libc_free(void *) __attribute__((weak));

bool fr_in_region;
const void *fr_allocation_pc; /* set by operator new: its caller */

static void record(int type, const uint64_t *x, size_t n)
{
    unsigned char data[40], *p = data;
    for (size_t i = 0; i < n; i++)
        p = fr_put(p, x[i]);
    fr_events_flush(); /* what came before it must stand before it */
    fr_wire_record(type, 0, data, (size_t)(p - data));
}

static void *allocated(void *p, size_t bytes, const void *pc)
{
    if (!p || (bytes < LARGE && !fr_in_region))
        return p;
    fr_encode(); /* also where nothing is recorded: turns of threads are to be the same */
    if (fr_wire_is_open()) {
        const uint64_t x[] = {(uint64_t)p, bytes, (uint64_t)(fr_allocation_pc ? fr_allocation_pc : pc)};
        record(FR_ALLOCATE, x, 3);
    }
    return p;
}

static void freed(void *p)
{
    if (!p || (!fr_in_region && malloc_usable_size(p) < LARGE))
        return;
    fr_encode();
    if (fr_wire_is_open()) {
        const uint64_t x[] = {(uint64_t)p};
        record(FR_FREE, x, 1);
    }
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t n) { return allocated(__libc_malloc(n), n, CALLER); }

void *calloc(size_t n, size_t each) { return allocated(__libc_calloc(n, each), n * each, CALLER); }

void *realloc(void *p, size_t n)
{
    freed(p);
    void *q = __libc_realloc(p, n);
    return allocated(q ? q : p, n, CALLER), q;
}

void free(void *p)
{
    freed(p);
    __libc_free(p);
}

void *memalign(size_t alignment, size_t n) { return allocated(__libc_memalign(alignment, n), n, CALLER); }

void *aligned_alloc(size_t alignment, size_t n) { return allocated(__libc_memalign(alignment, n), n, CALLER); }

int posix_memalign(void **out, size_t alignment, size_t n)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    int saved = errno;
    void *p = __libc_memalign(alignment, n);
    errno = saved;
    if (!p)
        return ENOMEM;
    *out = allocated(p, n, CALLER);
    return 0;
}
