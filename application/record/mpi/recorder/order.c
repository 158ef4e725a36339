/* order.c - the file of a rank's calls in their order. What nothing changes any more is appended to it; what may still fold is written anew
 * each time, beside it: a rank that is killed leaves both, and whoever collects them puts them together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "put.h"

static struct out body, rest;
static char part[PATH_MAX], whole[PATH_MAX], rest_part[PATH_MAX], rest_whole[PATH_MAX];

void put_origin(const char *format); /* file.c */

/* processors is how many this rank may run on. */
static int processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/* events_begin opens the file, where one is wanted; name is that of the rank's file of counts, messages.N.txt. */
void events_begin(const char *name) {
    const char *wanted = getenv("FORESEE_MPI_EVENTS"), *folder = getenv("FORESEE_MPI_OUT");
    if (!wanted || !*wanted || !folder || strlen(folder) > PATH_MAX - 64)
        return;
    const char *kind = strchr(name, '.') + 1;
    snprintf(part, sizeof part, "%s/.events.%s.part", folder, kind);
    snprintf(whole, sizeof whole, "%s/events.%s", folder, kind);
    snprintf(rest_part, sizeof rest_part, "%s/.rest.%s.part", folder, kind);
    snprintf(rest_whole, sizeof rest_whole, "%s/.rest.%s", folder, kind);
    out_open(&body, part);
    events_wanted = !body.failed;
}

static void put_head(void) {
    const char *threads = getenv("OMP_NUM_THREADS");
    put_origin("foresee-events 1");
    put("processors");
    put_count((uint64_t)processors());
    put("\n");
    put_text("threads", threads && *threads ? threads : "1");
}

static void put_field(const char *letter, int32_t value) {
    if (value == NONE)
        return;
    put(" ");
    put(letter);
    put_signed(value);
}

/* put_ages writes runs that rise or fall by one as 6-1. */
static void put_ages(const int32_t *ages, unsigned n) {
    for (unsigned i = 0, last; i < n; i = last + 1) {
        last = i;
        int32_t step = i + 1 < n ? ages[i + 1] - ages[i] : 0;
        if (step == 1 || step == -1)
            while (last + 1 < n && ages[last + 1] - ages[last] == step)
                last++;
        put(i ? "," : " w");
        put_signed(ages[i]);
        if (last > i) {
            put("-");
            put_signed(ages[last]);
        }
    }
}

/* median is that of the times between calls that were kept. */
static uint64_t median(const struct sums *s) {
    float sorted[SAMPLE];
    int n = 0;
    for (; n < SAMPLE && (uint64_t)n < s->times; n++) {
        int at = n;
        for (; at > 0 && sorted[at - 1] > s->sample[n]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = s->sample[n];
    }
    return n ? (uint64_t)sorted[(n - 1) / 2] : 0;
}

static void put_node(const struct node *n) {
    if (n->length) {
        put("(");
        put_count(n->repeats);
        put("\n");
        for (unsigned i = 0; i < n->length; i++)
            put_node(n->body[i]);
        put(")\n");
        return;
    }
    const struct event *e = &n->event;
    put(call_names[e->call] + 4);
    put_count(n->sums.times);
    put_count(n->sums.bytes);
    put_count(n->sums.wall);
    put_count(n->sums.cpu);
    put_count(median(&n->sums));
    put_count(n->sums.mpi);
    put_field("p", e->peer);
    put_field("t", e->tag);
    put_field("s", e->source);
    put_field("u", e->source_tag);
    put_field("c", e->comm);
    put_field("r", e->root);
    put_ages(n->ages, e->completes);
    put("\n");
}

/* put_ready appends what nothing changes any more. */
static void put_ready(unsigned n) {
    struct out *before = out_select(&body);
    if (!body.written && !body.used)
        put_head();
    for (unsigned i = 0; i < n; i++)
        put_node(fold_at(i));
    out_select(before);
    fold_drop(n);
}

void events_flush(void) {
    unsigned n = fold_ready();
    if (n)
        put_ready(n);
}

static void put_rest(enum ending ending) {
    for (unsigned i = 0; i < fold_length(); i++)
        put_node(fold_at(i));
    uint64_t wall, cpu;
    events_rest(&wall, &cpu);
    put("last");
    put_count(wall);
    put_count(cpu);
    put("\n");
    comms_put();
    if (ending == FINALIZED && !atomic_load(&lossy))
        put("end\n");
}

/* events_snapshot writes the rest beside the file, and up to where the file goes with it. */
void events_snapshot(void) {
    if (!events_wanted || !events_lock(false))
        return;
    put_ready(0);
    out_flush(&body);
    struct out *before = out_select(&rest);
    out_open(&rest, rest_part);
    put("behind");
    put_count(body.written);
    put("\n");
    put_rest(SNAPSHOT);
    out_close(&rest);
    if (!rest.failed && !body.failed)
        rename(rest_part, rest_whole);
    out_select(before);
    events_unlock();
}

/* events_end writes what there still is. A signal may have come amid a call: the last snapshot then stands. */
void events_end(enum ending ending) {
    if (!events_wanted || !events_lock(ending == FINALIZED))
        return;
    events_wanted = false;
    put_ready(0);
    struct out *before = out_select(&body);
    put_rest(ending);
    out_flush(&body);
    out_select(before);
    if (!body.failed && fsync(body.fd) != 0 && errno != EINVAL)
        body.failed = errno;
    out_close(&body);
    if (!body.failed && rename(part, whole) == 0)
        unlink(rest_whole);
    events_unlock();
}
