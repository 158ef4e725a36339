/* stacks.c - the stacks of virtual threads: all of one size, one after the other, with a page between that nobody may touch.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fiber.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const uintptr_t stack_hint = 0x600000000000; /* far from heap and libraries, the same in every run */

static char *stacks;                /* all of them, at a fixed stride */
static size_t stack_bytes, stride, guard;
static int stacks_ready;            /* stacks that can be written */
static bool taken[VO_THREADS];

/* OMP_STACKSIZE: a number of KiB, or with a unit of B, K, M or G. */
static size_t wanted_stack(void) {
    const char *text = getenv("OMP_STACKSIZE");
    char *unit = NULL;
    unsigned long long n = text ? strtoull(text, &unit, 10) : 0;
    if (n == 0)
        return (size_t)8 << 20;
    while (*unit == ' ')
        unit++;
    int shift = 10;
    switch (*unit | 0x20) {
    case 'b': shift = 0; break;
    case 'm': shift = 20; break;
    case 'g': shift = 30; break;
    }
    size_t bytes = (size_t)n << shift, least = (size_t)256 << 10, most = (size_t)64 << 30;
    return bytes < least ? least : bytes > most ? most : bytes;
}

static void reserve_stacks(void) {
    guard = (size_t)sysconf(_SC_PAGESIZE);
    stack_bytes = (wanted_stack() + guard - 1) / guard * guard;
    stride = stack_bytes + guard;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    stacks = mmap((void *)stack_hint, stride * VO_THREADS, PROT_NONE, flags, -1, 0);
    if (stacks == MAP_FAILED)
        fr_fail("no address space for the stacks of the virtual threads: raise the limit (ulimit -v) or lower "
                "OMP_STACKSIZE");
}

void vo_stack_ready(int slot) {
    if (!stacks)
        reserve_stacks();
    for (; stacks_ready <= slot; stacks_ready++) {
        char *low = stacks + (size_t)stacks_ready * stride + guard;
        if (mprotect(low, stack_bytes, PROT_READ | PROT_WRITE))
            fr_fail("no memory for the stack of a virtual thread: lower OMP_STACKSIZE or the number of threads");
        fr_stack(stacks_ready, low, stack_bytes);
    }
}

char *vo_stack_top(int slot) { return stacks + (size_t)(slot + 1) * stride; }
size_t vo_stack_bytes(void) { return stack_bytes; }

/* So many that lie one after another; fewer where there are no more, from the one that is returned on. */
int vo_slots_take(int *wanted) {
    int best = 0, most = 0;
    for (int i = 0, free = 0; i < VO_THREADS && most < *wanted; i++) {
        free = taken[i] ? 0 : free + 1;
        if (free > most) {
            most = free;
            best = i - free + 1;
        }
    }
    *wanted = most;
    for (int i = 0; i < most; i++)
        taken[best + i] = true;
    return best;
}

void vo_slots_give(int slot, int count) {
    for (int i = 0; i < count; i++)
        taken[slot + i] = false;
}

/* Numbers of threads that are not of the initial thread's teams: from the last one on, as those count from the first. */
static bool numbered[VO_THREADS];

int vo_thread_take(void) {
    for (int i = VO_THREADS - 1; i > 0; i--)
        if (!numbered[i]) {
            numbered[i] = true;
            return i;
        }
    fr_fail("more than 1023 virtual threads at once: foresee has no room for more");
}

void vo_thread_give(int thread) {
    numbered[thread] = false;
    vo_tls_forget(thread);
    vo_locals_forget(thread);
}
