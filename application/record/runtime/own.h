/* own.h - threads that the program makes itself: virtual ones as those of OpenMP.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_OWN_H
#define FORESEE_OWN_H

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <time.h>

#include "team.h"

#pragma GCC visibility push(hidden)

/* Functions of the C library that the recorder stands in for. A program may have functions of these names of its own. */
#define OURS __attribute__((weak, visibility("default")))

/* The C library's own function of that name. */
#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) real;                                                                                 \
        if (!real)                                                                                                     \
            real = (__typeof__(&name))vo_library(#name);                                                               \
        real;                                                                                                          \
    })
void *vo_library(const char *name);

/* A thread, whose address is its pthread_t. */
struct own {
    void *(*start)(void *);
    int (*start11)(void *); /* of C11 */
    void *argument, *result;
    bool detached, finished;
    bool cancelled, no_cancel, at_once, ending;
    struct fiber *fiber;    /* NULL: finished */
    uint64_t phase;         /* of who comes after its end */
    void *cleanups;         /* handlers of cleanup: of the innermost, NULL: there is none */
    char name[16];
    struct team team;       /* it is one of one thread by itself */
    struct context context;
    struct task task;
    struct own *next;       /* of all that were not joined */
};

int vo_thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), int (*function11)(void *), void *argument);
struct own *vo_me(void);           /* the current thread; of the initial one as well */
bool vo_cancels(void);             /* this thread is to end at the next point where threads may be cancelled */
void vo_cancel_point(void);        /* ends the thread where it is to be cancelled */
uint64_t vo_deadline(clockid_t clock, const struct timespec *at); /* of the virtual clock; never 0 */
uint64_t vo_after(const struct timespec *time);
bool vo_valid(const struct timespec *t);
bool vo_shares(void);              /* who waits for the system lets others run: the program has threads of its own, and one can */

/* mutex.c. What waits is never inlined: where parameters are restrict the compiler may take it that nobody else changes what they point to meanwhile. */
int vo_mutex_release(pthread_mutex_t *mutex, unsigned *count); /* whatever its count */
void vo_mutex_take(pthread_mutex_t *mutex, unsigned count);


#pragma GCC visibility pop
#endif
