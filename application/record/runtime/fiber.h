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
struct own;     /* own.h */

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
    uint64_t deadline;   /* of the virtual clock, until when it waits; 0: for ever */
    bool late;           /* it was woken by its deadline */
    bool cancellable;    /* that it is to end may wake it */
    uint32_t bits;       /* of a futex: which wakes are meant for it */
    int thread;          /* whose thread-local variables and locks it has; that of the thread of a team of one that opened an inner region, and those after it */
    int slot;            /* whose stack it has */
    int recorded;        /* its number for the recorder: inside a team of one thread all are that thread */
    uint64_t ran;        /* words that it recorded, or that one had recorded which woke it */
    uint64_t phase, phase_from; /* comes after what is of a lower one; and ran as that began */
    struct context *at;  /* the innermost parallel region that it is in */
    struct own *own;     /* of a thread that the program made; NULL: of one of OpenMP */
    struct fr_piece *piece; /* the one it runs: one of the two below, so that the one before stays until it is told */
    struct fr_piece pieces[2];
    struct vo_exceptions exceptions;
};

extern struct fiber *vo_current;
extern struct context vo_initial; /* of the initial thread, team.c */

/* switch.c */
void vo_switch(void **save, void *to);
void *vo_first_frame(char *top, void (*entry)(void));

/* stacks.c */
void vo_stack_ready(int slot);
char *vo_stack_top(int slot);
size_t vo_stack_bytes(void);
int vo_slots_take(int *wanted);
void vo_slots_give(int slot, int count);
int vo_thread_take(void);
void vo_thread_give(int thread);

/* fiber.c. One that was prepared starts at entry, on a stack of its own, once it is in the ring and its turn has come. */
struct fiber *vo_fiber_prepare(int slot, char *stack, int thread, int recorded, struct context *at, void (*entry)(void));
struct fiber *vo_fiber(int slot);
struct fiber *vo_fiber_initial(void);
bool vo_on_fiber(void);            /* not the initial thread, outside of teams */
int vo_core(void);                 /* the number for the recorder that the fewest virtual threads have */
void vo_fiber_begin(struct fiber *f);                /* it can run, when it is its turn */
void vo_team_begin(int slot, int threads);           /* so many fibers from that slot on stand in for the current one, which runs the first of them */
void vo_team_align(int slot, int threads);           /* all of them can run, in this order */
_Noreturn void vo_team_end(int slot, int threads, struct fiber *opener); /* which stands in for them; the caller tells the recorder */
_Noreturn void vo_fiber_end(void);                   /* the current one, for good */
void vo_resume(struct fiber *to);
void vo_block(const void *key, const char *reason); /* until vo_wake on the same key; fails when all wait */
bool vo_block_until(const void *key, const char *reason, uint64_t deadline, bool cancellable); /* false: it is late */
bool vo_wake_one(const void *key); /* what it does then comes after what the current one has done */
void vo_wake_all(const void *key);
bool vo_wake_free(const void *key, int most); /* they come in any order */
uint64_t vo_phase(void);           /* of who comes after what the current one has done */
void vo_phase_at_least(uint64_t phase); /* of the current one */
int vo_wake_bits(const void *key, uint32_t bits, int most);
void vo_requeue(const void *from, const void *to, int most);
void vo_interrupt(struct fiber *f); /* wakes it, where it can be cancelled */
void vo_let_others(void);  /* one with less work behind it goes first, if there is one */
void vo_fair(void);        /* the same where one has much less work behind it, among threads of the program's own */
bool vo_others(void);      /* another one can run, or will by its deadline */
void vo_piece_set(const struct fr_piece *piece);  /* of the current fiber, and tells the recorder */

/* The virtual clock, in nanoseconds: it goes on by what the program does, and to the next deadline when all wait. */
uint64_t vo_now(void);
void vo_pass(uint64_t ns);

/* Thread-local variables, tls.c */
void vo_tls_init(void);
void vo_tls_prepare(int first, int threads);
void vo_tls_switch(int thread);
void vo_tls_end(void); /* of the current thread: its destructors */
void vo_tls_forget(int thread);
enum { VO_HANDED = 32 }; /* words that are looked at of what threads are handed; chosen: variables of one clause */

/* Threads that have their thread-local variables where others can reach them; locals.c. */
void vo_separate_init(const char *lowest); /* of all thread-local variables */
void vo_separate_library(const char *low, size_t bytes); /* variables of the C library */
bool vo_separate(int thread);
bool vo_separate_prepare(int thread); /* false: that cannot be had */
void vo_separate_switch(int thread);

int vo_tls_words(const void *data);
void *vo_tls_freeze(void **words, int n, void **before);
void vo_tls_thaw(void *image, void **words, int n, void *const *before);
bool vo_is_local(const void *variable); /* of a virtual thread, emutls.c */
void vo_locals_forget(int thread);
void vo_keys_end(void);    /* keys.c: of the current thread: its destructors */
void vo_keys_forget(int thread);

bool vo_hidden(const char *path); /* processors.c: a file that tells otherwise of processors than the program is told */

/* Memory that is not the program's heap, arena.c. It is cleared. */
void *vo_alloc(size_t bytes);
void vo_free(void *memory);
void *vo_map(uintptr_t hint, size_t bytes, int protection, const char *what);

#pragma GCC visibility pop
#endif
