/* foresee.h - what the virtual OpenMP tells the recorder.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All virtual threads of a traced program are fibers of one operating-system thread. A piece is a stretch of what one
 * of them runs, of which foresee knows who would run it with another number of threads. */
#ifndef FORESEE_H
#define FORESEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fr_kind {
    FR_SERIAL,  /* outside parallel regions */
    FR_EACH,    /* in a parallel region, run by every thread */
    FR_CHUNK,   /* iterations of a worksharing loop */
    FR_ONE,     /* single, master or masked: one thread runs it */
    FR_TASK,    /* an explicit task: any thread may run it */
    FR_UNCUT,   /* a construct whose work is shared in a way that was not recorded: sections, loops not rewritten */
};

enum fr_schedule { FR_STATIC = 1, FR_DYNAMIC, FR_GUIDED };

struct fr_piece {
    int32_t kind;     /* of fr_kind */
    int32_t schedule; /* of a chunk: of fr_schedule */
    uint64_t first, end, total; /* of a chunk: iterations [first, end) of total, counted from 0 */
    uint64_t chunk;   /* of a chunk: iterations at a time, 0: static without a chunk */
    uint64_t loop;    /* of a chunk: which execution of a worksharing loop this is, from 1 through the whole run */
    uint64_t own;     /* a thread of the program's own runs it, the first is 1; 0: another one */
    uint64_t phase;   /* of what several such threads run: comes after what is of a lower phase */
};

enum fr_note {
    FR_NOTE_THREAD_NUMBER = 1, /* the number of the thread was asked for inside a region */
    FR_NOTE_THREAD_COUNT,      /* the number of threads was asked for inside a region */
    FR_NOTE_UNCUT,             /* an FR_UNCUT piece began */
    FR_NOTE_NESTED,            /* a nested parallel region was run by one thread */
    FR_NOTE_THREADS_CLAUSE,    /* a region asks for a number of threads of its own */
    FR_NOTE_EXCLUSION,         /* a critical section or a lock */
    FR_NOTE_DEPENDENCE,        /* a task that depends on others */
    FR_NOTE_THREAD_LIMIT,      /* the largest number of threads was asked for */
    FR_NOTE_THREADS_FOLLOWED,  /* a region or the program asks for another number of threads than the run has, and gets it */
    FR_NOTE_TEAM_DENIED,       /* a nested parallel region, to which OpenMP would give threads, was run by one */
};

/* Called by the virtual OpenMP, on the thread that is current. */
void fr_region_enter(const void *pc, int threads); /* before the fork; pc is in the code that opens the region. -1 threads: of the program's own; pc is after the begin of what the first one runs */
void fr_region_leave(void);                        /* after the join */
void fr_thread(int thread, const struct fr_piece *piece); /* what follows is of this virtual thread, and of this piece */
void fr_barrier(void);                             /* all threads of the team have arrived */
void fr_stack(int thread, const void *low, size_t bytes); /* of a virtual thread, before it first runs */
void fr_tls(const void *low, size_t bytes);        /* where thread-local variables lie, for whichever thread runs */
void fr_locals(const void *low, size_t bytes);     /* where those of thread 0 lie that have a place of their own in each thread */
void fr_private(int thread, const void *low, size_t bytes); /* other memory of one thread (threadprivate copies) */
void fr_note(int note, const void *pc);            /* once for each pc is enough, more does no harm */
_Noreturn void fr_fail(const char *message);       /* the program cannot go on */

/* How the run is to be recorded; set before main. */
extern int fr_threads;        /* virtual threads of a team by default */
extern int fr_cut;            /* not 0: one thread runs all, in chunks that can be dealt to the thread counts of fr_cuts */
extern const int *fr_cuts;    /* thread counts, ascending, ends in 0 */
extern bool vo_own_threads;   /* the program has made threads of its own */
extern int fr_rewritten;      /* not 0: the program's loop schedules are encoded by foresee cc, see loops.c */

uint64_t fr_noted(void);       /* what the program has done since it began, in segments and accesses, whether they are recorded or not */
bool fr_is_full(void);         /* whether the log has no room for another segment */
void fr_soon_again(void);      /* threads of the program's own let others run before atomic operations, from here on after a few words */
uint64_t fr_work(int thread);  /* accesses that a virtual thread made since its region began */

/* Provided by the virtual OpenMP. */
void vo_only_this(void); /* in a child process there is one thread */
void fr_slice(bool waits); /* called by the recorder between accesses, where the program has threads of its own: another one may go on */
void fr_yield(void); /* lets the next runnable virtual thread run; called by the recorder between accesses */

#endif
