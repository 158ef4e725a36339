/* clock.c - the clocks of a program that runs unrecorded, beside a recorded run.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With FORESEE_CLOCK in the environment they begin another day and go a thousand times as fast: what a program prints then
 * otherwise than before comes from a clock, and is not to be compared. Programs may have functions of these names of their own.
 *
 * Where the program has threads of its own, clocks go as the virtual one does, so that who waits until when does not depend on how fast the
 * machine is. */
#define _GNU_SOURCE
#include "fiber.h"

#ifndef FORESEE_PRELOAD
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#define OURS __attribute__((weak, visibility("default")))

enum { SPEED = 1000, CLOCKS = 16, SECOND = 1000000000, ASKING = 1000 /* ns, so that who waits for a time comes to it; chosen */ };
static const int64_t another_day = (int64_t)(365 + 31 + 1) * 86400 + 3600 + 60 + 1; /* s: all parts of a date change */

static bool other_clock(void) {
    static int on = -1;
    if (on < 0)
        on = getenv("FORESEE_CLOCK") != NULL;
    return on;
}

static void *real(const char *name) {
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        fr_fail("the C library has no clocks");
    return f;
}

/* The time of a clock, in ns, where it goes as the virtual one does since it was first asked for. */
static int64_t virtual_time(clockid_t clock, int64_t real) {
    static int64_t begin[CLOCKS];
    if (!vo_own_threads)
        return real;
    vo_pass(ASKING);
    if (!begin[clock])
        begin[clock] = real - (int64_t)vo_now();
    return begin[clock] + (int64_t)vo_now();
}

OURS int clock_gettime(clockid_t clock, struct timespec *t) {
    static int (*f)(clockid_t, struct timespec *);
    static int64_t begin[CLOCKS];
    if (!f)
        f = (int (*)(clockid_t, struct timespec *))real("clock_gettime");
    int failed = f(clock, t);
    if (failed || (!other_clock() && !vo_own_threads) || clock < 0 || clock >= CLOCKS)
        return failed;
    int64_t ns = virtual_time(clock, (int64_t)t->tv_sec * SECOND + t->tv_nsec), day = 0;
    if (other_clock()) {
        if (!begin[clock])
            begin[clock] = ns;
        ns = begin[clock] + (ns - begin[clock]) * SPEED;
        day = another_day;
    }
    t->tv_sec = ns / SECOND + day;
    t->tv_nsec = ns % SECOND;
    return 0;
}

OURS int timespec_get(struct timespec *t, int base) { return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0; }

OURS int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (t && clock_gettime(CLOCK_REALTIME, &now) == 0)
        *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

OURS time_t time(time_t *t) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}

OURS clock_t clock(void) {
    static clock_t (*f)(void);
    if (!f)
        f = (clock_t(*)(void))real("clock");
    return other_clock() ? f() * SPEED : f();
}

static struct timeval faster(struct timeval t) {
    int64_t us = ((int64_t)t.tv_sec * 1000000 + t.tv_usec) * SPEED;
    return (struct timeval){us / 1000000, us % 1000000};
}

OURS int getrusage(__rusage_who_t who, struct rusage *use) {
    static int (*f)(int, struct rusage *);
    if (!f)
        f = (int (*)(int, struct rusage *))real("getrusage");
    int failed = f((int)who, use);
    if (failed || !other_clock())
        return failed;
    use->ru_utime = faster(use->ru_utime);
    use->ru_stime = faster(use->ru_stime);
    return 0;
}
#endif
