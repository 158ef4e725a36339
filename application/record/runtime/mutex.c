/* mutex.c - mutexes, locks for readers and writers, and spin locks, of virtual threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the C library keeps in a mutex is read and written here as it does: whether it is locked, by whom, how often, and of which kind it is. */
#define _GNU_SOURCE
#include "own.h"

static int me(void) { return vo_current->thread + 1; }
static int kind_of(const pthread_mutex_t *m) { return m->__data.__kind & 3; }

static void take(pthread_mutex_t *m, unsigned count) {
    m->__data.__lock = 1;
    m->__data.__owner = me();
    m->__data.__nusers = 1;
    m->__data.__count = count;
}

/* 0: it is ours now, -1: it is another's. */
static int attempt(pthread_mutex_t *m, bool waits) {
    if (!m->__data.__lock) {
        take(m, 1);
        return 0;
    }
    if (m->__data.__owner != me())
        return -1;
    if (kind_of(m) == PTHREAD_MUTEX_RECURSIVE) {
        if (m->__data.__count + 1 == 0)
            return EAGAIN;
        m->__data.__count++;
        return 0;
    }
    return kind_of(m) == PTHREAD_MUTEX_ERRORCHECK && waits ? EDEADLK : -1;
}

static __attribute__((noinline)) int lock_until(pthread_mutex_t *m, uint64_t deadline) {
    int failed;
    vo_fair();
    while ((failed = attempt(m, true)) < 0)
        if (!vo_block_until(m, "for a mutex", deadline, false) && m->__data.__lock)
            return ETIMEDOUT;
    return failed;
}

OURS int pthread_mutex_lock(pthread_mutex_t *m) {
    return vo_on_only_thread() ? lock_until(m, 0) : REAL(pthread_mutex_lock)(m);
}

OURS int pthread_mutex_trylock(pthread_mutex_t *m) {
    if (!vo_on_only_thread())
        return REAL(pthread_mutex_trylock)(m);
    int failed = attempt(m, false);
    if (failed < 0 && vo_own_threads)
        fr_yield(); /* the program may try again and again */
    return failed < 0 ? EBUSY : failed;
}

OURS int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict at) {
    return attempt(m, true) == 0 ? 0 : !vo_valid(at) ? EINVAL : lock_until(m, vo_deadline(CLOCK_REALTIME, at));
}

OURS int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict at) {
    return attempt(m, true) == 0 ? 0 : !vo_valid(at) ? EINVAL : lock_until(m, vo_deadline(clock, at));
}

int vo_mutex_release(pthread_mutex_t *m, unsigned *count) {
    if (kind_of(m) != PTHREAD_MUTEX_NORMAL && kind_of(m) != PTHREAD_MUTEX_ADAPTIVE_NP && (!m->__data.__lock || m->__data.__owner != me()))
        return EPERM;
    *count = m->__data.__count;
    m->__data.__lock = m->__data.__owner = 0;
    m->__data.__nusers = m->__data.__count = 0;
    vo_wake_free(m, 1);
    return 0;
}

void vo_mutex_take(pthread_mutex_t *m, unsigned count) {
    while (m->__data.__lock)
        vo_block(m, "for a mutex");
    take(m, count);
}

OURS int pthread_mutex_unlock(pthread_mutex_t *m) {
    if (!vo_on_only_thread())
        return REAL(pthread_mutex_unlock)(m);
    unsigned count;
    if (kind_of(m) == PTHREAD_MUTEX_RECURSIVE && m->__data.__lock && m->__data.__owner == me() && m->__data.__count > 1) {
        m->__data.__count--;
        return 0;
    }
    return vo_mutex_release(m, &count);
}

OURS int pthread_mutex_destroy(pthread_mutex_t *m) {
    if (m->__data.__lock)
        return EBUSY;
    m->__data.__kind = -1;
    return 0;
}

/* ---- readers and writers ---- */

/* In the place of the C library's, which also begins with zeros. */
struct shared {
    int readers, writer, owner;
};
_Static_assert(sizeof(struct shared) <= sizeof(pthread_rwlock_t), "in its place");

static bool may_read(const struct shared *s) { return !s->writer; }
static bool may_write(const struct shared *s) { return !s->writer && s->readers == 0; }

static __attribute__((noinline)) int share_until(pthread_rwlock_t *lock, bool writes, uint64_t deadline, bool waits) {
    struct shared *s = (struct shared *)lock;
    vo_fair();
    while (writes ? !may_write(s) : !may_read(s)) {
        if (!waits) {
            fr_yield();
            return EBUSY;
        }
        if (s->writer && s->owner == me())
            return EDEADLK;
        if (!vo_block_until(s, "for a lock of readers and writers", deadline, false) && (writes ? !may_write(s) : !may_read(s)))
            return ETIMEDOUT;
    }
    if (writes) {
        s->writer = 1;
        s->owner = me();
    } else {
        s->readers++;
    }
    return 0;
}

OURS int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return share_until(l, false, 0, true); }
OURS int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return share_until(l, true, 0, true); }
OURS int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return share_until(l, false, 0, false); }
OURS int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { return share_until(l, true, 0, false); }

OURS int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l, const struct timespec *restrict at) {
    return vo_valid(at) ? share_until(l, false, vo_deadline(CLOCK_REALTIME, at), true) : EINVAL;
}
OURS int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l, const struct timespec *restrict at) {
    return vo_valid(at) ? share_until(l, true, vo_deadline(CLOCK_REALTIME, at), true) : EINVAL;
}
OURS int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict at) {
    return vo_valid(at) ? share_until(l, false, vo_deadline(clock, at), true) : EINVAL;
}
OURS int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict at) {
    return vo_valid(at) ? share_until(l, true, vo_deadline(clock, at), true) : EINVAL;
}

OURS int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    struct shared *s = (struct shared *)lock;
    if (s->writer)
        s->writer = s->owner = 0;
    else if (s->readers > 0)
        s->readers--;
    if (s->readers == 0)
        vo_wake_free(s, VO_THREADS);
    return 0;
}

/* ---- spin locks ---- */

OURS int pthread_spin_init(pthread_spinlock_t *l, int shared) {
    *l = 0 * shared;
    return 0;
}

OURS int pthread_spin_destroy(pthread_spinlock_t *l) {
    *l = 0;
    return 0;
}

OURS int pthread_spin_lock(pthread_spinlock_t *l) {
    vo_fair();
    while (*l)
        vo_block((const void *)l, "for a spin lock");
    *l = 1;
    return 0;
}

OURS int pthread_spin_trylock(pthread_spinlock_t *l) {
    if (*l) {
        fr_yield();
        return EBUSY;
    }
    *l = 1;
    return 0;
}

OURS int pthread_spin_unlock(pthread_spinlock_t *l) {
    *l = 0;
    vo_wake_free((const void *)l, 1);
    return 0;
}
