// SPDX-License-Identifier: Apache-2.0
//
// The inner loop is parallel: threads are called for each row, and wait for one another behind it.
// Expert: parallel loop, interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 1000, 2000)
#endif

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = B[i][j] = (double)((i * (j + 2)) % 41 + 2) / 41;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += B[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_parallel_inside(void)
{
    int i, j;
    for (i = 1; i < N - 1; i++)
#pragma omp parallel for
        for (j = 1; j < N - 1; j++)
            B[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_parallel_inside();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
