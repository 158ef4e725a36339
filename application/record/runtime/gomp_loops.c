/* gomp_loops.c - the entry points of libgomp: worksharing loops and sections, ordered.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Static loops that foresee cc did not rewrite are dealt by the program itself, with omp_get_thread_num. */
#include "gomp.h"

#define UNUSED __attribute__((unused))
typedef unsigned long long ull;

uint64_t gomp_trips(long start, long end, long step) {
    if (step > 0 ? start >= end : start <= end)
        return 0;
    uint64_t span = step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
    return (span - 1) / (step > 0 ? (uint64_t)step : -(uint64_t)step) + 1;
}

static uint64_t trips_ull(bool up, ull start, ull end, ull step) {
    if (up ? start >= end : start <= end)
        return 0;
    return (up ? (end - start - 1) / step : (start - end - 1) / -step) + 1;
}

static bool next(uint64_t *first, uint64_t *end) {
    if (!vo_loop_next())
        return false;
    const struct context *at = vo_at();
    const struct share *s = at->share;
    *first = s->low + at->first * s->step;
    *end = s->low + at->end * s->step;
    return true;
}

static bool next_long(long *first, long *end) {
    uint64_t f, e;
    if (!next(&f, &e))
        return false;
    *first = (long)f;
    *end = (long)e;
    return true;
}

static bool next_ull(ull *first, ull *end) {
    uint64_t f, e;
    if (!next(&f, &e))
        return false;
    *first = f;
    *end = e;
    return true;
}

/* In an ordered loop the turns go by chunks. */
static void wait_for_turn(void) {
    const struct context *at = vo_at();
    while (at->share && at->share->turn != at->first)
        vo_block(&at->share->turn, "for its turn in an ordered loop");
}

static void pass_turn(void) {
    struct context *at = vo_at();
    if (!at->share)
        return;
    wait_for_turn();
    at->share->turn = at->end;
    vo_wake_all(&at->share->turn);
}

void GOMP_ordered_start(void) { wait_for_turn(); }
void GOMP_ordered_end(void) {}

void GOMP_loop_end_nowait(void) {
    vo_doacross_end();
    vo_share_leave();
}

void GOMP_loop_end(void) {
    GOMP_loop_end_nowait();
    vo_barrier();
}

/* Schedules: the kind, whether foresee cc may have encoded another one in it. */
#define LOOP(name, kind, encoded)                                                                                    \
    bool GOMP_loop_##name##_next(long *f, long *e) { return next_long(f, e); }                                      \
    bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long *f, long *e) {                  \
        struct loop l = vo_loop(kind, encoded, gomp_trips(start, end, step), (uint64_t)chunk, (uint64_t)start,      \
                                (uint64_t)step, VO_CALLER);                                                         \
        vo_loop_begin(&l);                                                                                          \
        return next_long(f, e);                                                                                     \
    }                                                                                                               \
    bool GOMP_loop_ull_##name##_next(ull *f, ull *e) { return next_ull(f, e); }                                     \
    bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull chunk, ull *f, ull *e) {           \
        struct loop l = vo_loop(kind, encoded, trips_ull(up, start, end, step), chunk, start, step, VO_CALLER);     \
        vo_loop_begin(&l);                                                                                          \
        return next_ull(f, e);                                                                                      \
    }

#define PARALLEL_LOOP(name, kind, encoded)                                                                           \
    void GOMP_parallel_loop_##name(void (*function)(void *), void *data, unsigned threads, long start, long end,    \
                                   long step, long chunk, UNUSED unsigned flags) {                                  \
        struct loop l = vo_loop(kind, encoded, gomp_trips(start, end, step), (uint64_t)chunk, (uint64_t)start,      \
                                (uint64_t)step, VO_CALLER);                                                         \
        gomp_parallel(function, data, threads, &l, VO_CALLER);                                                      \
    }

#define RUNTIME_LOOP(name)                                                                                           \
    bool GOMP_loop_##name##_next(long *f, long *e) { return next_long(f, e); }                                      \
    bool GOMP_loop_##name##_start(long start, long end, long step, long *f, long *e) {                              \
        struct loop l = vo_loop_runtime(FR_DYNAMIC, gomp_trips(start, end, step), (uint64_t)start, (uint64_t)step,  \
                                        VO_CALLER);                                                                 \
        vo_loop_begin(&l);                                                                                          \
        return next_long(f, e);                                                                                     \
    }                                                                                                               \
    bool GOMP_loop_ull_##name##_next(ull *f, ull *e) { return next_ull(f, e); }                                     \
    bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull *f, ull *e) {                      \
        struct loop l = vo_loop_runtime(FR_DYNAMIC, trips_ull(up, start, end, step), start, step, VO_CALLER);       \
        vo_loop_begin(&l);                                                                                          \
        return next_ull(f, e);                                                                                      \
    }

#define PARALLEL_RUNTIME_LOOP(name)                                                                                  \
    void GOMP_parallel_loop_##name(void (*function)(void *), void *data, unsigned threads, long start, long end,    \
                                   long step, UNUSED unsigned flags) {                                              \
        struct loop l = vo_loop_runtime(FR_DYNAMIC, gomp_trips(start, end, step), (uint64_t)start, (uint64_t)step,  \
                                        VO_CALLER);                                                                 \
        gomp_parallel(function, data, threads, &l, VO_CALLER);                                                      \
    }

#define ORDERED_NEXT(name)                                                                                           \
    bool GOMP_loop_ordered_##name##_next(long *f, long *e) {                                                        \
        pass_turn();                                                                                                \
        return next_long(f, e);                                                                                     \
    }                                                                                                               \
    bool GOMP_loop_ull_ordered_##name##_next(ull *f, ull *e) {                                                      \
        pass_turn();                                                                                                \
        return next_ull(f, e);                                                                                      \
    }

#define ORDERED_LOOP(name, kind, encoded)                                                                            \
    ORDERED_NEXT(name)                                                                                              \
    bool GOMP_loop_ordered_##name##_start(long start, long end, long step, long chunk, long *f, long *e) {          \
        struct loop l = vo_loop(kind, encoded, gomp_trips(start, end, step), (uint64_t)chunk, (uint64_t)start,      \
                                (uint64_t)step, VO_CALLER);                                                         \
        vo_loop_begin(&l);                                                                                          \
        return next_long(f, e);                                                                                     \
    }                                                                                                               \
    bool GOMP_loop_ull_ordered_##name##_start(bool up, ull start, ull end, ull step, ull chunk, ull *f, ull *e) {   \
        struct loop l = vo_loop(kind, encoded, trips_ull(up, start, end, step), chunk, start, step, VO_CALLER);     \
        vo_loop_begin(&l);                                                                                          \
        return next_ull(f, e);                                                                                      \
    }

LOOP(static, FR_STATIC, false)
LOOP(dynamic, FR_DYNAMIC, false)
LOOP(guided, FR_GUIDED, true)
LOOP(nonmonotonic_dynamic, FR_DYNAMIC, false)
LOOP(nonmonotonic_guided, FR_GUIDED, false)
RUNTIME_LOOP(runtime)
RUNTIME_LOOP(nonmonotonic_runtime)
RUNTIME_LOOP(maybe_nonmonotonic_runtime)

PARALLEL_LOOP(static, FR_STATIC, false)
PARALLEL_LOOP(dynamic, FR_DYNAMIC, false)
PARALLEL_LOOP(guided, FR_GUIDED, true)
PARALLEL_LOOP(nonmonotonic_dynamic, FR_DYNAMIC, false)
PARALLEL_LOOP(nonmonotonic_guided, FR_GUIDED, false)
PARALLEL_RUNTIME_LOOP(runtime)
PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

ORDERED_LOOP(static, FR_STATIC, false)
ORDERED_LOOP(dynamic, FR_DYNAMIC, false)
ORDERED_LOOP(guided, FR_GUIDED, true)
ORDERED_NEXT(runtime)

bool GOMP_loop_ordered_runtime_start(long start, long end, long step, long *f, long *e) {
    return GOMP_loop_runtime_start(start, end, step, f, e);
}

bool GOMP_loop_ull_ordered_runtime_start(bool up, ull start, ull end, ull step, ull *f, ull *e) {
    return GOMP_loop_ull_runtime_start(up, start, end, step, f, e);
}

/* Loops whose iterations wait for others: counted from 0, and the inner ones are the program's. */
static bool doacross(unsigned loops, const uint64_t *counts, struct loop l, uint64_t *f, uint64_t *e) {
    vo_doacross_begin((int)loops, counts);
    vo_loop_begin(&l);
    return next(f, e);
}

#define DOACROSS_LOOP(name, kind, encoded)                                                                           \
    bool GOMP_loop_doacross_##name##_start(unsigned loops, const uint64_t *counts, long chunk, uint64_t *f,         \
                                           uint64_t *e) {                                                           \
        return doacross(loops, counts, vo_loop(kind, encoded, counts[0], (uint64_t)chunk, 0, 1, VO_CALLER), f, e);  \
    }                                                                                                               \
    bool GOMP_loop_ull_doacross_##name##_start(unsigned loops, const uint64_t *counts, ull chunk, uint64_t *f,      \
                                               uint64_t *e) {                                                       \
        return doacross(loops, counts, vo_loop(kind, encoded, counts[0], chunk, 0, 1, VO_CALLER), f, e);            \
    }

DOACROSS_LOOP(static, FR_STATIC, false)
DOACROSS_LOOP(dynamic, FR_DYNAMIC, false)
DOACROSS_LOOP(guided, FR_GUIDED, true)

bool GOMP_loop_doacross_runtime_start(unsigned loops, const uint64_t *counts, uint64_t *f, uint64_t *e) {
    return doacross(loops, counts, vo_loop_runtime(FR_DYNAMIC, counts[0], 0, 1, VO_CALLER), f, e);
}

bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, const uint64_t *counts, uint64_t *f, uint64_t *e) {
    return doacross(loops, counts, vo_loop_runtime(FR_DYNAMIC, counts[0], 0, 1, VO_CALLER), f, e);
}

static struct loop sections(unsigned count, const void *pc) {
    return (struct loop){FR_DYNAMIC, true, count, 1, 0, 1, pc};
}

unsigned GOMP_sections_next(void) { return vo_loop_next() ? (unsigned)vo_at()->end : 0; }

unsigned GOMP_sections_start(unsigned count) {
    struct loop l = sections(count, VO_CALLER);
    vo_loop_begin(&l);
    return GOMP_sections_next();
}

void GOMP_sections_end(void) { GOMP_loop_end(); }
void GOMP_sections_end_nowait(void) { GOMP_loop_end_nowait(); }

void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned threads, unsigned count,
                            UNUSED unsigned flags) {
    struct loop l = sections(count, VO_CALLER);
    gomp_parallel(function, data, threads, &l, VO_CALLER);
}
