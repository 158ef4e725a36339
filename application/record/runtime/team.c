/* team.c - parallel regions: teams of virtual threads, barriers, pieces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct task initial_task = {.references = 1}, thread_tasks[VO_THREADS];
static struct team initial_team = {.threads = 1, .slots = 1, .shares = &initial_team.only};
struct context vo_initial = {.team = &initial_team, .task = &initial_task};
static struct context contexts[VO_THREADS];
static struct share shares[VO_SHARES];
static struct team *forked; /* the innermost whose threads are fibers */
static pthread_t only_thread;

struct settings vo_settings = {.levels = 1};

/* OMP_SCHEDULE: [modifier:]kind[,chunk] */
static void read_schedule(void) {
    const char *text = getenv("OMP_SCHEDULE");
    if (!text)
        return;
    const char *modifier = strchr(text, ':');
    if (modifier)
        text = modifier + 1;
    text += strspn(text, " \t");
    static const struct {
        const char *name;
        int schedule;
    } kinds[] = {{"static", FR_STATIC}, {"dynamic", FR_DYNAMIC}, {"guided", FR_GUIDED}, {"auto", FR_STATIC}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncasecmp(text, kinds[i].name, strlen(kinds[i].name)))
            vo_settings.schedule = kinds[i].schedule;
    const char *comma = strchr(text, ',');
    long chunk = comma ? strtol(comma + 1, NULL, 10) : 0;
    vo_settings.chunk = chunk > 0 ? (uint64_t)chunk : 0;
}

/* After the recorder's constructor, before the program's; or earlier, if a library of the program uses OpenMP as it is
 * loaded. */
__attribute__((constructor(102))) static void begin(void) {
    static bool begun;
    if (begun)
        return;
    begun = true;
    only_thread = pthread_self();
    read_schedule();
    vo_tls_init();
    vo_piece_set(&(struct fr_piece){.kind = FR_SERIAL});
}

static int largest_cut(void) {
    int n = 1;
    for (const int *c = fr_cuts; c && *c; c++)
        n = *c;
    return n;
}

bool vo_on_only_thread(void) {
    begin();
    return pthread_equal(pthread_self(), only_thread);
}

/* A run that is to be dealt is one of one thread in all that it tells the program: an array with a place for each thread
 * would have places that no thread fills. */
int vo_max_threads(void) {
    if (fr_cut)
        return 1;
    int n = vo_settings.threads > 0 ? vo_settings.threads : fr_threads > 0 ? fr_threads : 1;
    return n < VO_THREADS ? n : VO_THREADS;
}

/* In teams that are not forked the piece stays: who runs it depends on what is around. */
void vo_piece(int kind) {
    bool same = kind == FR_EACH && vo_current->piece->kind == FR_EACH;
    if (vo_at()->team->forked && !same)
        vo_piece_set(&(struct fr_piece){.kind = kind});
}

void vo_one_begin(bool until_next) {
    vo_piece(FR_ONE);
    vo_at()->one = until_next;
}

void vo_one_over(void) {
    struct context *at = vo_at();
    if (!at->one)
        return;
    at->one = false;
    vo_piece(FR_EACH);
}

static void finish_barrier(struct team *team) {
    team->arrived = 0;
    team->barriers++;
    fr_barrier();
}

/* Returns true in the thread that arrives last, all tasks being done. */
static bool arrive(struct team *team, const char *reason) {
    uint64_t barrier = team->barriers;
    team->arrived++;
    for (;;) {
        if (team->first_task) {
            vo_let_others();
            vo_task_one();
        } else if (team->arrived == team->threads && team->tasks == 0) {
            return true;
        } else {
            vo_block(team, reason);
        }
        if (team->barriers != barrier)
            return false; /* others finished it */
    }
}

void vo_barrier(void) {
    struct team *team = vo_at()->team;
    vo_one_over();
    if (!team->forked || !arrive(team, "at a barrier"))
        return;
    finish_barrier(team);
    vo_ring(team->slot, team->threads); /* all go on, thread 0 first, in every run alike */
    vo_resume(vo_fiber(team->slot));
}

/* The first function on the stack of a virtual thread. The last one at the end goes back to the thread that opened the
 * region; the others are left waiting, for good. */
static void thread_main(void) {
    struct team *team = vo_at()->team;
    if (team->loop)
        vo_loop_begin(team->loop);
    team->body(team);
    vo_one_over();
    if (arrive(team, "at the end of the region")) {
        finish_barrier(team);
        vo_return_to(team->opener);
    }
    abort();
}

static void prepare(struct team *team, bool inner) {
    vo_tls_prepare(vo_current->thread + team->threads);
    team->shares = inner ? vo_alloc(sizeof shares) : shares;
    memset(team->shares, 0, sizeof shares);
    team->slots = VO_SHARES;
    team->slot = vo_next_slot();
    for (int i = 0; i < team->threads; i++) {
        int slot = team->slot + i;
        vo_depend_forget(&thread_tasks[slot]);
        thread_tasks[slot] = (struct task){.references = 1};
        contexts[slot] = (struct context){.team = team, .number = i, .task = &thread_tasks[slot]};
        vo_fiber_prepare(slot, vo_current, i, &contexts[slot], thread_main);
    }
    vo_ring(team->slot, team->threads);
}

/* To the recorder an inner region is what the one thread around it does. */
static void fork_team(struct team *team, const void *pc) {
    struct fiber *me = vo_current;
    struct team *around = forked;
    forked = team;
    team->forked = true;
    team->active_level = team->threads > 1 || (fr_cut && largest_cut() > 1);
    prepare(team, around);
    if (!around)
        fr_region_enter(pc, team->threads);
    vo_run_fibers(me, team->slot);
    if (around)
        vo_free(team->shares);
    else
        fr_region_leave();
    forked = around;
    vo_piece_set(me->piece);
}

static void enter_alone(struct team *team, struct context *context, struct task *task) {
    struct context *outer = vo_at();
    team->threads = 1;
    team->shares = &team->only;
    team->slots = 1;
    team->active_level = outer->team->active_level;
    *task = (struct task){.references = 1, .final = outer->task->final};
    *context = (struct context){.team = team, .task = task, .outer = outer};
    vo_current->at = context;
    if (team->loop)
        vo_loop_begin(team->loop);
}

static void leave_alone(void) {
    struct context *at = vo_at();
    vo_depend_forget(at->task);
    vo_current->at = at->outer;
}

static void note_nested(int asked, const void *pc) {
    int active = vo_at()->team->active_level;
    if (forked && !fr_cut && active < vo_settings.levels && (asked > 0 ? asked : vo_max_threads()) > 1)
        fr_note(FR_NOTE_TEAM_DENIED, pc);
    else if (active > 0)
        fr_note(FR_NOTE_NESTED, pc);
}

/* Inside a team of one thread, which a run that is dealt only seems to have, OpenMP gives a region what it asks for. */
bool vo_may_fork(void) { return !forked || (!fr_cut && forked->threads == 1); }

void vo_note_asked(int threads, const void *pc) {
    if (fr_cut)
        fr_note(FR_NOTE_THREADS_CLAUSE, pc);
    else if (threads != fr_threads)
        fr_note(FR_NOTE_THREADS_FOLLOWED, pc);
}

/* 0: the thread that is there runs the region alone, whatever the number of threads. */
static int threads_for(int asked, const void *pc) {
    if (!vo_may_fork())
        return 0;
    if (asked <= 0)
        asked = vo_settings.threads;
    if (asked == 1 || (forked && asked <= 0 && vo_max_threads() == 1))
        return 0;
    if (asked > 1)
        vo_note_asked(asked, pc);
    if (fr_cut)
        return 1;
    int n = asked > 0 ? asked : vo_max_threads(), most = VO_THREADS - vo_next_slot();
    return n < most ? n : most;
}

static void check_thread(void) {
    if (!vo_on_only_thread())
        fr_fail("a parallel region was opened by a thread that the program made itself: foresee runs OpenMP programs "
                "whose only threads are those of OpenMP");
}

static void open_team(struct team *team) {
    begin();
    check_thread();
    team->outer = vo_at();
    team->opener = vo_current;
    team->level = team->outer->team->level + 1;
}

void vo_parallel(struct team *team, int asked, const void *pc) {
    open_team(team);
    team->threads = threads_for(asked, pc);
    if (team->threads > 0) {
        fork_team(team, pc);
        return;
    }
    struct context context;
    struct task task;
    if (asked != 1)
        note_nested(asked, pc);
    enter_alone(team, &context, &task);
    team->body(team);
    leave_alone();
}

/* libomp has regions of one thread begin and end with a call each. */
struct alone {
    struct context context; /* first: leave_alone finds it */
    struct team team;
    struct task task;
};

void vo_alone_begin(void) {
    struct alone *a = vo_alloc(sizeof *a);
    open_team(&a->team);
    enter_alone(&a->team, &a->context, &a->task);
}

void vo_alone_end(void) {
    struct alone *a = (struct alone *)vo_at();
    leave_alone();
    vo_free(a);
}
