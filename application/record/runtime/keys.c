/* keys.c - what each virtual thread keeps by a key (pthread_setspecific): the C library sees one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Destructors of keys are not run for the threads of OpenMP but the first, which are there to the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>

#include "own.h"

static const void **values[VO_THREADS]; /* of all keys; those of thread 0 are the C library's */

static void (*destroyers[PTHREAD_KEYS_MAX])(void *);

static bool ours(pthread_key_t key) {
    return vo_current->thread > 0 && key < PTHREAD_KEYS_MAX && vo_on_only_thread();
}

OURS void *pthread_getspecific(pthread_key_t key) {
    if (ours(key)) {
        const void **mine = values[vo_current->thread];
        return mine ? (void *)mine[key] : NULL;
    }
    return REAL(pthread_getspecific)(key);
}

OURS int pthread_setspecific(pthread_key_t key, const void *value) {
    if (ours(key)) {
        const void ***mine = &values[vo_current->thread];
        if (!*mine)
            *mine = vo_alloc(PTHREAD_KEYS_MAX * sizeof **mine);
        (*mine)[key] = value;
        return 0;
    }
    return REAL(pthread_setspecific)(key, value);
}

/* A key that is made anew has no value in any thread. */
OURS int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    int failed = REAL(pthread_key_create)(key, destroy);
    if (failed || *key >= PTHREAD_KEYS_MAX)
        return failed;
    destroyers[*key] = destroy;
    for (int i = 1; i < VO_THREADS; i++)
        if (values[i])
            values[i][*key] = NULL;
    return 0;
}

OURS int pthread_key_delete(pthread_key_t key) {
    if (key < PTHREAD_KEYS_MAX)
        destroyers[key] = NULL;
    return REAL(pthread_key_delete)(key);
}

void vo_keys_end(void) {
    const void **mine = values[vo_current->thread];
    for (pthread_key_t key = 0; mine && key < PTHREAD_KEYS_MAX; key++) {
        void *value = (void *)mine[key];
        mine[key] = NULL;
        if (value && destroyers[key])
            destroyers[key](value);
    }
}

void vo_keys_forget(int thread) {
    vo_free(values[thread]);
    values[thread] = NULL;
}
