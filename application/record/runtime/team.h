/* team.h - parallel regions, and what is run in them: loops, tasks, synchronisation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_TEAM_H
#define FORESEE_TEAM_H

#include "fiber.h"

#define VO_CALLER __builtin_return_address(0)

#pragma GCC visibility push(hidden)

struct task;
struct reductions;
struct doacross;

/* Who waits for tasks: a taskgroup. */
struct group {
    struct group *outer;
    uint64_t unfinished;
    uintptr_t *reductions; /* as gcc has them; reductions.c */
    struct reductions *items; /* as clang has them */
};

/* A worksharing construct that is being run. */
struct share {
    uint64_t construct; /* which of the team it is, from 1; 0: not in use */
    int left;           /* threads that are done with it */
    int schedule;       /* of fr_schedule; 0: not a loop */
    bool uncut;         /* sections: not to be cut */
    bool cut;           /* handed out to one thread, in chunks that can be dealt to any */
    uint64_t total, chunk, loop;
    uint64_t given;     /* iterations handed out so far */
    uint64_t turn;      /* ordered: the iteration that is next */
    uint64_t low, step; /* the loop variable, modulo 2^64 */
    const void *pc;
};

/* A loop as the program states it. */
struct loop {
    int schedule; /* of fr_schedule */
    bool sections;
    uint64_t total, chunk, low, step;
    const void *pc;
};

enum { VO_SHARES = 64 }; /* constructs that threads of a team can be apart */

struct team {
    int threads;
    bool forked;        /* its threads are fibers; else the thread that came runs it alone, where it is */
    int level, active_level;
    int slot;           /* of its first fiber */
    struct context *outer; /* where it was opened */
    struct fiber *opener;
    void (*body)(struct team *);
    void *function, *data; /* for body */
    int count;
    const struct loop *loop; /* that the region begins with */
    int arrived;        /* at the barrier */
    uint64_t barriers;
    void *copied;       /* copyprivate */
    void *copied_words, *copied_image; /* what that is, where it had addresses of thread-local variables */
    struct share *shares;
    unsigned slots;
    struct share only;  /* of a team that was not forked */
    struct task *first_task, *last_task; /* that can run */
    struct doacross *doacrosses; /* that some of its threads are in */
    uint64_t tasks, queued; /* unfinished, and of those the ones that can run */
};

/* Where a thread is in a region. */
struct context {
    struct team *team;
    int number;         /* omp_get_thread_num */
    int asked;          /* num_threads of the region to come, libomp; 0: none */
    uint64_t constructs; /* worksharing constructs met so far */
    struct share *share; /* the one it is in */
    uint64_t first, end; /* the chunk it runs */
    uint64_t rounds;    /* static: chunks taken so far */
    uint64_t iteration; /* ordered, libomp: the one it runs */
    uint64_t doacrosses; /* met so far */
    struct doacross *doacross; /* the one it is in */
    int set_threads;    /* omp_set_num_threads, 0: none; what a region inherits from where it was opened */
    int usual_threads;  /* of regions within, as OMP_NUM_THREADS lists them, 0: as many as there are processors */
    bool one;           /* in a single whose end libgomp does not say */
    struct task *task;
    struct context *outer; /* of the same fiber */
};

/* Threads; team.c */
struct settings {
    int schedule;       /* of schedule(runtime), 0: what the compiler's own runtime would take */
    uint64_t chunk;
    int levels;
    bool dynamic;
};
extern struct settings vo_settings;
int vo_processors(void);
int vo_max_threads(void);
bool vo_on_only_thread(void); /* not on one of the system's besides */
void vo_threads_begin(void); /* from here on there may be several */
void vo_region_begin(const void *pc, int threads); /* a team, or a thread of the program's own, begins to run */
void vo_region_end(void);
void vo_piece_of_initial(void); /* after such a thread has begun */
void vo_parallel(struct team *team, int asked, const void *pc);
bool vo_may_fork(void); /* a region that is opened here can have threads */
void vo_alone_begin(void);
void vo_alone_end(void);
void vo_barrier(void);
void vo_team_forget_copied(struct team *team);
void vo_note_asked(int threads, const void *pc); /* a number of threads of the program's own */
void vo_piece(int kind);
void vo_one_begin(bool until_next);
void vo_one_over(void); /* the next construct says that such a single is over */
static inline struct context *vo_at(void) { return vo_current->at; }

/* Loops; loops.c, schedule.c */
struct share *vo_share_enter(bool *first);
void vo_share_leave(void);
void vo_loop_begin(const struct loop *loop);
bool vo_loop_next(void); /* the chunk is in vo_at() */
struct loop vo_loop(int schedule, bool may_be_encoded, uint64_t total, uint64_t chunk, uint64_t low, uint64_t step,
                    const void *pc);
struct loop vo_loop_runtime(int fallback, uint64_t total, uint64_t low, uint64_t step, const void *pc);
void vo_loop_alone(const void *pc, uint64_t total, uint64_t first, uint64_t end, bool sections);
void vo_static_block(uint64_t total, uint64_t threads, uint64_t thread, uint64_t *first, uint64_t *end);
void vo_cut_begin(const struct share *share);
uint64_t vo_cut_end(const struct share *share);
uint64_t vo_guided(uint64_t left, uint64_t threads, uint64_t chunk);

/* Ordered loops with depend(sink) and depend(source); doacross.c. Iterations count from 0 in each loop. */
void vo_doacross_begin(int loops, const uint64_t *counts);
void vo_doacross_end(void);
void vo_doacross_post(const uint64_t *at);
void vo_doacross_wait(const uint64_t *at);

/* Teams of a teams construct; host.c */
struct league {
    unsigned teams, team; /* how many, and which one runs */
};
extern struct league vo_league;
void vo_teams(unsigned count, void (*function)(void *), void *data);

/* Synchronisation; sync.c */
void vo_lock(int32_t *lock, const char *reason);
void vo_unlock(int32_t *lock);
bool vo_single(void);

/* Tasks; tasks.c, depend.c */
struct dependence {
    const void *address;
    bool out; /* not only in */
};

struct link;
struct address;

struct task {
    struct task *next, *previous;   /* in the team's queue */
    struct task *younger, *older;   /* in the queue of its parent */
    struct task *parent, *children; /* children that can run, the youngest first */
    struct group *member;           /* the taskgroup that it is in */
    struct group *group;            /* the taskgroup that its children will be in */
    void (*run)(struct task *);
    void *function, *data;
    uint64_t unfinished;            /* children */
    uint64_t before;                /* unfinished tasks that it depends on */
    struct link *after;             /* tasks that depend on it */
    struct address **addresses;     /* what its children depend on */
    uint64_t references;            /* itself until it is finished, its children, addresses */
    bool deferred, finished, final;
    struct task *interrupted;       /* what its thread ran before, and as which piece */
    struct fr_piece piece;
    bool one;
};

/* Runs the task, or queues it; it is freed when it is finished. */
void vo_task_start(struct task *task, bool deferred, const struct dependence *d, size_t count);
void vo_task_one(void); /* the oldest, if there is one */
void vo_task_wait(void);
void vo_task_wait_for(const struct dependence *d, size_t count);
void vo_task_adopt(struct task *task);          /* makes it a child of the current task */
void vo_task_begin(struct task *task);
void vo_task_end(struct task *task);
void vo_task_ready(struct task *task);
uint64_t vo_task_share(uint64_t total, uint64_t tasks, uint64_t task);
void vo_group_begin(void);
void vo_group_end(void);
void vo_reductions_end(struct reductions *reductions);
void vo_depend(struct task *task, const struct dependence *d, size_t count);
void vo_depend_finish(struct task *task);
void vo_depend_forget(struct task *parent);
void vo_task_release(struct task *task);

#pragma GCC visibility pop
#endif
