// SPDX-License-Identifier: Apache-2.0
//
// Five points of a plane, column by column.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
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

static void kernel_stencil_columns(void)
{
#pragma omp parallel for
    for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++)
            B[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_stencil_columns();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
