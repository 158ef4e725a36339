/* omp.c - the omp_ functions; the locks are in sync.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * There is one device, the host, with one place that holds all processors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "team.h"

#define UNUSED __attribute__((unused))

/* A plain run that shows whether the answers matter: each thread is told that it is the only one. */
static bool told_one(void) {
    static int on = -1;
    if (on < 0)
        on = getenv("FORESEE_TOLD_ONE") != NULL;
    return on;
}

/* What depends on the thread or on how many there are cannot be dealt to another number of threads. */
static void note(int what, const void *pc) {
    if (vo_at()->team->forked)
        fr_note(what, pc);
}

int omp_get_thread_num(void) {
    note(FR_NOTE_THREAD_NUMBER, VO_CALLER);
    return told_one() ? 0 : vo_at()->number;
}

int omp_get_num_threads(void) {
    note(FR_NOTE_THREAD_COUNT, VO_CALLER);
    return told_one() ? 1 : vo_at()->team->threads;
}

static bool told; /* how many threads there are */

static void note_anywhere(const void *pc) {
    told = true;
    if (fr_cut)
        fr_note(FR_NOTE_THREAD_LIMIT, pc);
}

int omp_get_max_threads(void) {
    note_anywhere(VO_CALLER);
    return told_one() ? 1 : vo_max_threads();
}

int omp_get_num_procs(void) {
    note_anywhere(VO_CALLER);
    return told_one() ? 1 : vo_processors();
}

/* As gfortran calls them: other names, so that who asked is known. */
#define AS_FORTRAN(NAME) int NAME##_(void) __attribute__((alias(#NAME)))
AS_FORTRAN(omp_get_thread_num);
AS_FORTRAN(omp_get_num_threads);
AS_FORTRAN(omp_get_max_threads);
AS_FORTRAN(omp_get_num_procs);

void omp_set_num_threads(int n) {
    if (fr_cut && n == 1 && told) /* what it was told: its regions are not to run alone for that */
        n = 0;
    vo_at()->set_threads = n > 0 ? n : 0;
    if (n > 1)
        vo_note_asked(n, VO_CALLER);
}
int omp_get_thread_limit(void) { return VO_THREADS; }
int omp_in_parallel(void) { return !fr_cut && !told_one() && vo_at()->team->active_level > 0; }
int omp_get_level(void) { return vo_at()->team->level; }
int omp_get_active_level(void) { return fr_cut || told_one() ? 0 : vo_at()->team->active_level; }
int omp_in_final(void) { return vo_at()->task->final; }

void omp_set_dynamic(int on) { vo_settings.dynamic = on != 0; }
int omp_get_dynamic(void) { return vo_settings.dynamic; }
void omp_set_nested(int on) { vo_settings.levels = on ? VO_THREADS : 1; }
int omp_get_nested(void) { return vo_settings.levels > 1; }
void omp_set_max_active_levels(int n) { vo_settings.levels = n < 0 ? vo_settings.levels : n; }
int omp_get_max_active_levels(void) { return vo_settings.levels; }
int omp_get_supported_active_levels(void) { return INT_MAX; }
int omp_get_cancellation(void) { return 0; }
int omp_get_max_task_priority(void) { return 0; }

/* The place of this thread in the region of a level, NULL: there is none. */
static const struct context *at_level(int level) {
    const struct context *at = vo_at();
    if (level < 0 || level > at->team->level)
        return NULL;
    while (at->team->level > level)
        at = at->team->outer;
    return at;
}

int omp_get_ancestor_thread_num(int level) {
    const struct context *at = at_level(level);
    if (!at)
        return -1;
    if (at->team->forked)
        fr_note(FR_NOTE_THREAD_NUMBER, VO_CALLER);
    return told_one() ? 0 : at->number;
}

int omp_get_team_size(int level) {
    const struct context *at = at_level(level);
    if (!at)
        return -1;
    if (at->team->forked)
        fr_note(FR_NOTE_THREAD_COUNT, VO_CALLER);
    return told_one() ? 1 : at->team->threads;
}

/* omp_sched_t: static 1, dynamic 2, guided 3, auto 4, with a bit for monotonic. */
void omp_set_schedule(unsigned kind, int chunk) {
    kind &= 0x7fffffff;
    if (kind < 1 || kind > 4)
        return;
    vo_settings.schedule = kind == 4 ? FR_STATIC : (int)kind;
    vo_settings.chunk = chunk > 0 && kind != 4 ? (uint64_t)chunk : 0;
}

/* What libomp has where nobody said a schedule, and libgomp. This file is compiled by what compiled the program, but where it comes before a program
 * as it is. */
static int usual_schedule(void) {
#if defined(FORESEE_PRELOAD)
    return dlsym(RTLD_NEXT, "__kmpc_fork_call") ? FR_STATIC : FR_DYNAMIC;
#elif defined(__clang__)
    return FR_STATIC;
#else
    return FR_DYNAMIC;
#endif
}

void omp_get_schedule(unsigned *kind, int *chunk) {
    int s = vo_settings.schedule ? vo_settings.schedule : usual_schedule();
    *kind = (unsigned)s;
    *chunk = vo_settings.chunk == 0 && s != FR_STATIC ? 1 : (int)vo_settings.chunk;
}

double omp_get_wtime(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double omp_get_wtick(void) { return 1e-9; }

int omp_get_proc_bind(void) { return 0; }
int omp_get_num_places(void) { return 1; }
int omp_get_place_num_procs(int place) { return place == 0 ? omp_get_num_procs() : 0; }
void omp_get_place_proc_ids(int place, int *ids) {
    for (int i = 0, n = omp_get_place_num_procs(place); i < n; i++)
        ids[i] = i;
}
int omp_get_place_num(void) { return 0; }
int omp_get_partition_num_places(void) { return 1; }
void omp_get_partition_place_nums(int *places) { places[0] = 0; }

/* There is no omp_capture_affinity: what it gives tells of threads, and nobody follows text. */
void omp_set_affinity_format(UNUSED const char *format) {}
size_t omp_get_affinity_format(char *text, size_t size) {
    if (size > 0)
        text[0] = 0;
    return 0;
}
void omp_display_affinity(UNUSED const char *format) {}
void omp_display_env(UNUSED int verbose) {}

int omp_is_initial_device(void) { return 1; }
int omp_get_initial_device(void) { return 0; }
int omp_get_default_device(void) { return 0; }
void omp_set_default_device(UNUSED int device) {}
int omp_get_num_devices(void) { return 0; }
int omp_get_device_num(void) { return 0; }
void omp_set_num_teams(UNUSED int n) {}
int omp_get_max_teams(void) { return 0; }
void omp_set_teams_thread_limit(UNUSED int n) {}
int omp_get_teams_thread_limit(void) { return 0; }
int omp_pause_resource(UNUSED int kind, UNUSED int device) { return 0; }
int omp_pause_resource_all(UNUSED int kind) { return 0; }

/* Memory of the program: from its own heap, whatever the allocator. */
void *omp_init_allocator(UNUSED uintptr_t space, UNUSED int n, UNUSED const void *traits) { return (void *)1; }
void omp_destroy_allocator(UNUSED uintptr_t allocator) {}
void omp_set_default_allocator(UNUSED uintptr_t allocator) {}
uintptr_t omp_get_default_allocator(void) { return 1; }
void *omp_alloc(size_t bytes, UNUSED uintptr_t allocator) { return malloc(bytes); }
void *omp_calloc(size_t n, size_t bytes, UNUSED uintptr_t allocator) { return calloc(n, bytes); }
void *omp_realloc(void *p, size_t bytes, UNUSED uintptr_t to, UNUSED uintptr_t from) { return realloc(p, bytes); }
void omp_free(void *p, UNUSED uintptr_t allocator) { free(p); }

void *omp_aligned_alloc(size_t align, size_t bytes, UNUSED uintptr_t allocator) {
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

void *omp_aligned_calloc(size_t align, size_t n, size_t bytes, uintptr_t allocator) {
    if (bytes && n > SIZE_MAX / bytes)
        return NULL;
    void *p = omp_aligned_alloc(align, n * bytes, allocator);
    return p ? memset(p, 0, n * bytes) : NULL;
}
