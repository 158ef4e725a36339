/* fiber.c - fibers: who can run and who waits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fiber.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Among threads of the program's own, words of recording by which one may run ahead of the others before it lets them: the
 * shorter, the nearer is the order to that of threads that run at once; a switch costs as much as some hundred words. Chosen. */
enum { AHEAD = 1 << 15 };

static struct fiber initial = {
    .next = &initial, .previous = &initial, .slot = -1, .at = &vo_initial, .piece = initial.pieces,
};
static struct fiber fibers[VO_THREADS];
struct fiber *vo_current = &initial;
bool vo_own_threads;

static struct fiber *waiting;       /* those that wait, first come first; the last one is waiting->previous */
static uint64_t soonest;            /* no deadline is before that; 0: there is none */
static uint64_t passed, counted;    /* of the clock: beside the words; words when the current fiber began */
static int loads[VO_THREADS] = {1}; /* fibers by their number for the recorder */

struct vo_exceptions *__cxa_get_globals(void) __attribute__((weak));

struct fiber *vo_fiber(int slot) { return &fibers[slot]; }
struct fiber *vo_fiber_initial(void) { return &initial; }
bool vo_on_fiber(void) { return vo_current != &initial; }

uint64_t vo_now(void) { return fr_noted() + passed; }
void vo_pass(uint64_t ns) { passed += ns; }

int vo_core(void) {
    int best = 0;
    for (int i = 1; i < fr_threads && i < VO_THREADS; i++)
        if (loads[i] < loads[best])
            best = i;
    return best;
}

struct fiber *vo_fiber_prepare(int slot, char *stack, int thread, int recorded, struct context *at, void (*entry)(void)) {
    struct fiber *f = &fibers[slot];
    memset(f, 0, sizeof *f);
    f->slot = slot;
    f->thread = thread;
    f->recorded = recorded;
    loads[recorded]++;
    f->ran = f->phase_from = vo_current->ran;
    f->phase = vo_current->phase;
    f->at = at;
    f->piece = f->pieces;
    *f->piece = (struct fr_piece){.kind = FR_EACH, .phase = f->phase};
    f->stack_pointer = vo_first_frame(stack, entry);
    return f;
}

static void account(void) {
    uint64_t words = fr_noted();
    vo_current->ran += words - counted;
    counted = words;
}

static void switch_fibers(struct fiber *from, struct fiber *to) {
    int error = errno;
    account();
    if (__cxa_get_globals)
        from->exceptions = *__cxa_get_globals();
    vo_tls_switch(to->thread);
    if (__cxa_get_globals)
        *__cxa_get_globals() = to->exceptions;
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

void vo_piece_set(const struct fr_piece *piece) {
    struct fiber *me = vo_current;
    me->piece = me->piece == me->pieces ? me->pieces + 1 : me->pieces;
    *me->piece = *piece;
    me->piece->phase = me->phase;
    fr_thread(me->recorded, me->piece);
}

/* ---- the ring, and those that wait ---- */

static void unlink_fiber(struct fiber *f) {
    if (f == waiting)
        waiting = f->next == f ? NULL : f->next;
    f->previous->next = f->next;
    f->next->previous = f->previous;
    f->next = f->previous = f;
}

static void link_before(struct fiber *f, struct fiber *place) {
    f->next = place;
    f->previous = place->previous;
    place->previous->next = f;
    place->previous = f;
}

static void wait_in_line(struct fiber *f) {
    f->next = f->previous = f;
    if (waiting)
        link_before(f, waiting);
    else
        waiting = f;
}

/* What one has done before the other goes on is of a lower phase than what that does then, but where it is little. */
uint64_t vo_phase(void) {
    enum { LITTLE = 1 << 13 }; /* segments and accesses, so that threads that are started one after the other run at once; chosen */
    struct fiber *me = vo_current;
    account();
    if (!vo_own_threads)
        me->phase_from = me->ran; /* nobody runs beside what was before */
    else if (me->ran - me->phase_from > LITTLE)
        vo_phase_at_least(me->phase + 1);
    return me->phase;
}

void vo_phase_at_least(uint64_t phase) {
    struct fiber *me = vo_current;
    if (phase <= me->phase)
        return;
    me->phase = phase;
    me->phase_from = me->ran;
    vo_piece_set(me->piece);
}

static void wake(struct fiber *f) {
    unlink_fiber(f);
    f->key = NULL;
    f->deadline = 0;
    if (f->ran < vo_current->ran)
        f->ran = vo_current->ran;
    link_before(f, vo_current);
}

static struct fiber *of_key(const void *key, uint32_t bits) {
    struct fiber *f = waiting;
    if (f)
        do {
            if (f->key == key && (bits == 0 || f->bits & bits))
                return f;
            f = f->next;
        } while (f != waiting);
    return NULL;
}

int vo_wake_bits(const void *key, uint32_t bits, int most) {
    int n = 0;
    uint64_t phase = most > 0 && of_key(key, bits) ? vo_phase() : 0;
    for (struct fiber *f; n < most && (f = of_key(key, bits)); n++) {
        wake(f);
        if (f->phase < phase) {
            f->phase = f->piece->phase = phase;
            f->phase_from = f->ran;
        }
    }
    return n;
}

bool vo_wake_free(const void *key, int most) {
    struct fiber *f = NULL;
    account();
    for (; most > 0 && (f = of_key(key, 0)); most--)
        wake(f);
    return f;
}

bool vo_wake_one(const void *key) { return vo_wake_bits(key, 0, 1) > 0; }
void vo_wake_all(const void *key) { vo_wake_bits(key, 0, VO_THREADS); }

void vo_requeue(const void *from, const void *to, int most) {
    for (struct fiber *f; most > 0 && (f = of_key(from, 0)); most--)
        f->key = to;
}

void vo_interrupt(struct fiber *f) {
    if (f->key && f->cancellable)
        wake(f);
}

/* ---- deadlines ---- */

/* Who is the first to be woken by a deadline, NULL: nobody is. */
static struct fiber *first_late(void) {
    struct fiber *f = waiting, *first = NULL;
    if (f)
        do {
            if (f->deadline && (!first || f->deadline < first->deadline))
                first = f;
            f = f->next;
        } while (f != waiting);
    soonest = first ? first->deadline : 0;
    return first;
}

static void wake_late(struct fiber *f) {
    wake(f);
    f->late = true;
}

static void wake_all_late(void) {
    while (soonest && vo_now() >= soonest) {
        struct fiber *f = first_late();
        if (f && vo_now() >= f->deadline)
            wake_late(f);
    }
}

/* Nobody else can run: the clock goes to the next deadline. */
static struct fiber *pass_to_next(void) {
    struct fiber *f = first_late();
    if (f && f->deadline > vo_now())
        vo_pass(f->deadline - vo_now());
    return f;
}

bool vo_others(void) { return vo_current->next != vo_current || soonest; }

static void due(void) {
    if (soonest)
        wake_all_late();
}

/* ---- turns ---- */

/* Nobody else can run, but some wait for the clock. Who lets others run again and again waits for one of them, so that time goes on ever faster; who
 * does it once, or looks at the same places in a loop, may do something else. */
static void pass_alone(bool loops) {
    enum { YIELD = 1000, LOOP = 1 << 16, FEW = 4096 }; /* ns that it takes, ns that a buffer of such a loop counts for, words between two times: chosen */
    static uint64_t last, step;
    uint64_t words = fr_noted();
    step = !loops && words - last < FEW ? 2 * step : YIELD;
    last = words;
    uint64_t left = soonest - vo_now(), by = loops ? LOOP : step;
    vo_pass(by < left ? by : left);
    wake_all_late();
}

static void yield(bool loops) {
    due();
    if (vo_current->next == vo_current && soonest)
        pass_alone(loops);
    vo_resume(vo_current->next);
}

void fr_yield(void) { yield(false); }

/* The one with the least work behind it: the recorder lets a thread run for long, so the order in which they really would come is
 * that of the work they have done. */
void vo_let_others(void) {
    struct fiber *me = vo_current, *first = me;
    if (vo_own_threads) {
        vo_fair();
        return;
    }
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

void vo_fair(void) {
    struct fiber *me = vo_current, *first = me;
    if (!vo_own_threads)
        return;
    due();
    if (me->next == me)
        return;
    account();
    for (struct fiber *f = me->next; f != me; f = f->next)
        if (f->ran < first->ran)
            first = f;
    if (first->ran + AHEAD < me->ran)
        vo_resume(first);
}

void fr_slice(bool waits) {
    if (waits)
        yield(true);
    else
        vo_fair();
}

static _Noreturn void deadlock(void) {
    static char text[600];
    int used = snprintf(text, sizeof text, "deadlock: all virtual threads wait:");
    struct fiber *f = waiting;
    do {
        if (used > 0 && (size_t)used < sizeof text)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s thread %d %s", f == waiting ? "" : ",",
                             f->own && f->piece->own ? (int)f->piece->own : f->thread, f->reason);
        f = f->next;
    } while (f != waiting);
    fr_fail(text);
}

/* Takes the current fiber out of the ring, and gives the one that is to run in its place; it may be itself, where it waits for a
 * deadline alone. */
static struct fiber *step_out(struct fiber *me, bool waits) {
    struct fiber *next = me->next == me ? NULL : me->next;
    unlink_fiber(me);
    if (waits)
        wait_in_line(me);
    if (next)
        return next;
    if (!waiting || !(next = pass_to_next())) {
        if (waiting)
            deadlock();
        exit(0); /* the last thread ended after the initial one */
    }
    unlink_fiber(next);
    next->key = NULL;
    next->deadline = 0;
    next->late = true;
    if (next->ran < me->ran)
        next->ran = me->ran;
    return next;
}

bool vo_block_until(const void *key, const char *reason, uint64_t deadline, bool cancellable) {
    struct fiber *me = vo_current;
    due();
    account();
    me->key = key;
    me->reason = reason;
    me->deadline = deadline;
    me->late = false;
    me->cancellable = cancellable;
    if (deadline && (!soonest || deadline < soonest))
        soonest = deadline;
    vo_resume(step_out(me, true));
    return !me->late;
}

void vo_block(const void *key, const char *reason) { vo_block_until(key, reason, 0, false); }

void vo_only_this(void) {
    vo_current->next = vo_current->previous = vo_current;
    waiting = NULL;
    soonest = 0;
}

void vo_fiber_begin(struct fiber *f) { link_before(f, vo_current); }

_Noreturn void vo_fiber_end(void) {
    struct fiber *me = vo_current;
    account();
    loads[me->recorded]--;
    if (me->slot >= 0)
        vo_slots_give(me->slot, 1);
    struct fiber *next = step_out(me, false);
    fr_thread(next->recorded, next->piece);
    switch_fibers(me, next);
    abort();
}

void vo_team_begin(int slot, int threads) {
    struct fiber *me = vo_current;
    for (int i = 0; i < threads; i++)
        link_before(&fibers[slot + i], me);
    unlink_fiber(me);
    vo_resume(&fibers[slot]);
}

void vo_team_align(int slot, int threads) {
    struct fiber *place = vo_current; /* one of them */
    struct fiber *me = place;
    for (int i = 0; i < threads; i++)
        if (&fibers[slot + i] != me) {
            unlink_fiber(&fibers[slot + i]);
            fibers[slot + i].key = NULL;
            if (fibers[slot + i].ran < me->ran)
                fibers[slot + i].ran = me->ran;
        }
    for (int i = 0; i < threads; i++) {
        struct fiber *f = &fibers[slot + i];
        if (f < me)
            link_before(f, me);
        else if (f > me) {
            link_before(f, place->next);
            place = f;
        }
    }
}

_Noreturn void vo_team_end(int slot, int threads, struct fiber *opener) {
    struct fiber *me = vo_current;
    account();
    link_before(opener, me);
    for (int i = 0; i < threads; i++) {
        unlink_fiber(&fibers[slot + i]);
        loads[fibers[slot + i].recorded]--;
    }
    if (opener->ran < me->ran)
        opener->ran = me->ran;
    vo_slots_give(slot, threads);
    switch_fibers(me, opener);
    abort();
}
