/* step.S - what instrumented code calls at the end of each segment.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * fr_step preserves every register (calling convention preserve_all, but for r11), so that the code around it keeps
 * its values where they are. */
#if defined(__x86_64__)
    .text
    .globl fr_step
    .type fr_step, @function
    .p2align 4
fr_step:
    movq fr_cursor(%rip), %r11
    cmpq fr_limit(%rip), %r11
    jae full
    ret
full:
    pushq %rbp
    movq %rsp, %rbp
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %rbx
    /* the whole extended state, on a stack aligned for it */
    subq fr_xsave_bytes(%rip), %rsp
    andq $-64, %rsp
    movq %rsp, %rbx
    xorl %eax, %eax
    movl $64, %ecx
    leaq 512(%rbx), %rdi
    rep stosb
    movl $-1, %eax
    movl $-1, %edx
    cmpq $512, fr_xsave_bytes(%rip)
    jbe 2f
    xsave (%rbx)
    jmp 3f
2:  fxsave (%rbx)
3:  cld
    call fr_full
    movl $-1, %eax
    movl $-1, %edx
    cmpq $512, fr_xsave_bytes(%rip)
    jbe 4f
    xrstor (%rbx)
    jmp 5f
4:  fxrstor (%rbx)
5:  leaq -72(%rbp), %rsp
    popq %rbx
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    popq %rbp
    ret
    .size fr_step, .-fr_step

/* what code calls that was rewritten as assembly, where the log is full, or where others may run; it preserves r11 as well */
    .globl fr_flush
    .type fr_flush, @function
fr_flush:
    pushq %r11
    call full
    popq %r11
    ret
    .size fr_flush, .-fr_flush

/* void fr_on_stack(void *top, int (*main)(int, char **, char **), int argc, char **argv, char **envp): calls main there */
    .globl fr_on_stack
    .type fr_on_stack, @function
fr_on_stack:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rdi, %rsp
    movq %rsi, %rax
    movl %edx, %edi
    movq %rcx, %rsi
    movq %r8, %rdx
    call *%rax
    movq %rbp, %rsp
    popq %rbp
    ret
    .cfi_endproc
    .size fr_on_stack, .-fr_on_stack
    .section .note.GNU-stack,"",@progbits
#else
#error foresee: the recorder needs fr_step and fr_on_stack for this processor (step.S)
#endif
