#define _GNU_SOURCE
#include "probe.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Bursts: short pieces of work, each timed with the clock of the core beside it, and with what was taken from the thread meanwhile. */

enum { ROW = 64, ROWS = 640 }; /* additions in a row, and rows: some 10 us */

/* Additions that wait for one another, one cycle each. Written in assembly, they are the same with any flags. */
static uint64_t additions(int rows) {
    uint64_t x = 1, y = 3;
    for (int i = 0; i < rows; i++) {
#if defined __x86_64__
        __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(x) : "r"(y));
#elif defined __aarch64__ || defined __riscv
        __asm__ volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(x) : "r"(y));
#else
        for (int k = 0; k < ROW; k++) {
            x += y;
            __asm__ volatile("" : "+r"(x));
        }
#endif
    }
    return x;
}

/* ns of a cycle now: the least of three, as an interrupt only adds. */
static double cycle_ns(void) {
    double least = 1e18;
    for (int i = 0; i < 3; i++) {
        double begin = now_ns();
        keep(additions(ROWS));
        double took = now_ns() - begin;
        least = took < least ? took : least;
    }
    return least / (ROWS * ROW);
}

static double thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Whether the thread's own clock is as fine as that on the wall: some sandboxes count it in ticks. */
static int thread_clock_works(void) {
    static int works = -1;
    for (int i = 0; works < 0 && i < 20; i++) {
        double wall = now_ns(), own = thread_ns();
        keep(additions(ROWS));
        own = thread_ns() - own;
        wall = now_ns() - wall;
        if (own > 0.9 * wall && own < 1.2 * wall)
            works = 1;
    }
    return works = works > 0;
}

static long preempted(void) {
    struct rusage u;
    return getrusage(RUSAGE_THREAD, &u) ? 0 : u.ru_nivcsw;
}

/* ns that the hypervisor took from this CPU, as far as it tells; -1: it does not. */
static double stolen_ns(void) {
    char line[512], name[32];
    FILE *f = fopen("/proc/stat", "r");
    if (!f)
        return -1;
    snprintf(name, sizeof name, "cpu%d ", sched_getcpu());
    unsigned long long ticks = 0;
    int found = 0;
    while (!found && fgets(line, sizeof line, f) && !strncmp(line, "cpu", 3))
        found = !strncmp(line, name, strlen(name)) && sscanf(line, "%*s %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) == 1;
    fclose(f);
    return found ? ticks * (1e9 / sysconf(_SC_CLK_TCK)) : -1;
}

static struct {
    double cycle, wall, own, ns, after, lost; /* of the burst in progress */
    long preempted, switches;
    double began, stolen; /* of the command */
} now = {.began = -1};

/* burst_cold says whether others may have run, and emptied caches, since the last burst, or since it was asked. */
int burst_cold(void) {
    static long before = -1;
    struct rusage u;
    if (getrusage(RUSAGE_THREAD, &u))
        return 1;
    long all = u.ru_nivcsw + u.ru_nvcsw, cold = all != before;
    before = all;
    return cold;
}

static double out[MOST_SAMPLES * BURST_VALUES];

void burst_begin(void) {
    if (now.began < 0) {
        now.stolen = stolen_ns();
        now.began = now_ns();
    }
    now.cycle = cycle_ns();
    now.preempted = preempted();
    now.own = thread_ns();
    now.wall = now_ns();
}

double burst_end(void) {
    now.ns = now_ns() - now.wall;
    double own = thread_ns() - now.own;
    now.switches = preempted() - now.preempted;
    now.lost = thread_clock_works() && own < now.ns ? 1 - own / now.ns : 0;
    now.after = cycle_ns();
    return now.ns;
}

/* burst_keep makes the burst that ended the i-th sample, of so many operations. */
void burst_keep(int i, double operations) {
    double *o = out + i * BURST_VALUES;
    o[0] = now.ns / operations;
    o[1] = now.cycle;
    o[2] = now.after;
    o[3] = now.lost;
    o[4] = now.switches;
}

/* burst_answer answers with BURST_VALUES numbers a burst: ns an operation, ns of a cycle before and after, the share of the time that the
   thread did not run, and how often it was preempted. What the hypervisor stole counts for each burst, as its clock is coarse. */
void burst_answer(int samples) {
    double stolen = stolen_ns(), took = now_ns() - now.began;
    for (int i = 0; i < samples && now.began >= 0 && now.stolen >= 0 && stolen > now.stolen; i++) {
        double *lost = &out[i * BURST_VALUES + 3], share = (stolen - now.stolen) / took;
        *lost = *lost > share ? *lost : share < 1 ? share : 1;
    }
    now.began = -1;
    answer(out, samples * BURST_VALUES);
}
