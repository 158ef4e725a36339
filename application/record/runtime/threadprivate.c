/* threadprivate.c - threadprivate variables that clang does not make thread-local (-fnoopenmp-use-tls).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kmpc.h"
#include "team.h"

struct variable {
    struct variable *next;
    void *original; /* that of thread 0 */
    void *first;    /* what it was when it was first asked for */
    size_t bytes;
    void *(*construct)(void *);
    void *(*construct_copy)(void *, void *);
    void *copies[VO_THREADS];
};

static struct variable *variables;

static struct variable *find(void *original) {
    for (struct variable *v = variables; v; v = v->next)
        if (v->original == original)
            return v;
    struct variable *v = vo_alloc(sizeof *v);
    v->original = original;
    v->next = variables;
    variables = v;
    return v;
}

static void remember(struct variable *v, size_t bytes) {
    if (v->first)
        return;
    v->bytes = bytes;
    v->first = vo_alloc(bytes);
    memcpy(v->first, v->original, bytes);
    v->copies[0] = v->original;
}

static void *copy_of(struct variable *v, int thread) {
    void *copy = v->copies[thread];
    if (copy)
        return copy;
    copy = v->copies[thread] = vo_alloc(v->bytes);
    fr_private(thread, copy, v->bytes);
    if (v->construct)
        v->construct(copy);
    else if (v->construct_copy)
        v->construct_copy(copy, v->original);
    else
        memcpy(copy, v->first, v->bytes);
    return copy;
}

#pragma GCC visibility push(default)

void *__kmpc_threadprivate_cached(ident_t *loc, int32_t gtid, void *data, size_t bytes, void ***cache) {
    (void)loc, (void)gtid;
    int thread = vo_current->thread;
    if (*cache && (*cache)[thread])
        return (*cache)[thread];
    struct variable *v = find(data);
    remember(v, bytes);
    *cache = v->copies;
    return copy_of(v, thread);
}

void __kmpc_threadprivate_register(ident_t *loc, void *data, void *(*construct)(void *),
                                   void *(*construct_copy)(void *, void *), void (*destroy)(void *)) {
    (void)loc, (void)destroy;
    struct variable *v = find(data);
    v->construct = construct;
    v->construct_copy = construct_copy;
}
