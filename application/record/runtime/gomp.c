/* gomp.c - the entry points of libgomp, for programs built by gcc: regions and synchronisation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is not here is not supported, and the linker says so. */
#include "gomp.h"

#define UNUSED __attribute__((unused))

enum { FREEZABLE = 32 }; /* words of a region's data that are looked at: above main's frame there are that many */

extern void *__libc_stack_end __attribute__((weak, visibility("default")));

static void body(struct team *team) { ((void (*)(void *))team->function)(team->data); }

/* Words of the data, which lies on the initial stack, or what follows it there: gcc does not say where it ends. What
 * is changed there is put back. */
static int words_of(const void *data) {
    const void *here = __builtin_frame_address(0), *end = &__libc_stack_end ? __libc_stack_end : NULL;
    if (data < here || data >= end)
        return 0;
    size_t words = (size_t)((const char *)end - (const char *)data) / sizeof(void *);
    return words < FREEZABLE ? (int)words : FREEZABLE;
}

void gomp_parallel(void (*function)(void *), void *data, unsigned threads, const struct loop *loop, const void *pc) {
    struct team team = {.body = body, .function = (void *)function, .data = data, .loop = loop};
    void *before[FREEZABLE];
    int words = vo_on_fiber() ? 0 : words_of(data);
    int frozen = vo_tls_freeze(data, words, before);
    vo_parallel(&team, (int)threads, pc);
    if (frozen)
        vo_tls_thaw(data, words, before);
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, UNUSED unsigned flags) {
    gomp_parallel(function, data, threads, NULL, VO_CALLER);
}

void GOMP_barrier(void) { vo_barrier(); }

static int32_t atomic_lock, critical_lock;

void GOMP_critical_start(void) {
    fr_note(FR_NOTE_EXCLUSION, __builtin_return_address(0));
    vo_lock(&critical_lock, "for a critical section");
}
void GOMP_critical_end(void) { vo_unlock(&critical_lock); }
void GOMP_critical_name_start(int32_t *lock) { vo_lock(lock, "for a critical section"); }
void GOMP_critical_name_end(int32_t *lock) { vo_unlock(lock); }
void GOMP_atomic_start(void) { vo_lock(&atomic_lock, "for an atomic operation"); }
void GOMP_atomic_end(void) { vo_unlock(&atomic_lock); }

bool GOMP_single_start(void) {
    if (!vo_single())
        return false;
    vo_one_begin(true);
    return true;
}

/* A barrier of the program follows the copy. */
void *GOMP_single_copy_start(void) {
    if (GOMP_single_start())
        return NULL;
    vo_barrier();
    return vo_at()->team->copied;
}

void GOMP_single_copy_end(void *data) {
    vo_at()->team->copied = data;
    vo_barrier();
}
