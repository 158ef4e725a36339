/* names.c - what else there is to ask of, and to say to, a thread by its pthread_t: the C library does not know those of virtual threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "own.h"

/* One that the C library knows: the initial one. */
static bool of_library(pthread_t thread) { return thread == REAL(pthread_self)(); }

OURS pid_t gettid(void) {
    pid_t real = REAL(gettid)();
    return vo_on_only_thread() && vo_own_threads ? real + vo_current->thread : real;
}

OURS int pthread_setname_np(pthread_t thread, const char *name) {
    if (of_library(thread))
        return REAL(pthread_setname_np)(thread, name);
    struct own *o = (struct own *)thread;
    if (strlen(name) >= sizeof o->name)
        return ERANGE;
    strcpy(o->name, name);
    return 0;
}

OURS int pthread_getname_np(pthread_t thread, char *name, size_t bytes) {
    if (of_library(thread))
        return REAL(pthread_getname_np)(thread, name, bytes);
    if (bytes < sizeof ((struct own *)thread)->name)
        return ERANGE;
    strcpy(name, ((struct own *)thread)->name);
    return 0;
}

OURS int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
    if (of_library(thread) || vo_current == vo_fiber_initial())
        return REAL(pthread_getattr_np)(thread, attributes);
    int failed = pthread_attr_init(attributes);
    return failed ? failed : pthread_attr_setstack(attributes, vo_stack_top(vo_current->slot) - vo_stack_bytes(), vo_stack_bytes());
}

OURS int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* Priorities are believed, and not followed: the turns of virtual threads are those of their work. */
OURS int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *p) {
    return of_library(thread) ? REAL(pthread_setschedparam)(thread, policy, p) : 0;
}
OURS int pthread_setschedprio(pthread_t thread, int priority) { return of_library(thread) ? REAL(pthread_setschedprio)(thread, priority) : 0; }
OURS int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *p) {
    if (of_library(thread))
        return REAL(pthread_getschedparam)(thread, policy, p);
    *policy = SCHED_OTHER;
    memset(p, 0, sizeof *p);
    return 0;
}

/* ---- signals ---- */

static _Noreturn void refuse_signals(void) {
    fr_fail("the program sends a signal to one of its threads (pthread_kill): virtual threads are one for the system, which would send it to all");
}

OURS int pthread_kill(pthread_t thread, int number) {
    if (number == 0)
        return 0;
    if (thread == pthread_self())
        return raise(number);
    refuse_signals();
}

OURS int pthread_sigqueue(pthread_t thread, int number, const union sigval value) {
    (void)thread, (void)number, (void)value;
    refuse_signals();
}

/* A thread that only waits for signals lets the others run. */
OURS int sigwait(const sigset_t *restrict set, int *restrict number) {
    static const struct timespec at_once;
    while (vo_on_only_thread() && vo_others()) {
        int got = sigtimedwait(set, NULL, &at_once);
        if (got > 0) {
            *number = got;
            return 0;
        }
        fr_yield();
        vo_cancel_point();
    }
    return REAL(sigwait)(set, number);
}
