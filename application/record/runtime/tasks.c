/* tasks.c - explicit tasks: queued, and run where threads wait for tasks or for each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A thread that waits for its child tasks runs only those, the youngest first, so that a recursion goes no deeper than
 * the program's own; at a barrier threads take the oldest of all. A team of one thread runs each task where it is
 * created. */
#include "team.h"

enum { MANY = 64 }; /* queued tasks a thread, from which on a new one is run at once, as in libgomp */

void vo_task_release(struct task *task) {
    if (--task->references == 0)
        vo_free(task);
}

static void enqueue(struct task *task) {
    struct team *team = vo_at()->team;
    task->next = NULL;
    task->previous = team->last_task;
    *(team->last_task ? &team->last_task->next : &team->first_task) = task;
    team->last_task = task;
    struct task *parent = task->parent;
    task->older = parent->children;
    task->younger = NULL;
    if (parent->children)
        parent->children->younger = task;
    parent->children = task;
    team->queued++;
}

static void dequeue(struct task *task) {
    struct team *team = vo_at()->team;
    *(task->previous ? &task->previous->next : &team->first_task) = task->next;
    *(task->next ? &task->next->previous : &team->last_task) = task->previous;
    *(task->younger ? &task->younger->older : &task->parent->children) = task->older;
    if (task->older)
        task->older->younger = task->younger;
    team->queued--;
}

/* Nothing is left that the task depends on. */
void vo_task_ready(struct task *task) {
    if (!task->deferred) {
        vo_wake_all(task);
        return;
    }
    enqueue(task);
    vo_wake_one(vo_at()->team);
    vo_wake_all(task->parent);
    if (task->member)
        vo_wake_all(task->member);
}

void vo_task_adopt(struct task *task) {
    struct context *at = vo_at();
    task->parent = at->task;
    task->member = task->group = at->task->group;
    task->final |= at->task->final;
    task->references++;
    task->parent->references++;
    task->parent->unfinished++;
    if (task->member)
        task->member->unfinished++;
    at->team->tasks++;
}

static void finish(struct task *task) {
    struct task *parent = task->parent;
    task->finished = true;
    vo_depend_finish(task);
    vo_depend_forget(task);
    vo_at()->team->tasks--;
    if (--parent->unfinished == 0)
        vo_wake_all(parent);
    if (task->member && --task->member->unfinished == 0)
        vo_wake_all(task->member);
    vo_task_release(parent);
    vo_task_release(task);
}

void vo_task_begin(struct task *task) {
    struct context *at = vo_at();
    task->interrupted = at->task;
    task->piece = *vo_current->piece;
    task->one = at->one;
    at->task = task;
    at->one = false;
    vo_piece(FR_TASK);
}

void vo_task_end(struct task *task) {
    struct context *at = vo_at();
    at->task = task->interrupted;
    at->one = task->one;
    if (at->team->forked)
        vo_piece_set(&task->piece);
    finish(task);
}

static void execute(struct task *task) {
    vo_task_begin(task);
    task->run(task);
    vo_task_end(task);
}

static bool take(struct task *task) {
    if (!task)
        return false;
    dequeue(task);
    execute(task);
    return true;
}

static void wait_until_ready(struct task *task) {
    while (task->before > 0)
        if (!take(vo_at()->task->children))
            vo_block(task, "for the tasks that a task depends on");
}

static bool has_room(const struct team *team) { return team->queued < (uint64_t)MANY * (uint64_t)team->threads; }

void vo_task_start(struct task *task, bool deferred, const struct dependence *d, size_t count) {
    struct team *team = vo_at()->team;
    bool alone = team->threads == 1;
    vo_task_adopt(task);
    task->deferred = deferred && !alone && !task->parent->final;
    if (!alone)
        vo_depend(task, d, count);
    if (task->before > 0 && task->deferred)
        return;
    if (task->deferred && !has_room(team))
        vo_let_others();
    if (task->deferred && has_room(team)) {
        vo_task_ready(task);
        return;
    }
    wait_until_ready(task);
    execute(task);
}

static void nothing(struct task *task) { (void)task; }

void vo_task_wait_for(const struct dependence *d, size_t count) {
    if (vo_at()->team->threads == 1)
        return;
    struct task *task = vo_alloc(sizeof *task);
    task->run = nothing;
    vo_task_adopt(task);
    vo_depend(task, d, count);
    wait_until_ready(task);
    finish(task);
}

void vo_task_one(void) { take(vo_at()->team->first_task); }

/* Threads that wait elsewhere take their share of the tasks. */
static void others_first(void) {
    const struct team *team = vo_at()->team;
    if (team->forked && team->threads > 1)
        vo_let_others();
}

void vo_task_wait(void) {
    struct task *me = vo_at()->task;
    while (me->unfinished > 0) {
        others_first();
        if (me->unfinished > 0 && !take(me->children))
            vo_block(me, "for its child tasks");
    }
}

void vo_group_begin(void) {
    struct group *g = vo_alloc(sizeof *g);
    g->outer = vo_at()->task->group;
    vo_at()->task->group = g;
}

/* One of the group, or a child on which one of them may depend. */
static struct task *of_group(const struct group *g) {
    for (struct task *t = vo_at()->task->children; t; t = t->older)
        if (t->member == g)
            return t;
    for (struct task *t = vo_at()->team->first_task; t; t = t->next)
        if (t->member == g)
            return t;
    return vo_at()->task->children;
}

void vo_group_end(void) {
    struct task *me = vo_at()->task;
    struct group *g = me->group;
    if (!g)
        return;
    while (g->unfinished > 0) {
        others_first();
        if (g->unfinished > 0 && !take(of_group(g)))
            vo_block(g, "for the tasks of a taskgroup");
    }
    if (g->items)
        vo_reductions_end(g->items);
    me->group = g->outer;
    vo_free(g);
}

/* Taskloop: where the iterations of a task begin. */
uint64_t vo_task_share(uint64_t total, uint64_t tasks, uint64_t task) {
    uint64_t first, end;
    vo_static_block(total, tasks, task, &first, &end);
    return first;
}
