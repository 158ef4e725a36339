/* fold.c - folds a sequence of events while it grows, as F. Mueller's group does for traces of MPI (M. Noeth et al., ScalaTrace:
 * Scalable compression and replay of communication traces, JPDC 69, 2009): when the last nodes equal those before them, they become a
 * loop; when they equal the body of the loop before them, it has one more repetition. Loops fold in loops. Nothing of the order is lost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* The longest body that is looked for, in nodes; chosen: an inner loop is one node, and a step of a program has seldom more. */
enum { WINDOW = 1024, ROOM = 4 * WINDOW };

static struct node *queue[ROOM];
static uint64_t hashes[ROOM]; /* of the nodes, side by side */
static unsigned used;

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of_event(const struct event *e, const int32_t *ages) {
    uint64_t h = mix(1, (uint64_t)e->call << 16 | e->size_class);
    const int32_t fields[] = {e->peer, e->tag, e->source, e->source_tag, e->comm, e->root};
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        h = mix(h, (uint32_t)fields[i]);
    for (unsigned i = 0; i < e->completes; i++)
        h = mix(h, (uint32_t)ages[i]);
    return h;
}

static uint64_t hash_of_loop(const struct node *n) {
    uint64_t h = mix(2, n->repeats);
    for (unsigned i = 0; i < n->length; i++)
        h = mix(h, n->body[i]->hash);
    return h;
}

static void node_free(struct node *n) {
    for (unsigned i = 0; i < n->length; i++)
        node_free(n->body[i]);
    free(n->body);
    free(n->ages);
    free(n);
}

/* sample keeps each time with the same probability: algorithm R (J. Vitter: Random sampling with a reservoir, 1985), whose random numbers
 * are a hash of the count, so that a run is recorded the same way each time. */
static void sample(struct sums *into, uint64_t times, float one) {
    uint64_t at = times < SAMPLE ? times : mix(3, times) % (times + 1);
    if (at < SAMPLE)
        into->sample[at] = one;
}

/* merge adds the sums of an equal node, and frees it. */
static void merge(struct node *into, struct node *n) {
    for (uint64_t i = 0; i < n->sums.times && i < SAMPLE; i++)
        sample(&into->sums, into->sums.times + i, n->sums.sample[i]);
    into->sums.times += n->sums.times;
    into->sums.bytes += n->sums.bytes;
    into->sums.wall += n->sums.wall;
    into->sums.cpu += n->sums.cpu;
    into->sums.mpi += n->sums.mpi;

    for (unsigned i = 0; i < n->length; i++)
        merge(into->body[i], n->body[i]);
    n->length = 0;
    node_free(n);
}

/* repeat_loop adds the last nodes to the loop before them, whose body they equal. */
static bool repeat_loop(unsigned length) {
    struct node *loop = queue[used - length - 1];
    for (unsigned i = 0; i < length; i++)
        if (loop->body[i]->hash != hashes[used - length + i])
            return false;
    for (unsigned i = 0; i < length; i++)
        merge(loop->body[i], queue[used - length + i]);
    used -= length;
    loop->repeats++;
    hashes[used - 1] = loop->hash = hash_of_loop(loop);
    return true;
}

/* make_loop makes one of the last nodes and as many before them, which they equal. */
static bool make_loop(unsigned length) {
    if (memcmp(&hashes[used - length], &hashes[used - 2 * length], length * sizeof *hashes))
        return false;
    struct node *loop = calloc(1, sizeof *loop);
    struct node **body = malloc(length * sizeof *body);
    if (!loop || !body) {
        free(loop);
        free(body);
        return false; /* it stays unfolded */
    }
    memcpy(body, &queue[used - 2 * length], length * sizeof *body);
    for (unsigned i = 0; i < length; i++)
        merge(body[i], queue[used - length + i]);
    loop->body = body;
    loop->length = length;
    loop->repeats = 2;
    loop->hash = hash_of_loop(loop);
    used -= 2 * length;
    queue[used] = loop;
    hashes[used++] = loop->hash;
    return true;
}

/* fold_once folds the end of the queue, the shortest body first. */
static bool fold_once(void) {
    uint64_t last = hashes[used - 1];
    for (unsigned length = 1; length <= WINDOW && length < used; length++) {
        const struct node *before = queue[used - length - 1];
        if (before->length == length && before->body[length - 1]->hash == last && repeat_loop(length))
            return true;
        if (hashes[used - length - 1] == last && 2 * length <= used && make_loop(length))
            return true;
    }
    return false;
}

void fold_add(const struct event *e, const int32_t *ages, const struct sums *s) {
    if (used == ROOM) { /* nobody took what was ready: the disk is full */
        atomic_store(&lossy, true);
        fold_drop(ROOM / 2);
    }
    struct node *n = calloc(1, sizeof *n);
    if (n && e->completes && (n->ages = malloc(e->completes * sizeof *ages)))
        memcpy(n->ages, ages, e->completes * sizeof *ages);
    if (!n || (e->completes && !n->ages)) {
        free(n);
        atomic_store(&lossy, true);
        return;
    }
    n->repeats = 1;
    n->event = *e;
    n->sums = *s;
    n->hash = hash_of_event(e, ages);
    queue[used] = n;
    hashes[used++] = n->hash;
    while (fold_once())
        ;
}

/* fold_ready: what is further from the end than two of the longest bodies is in no fold to come, but in those of loops, for which the
 * file has each loop as it is. */
unsigned fold_ready(void) { return used > 3 * WINDOW ? used - 2 * WINDOW : 0; }

const struct node *fold_at(unsigned i) { return queue[i]; }

unsigned fold_length(void) { return used; }

void fold_drop(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        node_free(queue[i]);
    used -= n;
    memmove(queue, queue + n, used * sizeof *queue);
    memmove(hashes, hashes + n, used * sizeof *hashes);
}
