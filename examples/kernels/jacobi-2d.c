// SPDX-License-Identifier: Apache-2.0
//
// Jacobi iteration in the plane: each element becomes the mean of itself and its four neighbours, from A to B
// and back in every time step. The rows are parallel in each half step.
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

static void kernel_jacobi_2d(int tsteps, int n, double A[n][n], double B[n][n])
{
    int t, i, j;
#pragma scop
    for (t = 0; t < tsteps; t++) {
#pragma omp parallel for private(j)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
#pragma omp parallel for private(j)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_jacobi_2d(TSTEPS, N, A, B);
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
