// SPDX-License-Identifier: Apache-2.0
//
// Heat equation in three dimensions as heat-3d, with planes and rows parallel together (collapse) and the
// innermost loop in vectors.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(10, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(10, 20, 40, 120, 200)
#endif

static double A[N][N][N];
static double B[N][N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                A[i][j][k] = B[i][j][k] = (double)((i + j * 3 + (N - k) * 2) % 19 + 1) * 10 / N;
}

static void kernel_heat_3d_collapse(void)
{
    int t, i, j, k;
#pragma scop
    for (t = 1; t <= TSTEPS; t++) {
#pragma omp parallel for collapse(2) private(k)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
#pragma omp simd
                for (k = 1; k < N - 1; k++)
                    B[i][j][k] = A[i][j][k] + 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                                 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                                 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]);
            }
#pragma omp parallel for collapse(2) private(k)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
#pragma omp simd
                for (k = 1; k < N - 1; k++)
                    A[i][j][k] = B[i][j][k] + 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                                 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                                 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]);
            }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_heat_3d_collapse();
        harness_stop();
    }
    harness_report(checksum(&A[0][0][0], N * N * N));
    return 0;
}
