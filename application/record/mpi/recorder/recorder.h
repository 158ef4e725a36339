/* recorder.h - what the files of the MPI recorder share. The recorder is loaded before MPI's library (LD_PRELOAD),
 * counts and times the calls of a rank, and writes one text file for each.
 *
 * It needs no mpi.h, so that one library serves every MPI: on the machines that it knows an int, a pointer and a
 * handle each travel in one register or one slot of eight bytes, and what is passed on is what came.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_MPI_RECORDER_H
#define FORESEE_MPI_RECORDER_H
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "collect.h"

#if !defined(__LP64__) || !(defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__) || defined(__riscv))
#error "foresee records MPI on 64-bit x86, Arm, POWER and RISC-V"
#endif

typedef long word;

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

enum call {
    CALL_NONE, /* keys of empty entries are 0 */
#define CALL(name, ...) CALL_##name,
#define SIZED(name, ...) CALL_##name,
#define POLL(name, ...) CALL_##name,
#define COLLECTIVE(name, later, ...) CALL_##name, CALL_##later, CALL_##name##_init,
#include "calls.def"
#undef CALL
#undef SIZED
#undef POLL
#undef COLLECTIVE
    CALL_Start,
    CALL_Startall,
    CALLS,
    PEER = CALLS, /* not a call: the messages to one rank */
};

/* threads.c: counts are kept by thread, so that recording needs no lock. */

struct entry {
    _Atomic uint64_t key; /* see key_of; 0: empty */
    uint64_t count, bytes, ns, shortest, longest;
};

struct table {
    unsigned shift, used; /* 64 - log2 of the room */
    struct entry entries[];
};

enum { NEAR_GROUPS = 8 };

struct thread {
    int depth; /* in a recorded call: what it calls itself is not counted */
    _Atomic(struct table *) table;
    struct {
        word handle;
        unsigned generation;
        struct group *group;
    } near[NEAR_GROUPS];
    uint64_t polls[CALLS];
    struct watch {      /* for events: the last call, and what the one under way was given */
        uint64_t wall, cpu; /* end of the last call, and the thread's processor time then */
        uint64_t polling;   /* ns of polls since */
        uint64_t cpu_begin; /* processor time at the begin of this call */
        int *given;         /* the status of a receive */
        uint64_t declared;  /* ns of computing that a skeleton says it would do */
        word *requests;
        int32_t *ages;
        unsigned count, room;
        word status[8];
    } watch;
    struct thread *next;
    atomic_int busy; /* a running thread counts here */
};

extern __thread struct thread *current_thread;
extern _Atomic(struct thread *) all_threads;
extern atomic_bool recording; /* between MPI_Init and MPI_Finalize */
extern atomic_bool lossy;     /* something could not be counted */

struct thread *thread_begin(void);
struct entry *entry_add(struct thread *t, uint64_t key);

/* key_of names a row of the file. processes is the size of the communicator, or for PEER the peer's rank. */
INLINE uint64_t key_of(unsigned call, unsigned processes, unsigned size_class) {
    return (uint64_t)call << 48 | (uint64_t)processes << 8 | size_class;
}

INLINE struct entry *entry_of(struct thread *t, uint64_t key) {
    struct table *table = atomic_load_explicit(&t->table, memory_order_relaxed);
    struct entry *e = &table->entries[key * 0x9e3779b97f4a7c15u >> table->shift];
    return e->key == key ? e : entry_add(t, key);
}

/* enter gives the thread's counts for a call that is to be recorded, else NULL. */
INLINE struct thread *enter(void) {
    if (!atomic_load_explicit(&recording, memory_order_relaxed))
        return 0;
    struct thread *t = current_thread;
    if (!t && !(t = thread_begin()))
        return 0;
    if (t->depth)
        return 0;
    t->depth = 1;
    callgrind_toggle();
    return t;
}

INLINE void leave(struct thread *t) {
    callgrind_toggle();
    t->depth = 0;
}

INLINE uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

INLINE void record(struct thread *t, enum call call, int processes, uint64_t bytes, uint64_t ns) {
    unsigned size_class = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
    struct entry *e = entry_of(t, key_of(call, (unsigned)processes, size_class));
    e->count++;
    e->bytes += bytes;
    e->ns += ns;
    if (ns > e->longest)
        e->longest = ns;
    if (ns < e->shortest)
        e->shortest = ns;
}

INLINE void record_peer(struct thread *t, int rank, uint64_t bytes) {
    if (rank < 0)
        return; /* a process outside MPI_COMM_WORLD */
    struct entry *e = entry_of(t, key_of(PEER, (unsigned)rank, 0));
    e->count++;
    e->bytes += bytes;
}

/* library.c: the MPI library, and what it is asked. */

struct library {
    bool open_mpi; /* handles are pointers; else they are ints, as MPICH and its offspring have them */
    word world;    /* MPI_COMM_WORLD */
    word in_place;
    int proc_null, undefined;
    int cart, graph; /* results of MPI_Topo_test */
    word comm_null, status_ignore;
    int status_source; /* where a status has the source, in ints; the tag stands behind it */
    const char *name;
};
extern struct library library;

void *mpi_function(const char *name);
bool library_open(void);
bool library_holds(const void *address);
int64_t type_size(word type);

/* handle makes handles comparable: above an int, a register may hold anything. */
INLINE word handle(word h) { return library.open_mpi ? h : (int)h; }

INLINE word handle_at(word array, int i) {
    return library.open_mpi ? ((word *)array)[i] : ((int *)array)[i];
}

/* groups.c: communicators and windows */

struct group {
    word handle;
    int processes;  /* in all */
    int rank;       /* of this process */
    int receivers;  /* of collective operations: those of the remote group, where there is one */
    int neighbours; /* that this process sends to, in the communicator's topology */
    bool window;
    int number; /* in a file of events, plus one; 0: none yet */
    _Atomic(int *) world; /* ranks of the receivers in MPI_COMM_WORLD; NULL until one is asked for */
    struct group *next;
};

extern atomic_uint group_generation;

struct group *group_find(struct thread *t, word handle, bool window);
void group_forget(word handle);
int world_rank(struct group *g, int rank);

INLINE struct group *group_of(struct thread *t, word handle, bool window) {
    unsigned at = (unsigned)(handle ^ handle >> 8) % NEAR_GROUPS;
    if (t->near[at].handle == handle && t->near[at].generation == atomic_load_explicit(&group_generation, memory_order_acquire))
        return t->near[at].group;
    return group_find(t, handle, window);
}

/* requests.c: persistent requests */

struct start {
    int processes, peer; /* peer: rank in MPI_COMM_WORLD, or -1 */
    uint64_t bytes;
    int call, tag, comm, root, from; /* for events: the call that does the same at once */
};
void request_remember(word request, struct start s);

/* file.c */

enum ending { CUT_OFF, FINALIZED, ABORTED, SNAPSHOT };
extern int world_size;
void file_name(int rank);
void file_write(enum ending ending);
void file_snapshot(uint64_t now);
extern atomic_uint_fast64_t snapshot_due;
extern const char *const call_names[];

INLINE void snapshot_if_due(uint64_t now) {
    if (__builtin_expect(now >= atomic_load_explicit(&snapshot_due, memory_order_relaxed), 0))
        file_snapshot(now);
}
bool file_wanted(void);

/* life.c */

void span_start(void);
void span_end(uint64_t *wall, uint64_t *cpu);

#endif
