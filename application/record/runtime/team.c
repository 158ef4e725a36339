/* team.c - parallel regions: teams of virtual threads, barriers, pieces.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "team.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct task initial_task = {.references = 1}, thread_tasks[VO_THREADS];
static struct team initial_team = {.threads = 1, .slots = 1, .shares = &initial_team.only};
struct context vo_initial = {.team = &initial_team, .task = &initial_task};
static struct context contexts[VO_THREADS];
static struct share shares[VO_SHARES];
static bool shares_used;
static int busy; /* teams whose threads are fibers, and threads of the program's own: there is a region while there is one */
static const void *only_thread;

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

/* OMP_NUM_THREADS where it is a list: threads of regions by their level, of which the first are the recorder's to say. */
static int listed[8], levels_listed;

static void read_list(void) {
    const char *text = fr_cut ? NULL : getenv("OMP_NUM_THREADS");
    for (; text && levels_listed < (int)(sizeof listed / sizeof *listed); text = strchr(text, ',')) {
        text += *text == ',';
        long n = strtol(text, NULL, 10);
        if (n <= 0)
            return;
        listed[levels_listed++] = n < VO_THREADS ? (int)n : VO_THREADS;
    }
}

/* OMP_MAX_ACTIVE_LEVELS, and OMP_NESTED, which is its older form; a list of threads asks for regions inside others as well. */
static void read_levels(void) {
    const char *levels = getenv("OMP_MAX_ACTIVE_LEVELS"), *nested = getenv("OMP_NESTED");
    if (nested ? !strcasecmp(nested, "true") : levels_listed > 1)
        vo_settings.levels = INT_MAX;
    long n = levels ? strtol(levels, NULL, 10) : 0;
    if (n > 0)
        vo_settings.levels = n < INT_MAX ? (int)n : INT_MAX;
}

/* What the C library keeps of the system's thread (locals.c). */
static const void *this_thread(void) {
    const void *thread;
#if defined(__x86_64__)
    __asm__("mov %%fs:16, %0" : "=r"(thread));
#else
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
#endif
    return thread;
}

/* After the recorder's constructor, before the program's; or earlier, if a library of the program uses OpenMP as it is
 * loaded. */
__attribute__((constructor(102))) static void begin(void) {
    static bool begun;
    if (begun)
        return;
    begun = true;
    only_thread = this_thread();
    read_schedule();
    read_list();
    read_levels();
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
    return this_thread() == only_thread;
}

int vo_processors(void) {
    if (fr_cut || fr_threads < 1)
        return 1;
    return fr_threads < VO_THREADS ? fr_threads : VO_THREADS;
}

/* A run that is to be dealt is one of one thread in all that it tells the program: an array with a place for each thread
 * would have places that no thread fills. */
int vo_max_threads(void) {
    const struct context *at = vo_at();
    int n = at->set_threads > 0 ? at->set_threads : at->usual_threads;
    return fr_cut || n <= 0 ? vo_processors() : n < VO_THREADS ? n : VO_THREADS;
}

/* What a thread of a region is told of those within, but where it asks itself. */
static void tell_threads(struct context *of, const struct team *team) {
    bool says = team->level < levels_listed;
    of->usual_threads = says ? listed[team->level] : team->outer->usual_threads;
    of->set_threads = says ? 0 : team->outer->set_threads;
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
    vo_team_align(team->slot, team->threads); /* all go on, thread 0 first, in every run alike */
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
        vo_team_end(team->slot, team->threads, team->opener);
    }
    abort();
}

/* The innermost region around whose threads are fibers. */
static struct team *forked_around(void) {
    for (struct context *at = vo_at(); at; at = at->team->outer)
        if (at->team->forked)
            return at->team;
    return NULL;
}

/* The C library's word for C++'s library that it need not lock anything. */
extern char __libc_single_threaded __attribute__((weak, visibility("default")));

void vo_threads_begin(void) {
    if (&__libc_single_threaded)
        __libc_single_threaded = 0;
}

void vo_region_begin(const void *pc, int threads) {
    if (busy++ == 0)
        fr_region_enter(pc, threads);
}

void vo_region_end(void) {
    if (--busy == 0) {
        fr_region_leave();
        *vo_fiber_initial()->piece = (struct fr_piece){.kind = FR_SERIAL};
    }
}

/* What the initial thread does outside of teams is of the region that threads of the program's own make. */
static void piece_outside(struct fiber *me) {
    if (me == vo_fiber_initial() && me->at == &vo_initial)
        vo_piece_set(&(struct fr_piece){.kind = busy ? FR_EACH : FR_SERIAL});
    else
        vo_piece_set(me->piece);
}

void vo_piece_of_initial(void) {
    if (vo_current == vo_fiber_initial())
        piece_outside(vo_current);
}

/* Beside the threads around it, or those of the program, a team has others than the next ones. */
static bool takes_threads(const struct team *team) {
    return vo_current->own || team->outer->team->active_level > 0;
}

/* The threads of a team that a thread of the program's own opens are others than those of the initial thread, and so are those of one that is
 * opened beside such threads for the recorder. */
static void prepare_thread(struct team *team, int number, bool inner) {
    struct fiber *me = vo_current;
    int slot = team->slot + number, thread = takes_threads(team) && number > 0 ? vo_thread_take() : me->thread + number;
    int recorded = inner || (busy > 0 && number == 0) ? me->recorded : busy > 0 ? vo_core() : number;
    vo_tls_prepare(thread, 1);
    vo_stack_ready(slot);
    vo_depend_forget(&thread_tasks[slot]);
    thread_tasks[slot] = (struct task){.references = 1};
    contexts[slot] = (struct context){.team = team, .number = number, .task = &thread_tasks[slot]};
    tell_threads(&contexts[slot], team);
    struct fiber *f = vo_fiber_prepare(slot, vo_stack_top(slot), thread, recorded, &contexts[slot], thread_main);
    f->own = number == 0 ? me->own : NULL;
}

static void prepare(struct team *team, bool inner) {
    bool own = shares_used;
    team->shares = own ? vo_alloc(sizeof shares) : shares;
    if (!own)
        shares_used = true;
    memset(team->shares, 0, sizeof shares);
    team->slots = VO_SHARES;
    team->slot = vo_slots_take(&team->threads);
    if (team->threads == 0)
        fr_fail("more than 1024 virtual threads at once: foresee has no room for more");
    for (int i = 0; i < team->threads; i++)
        prepare_thread(team, i, inner);
}

void vo_team_forget_copied(struct team *team) {
    vo_free(team->copied_words);
    vo_free(team->copied_image);
}

static void release(struct team *team) {
    vo_team_forget_copied(team);
    if (team->shares == shares)
        shares_used = false;
    else
        vo_free(team->shares);
    for (int i = 1; takes_threads(team) && i < team->threads; i++)
        vo_thread_give(vo_fiber(team->slot + i)->thread);
}

/* To the recorder an inner region is what the one thread around it does. */
static void fork_team(struct team *team, const void *pc) {
    struct fiber *me = vo_current;
    struct team *around = forked_around();
    team->forked = true;
    if (team->threads > 1)
        vo_threads_begin();
    team->active_level = team->outer->team->active_level + (team->threads > 1 || (fr_cut && largest_cut() > 1));
    prepare(team, around);
    vo_region_begin(pc, team->threads);
    vo_team_begin(team->slot, team->threads);
    release(team);
    vo_region_end();
    piece_outside(me);
}

static void enter_alone(struct team *team, struct context *context, struct task *task) {
    struct context *outer = vo_at();
    team->threads = 1;
    team->shares = &team->only;
    team->slots = 1;
    team->active_level = outer->team->active_level;
    *task = (struct task){.references = 1, .final = outer->task->final};
    *context = (struct context){.team = team, .task = task, .outer = outer};
    tell_threads(context, team);
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
    if (forked_around() && !fr_cut && active < vo_settings.levels && (asked > 0 ? asked : vo_max_threads()) > 1)
        fr_note(FR_NOTE_TEAM_DENIED, pc);
    else if (active > 0)
        fr_note(FR_NOTE_NESTED, pc);
}

/* A region inside another one has threads of its own up to max-active-levels, but in a run that is dealt. */
bool vo_may_fork(void) {
    const struct team *around = forked_around();
    return !around || (!fr_cut && vo_at()->team->active_level < vo_settings.levels);
}

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
        asked = vo_at()->set_threads;
    if (asked == 1 || (forked_around() && asked <= 0 && vo_max_threads() == 1))
        return 0;
    if (asked > 1)
        vo_note_asked(asked, pc);
    if (fr_cut)
        return 1;
    int n = asked > 0 ? asked : vo_max_threads();
    return n < VO_THREADS ? n : VO_THREADS;
}

static void check_thread(void) {
    if (!vo_on_only_thread())
        fr_fail("a parallel region was opened by a thread that a library made in a way that foresee does not know");
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
