// SPDX-License-Identifier: Apache-2.0
//
// The products of mvt, x1 = x1 + A y1 and x2 = x2 + A^T y2, by columns of A: the first takes the columns in
// sequence and the elements of each in parallel, the second takes the columns in parallel. All threads run the
// sequence in one parallel region.
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

static void kernel_mvt_column_parallel(void)
{
    int i, j;
#pragma scop
#pragma omp parallel private(i, j)
    {
        for (j = 0; j < N; j++) {
#pragma omp for
            for (i = 0; i < N; i++)
                x1[i] = x1[i] + A[i][j] * y_1[j];
        }
#pragma omp for
        for (j = 0; j < N; j++)
            for (i = 0; i < N; i++)
                x2[j] = x2[j] + A[i][j] * y_2[i];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_mvt_column_parallel();
        harness_stop();
    }
    harness_report(checksum(x1, N) + checksum(x2, N));
    return 0;
}
