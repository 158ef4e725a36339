/* starts.c - is linked only to programs that start threads of their own, by which foresee knows them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <threads.h>

#define STARTS(name, parameters, arguments)                                                                            \
    int __real_##name parameters;                                                                                      \
    int __wrap_##name parameters;                                                                                      \
    int __wrap_##name parameters { return __real_##name arguments; }

STARTS(pthread_create, (pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x), (t, a, f, x))
STARTS(thrd_create, (thrd_t *t, thrd_start_t f, void *x), (t, f, x))
