/* own.c - threads that the program, or a library, makes by means of the C library: pthread_create and what goes with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To the recorder they run on as many processors as the run has threads, each new one on the processor that has the fewest; from the first one on until
 * the last one has ended there is a region, as of OpenMP. */
#define _GNU_SOURCE
#include "own.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *vo_library(const char *name) {
    void *f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"); /* of conditions there are older ones */
    if (!f)
        f = dlsym(RTLD_NEXT, name);
    if (!f)
        fr_fail("the C library lacks a function of threads");
    return f;
}

static struct own initial;
static struct own *all; /* but the initial one */
static uint64_t threads;

struct own *vo_me(void) { return vo_current->own ? vo_current->own : vo_current == vo_fiber_initial() ? &initial : NULL; }

static struct own *known(pthread_t thread) {
    if (thread == pthread_self() && vo_me())
        return vo_me();
    if (thread == (pthread_t)&initial || thread == REAL(pthread_self)())
        return &initial;
    for (struct own *o = all; o; o = o->next)
        if (thread == (pthread_t)o)
            return o;
    return NULL;
}

static void forget(struct own *o) {
    for (struct own **p = &all; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            vo_free(o);
            return;
        }
}

/* ---- begin and end ---- */

static _Noreturn void finish(struct own *me) {
    int thread = vo_current->thread;
    bool main = me == &initial;
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS; i++) {
        vo_tls_end();
        vo_keys_end();
    }
    me->finished = true;
    me->phase = vo_phase();
    me->fiber = NULL;
    vo_wake_all(me);
    if (!main) {
        vo_keys_forget(thread);
        vo_thread_give(thread);
        vo_region_end();
        if (me->detached)
            forget(me);
    }
    vo_fiber_end();
}

static void run(void) {
    struct own *me = vo_current->own;
    me->result = me->start11 ? (void *)(intptr_t)me->start11(me->argument) : me->start(me->argument);
    finish(me);
}

static void check_run(void) {
#ifndef FORESEE_PRELOAD
    if (fr_cut)
        fr_fail("the program starts threads of its own (pthread_create), so that one run cannot be dealt to any number of threads: run it with that number of virtual threads");
#endif
}

/* The stack that attributes ask for, NULL: the usual one is large enough. */
static char *stack_of(const pthread_attr_t *attributes) {
    void *low = NULL;
    size_t bytes = 0;
    if (!attributes || pthread_attr_getstack(attributes, &low, &bytes) || bytes <= vo_stack_bytes())
        return NULL;
    low = vo_map(0x5e0000000000, bytes, PROT_READ | PROT_WRITE, "no memory for the stack of a thread");
    return (char *)low + bytes;
}

/* Returns NULL where there are as many as there can be. */
static struct own *begin(const pthread_attr_t *attributes) {
    check_run();
    vo_phase();
    int slots = 1, slot = vo_slots_take(&slots);
    if (slots == 0)
        return NULL;
    struct own *o = vo_alloc(sizeof *o);
    o->team = (struct team){.threads = 1, .slots = 1};
    o->team.shares = &o->team.only;
    o->task.references = 1;
    o->context = (struct context){.team = &o->team, .task = &o->task};
    vo_own_threads = true;
    fr_soon_again();
    vo_threads_begin();
    int thread = vo_thread_take(), detached = 0;
    if (attributes && !pthread_attr_getdetachstate(attributes, &detached))
        o->detached = detached == PTHREAD_CREATE_DETACHED;
    vo_tls_prepare(thread, 1);
    vo_stack_ready(slot);
    char *stack = stack_of(attributes);
    o->fiber = vo_fiber_prepare(slot, stack ? stack : vo_stack_top(slot), thread, vo_core(), &o->context, run);
    o->fiber->own = o;
    o->fiber->piece->own = ++threads;
    o->next = all;
    return all = o;
}

static void start(struct own *o, const void *function) {
    vo_region_begin((const char *)function + 1, -1);
    vo_piece_of_initial();
    vo_fiber_begin(o->fiber);
    vo_fair();
}

int vo_thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), int (*function11)(void *), void *argument) {
    struct own *o = begin(attributes);
    if (!o)
        return EAGAIN;
    o->start = function;
    o->start11 = function11;
    o->argument = argument;
    *thread = (pthread_t)o;
    start(o, function ? (const void *)function : (const void *)function11);
    return 0;
}

OURS int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    if (!vo_on_only_thread())
        return REAL(pthread_create)(thread, attributes, function, argument);
    return vo_thread_create(thread, attributes, function, NULL, argument);
}

/* ---- who ---- */

OURS pthread_t pthread_self(void) {
    if (!vo_on_only_thread() || vo_current->thread == 0)
        return REAL(pthread_self)();
    return vo_current->own ? (pthread_t)vo_current->own : (pthread_t)vo_current;
}

/* ---- the end of another one ---- */

static int join_until(pthread_t thread, void **result, uint64_t deadline) {
    struct own *o = known(thread);
    vo_cancel_point();
    if (!o)
        return ESRCH;
    if (o == vo_me())
        return EDEADLK;
    if (o->detached)
        return EINVAL;
    while (!o->finished) {
        if (!vo_block_until(o, "for a thread to end", deadline, true) && !o->finished)
            return ETIMEDOUT;
        vo_cancel_point();
    }
    vo_phase_at_least(o->phase);
    if (result)
        *result = o->result;
    if (o != &initial)
        forget(o);
    return 0;
}

OURS int pthread_join(pthread_t thread, void **result) { return join_until(thread, result, 0); }

OURS int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *at) {
    return join_until(thread, result, at ? vo_deadline(CLOCK_REALTIME, at) : 0);
}

OURS int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *at) {
    return join_until(thread, result, at ? vo_deadline(clock, at) : 0);
}

OURS int pthread_tryjoin_np(pthread_t thread, void **result) {
    const struct own *o = known(thread);
    if (o && !o->finished) {
        fr_yield();
        return EBUSY;
    }
    return join_until(thread, result, 0);
}

OURS int pthread_detach(pthread_t thread) {
    struct own *o = known(thread);
    if (!o)
        return ESRCH;
    if (o->detached)
        return EINVAL;
    o->detached = true;
    if (o->finished)
        forget(o);
    return 0;
}

/* ---- its own end: what it has on its stack is left in order, innermost first ---- */

/* What a compiler of C makes of pthread_cleanup_push: a place to go to, and room for us. */
struct cleanup {
    struct {
        __jmp_buf registers;
        int mask_was_saved;
    } place;
    struct cleanup *outer;
    void *more[3];
};

struct _Unwind_Exception {
    uint64_t class;
    void (*clean)(int, struct _Unwind_Exception *);
    uint64_t private[2];
} __attribute__((aligned(16)));
struct _Unwind_Context;
enum { END_OF_STACK = 16 };
int _Unwind_ForcedUnwind(struct _Unwind_Exception *, int (*)(int, int, uint64_t, struct _Unwind_Exception *, struct _Unwind_Context *, void *), void *);
uint64_t _Unwind_GetCFA(struct _Unwind_Context *);

static int next_frame(int version, int actions, uint64_t class, struct _Unwind_Exception *e, struct _Unwind_Context *context, void *of) {
    (void)version, (void)class, (void)e;
    struct own *me = of;
    struct cleanup *c = me->cleanups;
    if (c && ((actions & END_OF_STACK) || _Unwind_GetCFA(context) > (uint64_t)c)) {
        me->cleanups = c->outer;
        jmp_buf place = {0};
        memcpy(place[0].__jmpbuf, c->place.registers, sizeof place[0].__jmpbuf);
        longjmp(place, 1);
    }
    if (actions & END_OF_STACK)
        finish(me);
    return 0; /* go on */
}

static _Noreturn void unwind(struct own *me) {
    static struct _Unwind_Exception exceptions[VO_THREADS];
    me->ending = true;
    _Unwind_ForcedUnwind(&exceptions[vo_current->thread], next_frame, me);
    finish(me); /* code without what unwinding needs */
}

OURS void __pthread_register_cancel(struct cleanup *c);
OURS void __pthread_register_cancel(struct cleanup *c) {
    struct own *me = vo_me();
    if (!me)
        return;
    c->outer = me->cleanups;
    me->cleanups = c;
}

OURS void __pthread_unregister_cancel(struct cleanup *c);
OURS void __pthread_unregister_cancel(struct cleanup *c) {
    struct own *me = vo_me();
    if (me)
        me->cleanups = c->outer;
}

_Noreturn OURS void __pthread_unwind_next(struct cleanup *c);
_Noreturn OURS void __pthread_unwind_next(struct cleanup *c) {
    struct own *me = vo_me();
    me->cleanups = c->outer;
    unwind(me);
}

_Noreturn OURS void pthread_exit(void *result) {
    struct own *me = vo_me();
    if (!me)
        fr_fail("a thread of OpenMP calls pthread_exit: it cannot end before its team");
    me->result = result;
    unwind(me);
}

/* ---- cancelling: where a thread waits, or asks ---- */

bool vo_shares(void) { return vo_own_threads && vo_on_only_thread() && vo_others(); }

bool vo_cancels(void) {
    struct own *me = vo_me();
    return me && me->cancelled && !me->no_cancel && !me->ending;
}

void vo_cancel_point(void) {
    if (vo_cancels())
        pthread_exit(PTHREAD_CANCELED);
}

OURS void pthread_testcancel(void) { vo_cancel_point(); }

OURS int pthread_cancel(pthread_t thread) {
    struct own *o = known(thread);
    if (!o)
        return ESRCH;
    o->cancelled = true;
    if (o->at_once && o != vo_me())
        fr_fail("pthread_cancel of a thread that asked to be ended at once (PTHREAD_CANCEL_ASYNCHRONOUS): foresee ends threads where they wait");
    if (o == vo_me() && o->at_once)
        vo_cancel_point();
    else if (o->fiber && !o->no_cancel)
        vo_interrupt(o->fiber);
    return 0;
}

OURS int pthread_setcancelstate(int state, int *before) {
    struct own *me = vo_me();
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (before)
        *before = me && me->no_cancel ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    if (me)
        me->no_cancel = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

OURS int pthread_setcanceltype(int type, int *before) {
    struct own *me = vo_me();
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (before)
        *before = me && me->at_once ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    if (me)
        me->at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    return 0;
}
