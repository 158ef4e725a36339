// SPDX-License-Identifier: Apache-2.0
//
// Gauss-Seidel iteration in the plane: each element becomes the mean of the nine around it, in place, in the
// order of rows and columns. Elements with equal w = 2 i + j are independent, so every sweep goes through the
// wavefronts w in sequence and through each wavefront in parallel.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(8, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(38, 120, 400, 2000, 4000)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))

static double A[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * (j + 2)) % 43 + 2) / 43;
}

static void kernel_seidel_2d(void)
{
    int t, w, i;
#pragma scop
    for (t = 0; t < TSTEPS; t++)
        for (w = 3; w <= 3 * N - 6; w++) {
#pragma omp parallel for
            for (i = max(1, ceild(w - N + 2, 2)); i <= min(N - 2, floord(w - 1, 2)); i++)
                A[i][w - 2 * i] = (A[i - 1][w - 2 * i - 1] + A[i - 1][w - 2 * i] + A[i - 1][w - 2 * i + 1] +
                                   A[i][w - 2 * i - 1] + A[i][w - 2 * i] + A[i][w - 2 * i + 1] +
                                   A[i + 1][w - 2 * i - 1] + A[i + 1][w - 2 * i] + A[i + 1][w - 2 * i + 1]) /
                                  9.0;
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_seidel_2d();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
