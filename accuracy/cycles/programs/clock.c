/* Ticks of the processor's counter in place of OpenMP's clock, and at the end how many a cycle has: by a chain of additions. */
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

/* how often a kernel is timed; the least counts */
int repeats = 300;

double omp_get_wtime(void) {
    unsigned cpu;
    _mm_lfence();
    uint64_t now = __rdtscp(&cpu);
    _mm_lfence();
    return (double)now;
}

__attribute__((destructor)) static void say_tick(void) {
    uint64_t least = -1;
    unsigned cpu;
    for (int r = 0; r < 50; r++) {
        uint64_t x = 1, begun = __rdtscp(&cpu);
        long i = 2500;
        __asm__ volatile("1:\n\t.rept 32\n\tadd %0, %0\n\t.endr\n\tdec %1\n\tjnz 1b" : "+r"(x), "+r"(i));
        uint64_t took = __rdtscp(&cpu) - begun;
        least = took < least ? took : least;
    }
    printf("tick %.6f\n", least / 80000.0);
    double look = 1e9; /* ticks between two looks at the clock with nothing between */
    for (int r = 0; r < 50; r++) {
        double begun = omp_get_wtime(), took = omp_get_wtime() - begun;
        look = took < look ? took : look;
    }
    printf("look %.0f\n", look);
}
