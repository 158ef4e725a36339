#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static volatile uint64_t kept;

void keep(uint64_t value) { kept ^= value; }

void answer(const double *values, int n) {
    printf("ok");
    for (int i = 0; i < n; i++)
        printf(" %.9g", values[i]);
    printf("\n");
}

void refuse(const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("error ");
    vprintf(format, list);
    printf("\n");
    va_end(list);
}

/* Samples of at least so many ns and one pass, after two that warm up and tell how long one takes. */
void time_passes(passes_fn pass, double *at, const struct shape *shape, double accesses, int samples, double ns) {
    double sum = 0;
    size_t times = 1;
    for (int i = -2; i < samples; i++) {
        if (burst_cold() && times > 1)
            sum += pass(at, shape);
        burst_begin();
        for (size_t t = 0; t < times; t++) {
            sum += pass(at, shape);
            __asm__ volatile("" ::: "memory");
        }
        double took = burst_end();
        if (i >= 0)
            burst_keep(i, accesses * times);
        else if (took >= ns)
            i = -1; /* warm */
        else
            times = i == -2 ? 16 : ns * times / (took > 1 ? took : 1) + 1;
    }
    keep((uint64_t)sum);
    burst_answer(samples);
}

static cpu_set_t at_first;

/* pin keeps the thread on a CPU, or lets it go where it could at first with -1. */
int pin(int cpu) {
    cpu_set_t set = at_first;
    if (cpu >= 0) {
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
    }
    return sched_setaffinity(0, sizeof set, &set) ? errno : 0;
}

static void pin_command(char *arguments) {
    int cpu;
    if (sscanf(arguments, "%d", &cpu) != 1 || cpu < -1 || cpu >= CPU_SETSIZE) {
        refuse("pin CPU");
        return;
    }
    int failed = pin(cpu);
    if (failed)
        refuse("cannot stay on CPU %d: %s", cpu, strerror(failed));
    else
        answer(NULL, 0);
}

/* version, bytes of a vector, 1 with OpenMP, bytes of a page of large arrays, resolution of the clock in ns, ns of reading it */
static void facts_command(char *arguments) {
    (void)arguments;
    double least = 1e9, begin = now_ns();
    const int readings = 20000;
    for (int i = 0; i < readings; i++) {
        double a = now_ns(), b = now_ns();
        if (b > a && b - a < least)
            least = b - a;
    }
    double each = (now_ns() - begin) / (2 * readings);
#ifdef _OPENMP
    int openmp = 1;
#else
    int openmp = 0;
#endif
    double facts[] = {1, vector_bytes, openmp, usual_page(), least, each};
    answer(facts, sizeof facts / sizeof *facts);
}

static const struct {
    const char *name;
    void (*run)(char *);
} commands[] = {
    {"facts", facts_command},         {"pin", pin_command},   {"hold", hold_command},   {"chase", chase_command},
    {"walk", walk_command},           {"team", team_command}, {"spin", spin_command},   {"noise", noise_command},
    {"operation", operation_command}, {"region", region_command},
    {"issue", issue_command},         {"window", window_command}, {"columns", columns_command},
    {"work", work_command},           {"runs", runs_command},     {"streams", streams_command},
    {"fault", fault_command},
};

int main(void) {
    char line[1024];
    sched_getaffinity(0, sizeof at_first, &at_first);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line + strcspn(line, " \n");
        if (*rest)
            *rest++ = 0;
        size_t i = 0;
        while (i < sizeof commands / sizeof *commands && strcmp(commands[i].name, line))
            i++;
        if (i == sizeof commands / sizeof *commands)
            refuse("no command %s", line);
        else
            commands[i].run(rest);
    }
    return 0;
}
