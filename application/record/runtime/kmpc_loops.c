/* kmpc_loops.c - the entry points of libomp: worksharing loops and sections, ordered.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kmpc.h"
#include "team.h"

#define UNUSED __attribute__((unused))
#define LOC UNUSED ident_t *loc
#define GTID UNUSED int32_t gtid

/* Schedules as libomp numbers them; those of ordered loops are larger by ORDERED. */
enum {
    STATIC_CHUNKED = 33,
    STATIC,
    DYNAMIC,
    GUIDED,
    RUNTIME,
    AUTO,
    STATIC_BALANCED = 45,
    GUIDED_SIMD,
    RUNTIME_SIMD,
    DISTRIBUTE_CHUNKED = 91, /* over teams */
    DISTRIBUTE,
    ORDERED = 32,
    FIRST_ORDERED = 64,
    LAST_ORDERED = 72,
    MONOTONIC = 1 << 29,
    MODIFIERS = 1 << 29 | 1 << 30,
};

/* What a thread is told of a loop that it deals by itself. */
struct part {
    uint64_t first, end, stride;
    bool last;
};

/* Who gets a part: of how many threads, or teams, which one. */
struct who {
    uint64_t threads, number;
};

static struct part chunked(uint64_t total, uint64_t chunk, struct who who) {
    uint64_t threads = who.threads, number = who.number;
    uint64_t chunks = total / chunk + (total % chunk != 0);
    return (struct part){number * chunk, (number + 1) * chunk, chunk * threads, number == (chunks - 1) % threads};
}

static struct part balanced(uint64_t total, uint64_t chunk, struct who who) {
    uint64_t span = (total + who.threads - 1) / who.threads;
    struct part p = chunked(total, (span + chunk - 1) / chunk * chunk, who);
    p.end = p.end < total ? p.end : total;
    p.first = p.first < p.end ? p.first : p.end;
    p.stride = total;
    return p;
}

static struct part block(uint64_t total, struct who who) {
    struct part p = {.stride = total};
    vo_static_block(total, who.threads, who.number, &p.first, &p.end);
    p.last = p.first < p.end && p.end == total;
    return p;
}

static struct part static_part(const ident_t *loc, int schedule, uint64_t total, int64_t chunk, const void *pc) {
    const struct context *at = vo_at();
    const struct who thread = {(uint64_t)at->team->threads, (uint64_t)at->number}, team = {vo_league.teams, vo_league.team};
    uint64_t c = chunk < 1 ? 1 : (uint64_t)chunk;
    schedule &= ~MODIFIERS;
    if (schedule == DISTRIBUTE_CHUNKED)
        return chunked(total, c, team);
    if (schedule == DISTRIBUTE)
        return block(total, team);
    struct part p = schedule == STATIC_CHUNKED    ? chunked(total, c, thread)
                    : schedule == STATIC_BALANCED ? balanced(total, c, thread)
                                                  : block(total, thread);
    uint64_t first = p.first < total ? p.first : total, end = p.end < total ? p.end : total;
    bool one_each = p.stride >= total;
    vo_loop_alone(pc, total, one_each ? first : 0, one_each ? end : 0, loc && loc->flags & IDENT_SECTIONS);
    return p;
}

void __kmpc_for_static_fini(LOC, GTID) { vo_piece(FR_EACH); }

static struct loop dispatched(int schedule, uint64_t total, int64_t chunk, uint64_t low, uint64_t step,
                              const void *pc) {
    int kind = schedule & ~MODIFIERS;
    bool ordered = kind > FIRST_ORDERED && kind < LAST_ORDERED;
    bool encoded = kind == GUIDED + ORDERED || (kind == GUIDED && schedule & MONOTONIC);
    uint64_t c = chunk > 0 ? (uint64_t)chunk : 0;
    switch (ordered ? kind - ORDERED : kind) {
    case STATIC_CHUNKED:
    case STATIC_BALANCED: return vo_loop(FR_STATIC, false, total, c ? c : 1, low, step, pc);
    case STATIC:
    case AUTO: return vo_loop(FR_STATIC, false, total, 0, low, step, pc);
    case DYNAMIC: return vo_loop(FR_DYNAMIC, false, total, c, low, step, pc);
    case GUIDED:
    case GUIDED_SIMD: return vo_loop(FR_GUIDED, encoded, total, c, low, step, pc);
    case RUNTIME:
    case RUNTIME_SIMD: return vo_loop_runtime(FR_STATIC, total, low, step, pc);
    }
    fr_fail("a loop has a schedule that foresee does not know");
}

static void wait_for_turn(struct share *s, uint64_t iteration) {
    while (s->turn != iteration)
        vo_block(&s->turn, "for its turn in an ordered loop");
}

void __kmpc_ordered(LOC, GTID) {
    struct context *at = vo_at();
    if (at->share)
        wait_for_turn(at->share, at->iteration);
}

void __kmpc_end_ordered(LOC, GTID) {}

/* The end of an iteration of an ordered loop, whether it had an ordered part or not. */
static void end_iteration(void) {
    struct context *at = vo_at();
    struct share *s = at->share;
    if (!s)
        return;
    wait_for_turn(s, at->iteration++);
    s->turn++;
    vo_wake_all(&s->turn);
}

static bool next_chunk(void) {
    bool more = vo_loop_next();
    if (!more)
        vo_share_leave();
    return more;
}

void __kmpc_dispatch_deinit(LOC, GTID) {}

/* Loop variables of type T, differences of the unsigned U, steps of the signed S. */
#define LOOPS(suffix, T, U, S)                                                                                       \
    static uint64_t trips_##suffix(T low, T high, S step) {                                                         \
        if (step > 0 ? high < low : low < high)                                                                     \
            return 0;                                                                                               \
        U span = step > 0 ? (U)high - (U)low : (U)low - (U)high;                                                    \
        return (uint64_t)(U)(span / (step > 0 ? (U)step : -(U)step)) + 1;                                           \
    }                                                                                                               \
                                                                                                                    \
    void __kmpc_for_static_init_##suffix(ident_t *loc, GTID, int32_t schedule, int32_t *last, T *low, T *high,      \
                                         S *stride, S step, S chunk) {                                              \
        uint64_t total = trips_##suffix(*low, *high, step);                                                         \
        struct part p = {0};                                                                                        \
        *stride = step;                                                                                             \
        if (total > 0) {                                                                                            \
            p = static_part(loc, schedule, total, chunk, VO_CALLER);                                                \
            *stride = (S)(p.stride * (uint64_t)step);                                                               \
            *high = (T)((uint64_t)*low + (p.end - 1) * (uint64_t)step);                                             \
            *low = (T)((uint64_t)*low + p.first * (uint64_t)step);                                                  \
        }                                                                                                           \
        if (last)                                                                                                   \
            *last = p.last;                                                                                         \
    }                                                                                                               \
                                                                                                                    \
    void __kmpc_dispatch_init_##suffix(LOC, GTID, int32_t schedule, T low, T high, S step, S chunk) {               \
        struct loop loop = dispatched(schedule, trips_##suffix(low, high, step), chunk, (uint64_t)low,              \
                                      (uint64_t)step, VO_CALLER);                                                   \
        vo_loop_begin(&loop);                                                                                       \
    }                                                                                                               \
                                                                                                                    \
    int32_t __kmpc_dispatch_next_##suffix(LOC, GTID, int32_t *last, T *low, T *high, S *stride) {                   \
        struct context *at = vo_at();                                                                               \
        if (!next_chunk())                                                                                          \
            return 0;                                                                                               \
        const struct share *s = at->share;                                                                          \
        *low = (T)(s->low + at->first * s->step);                                                                   \
        *high = (T)(s->low + (at->end - 1) * s->step);                                                              \
        *stride = (S)s->step;                                                                                       \
        if (last)                                                                                                   \
            *last = at->end == s->total;                                                                            \
        return 1;                                                                                                   \
    }                                                                                                               \
                                                                                                                    \
    void __kmpc_dispatch_fini_##suffix(LOC, GTID) { end_iteration(); }

LOOPS(4, int32_t, uint32_t, int32_t)
LOOPS(4u, uint32_t, uint32_t, int32_t)
LOOPS(8, int64_t, uint64_t, int64_t)
LOOPS(8u, uint64_t, uint64_t, int64_t)
