/* c11.c - threads of C11, which to the C library are those of POSIX under other names, but by calls that nobody else sees.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>
#include <threads.h>

#include "own.h"

static int said(int failed) {
    switch (failed) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    }
    return thrd_error;
}

OURS int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    int failed = vo_thread_create(thread, NULL, NULL, function, argument);
    return failed == EAGAIN ? thrd_nomem : said(failed);
}

OURS int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    int failed = pthread_join(thread, &value);
    if (!failed && result)
        *result = (int)(intptr_t)value;
    return said(failed);
}

OURS int thrd_detach(thrd_t thread) { return said(pthread_detach(thread)); }
OURS void thrd_yield(void) { sched_yield(); }
OURS int thrd_sleep(const struct timespec *time, struct timespec *left) { return nanosleep(time, left); }
OURS thrd_t thrd_current(void) { return pthread_self(); }
OURS _Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

OURS int mtx_lock(mtx_t *m) { return said(pthread_mutex_lock((pthread_mutex_t *)m)); }
OURS int mtx_trylock(mtx_t *m) { return said(pthread_mutex_trylock((pthread_mutex_t *)m)); }
OURS int mtx_unlock(mtx_t *m) { return said(pthread_mutex_unlock((pthread_mutex_t *)m)); }
OURS int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict at) { return said(pthread_mutex_timedlock((pthread_mutex_t *)m, at)); }
OURS void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }

OURS int cnd_wait(cnd_t *c, mtx_t *m) { return said(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m)); }
OURS int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict at) {
    return said(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, at));
}
OURS int cnd_signal(cnd_t *c) { return said(pthread_cond_signal((pthread_cond_t *)c)); }
OURS int cnd_broadcast(cnd_t *c) { return said(pthread_cond_broadcast((pthread_cond_t *)c)); }

OURS void call_once(once_flag *flag, void (*run)(void)) { pthread_once((pthread_once_t *)flag, run); }

OURS int tss_create(tss_t *key, tss_dtor_t destroy) { return said(pthread_key_create(key, destroy)); }
OURS void *tss_get(tss_t key) { return pthread_getspecific(key); }
OURS int tss_set(tss_t key, void *value) { return said(pthread_setspecific(key, value)); }
OURS void tss_delete(tss_t key) { pthread_key_delete(key); }
