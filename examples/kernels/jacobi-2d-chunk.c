// SPDX-License-Identifier: Apache-2.0
//
// Jacobi iteration in the plane as jacobi-2d, with the rows dealt in turn in chunks of four. All threads run
// the time loop in one parallel region.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(10, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(30, 90, 250, 1300, 2800)
#endif

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = B[i][j] = (double)((i * (j + 2)) % 41 + 2) / 41;
}

static void kernel_jacobi_2d_chunk(void)
{
    int t, i, j;
#pragma scop
#pragma omp parallel private(t, i, j)
    for (t = 0; t < TSTEPS; t++) {
#pragma omp for schedule(static, 4)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
#pragma omp for schedule(static, 4)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_jacobi_2d_chunk();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
