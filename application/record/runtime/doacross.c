/* doacross.c - ordered(n) with depend(sink) and depend(source): iterations that wait for others.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One thread runs an iteration of the outermost loop, and those inside it in their order. So it is enough to know of each how
 * far it is inside. */
#include <stdarg.h>

#include "team.h"

typedef unsigned long long ull;

/* As the program states a loop to libomp: both bounds are inside. */
struct bounds {
    int64_t low, high, step;
};

struct doacross {
    struct doacross *next; /* of the team */
    uint64_t number;       /* which of the team it is, from 1 */
    int left;              /* threads that are done with it */
    int loops;
    uint64_t *counts;      /* iterations of each loop */
    struct bounds *bounds; /* as libomp has them; NULL: libgomp counts from 0 */
    uint64_t *done;        /* of each outermost iteration: how far, 0: nothing */
};

static struct doacross *make(uint64_t number, int loops, const uint64_t *counts) {
    struct doacross *d = vo_alloc(sizeof *d);
    *d = (struct doacross){.number = number, .loops = loops};
    d->counts = vo_alloc((size_t)loops * sizeof *d->counts);
    for (int i = 0; i < loops; i++)
        d->counts[i] = counts[i];
    d->done = vo_alloc((counts[0] + 1) * sizeof *d->done);
    return d;
}

void vo_doacross_begin(int loops, const uint64_t *counts) {
    struct context *at = vo_at();
    uint64_t number = ++at->doacrosses;
    struct doacross **p = &at->team->doacrosses;
    while (*p && (*p)->number != number)
        p = &(*p)->next;
    if (!*p)
        *p = make(number, loops, counts);
    at->doacross = *p;
}

void vo_doacross_end(void) {
    struct context *at = vo_at();
    struct doacross *d = at->doacross;
    at->doacross = NULL;
    if (!d || ++d->left < at->team->threads)
        return;
    struct doacross **p = &at->team->doacrosses;
    while (*p != d)
        p = &(*p)->next;
    *p = d->next;
    vo_free(d->bounds);
    vo_free(d->done);
    vo_free(d->counts);
    vo_free(d);
}

/* How far an iteration is inside its outermost one, from 1; 0: there is no such iteration. */
static uint64_t place(const struct doacross *d, const uint64_t *at) {
    uint64_t n = 0;
    for (int i = 0; i < d->loops; i++) {
        if (at[i] >= d->counts[i])
            return 0;
        if (i > 0)
            n = n * d->counts[i] + at[i];
    }
    return n + 1;
}

void vo_doacross_post(const uint64_t *at) {
    struct doacross *d = vo_at()->doacross;
    uint64_t n = place(d, at);
    if (n <= (n > 0 ? d->done[at[0]] : 0))
        return;
    d->done[at[0]] = n;
    vo_wake_all(&d->done[at[0]]);
}

void vo_doacross_wait(const uint64_t *at) {
    struct doacross *d = vo_at()->doacross;
    uint64_t n = place(d, at);
    if (n == 0 || vo_at()->team->threads == 1)
        return; /* one thread comes to iterations in their order */
    while (d->done[at[0]] < n)
        vo_block(&d->done[at[0]], "for an iteration of an ordered loop");
}

void GOMP_doacross_post(const long *at) { vo_doacross_post((const uint64_t *)at); }
void GOMP_doacross_ull_post(const ull *at) { vo_doacross_post((const uint64_t *)at); }

static void wait_for(uint64_t first, va_list rest) {
    const struct doacross *d = vo_at()->doacross;
    uint64_t *at = vo_alloc((size_t)d->loops * sizeof *at);
    at[0] = first;
    for (int i = 1; i < d->loops; i++)
        at[i] = va_arg(rest, uint64_t);
    vo_doacross_wait(at);
    vo_free(at);
}

void GOMP_doacross_wait(long first, ...) {
    va_list rest;
    va_start(rest, first);
    wait_for((uint64_t)first, rest);
    va_end(rest);
}

void GOMP_doacross_ull_wait(ull first, ...) {
    va_list rest;
    va_start(rest, first);
    wait_for(first, rest);
    va_end(rest);
}

enum { MOST = 64 }; /* loops in each other; chosen: compilers make far fewer */

void __kmpc_doacross_init(void *loc, int32_t gtid, int32_t loops, const struct bounds *b) {
    (void)loc, (void)gtid;
    if (loops < 1 || loops > MOST)
        fr_fail("an ordered loop has none or more than 64 loops inside each other");
    uint64_t counts[MOST] = {0};
    for (int i = 0; i < loops; i++) {
        bool none = b[i].step > 0 ? b[i].low > b[i].high : b[i].low < b[i].high;
        counts[i] = none ? 0 : (uint64_t)((b[i].high - b[i].low) / b[i].step) + 1;
    }
    vo_doacross_begin(loops, counts);
    struct doacross *d = vo_at()->doacross;
    if (d->bounds)
        return;
    d->bounds = vo_alloc((size_t)loops * sizeof *b);
    for (int i = 0; i < loops; i++)
        d->bounds[i] = b[i];
}

/* An iteration outside of the loops becomes one that is none. */
static void normal(const struct doacross *d, const int64_t *at, uint64_t *to) {
    for (int i = 0; i < d->loops; i++)
        to[i] = (uint64_t)((at[i] - d->bounds[i].low) / d->bounds[i].step);
}

void __kmpc_doacross_post(void *loc, int32_t gtid, const int64_t *at) {
    (void)loc, (void)gtid;
    uint64_t to[MOST];
    normal(vo_at()->doacross, at, to);
    vo_doacross_post(to);
}

void __kmpc_doacross_wait(void *loc, int32_t gtid, const int64_t *at) {
    (void)loc, (void)gtid;
    uint64_t to[MOST];
    normal(vo_at()->doacross, at, to);
    vo_doacross_wait(to);
}

void __kmpc_doacross_fini(void *loc, int32_t gtid) {
    (void)loc, (void)gtid;
    vo_doacross_end();
}
