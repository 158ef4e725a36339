/* futex.c - what programs and libraries ask of the system themselves (syscall): waiting on a word of memory, which C++'s and Rust's libraries do, is of
 * virtual threads; threads that are made by hand, or by the system, are refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "own.h"

static long failed(int error) {
    errno = error;
    return -1;
}

static uint64_t deadline_of(int operation, const struct timespec *time) {
    if (!time)
        return 0;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return vo_after(time);
    return vo_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

static long wait_on(const uint32_t *word, uint32_t value, uint64_t deadline, uint32_t bits) {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return failed(EAGAIN);
    vo_current->bits = bits;
    return vo_block_until(word, "on a word of memory (futex)", deadline, false) ? 0 : failed(ETIMEDOUT);
}

static uint32_t changed(uint32_t code, uint32_t old) {
    uint32_t by = code >> 12 & 0xfff, operation = code >> 28;
    if (operation & FUTEX_OP_OPARG_SHIFT)
        by = 1u << (by & 31);
    switch (operation & 7) {
    case FUTEX_OP_SET: return by;
    case FUTEX_OP_ADD: return old + by;
    case FUTEX_OP_OR: return old | by;
    case FUTEX_OP_ANDN: return old & ~by;
    }
    return old ^ by;
}

static bool compares(uint32_t code, uint32_t old) {
    int32_t with = (int32_t)(code & 0xfff), a = (int32_t)old;
    switch (code >> 24 & 15) {
    case FUTEX_OP_CMP_EQ: return a == with;
    case FUTEX_OP_CMP_NE: return a != with;
    case FUTEX_OP_CMP_LT: return a < with;
    case FUTEX_OP_CMP_LE: return a <= with;
    case FUTEX_OP_CMP_GT: return a > with;
    }
    return a >= with;
}

static int many(long n) { return n > INT_MAX || n < 0 ? INT_MAX : (int)n; }

static long futex(const long *a) {
    uint32_t *word = (uint32_t *)a[0], *other = (uint32_t *)a[4];
    int operation = (int)a[1];
    uint32_t value = (uint32_t)a[2], third = (uint32_t)a[5];
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return wait_on(word, value, deadline_of(operation, (const struct timespec *)a[3]), FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET:
        return third ? wait_on(word, value, deadline_of(operation, (const struct timespec *)a[3]), third) : failed(EINVAL);
    case FUTEX_WAKE:
        return vo_wake_bits(word, FUTEX_BITSET_MATCH_ANY, many((int)value));
    case FUTEX_WAKE_BITSET:
        return vo_wake_bits(word, third, many((int)value));
    case FUTEX_CMP_REQUEUE:
        if (*word != third)
            return failed(EAGAIN);
        /* fall through */
    case FUTEX_REQUEUE: {
        int woken = vo_wake_bits(word, 0, many((int)value));
        vo_requeue(word, other, many(a[3]));
        return woken;
    }
    case FUTEX_WAKE_OP: {
        uint32_t old = *other;
        *other = changed(third, old);
        int woken = vo_wake_bits(word, 0, many((int)value));
        return compares(third, old) ? woken + vo_wake_bits(other, 0, many(a[3])) : woken;
    }
    }
    fr_fail("the program locks a word of memory with priorities (futex with PI), which foresee does not follow");
}

static _Noreturn void refuse_clone(void) {
    fr_fail("the program makes a thread or a process by hand (clone): its accesses would be lost; foresee follows threads of the C library, pthread_create");
}

OURS int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
    (void)function, (void)stack, (void)flags, (void)argument;
    refuse_clone();
}

OURS int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    if (event && event->sigev_notify == SIGEV_THREAD)
        fr_fail("the program has a timer that starts threads (timer_create with SIGEV_THREAD), which the system makes and foresee does not follow");
    return REAL(timer_create)(clock, event, timer);
}

long syscall(long number, ...) __attribute__((weak, visibility("default")));
long syscall(long number, ...) {
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (vo_on_only_thread())
        switch (number) {
        case SYS_futex: return futex(a);
        case SYS_sched_yield: return sched_yield();
        case SYS_nanosleep: return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        case SYS_gettid: return gettid();
        case SYS_clone:
        case SYS_clone3:
            refuse_clone();
        case SYS_io_uring_setup:
            fr_fail("the program uses io_uring: what the system then writes is not seen, and waits for it are not followed");
        }
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
