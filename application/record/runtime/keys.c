/* keys.c - what each virtual thread keeps by a key (pthread_setspecific): the C library sees one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Destructors of keys are not run for virtual threads but the first, as with threads that OpenMP keeps to the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "team.h"

static const void **values[VO_THREADS]; /* of all keys; those of thread 0 are the C library's */

static void *next(const char *name) {
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        fr_fail("the C library has no keys of threads");
    return f;
}

static bool ours(pthread_key_t key) {
    return vo_current->thread > 0 && key < PTHREAD_KEYS_MAX && vo_on_only_thread();
}

#define OURS __attribute__((weak, visibility("default")))

OURS void *pthread_getspecific(pthread_key_t key) {
    static void *(*real)(pthread_key_t);
    if (ours(key)) {
        const void **mine = values[vo_current->thread];
        return mine ? (void *)mine[key] : NULL;
    }
    if (!real)
        real = (void *(*)(pthread_key_t))next("pthread_getspecific");
    return real(key);
}

OURS int pthread_setspecific(pthread_key_t key, const void *value) {
    static int (*real)(pthread_key_t, const void *);
    if (ours(key)) {
        const void ***mine = &values[vo_current->thread];
        if (!*mine)
            *mine = vo_alloc(PTHREAD_KEYS_MAX * sizeof **mine);
        (*mine)[key] = value;
        return 0;
    }
    if (!real)
        real = (int (*)(pthread_key_t, const void *))next("pthread_setspecific");
    return real(key, value);
}

/* A key that is made anew has no value in any thread. */
OURS int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    int failed = ((int (*)(pthread_key_t *, void (*)(void *)))next("pthread_key_create"))(key, destroy);
    for (int i = 1; !failed && *key < PTHREAD_KEYS_MAX && i < VO_THREADS; i++)
        if (values[i])
            values[i][*key] = NULL;
    return failed;
}
