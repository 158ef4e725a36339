// SPDX-License-Identifier: Apache-2.0
//
// What every kernel here shares: the choice of a problem size, a checksum, and a clock.
//
// SIZE picks one of five values by -DMINI, -DSMALL, -DMEDIUM, -DLARGE or -DEXTRALARGE (LARGE when none is
// given). With -DTIME (and -fopenmp) harness_report also prints the seconds of the kernel alone, the least of
// -DREPEAT=n runs, each on fresh data; -DFLUSH=bytes writes so many bytes elsewhere before each, so that the
// caches hold nothing of the data.
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef TIME
double omp_get_wtime(void); // of OpenMP, whose header not every compiler has
#endif

// "#pragma scop" marks the loop nests for polyhedral tools; compilers do not know it.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#if defined(MINI)
#define SIZE(mini, small, medium, large, extralarge) mini
#elif defined(SMALL)
#define SIZE(mini, small, medium, large, extralarge) small
#elif defined(MEDIUM)
#define SIZE(mini, small, medium, large, extralarge) medium
#elif defined(EXTRALARGE)
#define SIZE(mini, small, medium, large, extralarge) extralarge
#else
#define SIZE(mini, small, medium, large, extralarge) large
#endif

#ifndef REPEAT
#define REPEAT 1
#endif

#ifdef TIME
static double harness_began;
static double harness_best = -1.0;
#ifdef FLUSH
static char harness_dirt[FLUSH];
#endif
#endif

static inline void harness_start(void)
{
#ifdef TIME
#ifdef FLUSH
    for (long i = 0; i < FLUSH; i += 64)
        harness_dirt[i]++;
#endif
    harness_began = omp_get_wtime();
#endif
}

static inline void harness_stop(void)
{
#ifdef TIME
    double took = omp_get_wtime() - harness_began;
    if (harness_best < 0.0 || took < harness_best)
        harness_best = took;
#endif
}

static inline void harness_report(double sum)
{
    printf("checksum %.10e\n", sum);
#ifdef TIME
    printf("seconds %.9f\n", harness_best);
#endif
}

// The weights make the sum depend on where a value stands.
static inline double checksum(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * (i % 7 + 1);
    return sum;
}

static inline double checksum_float(const float *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * (i % 7 + 1);
    return sum;
}

static inline double checksum_int(const int *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (i % 7 + 1);
    return sum;
}

#endif
