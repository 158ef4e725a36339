/* sleeps.c - virtual threads that sleep, or let others run; and until when they wait.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the program has threads of its own, time is that of the virtual clock, which nobody waits for. */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "own.h"

enum { SECOND = 1000000000, FOREVER = 1000000000 /* s, above which nobody waits for the end */ };

bool vo_valid(const struct timespec *t) { return t->tv_nsec >= 0 && t->tv_nsec < SECOND; }

uint64_t vo_after(const struct timespec *time) {
    int64_t seconds = time->tv_sec < 0 ? 0 : time->tv_sec > FOREVER ? FOREVER : time->tv_sec;
    return vo_now() + (time->tv_sec < 0 ? 0 : (uint64_t)(seconds * SECOND + time->tv_nsec)) + 1;
}

uint64_t vo_deadline(clockid_t clock, const struct timespec *at) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    struct timespec left = {at->tv_sec - now.tv_sec, at->tv_nsec - now.tv_nsec};
    if (left.tv_nsec < 0) {
        left.tv_sec--;
        left.tv_nsec += SECOND;
    }
    return vo_after(&left);
}

OURS int sched_yield(void) {
    if (!vo_on_only_thread() || !vo_others())
        return REAL(sched_yield)();
    fr_yield();
    return 0;
}

/* True where another virtual thread could run in that time; else the program sleeps as always. */
static bool sleep_until(uint64_t deadline) {
    static const char nothing;
    if (!vo_on_only_thread() || (!vo_own_threads && !vo_others()))
        return false;
    vo_cancel_point();
    if (vo_own_threads)
        vo_block_until(&nothing, "as it sleeps", deadline, true);
    else
        fr_yield(); /* a team: its threads look whether there is something to do */
    vo_cancel_point();
    return true;
}

OURS int nanosleep(const struct timespec *time, struct timespec *left) {
    if (vo_valid(time) && sleep_until(vo_after(time)))
        return 0;
    return REAL(nanosleep)(time, left);
}

OURS int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (vo_valid(time) && sleep_until(flags & TIMER_ABSTIME ? vo_deadline(clock, time) : vo_after(time)))
        return 0;
    return REAL(clock_nanosleep)(clock, flags, time, left);
}

OURS int usleep(useconds_t us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000L};
    return nanosleep(&time, NULL);
}

OURS unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0};
    return sleep_until(vo_after(&time)) ? 0 : REAL(sleep)(seconds);
}
