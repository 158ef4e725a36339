// SPDX-License-Identifier: Apache-2.0
//
// y = A^T (A x). The rows of A are parallel for tmp = A x, the columns for y = A^T tmp.
#include "harness.h"

#ifndef M
#define M SIZE(38, 390, 800, 1900, 3800)
#endif
#ifndef N
#define N SIZE(42, 410, 840, 2100, 4200)
#endif

static double A[M][N];
static double x[N];
static double y[N];
static double tmp[M];

static void init(void)
{
    for (int j = 0; j < N; j++)
        x[j] = (double)(j % 13 + 1) / 13;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i + j * 2) % 17 + 1) / 17;
}

static void kernel_atax(void)
{
    int i, j;
#pragma scop
#pragma omp parallel private(i, j)
    {
#pragma omp for
        for (i = 0; i < M; i++) {
            tmp[i] = 0.0;
            for (j = 0; j < N; j++)
                tmp[i] = tmp[i] + A[i][j] * x[j];
        }
#pragma omp for
        for (j = 0; j < N; j++) {
            y[j] = 0.0;
            for (i = 0; i < M; i++)
                y[j] = y[j] + A[i][j] * tmp[i];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_atax();
        harness_stop();
    }
    harness_report(checksum(y, N));
    return 0;
}
