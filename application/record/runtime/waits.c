/* waits.c - what a program waits for by means of the C library while virtual threads run: there is one thread for the
 * system, which would wait for itself for ever. Another virtual thread goes on instead.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mutex that one thread may lock several times belongs to all virtual threads, as the system sees one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "team.h"

#define OURS __attribute__((weak, visibility("default")))

static void *next(const char *name) {
    void *f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"); /* of conditions there are older ones */
    if (!f)
        f = dlsym(RTLD_NEXT, name);
    if (!f)
        fr_fail("the C library lacks a function of threads");
    return f;
}

#define REAL(name) ((__typeof__(&name))next(#name))

static bool virtual_thread(void) { return vo_on_fiber() && vo_on_only_thread(); }

OURS int sched_yield(void) {
    if (!virtual_thread())
        return REAL(sched_yield)();
    fr_yield();
    return 0;
}

OURS int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!virtual_thread()) {
        if (!real)
            real = REAL(pthread_mutex_lock);
        return real(mutex);
    }
    int failed;
    while ((failed = pthread_mutex_trylock(mutex)) == EBUSY)
        vo_block(mutex, "for a mutex");
    return failed;
}

OURS int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real)
        real = REAL(pthread_mutex_unlock);
    int failed = real(mutex);
    if (!failed && virtual_thread())
        vo_wake_one(mutex);
    return failed;
}

OURS int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    if (!virtual_thread())
        return REAL(pthread_cond_wait)(condition, mutex);
    int failed = pthread_mutex_unlock(mutex);
    if (failed)
        return failed;
    vo_block(condition, "for a condition");
    return pthread_mutex_lock(mutex);
}

OURS int pthread_cond_signal(pthread_cond_t *condition) {
    if (virtual_thread())
        vo_wake_one(condition);
    return REAL(pthread_cond_signal)(condition);
}

OURS int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (virtual_thread())
        vo_wake_all(condition);
    return REAL(pthread_cond_broadcast)(condition);
}

OURS int sem_wait(sem_t *semaphore) {
    if (!virtual_thread())
        return REAL(sem_wait)(semaphore);
    while (sem_trywait(semaphore)) {
        if (errno != EAGAIN)
            return -1;
        vo_block(semaphore, "for a semaphore");
    }
    return 0;
}

OURS int sem_post(sem_t *semaphore) {
    int failed = REAL(sem_post)(semaphore);
    if (!failed && virtual_thread())
        vo_wake_one(semaphore);
    return failed;
}

/* A barrier of virtual threads: how many it waits for, and how many have come. */
struct barrier {
    const pthread_barrier_t *of;
    unsigned count, arrived;
    uint64_t round;
    struct barrier *next;
};
static struct barrier *barriers;

static struct barrier *barrier_of(const pthread_barrier_t *b) {
    struct barrier *x = barriers;
    while (x && x->of != b)
        x = x->next;
    return x;
}

OURS int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict a, unsigned count) {
    int failed = REAL(pthread_barrier_init)(b, a, count);
    struct barrier *x = barrier_of(b);
    if (failed || !vo_on_only_thread())
        return failed;
    if (!x) {
        x = vo_alloc(sizeof *x);
        x->next = barriers;
        barriers = x;
    }
    *x = (struct barrier){.of = b, .count = count, .next = x->next};
    return 0;
}

OURS int pthread_barrier_wait(pthread_barrier_t *b) {
    struct barrier *x = virtual_thread() ? barrier_of(b) : NULL;
    if (!x)
        return REAL(pthread_barrier_wait)(b);
    if (++x->arrived == x->count) {
        x->arrived = 0;
        x->round++;
        vo_wake_all(x);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    for (uint64_t round = x->round; x->round == round;)
        vo_block(x, "at a barrier of the C library");
    return 0;
}
