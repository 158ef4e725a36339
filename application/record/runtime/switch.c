/* switch.c - from one stack to another.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "fiber.h"

/* vo_switch(save, to) keeps the registers that a function must preserve, the modes of floating point among them, on the
 * stack, stores the stack pointer in *save, and goes on with the stack whose pointer is to. */

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl vo_switch\n"
        ".hidden vo_switch\n"
        ".type vo_switch,@function\n"
        "vo_switch:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
        "  ret\n"
        ".size vo_switch, .-vo_switch\n");

/* A stack as vo_switch leaves it, so that the first switch to it enters the function; above it a return address of 0,
 * where unwinding ends. */
void *vo_first_frame(char *top, void (*entry)(void)) {
    void **sp = (void **)top - 9;
    memset(sp, 0, 9 * sizeof *sp);
    uint32_t modes[2] = {0, 0};
    __asm__ volatile("stmxcsr %0\n fnstcw %1" : "=m"(modes[0]), "=m"(modes[1]));
    memcpy(sp, modes, sizeof modes);
    memcpy(&sp[7], &entry, sizeof entry);
    return sp;
}
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl vo_switch\n"
        ".hidden vo_switch\n"
        ".type vo_switch,%function\n"
        "vo_switch:\n"
        "  sub sp, sp, #176\n"
        "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mrs x16, fpcr\n  stp x16, x30, [sp, #160]\n"
        "  mov x16, sp\n  str x16, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  ldp x16, x17, [sp, #160]\n  msr fpcr, x16\n"
        "  add sp, sp, #176\n  br x17\n"
        ".size vo_switch, .-vo_switch\n");

void *vo_first_frame(char *top, void (*entry)(void)) {
    void **sp = (void **)top - 22;
    memset(sp, 0, 22 * sizeof *sp);
    __asm__ volatile("mrs %0, fpcr" : "=r"(sp[20]));
    memcpy(&sp[21], &entry, sizeof entry);
    return sp;
}
#else
#error "foresee's virtual OpenMP runs on x86-64 and aarch64: other processors need a vo_switch here"
#endif
