// SPDX-License-Identifier: Apache-2.0
//
// A matrix-vector product and a transposed one: x1 = x1 + A y1; x2 = x2 + A^T y2. The elements of x1, then of
// x2, are parallel; the second loop walks down columns.
#include "harness.h"

#ifndef N
#define N SIZE(40, 400, 800, 2000, 4000)
#endif

static double A[N][N];
static double x1[N];
static double x2[N];
static double y_1[N];
static double y_2[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x1[i] = (double)(i % 7) / 7;
        x2[i] = (double)(i % 11) / 11;
        y_1[i] = (double)(i % 13 + 1) / 13;
        y_2[i] = (double)(i % 17 + 1) / 17;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 19 + 1) / 19;
    }
}

static void kernel_mvt(int n, double x1[n], double x2[n], double y_1[n], double y_2[n], double A[n][n])
{
    int i, j;
#pragma scop
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_mvt(N, x1, x2, y_1, y_2, A);
        harness_stop();
    }
    harness_report(checksum(x1, N) + checksum(x2, N));
    return 0;
}
