/* idle.S - what recorded code calls, for programs and libraries that run while others are compiled: nothing is kept.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads may share the log, which is only written: each writes less than GUARD bytes before and behind where it takes it to end. */
#if defined(__x86_64__)
#define GUARD 4096
#define ROOM 65536

    .bss
    .p2align 6
    .skip GUARD
log:
    .skip ROOM
limit:
    .skip GUARD

    .data
    .p2align 3
    .globl fr_cursor, fr_limit, fr_soon
    .hidden fr_cursor, fr_limit, fr_soon
fr_cursor:
    .quad log
fr_limit:
fr_soon:
    .quad limit

    .text
    .globl fr_flush, fr_module, fr_module_placed
    .hidden fr_flush, fr_module, fr_module_placed
    .type fr_flush, @function
fr_flush:
    pushq %r11
    leaq log(%rip), %r11
    movq %r11, fr_cursor(%rip)
    popq %r11
    ret
    .size fr_flush, .-fr_flush

    .type fr_module, @function
    .type fr_module_placed, @function
fr_module:
fr_module_placed:
    ret
    .size fr_module, .-fr_module
    .section .note.GNU-stack,"",@progbits
#endif
