/* signals.c - virtual threads that wait for a signal: while others can run, they do.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All virtual threads are one for the system. A signal that is waited for with a set is blocked there, and comes to whoever asks. One whose handler ends the
 * wait is blocked while others run, so that it comes when the wait looks for it; what a fault raises is not. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "own.h"

/* Looks for a signal of the set while others can run; false: nobody can, or the time is over. */
static bool came_meanwhile(const sigset_t *set, siginfo_t *info, uint64_t end, int *number) {
    static const struct timespec none = {0, 0};
    while (vo_shares()) {
        *number = REAL(sigtimedwait)(set, info, &none);
        if (*number >= 0 || errno != EAGAIN)
            return true;
        vo_cancel_point();
        if (end && vo_now() >= end)
            return true;
        vo_pass(1000); /* ns that asking takes; chosen */
        fr_yield();
    }
    return false;
}

OURS int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time) {
    int number;
    if (came_meanwhile(set, info, time ? vo_after(time) : 0, &number))
        return number;
    return REAL(sigtimedwait)(set, info, time);
}

OURS int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) {
    int number;
    return came_meanwhile(set, info, 0, &number) ? number : REAL(sigwaitinfo)(set, info);
}

OURS int sigwait(const sigset_t *restrict set, int *restrict number) {
    int came;
    if (!came_meanwhile(set, NULL, 0, &came))
        return REAL(sigwait)(set, number);
    if (came < 0)
        return errno;
    *number = came;
    return 0;
}

/* Waits for a handler, with the signals blocked that the mask says. */
static int until_handled(const sigset_t *mask) {
    sigset_t others, before, pending;
    sigfillset(&others);
    sigdelset(&others, SIGSEGV);
    sigdelset(&others, SIGBUS);
    sigdelset(&others, SIGFPE);
    sigdelset(&others, SIGILL);
    sigdelset(&others, SIGTRAP);
    sigprocmask(SIG_BLOCK, &others, &before);
    bool here = false;
    while (!here) {
        sigpending(&pending);
        for (int i = 1; i <= SIGRTMAX; i++)
            here |= sigismember(&pending, i) == 1 && sigismember(mask, i) == 0;
        if (here)
            break;
        if (vo_cancels()) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            vo_cancel_point();
        }
        if (!vo_shares())
            break;
        vo_pass(1000);
        fr_yield();
    }
    REAL(sigsuspend)(mask);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = EINTR;
    return -1;
}

OURS int sigsuspend(const sigset_t *mask) { return vo_shares() ? until_handled(mask) : REAL(sigsuspend)(mask); }

OURS int pause(void) {
    sigset_t mask;
    if (!vo_shares())
        return REAL(pause)();
    sigprocmask(SIG_BLOCK, NULL, &mask);
    return until_handled(&mask);
}
