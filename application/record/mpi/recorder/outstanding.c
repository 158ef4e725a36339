/* outstanding.c - requests that were made and not completed, by their handles. MPI libraries give one handle to all requests that were
 * complete when they were made: those are told apart by their order, which for them does not matter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "events.h"

enum { BUCKETS = 4096 };

struct made {
    word handle;
    uint64_t number;
    struct made *next;
};

static struct made *buckets[BUCKETS], *spare;
static uint64_t count;

static struct made **bucket(word handle) { return &buckets[(uint64_t)handle * 0x9e3779b97f4a7c15u >> 52]; }

void outstanding_add(word handle) {
    struct made *m = spare;
    if (m)
        spare = m->next;
    else if (!(m = malloc(sizeof *m))) {
        atomic_store(&lossy, true);
        return;
    }
    struct made **last = bucket(handle);
    while (*last)
        last = &(*last)->next;
    *m = (struct made){handle, ++count, 0};
    *last = m;
}

int32_t outstanding_take(word handle) {
    for (struct made **at = bucket(handle); *at; at = &(*at)->next) {
        struct made *m = *at;
        if (m->handle != handle)
            continue;
        uint64_t age = count - m->number + 1;
        *at = m->next;
        m->next = spare;
        spare = m;
        return age <= INT32_MAX ? (int32_t)age : 0;
    }
    return 0;
}
