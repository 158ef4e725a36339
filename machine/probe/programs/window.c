#include "probe.h"

#include <stdio.h>

#define TEXT(x) #x
#define NOPS(n) __asm__ volatile(".rept " TEXT(n) "\n\tnop\n\t.endr")

/* issue SAMPLES NS: ns of an instruction that does nothing, many in a row */
void issue_command(char *arguments) {
    enum { EACH = 1000 };
    int samples;
    double ns;
    if (sscanf(arguments, "%d %lf", &samples, &ns) != 2 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("issue SAMPLES NS");
        return;
    }
    uint64_t n = 1000;
    for (int i = -1; i < samples; i++) {
        burst_begin();
        for (uint64_t k = 0; k < n; k++)
            NOPS(1000);
        double took = burst_end();
        if (i < 0)
            n = took > 0 && ns * n / took > 100 ? ns * n / took : 100;
        else
            burst_keep(i, (double)n * EACH);
    }
    burst_answer(samples);
}

/* Two chases through memory, so many instructions apart: if both fit into the core's window they go on side by side. */
#define APART(N)                                     \
    static char *apart_##N(char *p, char *q, int n) { \
        while (n--) {                                \
            p = *(char **)p;                         \
            NOPS(N);                                 \
            q = *(char **)q;                         \
            NOPS(N);                                 \
        }                                            \
        return p < q ? p : q;                        \
    }
#define ALL(X) X(32) X(64) X(96) X(128) X(160) X(192) X(224) X(256) X(288) X(320) X(352) X(384) X(416) X(448) X(480) X(512) X(544) X(608) X(672) X(768) X(1024)
ALL(APART)

#define ENTRY(N) {N, apart_##N},
static const struct {
    int n;
    char *(*run)(char *, char *, int);
} all[] = {ALL(ENTRY)};

/* window N BYTES SAMPLES: ns of two loads that miss, N instructions apart, of one that misses alone being known from chases */
void window_command(char *arguments) {
    int n, samples;
    size_t bytes;
    if (sscanf(arguments, "%d %zu %d", &n, &bytes, &samples) != 3 || bytes < 1 << 16 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("window N BYTES SAMPLES");
        return;
    }
    size_t i = 0;
    while (i < sizeof all / sizeof *all && all[i].n != n)
        i++;
    if (i == sizeof all / sizeof *all) {
        refuse("no window of %d", n);
        return;
    }
    static char *p, *q; /* go on from command to command, to what was not touched lately */
    int fresh;
    char *first = ring(bytes, &fresh);
    if (!first) {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    if (fresh) {
        p = q = first;
        for (size_t k = 0; k < bytes / LINE_BYTES / 2; k++) /* halfway round */
            q = *(char **)q;
    }
    for (int s = 0; s < samples; s++) {
        enum { TIMES = 1000 };
        burst_begin();
        keep((uint64_t)all[i].run(p, q, TIMES));
        burst_end();
        burst_keep(s, TIMES);
        for (int k = 0; k < TIMES; k++) {
            p = *(char **)p;
            q = *(char **)q;
        }
    }
    burst_answer(samples);
}
