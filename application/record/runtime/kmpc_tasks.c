/* kmpc_tasks.c - the entry points of libomp: tasks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kmpc.h"
#include "team.h"

#define UNUSED __attribute__((unused))
#define LOC UNUSED ident_t *loc
#define GTID UNUSED int32_t gtid

enum { FINAL = 2, DESTRUCTORS = 8 };                /* flags of a task */
enum { DEPEND_IN = 1, DEPEND_ALL = 0x80 };          /* flags of a dependence */
enum { GRAIN_SIZE = 1, GRAIN_TASKS = 2, TASKS_A_THREAD = 10 }; /* how a taskloop is split */

/* kmp_task_t; the program's own data follows. */
struct task_part {
    void *shareds;
    int32_t (*routine)(int32_t gtid, void *task);
    int32_t part;
    int32_t (*destructors)(int32_t gtid, void *task);
    void *priority;
};

struct kmpc_task {
    struct task task;
    int32_t flags;
    bool begun, again; /* an untied task gives itself back where it may be interrupted, to go on at its next part */
    size_t bytes; /* of all, with the program's data */
    _Alignas(64) struct task_part part;
};

struct kmpc_dependence {
    intptr_t address;
    size_t bytes;
    uint8_t flags;
};

static struct kmpc_task *of(void *part) {
    return (struct kmpc_task *)((char *)part - offsetof(struct kmpc_task, part));
}

static void destroy(struct kmpc_task *k) {
    if (k->flags & DESTRUCTORS)
        k->part.destructors(vo_current->thread, &k->part);
}

/* The parts of an untied task that it has not come to; the thread that began it goes on with it. */
static void go_on(struct kmpc_task *k) {
    while (k->again) {
        k->again = false;
        k->part.routine(vo_current->thread, &k->part);
    }
}

static void run(struct task *task) {
    struct kmpc_task *k = (struct kmpc_task *)task;
    k->begun = true;
    k->part.routine(vo_current->thread, &k->part);
    go_on(k);
    destroy(k);
}

static struct kmpc_task *make(size_t bytes, int32_t flags) {
    struct kmpc_task *k = vo_alloc(bytes);
    k->bytes = bytes;
    k->flags = flags;
    k->task.run = run;
    k->task.references = 1;
    k->task.final = (flags & FINAL) != 0;
    return k;
}

void *__kmpc_omp_task_alloc(LOC, GTID, int32_t flags, size_t bytes, size_t shareds,
                            int32_t (*routine)(int32_t, void *)) {
    size_t data = offsetof(struct kmpc_task, part) + ((bytes + 15) & ~(size_t)15);
    struct kmpc_task *k = make(data + shareds, flags);
    k->part.shareds = shareds ? (char *)k + data : NULL;
    k->part.routine = routine;
    return &k->part;
}

/* The caller frees it. */
static struct dependence *dependences(int32_t n, const struct kmpc_dependence *from) {
    struct dependence *d = n > 0 ? vo_alloc((size_t)n * sizeof *d) : NULL;
    for (int32_t i = 0; i < n; i++) {
        bool all = from[i].flags & DEPEND_ALL;
        d[i] = (struct dependence){all ? NULL : (void *)from[i].address, from[i].flags != DEPEND_IN};
    }
    return d;
}

int32_t __kmpc_omp_task(LOC, GTID, void *part) {
    if (of(part)->begun) {
        of(part)->again = true;
        return 0;
    }
    vo_task_start(&of(part)->task, true, NULL, 0);
    return 0;
}

int32_t __kmpc_omp_task_parts(LOC, GTID, void *part) { return __kmpc_omp_task(loc, gtid, part); }

int32_t __kmpc_omp_task_with_deps(LOC, GTID, void *part, int32_t n, const struct kmpc_dependence *list,
                                  UNUSED int32_t n2, UNUSED const struct kmpc_dependence *list2) {
    struct dependence *d = dependences(n, list);
    vo_task_start(&of(part)->task, true, d, n > 0 ? (size_t)n : 0);
    vo_free(d);
    return 0;
}

int32_t __kmpc_omp_reg_task_with_affinity(LOC, GTID, UNUSED void *part, UNUSED int32_t n, UNUSED void *list) {
    return 0;
}

void __kmpc_omp_wait_deps(LOC, GTID, int32_t n, const struct kmpc_dependence *list, UNUSED int32_t n2,
                          UNUSED const struct kmpc_dependence *list2) {
    struct dependence *d = dependences(n, list);
    vo_task_wait_for(d, n > 0 ? (size_t)n : 0);
    vo_free(d);
}

void __kmpc_omp_taskwait_deps_51(LOC, GTID, int32_t n, const struct kmpc_dependence *list, int32_t n2,
                                 const struct kmpc_dependence *list2, UNUSED int32_t nowait) {
    __kmpc_omp_wait_deps(loc, gtid, n, list, n2, list2);
}

/* The program calls the task by itself in between. */
void __kmpc_omp_task_begin_if0(LOC, GTID, void *part) {
    of(part)->begun = true;
    vo_task_adopt(&of(part)->task);
    vo_task_begin(&of(part)->task);
}

void __kmpc_omp_task_complete_if0(LOC, GTID, void *part) {
    go_on(of(part));
    destroy(of(part));
    vo_task_end(&of(part)->task);
}

int32_t __kmpc_omp_taskwait(LOC, GTID) {
    vo_task_wait();
    return 0;
}

int32_t __kmpc_omp_taskyield(LOC, GTID, UNUSED int32_t part) {
    fr_yield();
    return 0;
}

void __kmpc_taskgroup(LOC, GTID) { vo_group_begin(); }
void __kmpc_end_taskgroup(LOC, GTID) { vo_group_end(); }

/* A taskloop: iterations low, low+step ..., of which each task gets some. The bounds are variables in the task. */
struct taskloop {
    struct kmpc_task *pattern;
    size_t low_at, high_at;
    uint64_t low, total, tasks;
    int64_t step;
    void (*duplicate)(void *to, void *from, int32_t last);
};

static uint64_t tasks_of(uint64_t total, int32_t split, uint64_t grain) {
    uint64_t threads = (uint64_t)(fr_cut ? vo_max_threads() : vo_at()->team->threads);
    uint64_t n = TASKS_A_THREAD * threads;
    if (split == GRAIN_SIZE && grain > 0)
        n = total / grain;
    else if (split == GRAIN_TASKS)
        n = grain;
    return n < 1 ? 1 : n < total ? n : total;
}

static void *copy_of(const struct taskloop *t, bool last) {
    struct kmpc_task *from = t->pattern, *to = make(from->bytes, from->flags);
    memcpy(&to->part, &from->part, from->bytes - offsetof(struct kmpc_task, part));
    if (from->part.shareds)
        to->part.shareds = (char *)to + ((char *)from->part.shareds - (char *)from);
    if (t->duplicate)
        t->duplicate(&to->part, &from->part, last);
    return &to->part;
}

static void start_part(const struct taskloop *t, uint64_t i, bool deferred) {
    uint64_t first = vo_task_share(t->total, t->tasks, i), end = vo_task_share(t->total, t->tasks, i + 1);
    char *part = copy_of(t, i + 1 == t->tasks);
    *(uint64_t *)(part + t->low_at) = t->low + first * (uint64_t)t->step;
    *(uint64_t *)(part + t->high_at) = t->low + (end - 1) * (uint64_t)t->step;
    vo_task_start(&of(part)->task, deferred, NULL, 0);
}

static uint64_t trips(uint64_t low, uint64_t high, int64_t step) {
    int64_t span = step > 0 ? (int64_t)(high - low) : (int64_t)(low - high);
    return span < 0 ? 0 : (uint64_t)span / (step > 0 ? (uint64_t)step : -(uint64_t)step) + 1;
}

void __kmpc_taskloop(LOC, GTID, void *part, int32_t deferred, uint64_t *low, uint64_t *high, int64_t step,
                     int32_t nogroup, int32_t split, uint64_t grain, void *duplicate) {
    uint64_t total = trips(*low, *high, step);
    struct taskloop t = {
        .pattern = of(part), .low_at = (size_t)((char *)low - (char *)part),
        .high_at = (size_t)((char *)high - (char *)part), .low = *low, .total = total,
        .tasks = total ? tasks_of(total, split, grain) : 0, .step = step,
        .duplicate = (void (*)(void *, void *, int32_t))duplicate,
    };
    if (!nogroup)
        vo_group_begin();
    for (uint64_t i = 0; i < t.tasks; i++)
        start_part(&t, i, deferred);
    destroy(t.pattern);
    vo_task_release(&t.pattern->task);
    if (!nogroup)
        vo_group_end();
}

void __kmpc_taskloop_5(LOC, GTID, void *part, int32_t deferred, uint64_t *low, uint64_t *high, int64_t step,
                       int32_t nogroup, int32_t split, uint64_t grain, UNUSED int32_t strict, void *duplicate) {
    __kmpc_taskloop(loc, gtid, part, deferred, low, high, step, nogroup, split, grain, duplicate);
}
