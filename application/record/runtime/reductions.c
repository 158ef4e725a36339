/* reductions.c - reductions over tasks: each thread of the team has its own copy of a variable, and the group adds them at its end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gomp.h"
#include "kmpc.h"

#define UNUSED __attribute__((unused))
#define GTID UNUSED int32_t gtid

static struct group *groups(void) { return vo_at()->task->group; }

/* What gcc's code knows of a taskgroup's reductions: a head of words, and three words a variable. */
enum {
    COUNT, BYTES, MEMORY, /* variables; bytes a thread; the alignment, and from here on the copies of all threads */
    NEXT = 4, END = 6,    /* another such block; where the copies end */
    ITEMS = 7, ITEM = 3,
    ORIGINAL = 0, OFFSET = 1, /* of a variable */
};

void GOMP_taskgroup_reduction_register(uintptr_t *data) {
    for (uintptr_t *d = data; d; d = (uintptr_t *)d[NEXT]) {
        size_t bytes = d[BYTES] * (size_t)vo_at()->team->threads, align = d[MEMORY] < sizeof(void *) ? sizeof(void *) : d[MEMORY];
        void *copies = aligned_alloc(align, (bytes + align) / align * align);
        if (!copies)
            fr_fail("there is no memory for the reductions of a taskgroup");
        memset(copies, 0, bytes);
        d[MEMORY] = (uintptr_t)copies;
        d[END] = d[MEMORY] + bytes;
    }
    groups()->reductions = data;
}

void GOMP_taskgroup_reduction_unregister(uintptr_t *data) {
    for (uintptr_t *d = data; d; d = (uintptr_t *)d[NEXT])
        free((void *)d[MEMORY]);
}

/* The variable of a block whose original, or one of whose copies, is at an address. */
static uintptr_t *item_at(uintptr_t *d, uintptr_t address) {
    bool copy = address >= d[MEMORY] && address < d[END];
    for (uintptr_t i = 0; i < d[COUNT]; i++) {
        uintptr_t *item = d + ITEMS + i * ITEM;
        if (copy ? item[OFFSET] == (address - d[MEMORY]) % d[BYTES] : item[ORIGINAL] == address)
            return item;
    }
    return NULL;
}

static uintptr_t *find(uintptr_t address, uintptr_t **block) {
    for (struct group *g = groups(); g; g = g->outer)
        for (uintptr_t *d = g->reductions; d; d = (uintptr_t *)d[NEXT]) {
            uintptr_t *item = item_at(d, address);
            *block = d;
            if (item)
                return item;
        }
    fr_fail("a task has an in_reduction clause for a variable that no taskgroup around it reduces");
    return NULL;
}

/* The number of this thread among as many as have copies: a thread of a team inside theirs may have a larger one. */
static uintptr_t number_below(uintptr_t threads) {
    uintptr_t number = (uintptr_t)vo_at()->number;
    if (number >= threads)
        fr_fail("a task of a larger team inside another has an in_reduction clause for a taskgroup of the outer one");
    return number;
}

/* Replaces addresses by those of this thread's copies, and tells the originals of the first ones. */
void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses) {
    for (size_t i = 0; i < count; i++) {
        uintptr_t *d, *item = find((uintptr_t)addresses[i], &d);
        addresses[i] = (void *)(d[MEMORY] + number_below((d[END] - d[MEMORY]) / d[BYTES]) * d[BYTES] + item[OFFSET]);
        if (i < originals)
            addresses[count + i] = (void *)item[ORIGINAL];
    }
}

/* A variable as clang's code states it; a thread's copy is made when the thread asks for it. */
struct item {
    void *shared, *original;
    size_t bytes;
    void (*init)(void *copy, void *original);
    void (*fini)(void *copy);
    void (*combine)(void *to, void *from);
    uint32_t flags;
};

struct reductions {
    int count, threads;
    struct item *items;
    void **copies; /* by variable, by thread */
};

void *__kmpc_taskred_init(GTID, int32_t count, const struct item *items) {
    struct reductions *r = vo_alloc(sizeof *r);
    *r = (struct reductions){.count = count, .threads = vo_at()->team->threads};
    r->items = vo_alloc((size_t)count * sizeof *items);
    memcpy(r->items, items, (size_t)count * sizeof *items);
    r->copies = vo_alloc((size_t)count * (size_t)r->threads * sizeof *r->copies);
    groups()->items = r;
    return groups();
}

static void *copy_of(struct reductions *r, int variable, int thread) {
    void **copy = &r->copies[variable * r->threads + thread];
    const struct item *item = &r->items[variable];
    if (!*copy) {
        *copy = vo_alloc(item->bytes);
        if (item->init)
            item->init(*copy, item->original);
    }
    return *copy;
}

static bool is_of(const struct reductions *r, int variable, const char *address) {
    if (address == r->items[variable].shared)
        return true;
    for (int t = 0; t < r->threads; t++) {
        const char *copy = r->copies[variable * r->threads + t];
        if (copy && address >= copy && address < copy + r->items[variable].bytes)
            return true;
    }
    return false;
}

void *__kmpc_task_reduction_get_th_data(GTID, struct group *group, void *address) {
    for (struct group *g = group ? group : groups(); g; g = g->outer)
        for (int i = 0; g->items && i < g->items->count; i++)
            if (is_of(g->items, i, address))
                return copy_of(g->items, i, (int)number_below((uintptr_t)g->items->threads));
    fr_fail("a task has an in_reduction clause for a variable that no taskgroup around it reduces");
    return NULL;
}

/* All tasks of the group are done. */
void vo_reductions_end(struct reductions *r) {
    for (int i = 0; i < r->count; i++)
        for (int t = 0; t < r->threads; t++) {
            void *copy = r->copies[i * r->threads + t];
            if (!copy)
                continue;
            r->items[i].combine(r->items[i].shared, copy);
            if (r->items[i].fini)
                r->items[i].fini(copy);
            vo_free(copy);
        }
    vo_free(r->copies);
    vo_free(r->items);
    vo_free(r);
}

/* reduction(task, …) of a region or a loop: the copy that each thread has of the variable is what its own tasks add to; the construct
 * adds up those copies itself. */
void *__kmpc_taskred_modifier_init(UNUSED ident_t *loc, int32_t gtid, UNUSED int32_t worksharing, int32_t count,
                                   const struct item *items) {
    vo_group_begin();
    return __kmpc_taskred_init(gtid, count, items);
}

void __kmpc_task_reduction_modifier_fini(UNUSED ident_t *loc, GTID, UNUSED int32_t worksharing) { vo_group_end(); }
