/* events.c - from the buffer of accesses to encoded events.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each segment predicts the segment that follows and, for each of its words, the last value plus the last stride. What
 * is predicted only adds to a run length. A piece begins without any prediction, so that it can be decoded by itself. */
#include "recorder.h"

#include <string.h>

enum { BUFFER_WORDS = 4096, SLACK_WORDS = 256, PAYLOAD = 1 << 16, LONGEST_TOKEN = 1024 };
enum { SOON_WORDS = 8 }; /* between two atomic operations before which others may run: a task of a few loops. Chosen */
enum token { RUN, SITE, ADDRESSES, BOTH };

static uint64_t buffer[BUFFER_WORDS + SLACK_WORDS];
uint64_t fr_cursor = (uint64_t)buffer;
uint64_t fr_limit = (uint64_t)(buffer + BUFFER_WORDS);
uint64_t fr_soon = (uint64_t)(buffer + BUFFER_WORDS); /* where atomic operations take the log to be full; the same until the program has threads of its own */

bool fr_open;

static uint64_t generation = 1, run, anchor, words;
static struct fr_segment before; /* stands for "no segment" at the start of a piece */
static struct fr_segment *previous = &before;
static unsigned char payload[PAYLOAD + LONGEST_TOKEN];
static unsigned char *out = payload;
static int current_thread;
static uint64_t work[1024];
static unsigned literals; /* in this buffer */
bool fr_waiting;
static uint64_t noted;                  /* fr_noted of all that lies before this place in the buffer */
static const uint64_t *counted = buffer;

static void token(enum token t, uint64_t value) { out = fr_put(out, value << 2 | t); }

static void flush_run(void)
{
    if (run)
        token(RUN, run);
    run = 0;
}

static void write_events(void)
{
    flush_run();
    if (out != payload) {
        unsigned char count[10];
        size_t n = (size_t)(fr_put(count, words) - count);
        memmove(payload + n, payload, (size_t)(out - payload));
        memcpy(payload, count, n);
        fr_wire_record(FR_EVENTS, current_thread, payload, (size_t)(out - payload) + n);
    }
    out = payload;
    words = 0;
}

/* The first time in a piece: all words, each relative to the one before it. */
static void introduce(struct fr_segment *s, const uint64_t *w)
{
    s->generation = generation;
    s->next = 0;
    token(BOTH, s->number);
    for (unsigned i = 0; i < s->words; i++) {
        out = fr_put(out, fr_zigzag(w[i] - anchor));
        s->slots[i] = (struct fr_slot){.last = anchor = w[i], .stride = 0};
    }
}

static uint64_t mispredicted(const struct fr_segment *s, const uint64_t *w)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < s->words; i++)
        mask |= (uint64_t)(w[i] != s->slots[i].last + s->slots[i].stride) << i;
    return mask;
}

static void correct(struct fr_segment *s, const uint64_t *w, uint64_t mask)
{
    for (unsigned i = 0; i < s->words; i++) {
        struct fr_slot *p = &s->slots[i];
        if (mask >> i & 1) {
            p->stride = w[i] - p->last;
            out = fr_put(out, fr_zigzag(p->stride));
        }
        p->last = w[i];
    }
}

static __attribute__((noinline)) void literal(struct fr_segment *s, const uint64_t *w)
{
    literals++;
    flush_run();
    if (out > payload + PAYLOAD - LONGEST_TOKEN)
        write_events();
    if (s->generation != generation) {
        introduce(s, w);
    } else {
        uint64_t mask = mispredicted(s, w);
        if (previous->next == s) {
            token(ADDRESSES, mask);
        } else if (mask == 0) {
            token(SITE, s->number);
        } else {
            token(BOTH, s->number);
            out = fr_put(out, mask);
        }
        correct(s, w, mask);
    }
    previous->next = s;
}

static inline bool predicted(struct fr_segment *s, const uint64_t *w)
{
    if (previous->next != s || s->generation != generation)
        return false;
    struct fr_slot *p = s->slots;
    unsigned n = s->words;
    for (unsigned i = 0; i < n; i++)
        if (w[i] != p[i].last + p[i].stride)
            return false;
    for (unsigned i = 0; i < n; i++)
        p[i].last = w[i];
    return true;
}

/* A loop that looks at the same places again and again waits for another thread. */
static bool stands_still(const struct fr_segment *s)
{
    for (unsigned i = 0; i < s->words; i++)
        if (s->slots[i].stride != 0)
            return false;
    return s->words > 0;
}

static inline void one(struct fr_segment *s, const uint64_t *w)
{
    if (predicted(s, w))
        run++;
    else
        literal(s, w);
    previous = s;
}

/* How often a loop ran whose counting register was, and became. A program that is killed in a loop leaves it as after one iteration. */
static uint64_t iterations(const struct fr_loop *l, uint64_t was, uint64_t became)
{
    int64_t step = l->step;
    uint64_t moved = step > 0 ? became - was : was - became, by = step > 0 ? (uint64_t)step : (uint64_t)-step;
    if (l->narrow) {
        moved = (uint32_t)moved;
        if (moved == 0)
            moved = (uint64_t)1 << 32;
    }
    return moved / by > 0 ? moved / by : 1;
}

/* A loop: its first two iterations tell the strides, and all others are as predicted. Gives how many words it has in the log. */
static unsigned repeated(struct fr_segment *s, const uint64_t *w, uint64_t *accesses)
{
    const struct fr_loop *l = s->loop;
    unsigned n = s->words;
    uint64_t times = iterations(l, w[n], w[n + 1]);
    one(s, w);
    if (times > 1) {
        uint64_t second[64];
        for (unsigned i = 0; i < n; i++)
            second[i] = w[i] + (uint64_t)l->strides[i];
        one(s, second);
        run += times - 2;
        for (unsigned i = 0; i < n; i++)
            s->slots[i].last += (uint64_t)l->strides[i] * (times - 2);
    }
    *accesses += n * times;
    return n + 2;
}

void fr_encode(void)
{
    const uint64_t *w = buffer, *end = (const uint64_t *)fr_cursor;
    if (vo_own_threads || !fr_open)
        fr_noted();
    else
        noted += (uint64_t)(end - counted); /* only threads of the program's own go by more */
    fr_cursor = (uint64_t)buffer;
    counted = buffer;
    fr_soon_again();
    if (!fr_open)
        return;
    uint64_t accesses = 0;
    literals = 0;
    fr_waiting = false;
    const struct fr_segment *first = w < end ? (const struct fr_segment *)*w : 0;
    while (w < end) {
        struct fr_segment *s = (struct fr_segment *)*w++;
        if (!s->slots) { /* ran before its module was announced */
            w += s->words + (s->loop ? 2 : 0);
            continue;
        }
        if (s->loop) {
            w += repeated(s, w, &accesses);
            continue;
        }
        one(s, w);
        accesses += s->words;
        w += s->words;
    }
    fr_waiting = literals == 0 && first && first == previous && first->next == first && stands_still(first);
    words += accesses;
    work[current_thread] += accesses;
}

void fr_piece_begin(int thread, const struct fr_piece *p)
{
    unsigned char data[80], *q = data;
    q = fr_put(q, (uint64_t)p->kind);
    if (p->kind == FR_CHUNK) {
        const uint64_t fields[] = {(uint64_t)p->schedule, p->first, p->end, p->total, p->chunk, p->loop};
        for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
            q = fr_put(q, fields[i]);
    } else if (p->own || p->phase) {
        q = fr_put(fr_put(q, p->own), p->phase);
    }
    fr_wire_record(FR_PIECE, thread, data, (size_t)(q - data));
    current_thread = thread;
    generation++;
    before.next = 0;
    before.generation = generation;
    previous = &before;
    anchor = 0;
}

void fr_piece_end(void) { write_events(); }

void fr_events_flush(void)
{
    if (fr_open)
        write_events();
}

uint64_t fr_work(int thread)
{
    return work[thread] + (thread == current_thread ? (fr_cursor - (uint64_t)buffer) / sizeof *buffer : 0);
}

uint64_t fr_noted(void)
{
    const uint64_t *end = (const uint64_t *)fr_cursor;
    while (counted < end) {
        const struct fr_segment *s = (const struct fr_segment *)*counted++;
        unsigned n = s->words;
        noted += (n + 1) * (s->loop ? iterations(s->loop, counted[n], counted[n + 1]) : 1);
        counted += n + (s->loop ? 2 : 0);
    }
    return noted;
}

bool fr_is_full(void) { return fr_cursor >= fr_limit; }

void fr_soon_again(void)
{
    uint64_t soon = fr_cursor + SOON_WORDS * sizeof *buffer;
    fr_soon = vo_own_threads && soon < fr_limit ? soon : fr_limit;
}

/* What is in the buffer is the same few segments at the same addresses, again and again: a loop that waits for another thread. */
bool fr_repeats(void)
{
    enum { LONGEST = 64 }; /* words of one round; chosen */
    const uint64_t *w = buffer;
    size_t n = (fr_cursor - (uint64_t)buffer) / sizeof *w;
    for (size_t period = 1; period <= LONGEST && period < n; period++)
        if (w[period] == w[0] && memcmp(w, w + period, (n - period) * sizeof *w) == 0)
            return true;
    return false;
}

void fr_work_reset(void) { memset(work, 0, sizeof work); }
