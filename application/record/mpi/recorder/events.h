/* events.h - the calls of a rank in their order, folded while they are made: what repeats is kept once, with its count and sums.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_MPI_EVENTS_H
#define FORESEE_MPI_EVENTS_H
#include "recorder.h"

enum {
    NONE = -1000, /* no rank, tag, communicator or root; below every value that MPI gives a meaning */
    ANYBODY = -1, /* MPI_ANY_SOURCE, and MPI_ANY_TAG */
    NOBODY = -2,  /* MPI_PROC_NULL */
};

enum { SAMPLE = 15 }; /* chosen: a median of so many is within some percent of that of all, in a cache line */

/* What tells one call from another, beside the bytes, of which the size class does. */
struct event {
    uint16_t call;
    uint16_t size_class; /* see size_class_of */
    int32_t peer, tag;   /* of what is sent, or received where nothing is sent; ranks are those of MPI_COMM_WORLD */
    int32_t source, source_tag;
    int32_t comm, root;
    uint32_t completes; /* how many requests: their ages stand beside */
};

struct sums {
    uint64_t times, bytes;
    uint64_t wall, cpu; /* ns since the call before: of the clock, and of the thread's processor time */
    uint64_t mpi;       /* ns in the call */
    float sample[SAMPLE]; /* some of the times between, of the processor, in ns */
};

/* A node is an event, or a body that repeats. */
struct node {
    uint64_t hash, repeats;
    struct node **body;
    unsigned length; /* of the body; 0: an event */
    struct event event;
    int32_t *ages;
    struct sums sums;
};

/* fold.c */
void fold_add(const struct event *e, const int32_t *ages, const struct sums *s);
unsigned fold_ready(void);                 /* nodes at the front that nothing changes any more */
const struct node *fold_at(unsigned i);    /* from the front */
unsigned fold_length(void);
void fold_drop(unsigned n);                /* from the front */

/* events.c: what a thread's call becomes */
extern bool events_wanted;
word events_before(struct thread *t, enum call call, const word *a, word last);
void events_polled(struct thread *t, enum call call, const word *a, uint64_t begin, uint64_t end, int failed);
bool events_completes(enum call call);
void events_completed(struct thread *t, enum call call, const word *a, uint64_t begin, uint64_t end);
void events_matched(struct thread *t, enum call call, struct group *g, struct event *e);
void events_add(struct thread *t, struct event *e, uint64_t bytes, word request, uint64_t begin, uint64_t end);
void events_forget(word request);
void events_start(void);
void events_rest(uint64_t *wall, uint64_t *cpu);
bool events_lock(bool wait);
void events_unlock(void);

/* kinds.c: what calls do to requests and communicators */
unsigned events_request(enum call call);
int events_at_once(enum call call);
void events_created(enum call call, const word *a);

/* order.c: the file */
void events_begin(const char *name); /* of the file of counts, messages.N.txt */
void events_end(enum ending ending);
void events_snapshot(void);
void events_flush(void); /* under the lock of events.c */

/* outstanding.c: requests that were made and not completed; the caller holds the lock of events.c */
void outstanding_add(word request);
int32_t outstanding_take(word request); /* its age: 1 is the request made last; 0: unknown */

/* groups.c */
int world_rank_or_any(struct group *g, int rank);

/* comms.c */
int comm_number(struct group *g);
void comm_freed(int number);
void comms_put(void);
#endif
