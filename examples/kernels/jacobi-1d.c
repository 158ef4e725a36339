// SPDX-License-Identifier: Apache-2.0
//
// Jacobi iteration on a line: each element becomes the mean of itself and its two neighbours, from A to B and
// back in every time step. The elements are parallel in each half step.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(20, 200, 300, 500, 1000)
#endif
#ifndef N
#define N SIZE(30, 800, 1200, 2000, 4000)
#endif

static double A[N];
static double B[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        A[i] = B[i] = (double)(i * i % 37 + 2) / 37;
}

static void kernel_jacobi_1d(void)
{
    int t, i;
#pragma scop
    for (t = 0; t < TSTEPS; t++) {
#pragma omp parallel for
        for (i = 1; i < N - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3.0;
#pragma omp parallel for
        for (i = 1; i < N - 1; i++)
            A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3.0;
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_jacobi_1d();
        harness_stop();
    }
    harness_report(checksum(A, N));
    return 0;
}
