/* OpenMP's clock for programs that are compiled without OpenMP. */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

double omp_get_wtime(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
