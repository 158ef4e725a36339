/* loops.c - worksharing: who is handed which iterations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * foresee cc replaces the schedule clause of each loop by schedule(monotonic: guided, (c)*8+k), so that the compiler
 * calls the runtime for every chunk. c is the chunk of the program, 0 for none; k is 1 static, 2 dynamic, 3 guided,
 * 4 runtime, 5 auto, which is static here. */
#include "team.h"

enum { ENCODED_RUNTIME = 4, ENCODED_AUTO };

static uint64_t loops; /* worksharing loops run so far */

/* The place of the next construct of the team. The thread that comes first sets it up. */
struct share *vo_share_enter(bool *first) {
    vo_one_over();
    struct context *at = vo_at();
    uint64_t construct = ++at->constructs;
    struct share *s = &at->team->shares[construct % at->team->slots];
    while (s->construct && s->construct != construct)
        vo_block(s, "for slower threads, which are many nowait constructs behind");
    *first = !s->construct;
    if (*first)
        *s = (struct share){.construct = construct};
    at->share = s;
    return s;
}

void vo_share_leave(void) {
    struct context *at = vo_at();
    struct share *s = at->share;
    at->share = NULL;
    if (!s || ++s->left < at->team->threads)
        return;
    s->construct = 0;
    vo_wake_all(s);
}

static struct loop plain(int schedule, uint64_t total, uint64_t chunk, uint64_t low, uint64_t step, const void *pc) {
    if (chunk == 0 && schedule != FR_STATIC)
        chunk = 1;
    return (struct loop){schedule, false, total, chunk, low, step, pc};
}

/* fallback: of fr_schedule, what the compiler's own runtime takes if the environment says nothing. */
struct loop vo_loop_runtime(int fallback, uint64_t total, uint64_t low, uint64_t step, const void *pc) {
    if (vo_settings.schedule)
        return plain(vo_settings.schedule, total, vo_settings.chunk, low, step, pc);
    return plain(fallback, total, 0, low, step, pc);
}

struct loop vo_loop(int schedule, bool may_be_encoded, uint64_t total, uint64_t chunk, uint64_t low, uint64_t step,
                    const void *pc) {
    if (!may_be_encoded || !fr_rewritten)
        return plain(schedule, total, (int64_t)chunk > 0 ? chunk : 0, low, step, pc);
    int kind = (int)(chunk % 8);
    chunk /= 8;
    if (kind == ENCODED_RUNTIME)
        return vo_loop_runtime(FR_STATIC, total, low, step, pc);
    if (kind == 0 || kind > ENCODED_AUTO)
        fr_fail("a loop has a schedule that foresee cc did not write: build all of the program with foresee cc");
    return plain(kind == ENCODED_AUTO ? FR_STATIC : kind, total, chunk, low, step, pc);
}

static void set_up(struct share *s, const struct loop *loop) {
    s->schedule = loop->schedule;
    s->uncut = loop->sections;
    s->total = loop->total;
    s->chunk = loop->chunk;
    s->low = loop->low;
    s->step = loop->step;
    s->pc = loop->pc;
    if (!vo_at()->team->forked)
        return;
    s->loop = ++loops;
    s->cut = fr_cut && !loop->sections;
    if (s->cut)
        vo_cut_begin(s);
}

void vo_loop_begin(const struct loop *loop) {
    bool first;
    struct share *s = vo_share_enter(&first);
    vo_at()->rounds = 0;
    if (first)
        set_up(s, loop);
}

static bool next_static(const struct share *s, struct context *at) {
    uint64_t threads = (uint64_t)at->team->threads, number = (uint64_t)at->number;
    if (s->chunk == 0) {
        if (at->rounds++ > 0)
            return false;
        vo_static_block(s->total, threads, number, &at->first, &at->end);
        return at->first < at->end;
    }
    uint64_t chunks = s->total / s->chunk + (s->total % s->chunk != 0);
    uint64_t mine = number + threads * at->rounds++;
    if (mine >= chunks)
        return false;
    at->first = mine * s->chunk;
    at->end = mine + 1 == chunks ? s->total : at->first + s->chunk;
    return true;
}

/* First come, first served. */
static bool next_of_rest(struct share *s, struct context *at) {
    if (at->team->forked)
        vo_let_others();
    uint64_t left = s->total - s->given;
    if (left == 0)
        return false;
    at->first = s->given;
    if (s->cut)
        s->given = vo_cut_end(s);
    else if (s->schedule == FR_GUIDED)
        s->given += vo_guided(left, (uint64_t)at->team->threads, s->chunk);
    else
        s->given += s->chunk < left ? s->chunk : left;
    at->end = s->given;
    return true;
}

static void announce(const struct share *s, const struct context *at) {
    if (!at->team->forked)
        return;
    if (!s->uncut) {
        vo_piece_set(&(struct fr_piece){.kind = FR_CHUNK, .schedule = s->schedule, .first = at->first, .end = at->end, .total = s->total, .chunk = s->chunk, .loop = s->loop});
    } else if (fr_cut) {
        fr_note(FR_NOTE_UNCUT, s->pc);
        vo_piece(FR_UNCUT);
    }
}

bool vo_loop_next(void) {
    struct context *at = vo_at();
    struct share *s = at->share;
    bool more = s && (s->schedule == FR_STATIC && !s->cut ? next_static(s, at) : next_of_rest(s, at));
    if (!more) {
        vo_piece(FR_EACH);
        return false;
    }
    at->iteration = at->first;
    announce(s, at);
    return true;
}

/* A loop or sections that the program deals by itself, the runtime having said which iterations are whose: from first
 * to end, 0 for not at once. */
void vo_loop_alone(const void *pc, uint64_t total, uint64_t first, uint64_t end, bool sections) {
    bool came_first;
    struct share *s = vo_share_enter(&came_first);
    if (came_first)
        set_up(s, &(struct loop){.schedule = FR_STATIC, .sections = sections || fr_cut, .total = total, .pc = pc});
    struct context *at = vo_at();
    at->first = first;
    at->end = end;
    if (s->uncut ? fr_cut : end > first)
        announce(s, at);
    vo_share_leave();
}
