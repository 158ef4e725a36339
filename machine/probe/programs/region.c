#include "probe.h"

#include <stdio.h>

#ifdef _OPENMP
#include <omp.h>

static void regions(int n) {
    for (int i = 0; i < n; i++) {
#pragma omp parallel
        __asm__ volatile("" ::: "memory");
    }
}

static void barriers(int n) {
#pragma omp parallel
    for (int i = 0; i < n; i++) {
#pragma omp barrier
        __asm__ volatile("" ::: "memory");
    }
}

/* region fork|barrier THREADS SAMPLES NS: ns of an empty parallel region, or of a barrier */
void region_command(char *arguments) {
    char what[16];
    int threads, samples;
    double ns;
    if (sscanf(arguments, "%15s %d %d %lf", what, &threads, &samples, &ns) != 4 || threads < 1 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("region fork|barrier THREADS SAMPLES NS");
        return;
    }
    void (*f)(int) = what[0] == 'b' ? barriers : regions;
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    f(100);
    double begin = now_ns();
    f(100);
    double each = (now_ns() - begin) / 100;
    int n = each > 0 && ns / each < 1e6 ? ns / each + 20 : 1000;
    for (int i = 0; i < samples; i++) {
        burst_begin();
        f(n);
        burst_end();
        burst_keep(i, n);
    }
    burst_answer(samples);
}
#else
void region_command(char *arguments) {
    (void)arguments;
    refuse("compiled without OpenMP");
}
#endif
