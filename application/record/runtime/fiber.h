/* fiber.h - virtual threads: fibers of one operating-system thread, their stacks and thread-local variables.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names that begin with vo_ are of the virtual OpenMP and are not seen outside it. */
#ifndef FORESEE_FIBER_H
#define FORESEE_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foresee.h"

#pragma GCC visibility push(hidden)

enum { VO_THREADS = 1024 }; /* virtual threads at most */

struct context; /* team.h */

/* What the C++ runtime keeps for a thread: the exceptions being handled. */
struct vo_exceptions {
    void *caught;
    unsigned uncaught;
};

struct fiber {
    void *stack_pointer; /* while another one runs */
    struct fiber *next, *previous; /* in the ring of those that can run, or in the list of those that wait */
    const void *key;     /* what it waits on, NULL: it can run */
    const char *reason;  /* the same in words */
    int thread;          /* whose thread-local variables and locks it has; that of the thread of a team of one that opened an inner region, and those after it */
    int slot;            /* whose stack it has */
    int recorded;        /* its number for the recorder: inside a team of one thread all are that thread */
    struct context *at;  /* the innermost parallel region that it is in */
    struct fr_piece *piece; /* the one it runs: one of the two below, so that the one before stays until it is told */
    struct fr_piece pieces[2];
    struct vo_exceptions exceptions;
};

extern struct fiber *vo_current;
extern struct context vo_initial; /* of the initial thread, team.c */

/* Starts at entry, on a stack of its own, once one switches to it. */
void vo_fiber_prepare(int slot, const struct fiber *opener, int number, struct context *at, void (*entry)(void));
void vo_ring(int slot, int threads);              /* so many fibers from that slot on can run, in this order */
void vo_run_fibers(struct fiber *from, int slot); /* from the one that opened them: runs the ring, from that slot on, until vo_return_to */
_Noreturn void vo_return_to(struct fiber *to);    /* the current fiber will not be resumed */
void vo_resume(struct fiber *to);
struct fiber *vo_fiber(int slot);
int vo_next_slot(void);                           /* of a team that the current fiber opens */
bool vo_on_fiber(void);                           /* not the initial thread, outside of teams */
void vo_block(const void *key, const char *reason); /* until vo_wake on the same key; fails when all wait */
void vo_wake_one(const void *key);
void vo_wake_all(const void *key);
void vo_let_others(void); /* one with less work behind it goes first, if there is one */
void vo_piece_set(const struct fr_piece *piece);  /* of the current fiber, and tells the recorder */

/* Thread-local variables of the main program, tls.c */
void vo_tls_init(void);
void vo_tls_prepare(int threads);
void vo_tls_switch(int thread);
int vo_tls_freeze(void **words, int count, void **before);
void vo_tls_thaw(void **words, int count, void *const *before);
bool vo_is_local(const void *variable); /* of a virtual thread, emutls.c */

/* Memory that is not the program's heap, arena.c. It is cleared. */
void *vo_alloc(size_t bytes);
void vo_free(void *memory);
void *vo_map(uintptr_t hint, size_t bytes, int protection, const char *what);

#pragma GCC visibility pop
#endif
