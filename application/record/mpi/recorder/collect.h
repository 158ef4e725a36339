/* collect.h - what callgrind counts: the program's own work, from MPI_Init to MPI_Finalize, without what it does in MPI. Starting
 * a process costs millions of instructions, and waiting in MPI turns in circles for as long as it takes; neither says anything
 * of the program. What is asked of callgrind are its client requests, as valgrind's manual describes them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_MPI_COLLECT_H
#define FORESEE_MPI_COLLECT_H
#include <stdbool.h>

extern bool under_callgrind; /* from MPI_Init to MPI_Finalize, where callgrind counts */

enum { CALLGRIND_ZERO = 0x43540001, CALLGRIND_TOGGLE = 0x43540002 };

/* Outside of valgrind the sequence does nothing. */
static inline __attribute__((always_inline)) void callgrind_request(long request) {
    volatile long words[6] = {request, 0, 0, 0, 0, 0};
#if defined(__x86_64__)
    long result;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result)
                     : "a"(words), "0"(0L)
                     : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("mov x3, xzr; mov x4, %0; ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
                     :
                     : "r"(words)
                     : "cc", "memory", "x3", "x4");
#else
    (void)words;
#endif
}

/* toggle ends or takes up counting in this thread. */
static inline __attribute__((always_inline)) void callgrind_toggle(void) {
    if (__builtin_expect(under_callgrind, 0))
        callgrind_request(CALLGRIND_TOGGLE);
}
#endif
