/* waits.c - conditions, semaphores and barriers of the C library, and what runs once, of virtual threads: there is one thread for the system, which would
 * wait for itself for ever. Another virtual thread goes on instead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <semaphore.h>

#include "own.h"

/* ---- conditions ---- */

static __attribute__((noinline)) int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline) {
    unsigned count;
    vo_cancel_point();
    int failed = vo_mutex_release(mutex, &count);
    if (failed)
        return failed;
    bool in_time = vo_block_until(condition, "for a condition", deadline, true);
    vo_mutex_take(mutex, count);
    vo_cancel_point();
    return in_time ? 0 : ETIMEDOUT;
}

/* Which clock deadlines are of: the C library keeps it in a bit of its own. */
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

OURS int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    return vo_on_only_thread() ? wait_until(condition, mutex, 0) : REAL(pthread_cond_wait)(condition, mutex);
}

OURS int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict at) {
    return vo_valid(at) ? wait_until(condition, mutex, vo_deadline(clock_of(condition), at)) : EINVAL;
}

OURS int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict at) {
    return vo_valid(at) ? wait_until(condition, mutex, vo_deadline(clock, at)) : EINVAL;
}

OURS int pthread_cond_signal(pthread_cond_t *condition) {
    if (!vo_on_only_thread())
        return REAL(pthread_cond_signal)(condition);
    vo_wake_one(condition);
    return 0;
}

OURS int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!vo_on_only_thread())
        return REAL(pthread_cond_broadcast)(condition);
    vo_wake_all(condition);
    return 0;
}

/* ---- semaphores: the C library's own, which are only tried ---- */

static __attribute__((noinline)) int take_until(sem_t *semaphore, uint64_t deadline) {
    vo_fair();
    vo_cancel_point();
    while (sem_trywait(semaphore)) {
        if (errno != EAGAIN)
            return -1;
        bool in_time = vo_block_until(semaphore, "for a semaphore", deadline, true);
        vo_cancel_point();
        if (!in_time && sem_trywait(semaphore)) {
            errno = ETIMEDOUT;
            return -1;
        }
        if (!in_time)
            return 0;
    }
    return 0;
}

static int invalid(void) {
    errno = EINVAL;
    return -1;
}

OURS int sem_wait(sem_t *semaphore) { return vo_on_only_thread() ? take_until(semaphore, 0) : REAL(sem_wait)(semaphore); }

OURS int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict at) {
    return vo_valid(at) ? take_until(semaphore, vo_deadline(CLOCK_REALTIME, at)) : sem_trywait(semaphore) ? invalid() : 0;
}

OURS int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict at) {
    return vo_valid(at) ? take_until(semaphore, vo_deadline(clock, at)) : sem_trywait(semaphore) ? invalid() : 0;
}

OURS int sem_post(sem_t *semaphore) {
    int failed = REAL(sem_post)(semaphore);
    if (!failed && vo_on_only_thread())
        vo_wake_one(semaphore);
    return failed;
}

/* ---- barriers: in the place of the C library's ---- */

struct barrier {
    unsigned count, arrived;
    uint64_t round, phase;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "in its place");

OURS int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes, unsigned count) {
    (void)attributes;
    if (count == 0)
        return EINVAL;
    *(struct barrier *)b = (struct barrier){.count = count};
    return 0;
}

OURS int pthread_barrier_destroy(pthread_barrier_t *b) { return ((struct barrier *)b)->arrived ? EBUSY : 0; }

OURS int pthread_barrier_wait(pthread_barrier_t *b) {
    struct barrier *x = (struct barrier *)b;
    uint64_t phase = vo_phase();
    if (x->phase < phase)
        x->phase = phase;
    if (++x->arrived == x->count) {
        vo_phase_at_least(x->phase);
        x->arrived = 0;
        x->round++;
        vo_wake_all(x);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    for (uint64_t round = x->round; x->round == round;)
        vo_block(x, "at a barrier of the C library");
    return 0;
}

/* ---- once ---- */

enum { BEGUN = 1, DONE = 2 }; /* as the C library has it */

static void undo(int **control) {
    if (!*control)
        return;
    **control = 0; /* it was left by an exception, or by the end of the thread: another one begins anew */
    vo_wake_all(*control);
}

OURS int pthread_once(pthread_once_t *control, void (*run)(void)) {
    while (*control & BEGUN)
        vo_block(control, "for what another one runs once");
    if (*control == DONE)
        return 0;
    *control = BEGUN;
    {
        __attribute__((cleanup(undo))) int *left = control;
        run();
        left = NULL;
    }
    *control = DONE;
    vo_wake_all(control);
    return 0;
}
