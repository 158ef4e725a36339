/* events.c - what a call of a thread becomes in the order of the rank's calls. Several threads of a rank make one order, of the ends of
 * their calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

bool events_wanted;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t started_wall, started_cpu;
static struct thread *first_thread;

static bool skeleton; /* says itself what it would compute */

/* foresee_mpi_computed is called by programs that say what they would compute, in seconds, instead of computing it. From the first call on,
 * what is said is all that there is between calls. */
EXPORT void foresee_mpi_computed(double seconds) {
    struct thread *t = events_wanted && atomic_load(&recording) ? (current_thread ? current_thread : thread_begin()) : 0;
    skeleton = true;
    if (t && seconds > 0)
        t->watch.declared += (uint64_t)(seconds * 1e9 + 0.5);
}

static uint64_t cpu_of_thread(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* requests_of is the array of requests that a call completes, and how many there are. */
static unsigned requests_of(enum call call, const word *a, word *array) {
    switch (call) {
    case CALL_Wait: case CALL_Test:
        *array = a[1];
        return 1;
    case CALL_Waitall: case CALL_Waitany: case CALL_Waitsome: case CALL_Testall: case CALL_Testany: case CALL_Testsome:
        *array = a[2];
        return (int)a[1] > 0 ? (unsigned)(int)a[1] : 0;
    default:
        return 0;
    }
}

bool events_completes(enum call call) {
    return call == CALL_Wait || call == CALL_Waitall || call == CALL_Waitany || call == CALL_Waitsome;
}

static bool make_room(struct watch *w, unsigned n) {
    if (n <= w->room)
        return true;
    word *requests = realloc(w->requests, n * sizeof *requests);
    int32_t *ages = realloc(w->ages, n * sizeof *ages);
    if (requests)
        w->requests = requests;
    if (ages)
        w->ages = ages;
    if (!requests || !ages) {
        atomic_store(&lossy, true);
        return false;
    }
    w->room = n;
    return true;
}

/* events_before keeps the requests that a call is given, which it sets to none; and has a blocking receive say whom it received from.
 * It gives what the last argument is to be. */
word events_before(struct thread *t, enum call call, const word *a, word last) {
    struct watch *w = &t->watch;
    word array = 0;
    unsigned n = requests_of(call, a, &array);
    w->count = n && make_room(w, n) ? n : 0;
    for (unsigned i = 0; i < w->count; i++)
        w->requests[i] = handle_at(array, (int)i);
    bool receives = call == CALL_Recv || call == CALL_Sendrecv || call == CALL_Sendrecv_replace;
    w->given = receives && last != library.status_ignore ? (int *)last : (int *)w->status;
    w->cpu_begin = cpu_of_thread();
    return receives ? (word)w->given : last;
}

/* events_matched puts who sent in the place of a wildcard of a blocking receive. */
void events_matched(struct thread *t, enum call call, struct group *g, struct event *e) {
    const int *status = t->watch.given;
    int source = status[library.status_source], tag = status[library.status_source + 1];
    if (call == CALL_Recv) {
        if (e->peer == ANYBODY)
            e->peer = world_rank_or_any(g, source);
        if (e->tag < 0)
            e->tag = e->peer == NOBODY ? ANYBODY : tag;
    } else if (call == CALL_Sendrecv || call == CALL_Sendrecv_replace) {
        if (e->source == ANYBODY)
            e->source = world_rank_or_any(g, source);
        if (e->source_tag < 0)
            e->source_tag = e->source == NOBODY ? ANYBODY : tag;
    }
}

/* size_class_of tells sizes apart that differ by more than a sixteenth to an eighth: where sizes vary a little from step to step, steps
 * still fold, and their sum is kept. */
static uint16_t size_class_of(uint64_t bytes) {
    if (bytes < 16)
        return (uint16_t)bytes;
    unsigned power = 63 - (unsigned)__builtin_clzll(bytes);
    return (uint16_t)(power << 4 | (bytes >> (power - 3) & 7) | 8);
}

/* add puts an event behind the others; the caller holds the lock. What this recorder does itself is in no time. */
static void add(struct thread *t, struct event *e, uint64_t bytes, uint64_t begin, uint64_t end) {
    struct watch *w = &t->watch;
    struct sums s = {1, bytes, 0, 0, end - begin, {0}};
    uint64_t wall = w->wall ? w->wall : started_wall, cpu = w->wall ? w->cpu : started_cpu;
    if (w->wall || t == first_thread) {
        s.wall = begin > wall + w->polling ? begin - wall - w->polling : 0;
        s.cpu = w->cpu_begin > cpu + w->polling ? w->cpu_begin - cpu - w->polling : 0;
    }
    if (skeleton)
        s.wall = s.cpu = w->declared;
    w->declared = 0;
    s.mpi += w->polling;
    s.sample[0] = (float)s.cpu;
    e->size_class = size_class_of(bytes);
    fold_add(e, w->ages, &s);
    events_flush();
    w->polling = 0;
    w->cpu = w->cpu_begin = cpu_of_thread();
    w->wall = now();
}

void events_add(struct thread *t, struct event *e, uint64_t bytes, word request, uint64_t begin, uint64_t end) {
    pthread_mutex_lock(&lock);
    if (request)
        outstanding_add(request);
    add(t, e, bytes, begin, end);
    pthread_mutex_unlock(&lock);
}

/* completed_some keeps the requests of which a call says that they are complete. */
static void completed_some(struct watch *w, int n, const int *indices) {
    unsigned kept = 0;
    for (int i = 0; i < n; i++)
        if (indices[i] >= 0 && (unsigned)indices[i] < w->count)
            w->requests[kept++] = w->requests[indices[i]];
    w->count = kept;
}

/* completed adds the event of requests that are complete. */
static void completed(struct thread *t, enum call call, uint64_t begin, uint64_t end) {
    struct watch *w = &t->watch;
    struct event e = {.call = (uint16_t)call, .peer = NONE, .tag = NONE, .source = NONE, .source_tag = NONE, .comm = NONE, .root = NONE};
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < w->count; i++) {
        int32_t age = outstanding_take(w->requests[i]);
        if (age > 0)
            w->ages[e.completes++] = age;
    }
    add(t, &e, 0, begin, end);
    pthread_mutex_unlock(&lock);
}

void events_completed(struct thread *t, enum call call, const word *a, uint64_t begin, uint64_t end) {
    if (call == CALL_Waitany)
        completed_some(&t->watch, 1, (const int *)a[3]);
    else if (call == CALL_Waitsome)
        completed_some(&t->watch, *(const int *)a[3], (const int *)a[4]);
    completed(t, call, begin, end);
}

/* events_polled notes a poll that found something, as the call that would have waited for it. The time of the others is waiting. */
void events_polled(struct thread *t, enum call call, const word *a, uint64_t begin, uint64_t end, int failed) {
    struct watch *w = &t->watch;
    bool found = false;
    enum call as = CALL_Waitall;
    if (!failed && w->count)
        switch (call) {
        case CALL_Test:
            found = *(const int *)a[2] != 0;
            as = CALL_Wait;
            break;
        case CALL_Testall:
            found = *(const int *)a[3] != 0;
            break;
        case CALL_Testany:
            found = *(const int *)a[4] != 0;
            completed_some(w, found, (const int *)a[3]);
            as = CALL_Waitany;
            break;
        case CALL_Testsome: {
            int n = *(const int *)a[3];
            found = n > 0;
            completed_some(w, n > 0 ? n : 0, (const int *)a[4]);
            as = CALL_Waitsome;
            break;
        }
        default:
            break;
        }
    if (found)
        completed(t, as, begin, end);
    else
        w->polling += end - begin;
}

void events_forget(word request) {
    pthread_mutex_lock(&lock);
    outstanding_take(request);
    pthread_mutex_unlock(&lock);
}

bool events_lock(bool wait) { return wait ? pthread_mutex_lock(&lock) == 0 : pthread_mutex_trylock(&lock) == 0; }

void events_unlock(void) { pthread_mutex_unlock(&lock); }

/* events_start takes the time from which the first call's compute counts. */
void events_start(void) {
    started_cpu = cpu_of_thread();
    started_wall = now();
    first_thread = current_thread ? current_thread : thread_begin();
}

/* events_rest is what the first thread computed since its last call, in ns. */
void events_rest(uint64_t *wall, uint64_t *cpu) {
    const struct watch *w = &first_thread->watch;
    uint64_t from = w->wall ? w->wall : started_wall, cpu_from = w->wall ? w->cpu : started_cpu;
    *wall = now() - from;
    *cpu = current_thread == first_thread ? cpu_of_thread() - cpu_from : 0;
    if (skeleton)
        *wall = *cpu = w->declared;
}
