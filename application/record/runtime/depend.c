/* depend.c - dependences among the child tasks of a task.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * inout, mutexinoutset and inoutset are taken as out: tasks that may run in any order run in that of their creation. */
#include "team.h"

enum { BUCKETS = 1024 };

struct link {
    struct link *next;
    struct task *task;
};

struct address {
    struct address *next;
    const void *address;
    struct task *writer;  /* the last one */
    struct link *readers; /* since then */
};

static struct address *find(struct task *parent, const void *p) {
    if (!parent->addresses)
        parent->addresses = vo_alloc(BUCKETS * sizeof *parent->addresses);
    uintptr_t word = (uintptr_t)p >> 3;
    struct address **bucket = &parent->addresses[(word ^ word >> 10) % BUCKETS];
    for (struct address *a = *bucket; a; a = a->next)
        if (a->address == p)
            return a;
    struct address *a = vo_alloc(sizeof *a);
    a->address = p;
    a->next = *bucket;
    *bucket = a;
    return a;
}

static struct link *linked(struct task *task, struct link *next) {
    struct link *l = vo_alloc(sizeof *l);
    l->task = task;
    l->next = next;
    task->references++;
    return l;
}

static struct link *unlinked(struct link *l) {
    struct link *next = l->next;
    vo_task_release(l->task);
    vo_free(l);
    return next;
}

static void wait_for(struct task *task, struct task *first) {
    if (!first || first->finished || first == task)
        return;
    first->after = linked(task, first->after);
    task->before++;
}

static void write_to(struct task *task, struct address *a) {
    while (a->readers) {
        wait_for(task, a->readers->task);
        a->readers = unlinked(a->readers);
    }
    if (a->writer)
        vo_task_release(a->writer);
    a->writer = task;
    task->references++;
}

void vo_depend(struct task *task, const struct dependence *d, size_t count) {
    if (count > 0)
        fr_note(FR_NOTE_DEPENDENCE, __builtin_return_address(0));
    for (size_t i = 0; i < count; i++) {
        if (!d[i].address)
            fr_fail("a task depends on omp_all_memory: foresee does not know that yet");
        struct address *a = find(task->parent, d[i].address);
        wait_for(task, a->writer);
        if (d[i].out)
            write_to(task, a);
        else
            a->readers = linked(task, a->readers);
    }
}

void vo_depend_finish(struct task *task) {
    while (task->after) {
        struct task *t = task->after->task;
        if (--t->before == 0)
            vo_task_ready(t);
        task->after = unlinked(task->after);
    }
}

static struct address *forget(struct address *a) {
    struct address *next = a->next;
    while (a->readers)
        a->readers = unlinked(a->readers);
    if (a->writer)
        vo_task_release(a->writer);
    vo_free(a);
    return next;
}

void vo_depend_forget(struct task *parent) {
    if (!parent->addresses)
        return;
    for (int i = 0; i < BUCKETS; i++)
        while (parent->addresses[i])
            parent->addresses[i] = forget(parent->addresses[i]);
    vo_free(parent->addresses);
    parent->addresses = NULL;
}
