/* entries.c - the functions that stand before MPI's own, made from the table in calls.def.
 *
 * Each has two names. Programs call MPI_NAME. The Fortran libraries of OpenMPI call PMPI_NAME, those of MPICH either;
 * so what Fortran programs do is seen here too, with arguments that are translated already, and whatever a compiler
 * makes of Fortran names. Each name is passed on to the same name, so that other tools that stand before MPI still
 * get their calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

/* How the count of a buffer is given. */
enum how {
    NOTHING,
    ONE,                  /* count */
    SINGLE,               /* one element */
    MINE,                 /* counts[rank] */
    EACH,                 /* count for each process */
    EACH_NEIGHBOUR,       /* count for each neighbour */
    SUM,                  /* counts[] of all processes */
    SUM_NEIGHBOURS,       /* counts[] of all neighbours */
    SUM_TYPES,            /* counts[] and types[] of all processes */
    SUM_NEIGHBOURS_TYPES, /* counts[] and types[] of all neighbours */
};

struct part {
    unsigned char how, buffer, count, type;
};

/* What to look for in the arguments, counted from 1; 0 stands for none. */
struct shape {
    struct part given, instead;
    unsigned char peer, tag, source, source_tag, root, comm, request, times;
    bool window, sends, wide;
};

#define BUFFER(how, buffer, count, type) .given = {how, buffer, count, type}
#define INSTEAD(how, count, type) .instead = {how, 0, count, type}

static int64_t sum(word counts, int n, bool wide) {
    int64_t all = 0;
    for (int i = 0; i < n; i++)
        all += wide ? ((int64_t *)counts)[i] : ((int *)counts)[i];
    return all;
}

static int64_t sum_types(word counts, word types, int n, bool wide) {
    int64_t all = 0;
    for (int i = 0; i < n; i++) {
        int64_t count = wide ? ((int64_t *)counts)[i] : ((int *)counts)[i];
        if (count > 0)
            all += count * type_size(handle_at(types, i));
    }
    return all;
}

static int64_t bytes_of(struct part p, const word *a, const struct group *g, bool wide) {
    int64_t count = wide ? a[p.count] : (int)a[p.count];
    switch (p.how) {
    case ONE:
        break;
    case SINGLE:
        count = 1;
        break;
    case MINE:
        count = wide ? ((int64_t *)a[p.count])[g->rank] : ((int *)a[p.count])[g->rank];
        break;
    case EACH:
        count *= g->receivers;
        break;
    case EACH_NEIGHBOUR:
        count *= g->neighbours;
        break;
    case SUM:
        count = sum(a[p.count], g->receivers, wide);
        break;
    case SUM_NEIGHBOURS:
        count = sum(a[p.count], g->neighbours, wide);
        break;
    case SUM_TYPES:
        return sum_types(a[p.count], a[p.type], g->receivers, wide);
    case SUM_NEIGHBOURS_TYPES:
        return sum_types(a[p.count], a[p.type], g->neighbours, wide);
    default:
        return 0;
    }
    return count > 0 ? count * type_size(handle(a[p.type])) : 0; /* the type of nothing need not be one */
}

/* one_event describes a call for the order of calls. Peers are those of the world. */
static struct event one_event(enum call call, const struct shape *s, const word *a, struct group *g) {
    struct event e = {.call = (uint16_t)call, .peer = NONE, .tag = NONE, .source = NONE, .source_tag = NONE, .comm = NONE, .root = NONE};
    if (s->peer)
        e.peer = world_rank_or_any(g, (int)a[s->peer]);
    if (s->tag)
        e.tag = (int)a[s->tag];
    if (s->source) {
        e.source = world_rank_or_any(g, (int)a[s->source]);
        e.source_tag = (int)a[s->source_tag];
    }
    if (s->root)
        e.root = (int)a[s->root];
    if (g && !g->window)
        e.comm = comm_number(g);
    return e;
}

static void note_event(struct thread *t, enum call call, const struct shape *s, const word *a, struct group *g, uint64_t bytes, uint64_t begin, uint64_t end) {
    if (events_completes(call)) {
        events_completed(t, call, a, begin, end);
        return;
    }
    struct event e = one_event(call, s, a, g);
    events_matched(t, call, g, &e);
    events_created(call, a);
    word request = events_request(call) ? handle_at(a[events_request(call)], 0) : 0;
    events_add(t, &e, bytes, request, begin, end);
}

/* account counts a call that is done. One that failed may have had any arguments: they are not looked at. It is not
 * made anew for each shape: that would take a compiler ten times as long, for a few nanoseconds a call. */
static __attribute__((noinline)) void account(struct thread *t, enum call call, const struct shape *s, const word *a, bool wide, uint64_t begin, uint64_t end, int failed) {
    uint64_t ns = end - begin;
    struct group *g = s->comm && !failed ? group_of(t, handle(a[s->comm]), s->window) : 0;
    if (failed || (s->comm && !g)) {
        record(t, call, 0, 0, ns);
        return;
    }
    int peer = s->peer ? (int)a[s->peer] : -1;
    bool nobody = s->peer && peer == library.proc_null;
    /* At the root of an intercommunicator, and beside it, buffers have other meanings or none. */
    bool outside = s->root && (int)a[s->root] < 0;
    uint64_t bytes = 0;
    if (s->given.how != NOTHING && !nobody && !outside) {
        bool in_place = s->instead.how != NOTHING && a[s->given.buffer] == library.in_place;
        bytes = (uint64_t)bytes_of(in_place ? s->instead : s->given, a, g, wide || s->wide);
        if (s->times)
            bytes *= (uint64_t)(int)a[s->times];
    }
    int processes = g ? g->processes : 0;
    int to = s->sends && !nobody ? world_rank(g, peer) : -1;
    if (s->request) {
        record(t, call, processes, 0, ns);
        struct start start = {processes, to, bytes, 0, NONE, NONE, NONE, NONE};
        if (events_wanted) {
            struct event e = one_event(call, s, a, g);
            start = (struct start){processes, to, bytes, events_at_once(call), e.tag, e.comm, e.root, e.peer};
        }
        request_remember(handle_at(a[s->request], 0), start);
        return;
    }
    record(t, call, processes, bytes, ns);
    if (s->sends)
        record_peer(t, to, bytes);
    if (events_wanted)
        note_event(t, call, s, a, g, bytes, begin, end);
}

#define NAMED_1 word a1
#define NAMED_2 NAMED_1, word a2
#define NAMED_3 NAMED_2, word a3
#define NAMED_4 NAMED_3, word a4
#define NAMED_5 NAMED_4, word a5
#define NAMED_6 NAMED_5, word a6
#define NAMED_7 NAMED_6, word a7
#define NAMED_8 NAMED_7, word a8
#define NAMED_9 NAMED_8, word a9
#define NAMED_10 NAMED_9, word a10
#define NAMED_11 NAMED_10, word a11
#define NAMED_12 NAMED_11, word a12
#define NAMED_13 NAMED_12, word a13
#define PASSED_1 a1
#define PASSED_2 PASSED_1, a2
#define PASSED_3 PASSED_2, a3
#define PASSED_4 PASSED_3, a4
#define PASSED_5 PASSED_4, a5
#define PASSED_6 PASSED_5, a6
#define PASSED_7 PASSED_6, a7
#define PASSED_8 PASSED_7, a8
#define PASSED_9 PASSED_8, a9
#define PASSED_10 PASSED_9, a10
#define PASSED_11 PASSED_10, a11
#define PASSED_12 PASSED_11, a12
#define PASSED_13 PASSED_12, a13

/* MPI's own library calls PMPI_NAME for its input and output: those are not the program's calls. */
#define FROM_OUTSIDE_MPI_ true
#define FROM_OUTSIDE_PMPI_ (!library_holds(__builtin_return_address(0)))

#define TIMED(prefix, name, call, n, large, ...)                                          \
    EXPORT int prefix##name(NAMED_##n) {                                                  \
        static const struct shape shape = {__VA_ARGS__};                                  \
        static int (*next)(NAMED_##n);                                                    \
        if (!next)                                                                        \
            next = (int (*)(NAMED_##n))mpi_function(#prefix #name);                       \
        struct thread *t = FROM_OUTSIDE_##prefix ? enter() : 0;                           \
        if (!t)                                                                           \
            return next(PASSED_##n);                                                      \
        const word a[] = {0, PASSED_##n};                                                 \
        if (__builtin_expect(events_wanted, 0))                                           \
            a##n = events_before(t, call, a, a##n);                                       \
        uint64_t begin = now();                                                           \
        int failed = next(PASSED_##n);                                                    \
        uint64_t end = now();                                                             \
        account(t, call, &shape, a, large, begin, end, failed);                           \
        snapshot_if_due(end);                                                             \
        leave(t);                                                                         \
        return failed;                                                                    \
    }

/* A loop that polls may ask a million times a second, and reading the clock takes longer than asking: all calls are
 * counted, one in POLLS_PER_TIME is timed. */
enum { POLLS_PER_TIME = 64 };
#define POLLED(prefix, name, call, n)                                                     \
    EXPORT int prefix##name(NAMED_##n) {                                                  \
        static int (*next)(NAMED_##n);                                                    \
        if (!next)                                                                        \
            next = (int (*)(NAMED_##n))mpi_function(#prefix #name);                       \
        struct thread *t = FROM_OUTSIDE_##prefix ? enter() : 0;                           \
        if (!t)                                                                           \
            return next(PASSED_##n);                                                      \
        bool timed = t->polls[call]++ % POLLS_PER_TIME == 0 || events_wanted;             \
        const word a[] = {0, PASSED_##n};                                                 \
        if (__builtin_expect(events_wanted, 0))                                           \
            events_before(t, call, a, 0);                                                 \
        uint64_t begin = timed ? now() : 0;                                               \
        int failed = next(PASSED_##n);                                                    \
        uint64_t end = timed ? now() : 0;                                                 \
        if (timed) {                                                                      \
            record(t, call, 0, 0, end - begin);                                           \
            snapshot_if_due(end);                                                         \
        }                                                                                 \
        if (__builtin_expect(events_wanted, 0))                                           \
            events_polled(t, call, a, begin, end, failed);                                \
        leave(t);                                                                         \
        return failed;                                                                    \
    }

#define BOTH_NAMES(name, call, n, large, ...)                                             \
    TIMED(MPI_, name, call, n, large, __VA_ARGS__)                                        \
    TIMED(PMPI_, name, call, n, large, __VA_ARGS__)
#define CALL(name, n, ...) BOTH_NAMES(name, CALL_##name, n, false, __VA_ARGS__)
#define SIZED(name, n, ...)                                                               \
    BOTH_NAMES(name, CALL_##name, n, false, __VA_ARGS__)                                  \
    BOTH_NAMES(name##_c, CALL_##name, n, true, __VA_ARGS__)
#define COLLECTIVE(name, later, n, n_later, n_init, ...)                                  \
    SIZED(name, n, __VA_ARGS__)                                                           \
    SIZED(later, n_later, __VA_ARGS__)                                                    \
    SIZED(name##_init, n_init, __VA_ARGS__, .request = n_init)
#define POLL(name, n)                                                                     \
    POLLED(MPI_, name, CALL_##name, n)                                                    \
    POLLED(PMPI_, name, CALL_##name, n)
#include "calls.def"
