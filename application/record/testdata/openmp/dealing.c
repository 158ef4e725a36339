/* dealing.c - what runtime/schedule.c makes of all small loops: a line for each, with its kind, iterations, threads and
 * chunk, then numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "team.h"

static int cuts[3];
const int *fr_cuts = cuts;

static void head(const char *kind, uint64_t n, uint64_t threads, uint64_t chunk) {
    printf("%s %lu %lu %lu:", kind, n, threads, chunk);
}

/* First and end of each thread's block. */
static void blocks(uint64_t n, uint64_t threads) {
    head("blocks", n, threads, 0);
    for (uint64_t t = 0; t < threads; t++) {
        uint64_t first, end;
        vo_static_block(n, threads, t, &first, &end);
        printf(" %lu %lu", first, end);
    }
    puts("");
}

/* The sizes of chunks. */
static void guided(uint64_t n, uint64_t threads, uint64_t chunk) {
    head("guided", n, threads, chunk);
    for (uint64_t left = n; left > 0; left -= vo_guided(left, threads, chunk))
        printf(" %lu", vo_guided(left, threads, chunk));
    puts("");
}

/* Where a run by one thread is cut so that it can be dealt to this number of threads and to three more. */
static void cut(int schedule, const char *kind, uint64_t n, uint64_t threads, uint64_t chunk) {
    cuts[0] = (int)threads;
    cuts[1] = (int)threads + 3;
    head(kind, n, threads, chunk);
    struct share s = {.schedule = schedule, .total = n, .chunk = chunk};
    vo_cut_begin(&s);
    while (s.given < n) {
        s.given = vo_cut_end(&s);
        printf(" %lu", s.given);
    }
    puts("");
}

int main(void) {
    for (uint64_t n = 0; n <= 40; n++)
        for (uint64_t threads = 1; threads <= 9; threads++) {
            blocks(n, threads);
            cut(FR_STATIC, "cut-static", n, threads, 0);
            for (uint64_t chunk = 1; chunk <= 7; chunk++) {
                guided(n, threads, chunk);
                cut(FR_STATIC, "cut-static", n, threads, chunk);
                cut(FR_DYNAMIC, "cut-dynamic", n, threads, chunk);
                cut(FR_GUIDED, "cut-guided", n, threads, chunk);
            }
        }
    return 0;
}
