/* kmpc.c - the entry points of libomp, for programs built by clang: regions and synchronisation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The number of the thread that the program hands over is not needed: the current one is known. What is not here is
 * not supported, and the linker says so. */
#include "kmpc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

#define UNUSED __attribute__((unused))
#define LOC UNUSED ident_t *loc
#define GTID UNUSED int32_t gtid

enum { MOST = 256 }; /* variables that a region can capture */

int32_t __kmpc_global_thread_num(LOC) { return vo_current->thread; }
int32_t __kmpc_global_num_threads(LOC) { return vo_at()->team->threads; }
int32_t __kmpc_bound_thread_num(LOC) { return vo_at()->number; }
int32_t __kmpc_bound_num_threads(LOC) { return vo_at()->team->threads; }
int32_t __kmpc_in_parallel(LOC) { return vo_at()->team->active_level > 0; }
int32_t __kmpc_ok_to_fork(LOC) { return 1; }
void __kmpc_begin(LOC, UNUSED int32_t flags) {}
void __kmpc_end(LOC) {}

/* Calls a function of 2 + n parameters, all of them pointers. More may be passed than it has: both calling conventions
 * leave it to the caller to take them back. */
#define A4(i) , a[i], a[i + 1], a[i + 2], a[i + 3]
#define A16(i) A4(i) A4(i + 4) A4(i + 8) A4(i + 12)
#define A64(i) A16(i) A16(i + 16) A16(i + 32) A16(i + 48)
#define P4 , void *, void *, void *, void *
#define P16 P4 P4 P4 P4
#define P64 P16 P16 P16 P16

static void call(void *function, void *const *words, int n) {
    int32_t number = vo_current->thread, bound = vo_at()->number;
    void *g = &number, *b = &bound, *a[MOST];
    int passed = n <= 4 ? 4 : n <= 16 ? 16 : n <= 64 ? 64 : MOST;
    memcpy(a, words, (size_t)n * sizeof *a);
    memset(a + n, 0, (size_t)(passed - n) * sizeof *a);
    switch (passed) {
    case 4: ((void (*)(void *, void *P4))function)(g, b A4(0)); break;
    case 16: ((void (*)(void *, void *P16))function)(g, b A16(0)); break;
    case 64: ((void (*)(void *, void *P64))function)(g, b A64(0)); break;
    default:
        ((void (*)(void *, void *P64 P64 P64 P64))function)(g, b A64(0) A64(64) A64(128) A64(192));
    }
}

static void body(struct team *team) { call(team->function, team->data, team->count); }

static void fork_call(void *function, void **words, int n, int asked, const void *pc) {
    struct team team = {.body = body, .function = function, .data = words, .count = n};
    void *image = vo_may_fork() ? vo_tls_freeze(words, n, NULL) : NULL;
    vo_parallel(&team, asked, pc);
    vo_free(image);
}

static int take_asked(void) {
    int asked = vo_at()->asked;
    vo_at()->asked = 0;
    return asked;
}

static void take(void **words, int n, va_list list) {
    if (n > MOST)
        fr_fail("a parallel region captures more than 256 variables: foresee passes no more");
    for (int i = 0; i < n; i++)
        words[i] = va_arg(list, void *);
}

void __kmpc_fork_call(LOC, int32_t n, void *function, ...) {
    void *words[MOST];
    va_list list;
    va_start(list, function);
    take(words, n, list);
    va_end(list);
    fork_call(function, words, n, take_asked(), VO_CALLER);
}

void __kmpc_fork_call_if(LOC, UNUSED int32_t n, void *function, int32_t condition, void *data) {
    int asked = take_asked();
    fork_call(function, &data, data ? 1 : 0, condition ? asked : 1, VO_CALLER);
}

static unsigned teams_asked; /* of the teams construct to come */

void __kmpc_push_num_teams(LOC, GTID, int32_t count, UNUSED int32_t limit) { teams_asked = count > 0 ? (unsigned)count : 0; }
void __kmpc_push_num_teams_51(LOC, GTID, int32_t low, UNUSED int32_t high, UNUSED int32_t limit) {
    teams_asked = low > 0 ? (unsigned)low : 0;
}

static void of_team(void *data) {
    struct team *one = data;
    call(one->function, one->data, one->count);
}

void __kmpc_fork_teams(LOC, int32_t n, void *function, ...) {
    void *words[MOST];
    va_list list;
    va_start(list, function);
    take(words, n, list);
    va_end(list);
    struct team one = {.function = function, .data = words, .count = n};
    unsigned count = teams_asked;
    teams_asked = 0;
    vo_teams(count, of_team, &one);
}

void __kmpc_push_num_threads(LOC, GTID, int32_t threads) { vo_at()->asked = threads; }
void __kmpc_push_proc_bind(LOC, GTID, UNUSED int32_t bind) {}
void __kmpc_serialized_parallel(LOC, GTID) {
    vo_at()->asked = 0;
    vo_alone_begin();
}
void __kmpc_end_serialized_parallel(LOC, GTID) { vo_alone_end(); }

void __kmpc_barrier(LOC, GTID) { vo_barrier(); }
void __kmpc_flush(LOC, ...) { fr_yield(); /* the program may wait for another thread's store */ }

int32_t __kmpc_master(LOC, GTID) {
    if (vo_at()->number != 0)
        return 0;
    vo_one_begin(false);
    return 1;
}

void __kmpc_end_master(LOC, GTID) { vo_piece(FR_EACH); }

int32_t __kmpc_masked(LOC, GTID, int32_t filter) {
    if (vo_at()->number != filter)
        return 0;
    vo_one_begin(false);
    return 1;
}

void __kmpc_end_masked(LOC, GTID) { vo_piece(FR_EACH); }

int32_t __kmpc_single(LOC, GTID) {
    if (!vo_single())
        return 0;
    vo_one_begin(false);
    return 1;
}

void __kmpc_end_single(LOC, GTID) { vo_piece(FR_EACH); }
void __kmpc_scope(LOC, GTID, UNUSED void *reserved) {}
void __kmpc_end_scope(LOC, GTID, UNUSED void *reserved) {}

void __kmpc_copyprivate(LOC, GTID, UNUSED size_t bytes, void *data, void (*copy)(void *, void *), int32_t mine) {
    struct team *team = vo_at()->team;
    void *words[VO_HANDED], *image = NULL;
    if (mine) {
        int n = team->threads > 1 ? vo_tls_words(data) : 0;
        memcpy(words, data, (size_t)n * sizeof *words);
        image = vo_tls_freeze(words, n, NULL);
        team->copied = image ? words : data;
    }
    vo_barrier();
    if (!mine)
        copy(data, team->copied);
    vo_barrier();
    vo_free(image);
}

void __kmpc_critical(LOC, GTID, int32_t *lock) {
    fr_note(FR_NOTE_EXCLUSION, __builtin_return_address(0));
    vo_lock(lock, "for a critical section");
}
void __kmpc_critical_with_hint(LOC, GTID, int32_t *lock, UNUSED uint32_t hint) {
    vo_lock(lock, "for a critical section");
}
void __kmpc_end_critical(LOC, GTID, int32_t *lock) { vo_unlock(lock); }

/* Each thread adds what it has by itself, one after the other. */
int32_t __kmpc_reduce_nowait(LOC, GTID, UNUSED int32_t n, UNUSED size_t bytes, UNUSED void *data,
                             UNUSED void (*reduce)(void *, void *), int32_t *lock) {
    vo_lock(lock, "for a reduction");
    return 1;
}
void __kmpc_end_reduce_nowait(LOC, GTID, int32_t *lock) { vo_unlock(lock); }

int32_t __kmpc_reduce(LOC, GTID, UNUSED int32_t n, UNUSED size_t bytes, UNUSED void *data,
                      UNUSED void (*reduce)(void *, void *), int32_t *lock) {
    vo_lock(lock, "for a reduction");
    return 1;
}

void __kmpc_end_reduce(LOC, GTID, int32_t *lock) {
    vo_unlock(lock);
    vo_barrier();
}

void __kmpc_error(LOC, int severity, const char *message) {
    fprintf(stderr, "omp error directive: %s\n", message ? message : "");
    if (severity == 2)
        exit(1);
}

void *__kmpc_alloc(GTID, size_t bytes, UNUSED void *allocator) { return malloc(bytes); }
void *__kmpc_calloc(GTID, size_t n, size_t bytes, UNUSED void *allocator) { return calloc(n, bytes); }
void *__kmpc_realloc(GTID, void *p, size_t bytes, UNUSED void *to, UNUSED void *from) { return realloc(p, bytes); }
void __kmpc_free(GTID, void *p, UNUSED void *allocator) { free(p); }
void *__kmpc_aligned_alloc(GTID, size_t align, size_t bytes, UNUSED void *allocator) {
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}
