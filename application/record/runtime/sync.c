/* sync.c - critical sections, locks, single.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A lock is a word: 0 or the number of its thread plus 1. gcc's omp_lock_t has only four bytes, and clang's
 * omp_nest_lock_t only eight. */
#include "team.h"

static int32_t me(void) { return vo_current->thread + 1; }

void vo_lock(int32_t *lock, const char *reason) {
    while (*lock)
        vo_block(lock, reason);
    *lock = me();
}

void vo_unlock(int32_t *lock) {
    *lock = 0;
    vo_wake_one(lock);
}

/* True in the one thread that is to run it. */
bool vo_single(void) {
    bool first;
    vo_share_enter(&first);
    vo_share_leave();
    return first;
}

#pragma GCC visibility push(default)

void omp_init_lock(int32_t *lock) { *lock = 0; }
void omp_init_lock_with_hint(int32_t *lock, int hint) { *lock = 0 * hint; }
void omp_destroy_lock(int32_t *lock) { *lock = 0; }
void omp_set_lock(int32_t *lock) {
    fr_note(FR_NOTE_EXCLUSION, __builtin_return_address(0));
    vo_lock(lock, "for a lock");
}
void omp_unset_lock(int32_t *lock) { vo_unlock(lock); }

int omp_test_lock(int32_t *lock) {
    if (*lock) {
        fr_yield(); /* the program may try again and again */
        return 0;
    }
    *lock = me();
    return 1;
}

void omp_init_nest_lock(int32_t *lock) { lock[0] = lock[1] = 0; }
void omp_init_nest_lock_with_hint(int32_t *lock, int hint) { lock[0] = lock[1] = 0 * hint; }
void omp_destroy_nest_lock(int32_t *lock) { lock[0] = lock[1] = 0; }

void omp_set_nest_lock(int32_t *lock) {
    if (*lock != me())
        vo_lock(lock, "for a nested lock");
    lock[1]++;
}

void omp_unset_nest_lock(int32_t *lock) {
    if (--lock[1] == 0)
        vo_unlock(lock);
}

int omp_test_nest_lock(int32_t *lock) {
    if (*lock != me() && !omp_test_lock(lock))
        return 0;
    return ++lock[1];
}
