/* Threads register thread-local variables, and one sums them through the pointers. */
#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

extern __thread long shared_by_files; /* other.c */
long *where_shared(void);
double *in_library(void); /* library.c */

static __thread double mine = 0.5;
static __thread struct { char bytes[40]; } __attribute__((aligned(256))) wide;
static int counter = 7;
#pragma omp threadprivate(counter)

static double *sums[64];
static long *longs[64];
static double *libraries[64];
static int *counters[64];

int main(void) {
    int n = 0, moved = 0;
    counter = 11;
#pragma omp parallel copyin(counter) reduction(+ : moved)
    {
        int me;
#pragma omp atomic capture
        me = n++;
        moved += (uintptr_t)&wide % 256 != 0 || wide.bytes[39] != 0 || &shared_by_files != where_shared();
        wide.bytes[39] = 1;
        sums[me] = &mine;
        longs[me] = &shared_by_files;
        libraries[me] = in_library();
        counters[me] = &counter;
        counter++;
        errno = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < 1000; i++) {
            mine += i;
            shared_by_files += 2 * i;
            *in_library() += 3 * i;
        }
    }
    /* what is kept from one region to the next */
#pragma omp parallel
    counter += 100;
    double sum = 0, library = 0;
    long all = 0, counted = 0;
    for (int k = 0; k < n; k++) {
        sum += *sums[k] - 0.5;
        all += *longs[k] - 3;
        library += *libraries[k] - 4;
        counted += *counters[k] - 112;
    }
    printf("%g %ld %g %ld %d\n", sum, all, library, counted, moved);
    return 0;
}
