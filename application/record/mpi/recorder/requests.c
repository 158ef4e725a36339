/* requests.c - persistent requests: what MPI_Send_init and its like prepare is counted at MPI_Start.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

#include "events.h"

enum { BUCKETS = 1024 };

struct request {
    word handle;
    struct start start;
    struct request *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *buckets[BUCKETS]; /* under the lock */

static struct request **bucket(word handle) {
    return &buckets[(uint64_t)handle * 0x9e3779b97f4a7c15u >> 54];
}

static struct request *find(word handle) {
    for (struct request *r = *bucket(handle); r; r = r->next)
        if (r->handle == handle)
            return r;
    return 0;
}

/* request_remember replaces what was known of a handle: it has been freed since. */
void request_remember(word handle, struct start s) {
    pthread_mutex_lock(&lock);
    struct request *r = find(handle);
    if (!r && (r = calloc(1, sizeof *r))) {
        r->handle = handle;
        r->next = *bucket(handle);
        *bucket(handle) = r;
    }
    if (r)
        r->start = s;
    else
        atomic_store(&lossy, true);
    pthread_mutex_unlock(&lock);
}

static struct start request_start(word handle) {
    struct start s = {0, -1, 0, 0, 0, 0, 0, 0};
    pthread_mutex_lock(&lock);
    struct request *r = find(handle);
    if (r)
        s = r->start;
    pthread_mutex_unlock(&lock);
    return s;
}

/* start_event notes what a started request does, as the call that does the same at once. */
static void start_event(struct thread *t, const struct start *s, word request, uint64_t begin, uint64_t end) {
    struct event e = {.call = (uint16_t)s->call, .peer = s->from, .tag = s->tag, .source = NONE, .source_tag = NONE, .comm = s->comm, .root = s->root};
    events_add(t, &e, s->bytes, request, begin, end);
}

static void started(struct thread *t, enum call call, int n, word requests, uint64_t begin, uint64_t end) {
    struct start all = {0, -1, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        struct start s = request_start(handle_at(requests, i));
        all.bytes += s.bytes;
        if (s.processes > all.processes)
            all.processes = s.processes;
        record_peer(t, s.peer, s.bytes);
        if (events_wanted && s.call)
            start_event(t, &s, handle_at(requests, i), i == 0 ? begin : end, end);
    }
    record(t, call, all.processes, all.bytes, end - begin);
    snapshot_if_due(end);
}

#define STARTS(name)                                                                      \
    EXPORT int name##Start(word request) {                                                \
        static int (*next)(word);                                                         \
        if (!next)                                                                        \
            next = (int (*)(word))mpi_function(#name "Start");                            \
        struct thread *t = enter();                                                       \
        if (!t)                                                                           \
            return next(request);                                                         \
        uint64_t begin = now();                                                           \
        int failed = next(request);                                                       \
        uint64_t end = now();                                                             \
        started(t, CALL_Start, failed ? 0 : 1, request, begin, end);                     \
        leave(t);                                                                         \
        return failed;                                                                    \
    }                                                                                     \
    EXPORT int name##Startall(word n, word requests) {                                    \
        static int (*next)(word, word);                                                   \
        if (!next)                                                                        \
            next = (int (*)(word, word))mpi_function(#name "Startall");                   \
        struct thread *t = enter();                                                       \
        if (!t)                                                                           \
            return next(n, requests);                                                     \
        uint64_t begin = now();                                                           \
        int failed = next(n, requests);                                                   \
        uint64_t end = now();                                                             \
        started(t, CALL_Startall, failed ? 0 : (int)n, requests, begin, end);            \
        leave(t);                                                                         \
        return failed;                                                                    \
    }
STARTS(MPI_)
STARTS(PMPI_)

/* A request that is freed completes without being asked for. */
#define REQUEST_FREES(name)                                                               \
    EXPORT int name##Request_free(word request) {                                         \
        static int (*next)(word);                                                         \
        if (!next)                                                                        \
            next = (int (*)(word))mpi_function(#name "Request_free");                     \
        if (events_wanted && atomic_load(&recording))                                     \
            events_forget(handle_at(request, 0));                                         \
        return next(request);                                                             \
    }
REQUEST_FREES(MPI_)
REQUEST_FREES(PMPI_)
