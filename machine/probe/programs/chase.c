#include "probe.h"

#include <stdio.h>

/* One step of a generator that comes to every number below a power of two in turn. */
static uint64_t step(uint64_t x, uint64_t mask) { return (x * 0x5851F42D4C957F2Dull + 0x14057B7EF767814Full) & mask; }

/* A one-to-one map of the numbers below a power of two, so that neither order nor distances are even. */
static uint64_t scramble(uint64_t x, unsigned bits, uint64_t mask) {
    x = (x ^ x >> (bits / 2 + 1)) * 0x9E3779B97F4A7C15ull & mask;
    x = (x ^ x >> (bits / 2 + 1)) * 0xD6E8FEB86659FD93ull & mask;
    return x ^ x >> (bits / 2 + 1);
}

/* A cycle through all places of the buffer, in no order: each holds the address of the next. */
static void link_up(char *at, size_t places, size_t stride, uint64_t seed) {
    unsigned bits = 1;
    while (1ull << bits < places)
        bits++;
    uint64_t mask = (1ull << bits) - 1, x = seed & mask;
    char *first = NULL, *before = NULL;
    for (size_t i = 0; i < places; x = step(x, mask)) {
        uint64_t place = scramble(x, bits, mask);
        if (place >= places)
            continue;
        char *here = at + place * stride;
        if (before)
            *(char **)before = here;
        else
            first = here;
        before = here;
        i++;
    }
    *(char **)before = first;
}

static size_t ringed; /* bytes of the ring in the buffer; 0: another one, or none */
static char *ringed_at;
static unsigned long ringed_given; /* how often the buffer was given, then */

char *ring(size_t bytes, int *fresh) {
    char *at = buffer(bytes, 1);
    *fresh = at && (ringed != bytes || ringed_at != at || buffer_given != ringed_given + 1);
    ringed_given = buffer_given;
    if (*fresh) {
        link_up(at, bytes / LINE_BYTES, LINE_BYTES, 1);
        ringed = bytes;
        ringed_at = at;
    }
    return at;
}

static char *follow(char *p, uint64_t loads) {
    for (; loads >= 8; loads -= 8) {
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
        p = *(char **)p;
    }
    while (loads--)
        p = *(char **)p;
    return p;
}

/* chase BYTES STRIDE HUGE SEED SAMPLES NS: bursts of about so many ns, ns a load */
void chase_command(char *arguments) {
    size_t bytes, stride;
    int huge, samples;
    uint64_t seed;
    double ns;
    if (sscanf(arguments, "%zu %zu %d %lu %d %lf", &bytes, &stride, &huge, &seed, &samples, &ns) != 6 || stride < sizeof(char *) ||
        stride % sizeof(char *) || bytes < 2 * stride || samples < 1 || samples > MOST_SAMPLES) {
        refuse("chase BYTES STRIDE HUGE SEED SAMPLES NS");
        return;
    }
    char *at = buffer(bytes, huge);
    size_t places = bytes / stride;
    if (!at) {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    ringed = 0;
    link_up(at, places, stride, seed);
    uint64_t warm = places < 2048 ? 4096 : places > 400000 ? 400000 : 2 * places;
    char *p = follow(*(char **)at, warm);
    double begin = now_ns();
    p = follow(p, 4096);
    double each = (now_ns() - begin) / 4096;
    uint64_t loads = each > 0 ? ns / each : 4096;
    loads = loads < 4096 ? 4096 : loads;
    for (int i = 0; i < samples; i++) {
        if (burst_cold())
            p = follow(p, warm);
        burst_begin();
        p = follow(p, loads);
        burst_end();
        burst_keep(i, loads);
    }
    keep((uint64_t)p);
    burst_answer(samples);
}
