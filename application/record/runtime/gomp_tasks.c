/* gomp_tasks.c - the entry points of libgomp: tasks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gomp.h"

#define UNUSED __attribute__((unused))

enum { /* flags of a task */
    FINAL = 1 << 1,
    DEPEND = 1 << 3,
    UP = 1 << 8,
    GRAINSIZE = 1 << 9,
    IF = 1 << 10,
    NOGROUP = 1 << 11,
    REDUCTION = 1 << 12,
    DETACH = 1 << 13,
};
enum { DEPEND_IN = 1 }; /* of a depend object */

struct gomp_task {
    struct task task;
    _Alignas(64) char data[];
};

typedef void (*copier)(void *to, void *from);

static void run(struct task *task) { ((void (*)(void *))task->function)(task->data); }

static struct task *make(void (*function)(void *), void *data, copier copy, long bytes, long align, unsigned flags) {
    size_t a = align > 1 ? (size_t)align : 1;
    struct gomp_task *g = vo_alloc(sizeof *g + (size_t)bytes + a);
    struct task *t = &g->task;
    t->run = run;
    t->function = (void *)function;
    t->data = (void *)(((uintptr_t)g->data + a - 1) & ~(uintptr_t)(a - 1));
    t->references = 1;
    t->final = (flags & FINAL) != 0;
    if (copy)
        copy(t->data, data);
    else if (bytes > 0)
        memcpy(t->data, data, (size_t)bytes);
    return t;
}

/* The list begins with its length and how many of it are out; or with 0, its length, how many are out, mutexinoutset
 * and in, the rest being depend objects. The caller frees the result. */
static struct dependence *dependences(void **list, size_t *count) {
    uintptr_t n = (uintptr_t)list[0], out = (uintptr_t)list[1], plain = n, skip = 2;
    if (n == 0) {
        n = (uintptr_t)list[1];
        out = (uintptr_t)list[2] + (uintptr_t)list[3];
        plain = out + (uintptr_t)list[4];
        skip = 5;
    }
    struct dependence *d = vo_alloc((n + 1) * sizeof *d);
    for (uintptr_t i = 0; i < n; i++) {
        void **p = list[skip + i];
        d[i] = i < plain ? (struct dependence){p, i < out} : (struct dependence){p[0], (uintptr_t)p[1] != DEPEND_IN};
    }
    *count = n;
    return d;
}

void GOMP_task(void (*function)(void *), void *data, copier copy, long bytes, long align, bool deferred,
               unsigned flags, void **depend, UNUSED int priority) {
    if (flags & DETACH)
        fr_fail("a task has a detach clause: foresee does not know that yet");
    struct task *t = make(function, data, copy, bytes, align, flags);
    size_t count = 0;
    struct dependence *d = flags & DEPEND ? dependences(depend, &count) : NULL;
    vo_task_start(t, deferred, d, count);
    vo_free(d);
}

void GOMP_taskwait(void) { vo_task_wait(); }
void GOMP_taskyield(void) { fr_yield(); }
void GOMP_taskgroup_start(void) { vo_group_begin(); }
void GOMP_taskgroup_end(void) { vo_group_end(); }

void GOMP_taskwait_depend(void **depend) {
    size_t count;
    struct dependence *d = dependences(depend, &count);
    vo_task_wait_for(d, count);
    vo_free(d);
}

static uint64_t tasks_of(uint64_t total, unsigned long asked, unsigned flags) {
    uint64_t n = asked;
    if (asked == 0)
        n = (uint64_t)(fr_cut ? vo_max_threads() : vo_at()->team->threads);
    else if (flags & GRAINSIZE)
        n = total / asked;
    return n < 1 ? 1 : n < total ? n : total;
}

/* What all tasks of a taskloop have in common. The data of each begins with its first and its end. */
struct taskloop {
    void (*function)(void *);
    void *data;
    copier copy;
    long bytes, align;
    unsigned flags;
    uint64_t tasks, total, start, step;
};

static void start_tasks(const struct taskloop *l) {
    for (uint64_t i = 0; i < l->tasks; i++) {
        struct task *t = make(l->function, l->data, l->copy, l->bytes, l->align, l->flags);
        uint64_t *bounds = t->data;
        bounds[0] = l->start + vo_task_share(l->total, l->tasks, i) * l->step;
        bounds[1] = l->start + vo_task_share(l->total, l->tasks, i + 1) * l->step;
        vo_task_start(t, (l->flags & IF) != 0, NULL, 0);
    }
}

static void taskloop(struct taskloop *l, unsigned long asked) {
    if (l->total == 0 && !(l->flags & REDUCTION))
        return;
    l->tasks = l->total ? tasks_of(l->total, asked, l->flags) : 0;
    if (l->flags & NOGROUP) {
        start_tasks(l);
        return;
    }
    vo_group_begin();
    if (l->flags & REDUCTION) /* stands behind the bounds */
        GOMP_taskgroup_reduction_register(((uintptr_t **)l->data)[2]);
    start_tasks(l);
    vo_group_end();
}

void GOMP_taskloop(void (*function)(void *), void *data, copier copy, long bytes, long align, unsigned flags,
                   unsigned long asked, UNUSED int priority, long start, long end, long step) {
    struct taskloop l = {function, data, copy, bytes, align, flags, 0, gomp_trips(start, end, step),
                         (uint64_t)start, (uint64_t)step};
    taskloop(&l, asked);
}

void GOMP_taskloop_ull(void (*function)(void *), void *data, copier copy, long bytes, long align, unsigned flags,
                       unsigned long asked, UNUSED int priority, unsigned long long start, unsigned long long end,
                       unsigned long long step) {
    uint64_t span = flags & UP ? end - start : start - end, by = flags & UP ? step : -step;
    bool none = flags & UP ? start >= end : start <= end;
    struct taskloop l = {function, data, copy, bytes, align, flags, 0, none ? 0 : (span - 1) / by + 1, start, step};
    taskloop(&l, asked);
}
