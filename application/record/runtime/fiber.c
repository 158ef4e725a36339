/* fiber.c - fibers: stacks, the switch, who can run and who waits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fiber.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* vo_switch(save, to) keeps the registers that a function must preserve, the modes of floating point among them, on the
 * stack, stores the stack pointer in *save, and goes on with the stack whose pointer is to. */
void vo_switch(void **save, void *to) __attribute__((visibility("hidden")));

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
static void *first_frame(char *top, void (*entry)(void)) {
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

static void *first_frame(char *top, void (*entry)(void)) {
    void **sp = (void **)top - 22;
    memset(sp, 0, 22 * sizeof *sp);
    __asm__ volatile("mrs %0, fpcr" : "=r"(sp[20]));
    memcpy(&sp[21], &entry, sizeof entry);
    return sp;
}
#else
#error "foresee's virtual OpenMP runs on x86-64 and aarch64: other processors need a vo_switch here"
#endif

static const uintptr_t stack_hint = 0x600000000000; /* far from heap and libraries, the same in every run */

static struct fiber initial = {
    .next = &initial, .previous = &initial, .slot = -1, .at = &vo_initial, .piece = initial.pieces,
};
static struct fiber fibers[VO_THREADS];
struct fiber *vo_current = &initial;

static char *stacks;                /* all of them, at a fixed stride */
static size_t stack_bytes, stride, guard;
static int stacks_ready;            /* stacks that can be written */
static struct fiber *waiting;       /* those that wait, first come first; the last one is waiting->previous */

struct vo_exceptions *__cxa_get_globals(void) __attribute__((weak));

struct fiber *vo_fiber(int slot) { return &fibers[slot]; }
int vo_next_slot(void) { return vo_current->slot + 1; }
bool vo_on_fiber(void) { return vo_current != &initial; }

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

static void ready_stack(int thread) {
    if (!stacks)
        reserve_stacks();
    for (; stacks_ready <= thread; stacks_ready++) {
        char *low = stacks + (size_t)stacks_ready * stride + guard;
        if (mprotect(low, stack_bytes, PROT_READ | PROT_WRITE))
            fr_fail("no memory for the stack of a virtual thread: lower OMP_STACKSIZE or the number of threads");
        fr_stack(stacks_ready, low, stack_bytes);
    }
}

void vo_fiber_prepare(int slot, const struct fiber *opener, int number, struct context *at, void (*entry)(void)) {
    ready_stack(slot);
    struct fiber *f = &fibers[slot];
    memset(f, 0, sizeof *f);
    f->slot = slot;
    f->thread = opener->thread + number;
    f->recorded = opener == &initial ? number : opener->recorded;
    f->at = at;
    f->piece = f->pieces;
    f->piece->kind = FR_EACH;
    f->stack_pointer = first_frame(stacks + (size_t)(slot + 1) * stride, entry);
}

void vo_ring(int slot, int threads) {
    waiting = NULL;
    for (int i = 0; i < threads; i++) {
        struct fiber *f = &fibers[slot + i];
        f->key = NULL;
        f->next = &fibers[slot + (i + 1 == threads ? 0 : i + 1)];
        f->previous = &fibers[slot + (i == 0 ? threads - 1 : i - 1)];
    }
}

static void switch_fibers(struct fiber *from, struct fiber *to) {
    if (__cxa_get_globals) {
        struct vo_exceptions *live = __cxa_get_globals();
        from->exceptions = *live;
        *live = to->exceptions;
    }
    vo_tls_switch(to->thread);
    int error = errno;
    vo_current = to;
    vo_switch(&from->stack_pointer, to->stack_pointer);
    errno = error;
}

void vo_resume(struct fiber *to) {
    if (to == vo_current)
        return;
    fr_thread(to->recorded, to->piece);
    switch_fibers(vo_current, to);
}

/* Who opened them was alone: it is so again. */
void vo_run_fibers(struct fiber *from, int slot) {
    fr_thread(fibers[slot].recorded, fibers[slot].piece);
    switch_fibers(from, &fibers[slot]);
    from->next = from->previous = from;
    waiting = NULL;
}

/* The caller tells the recorder. */
_Noreturn void vo_return_to(struct fiber *to) {
    switch_fibers(vo_current, to);
    abort();
}

void fr_yield(void) { vo_resume(vo_current->next); }

void vo_piece_set(const struct fr_piece *piece) {
    struct fiber *me = vo_current;
    me->piece = me->piece == me->pieces ? me->pieces + 1 : me->pieces;
    *me->piece = *piece;
    fr_thread(me->recorded, me->piece);
}

/* Before something is taken that goes to who comes first: the recorder lets a thread run for long, so the order in
 * which they really would come is that of the work they have done. */
void vo_let_others(void) {
    struct fiber *me = vo_current, *first = me;
    uint64_t least = me->next == me ? 0 : fr_work(me->recorded);
    for (struct fiber *f = me->next; f != me; f = f->next) {
        uint64_t work = fr_work(f->recorded);
        if (work >= least)
            continue;
        least = work;
        first = f;
    }
    vo_resume(first);
}

static void unlink_fiber(struct fiber *f) {
    f->previous->next = f->next;
    f->next->previous = f->previous;
}

static void link_before(struct fiber *f, struct fiber *place) {
    f->next = place;
    f->previous = place->previous;
    place->previous->next = f;
    place->previous = f;
}

static void wait_in_line(struct fiber *f) {
    if (waiting) {
        link_before(f, waiting);
        return;
    }
    waiting = f->next = f->previous = f;
}

static _Noreturn void deadlock(void) {
    static char text[600];
    int used = snprintf(text, sizeof text, "deadlock: all virtual threads wait:");
    struct fiber *f = waiting;
    do {
        if (used > 0 && (size_t)used < sizeof text)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s thread %d %s", f == waiting ? "" : ",",
                             f->thread, f->reason);
        f = f->next;
    } while (f != waiting);
    fr_fail(text);
}

void vo_block(const void *key, const char *reason) {
    struct fiber *me = vo_current, *next = me->next;
    unlink_fiber(me);
    me->key = key;
    me->reason = reason;
    wait_in_line(me);
    if (next == me)
        deadlock();
    vo_resume(next);
}

static void wake(struct fiber *f) {
    if (f == waiting)
        waiting = f->next == f ? NULL : f->next;
    unlink_fiber(f);
    f->key = NULL;
    link_before(f, vo_current);
}

void vo_wake_one(const void *key) {
    struct fiber *f = waiting;
    if (!f)
        return;
    do {
        if (f->key == key) {
            wake(f);
            return;
        }
        f = f->next;
    } while (f != waiting);
}

void vo_wake_all(const void *key) {
    if (!waiting)
        return;
    struct fiber *f = waiting, *last = waiting->previous;
    for (;;) {
        struct fiber *next = f->next;
        bool done = f == last;
        if (f->key == key)
            wake(f);
        if (done)
            return;
        f = next;
    }
}
