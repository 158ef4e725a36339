// SPDX-License-Identifier: Apache-2.0
//
// Columns of a matrix divided by their lengths, one column after the other: two loops in one, both down a
// column.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double norm[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 17 + 1) / 17;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += A[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_normalise_columns(void)
{
    for (int j = 0; j < N; j++) {
        norm[j] = 0.0;
        for (int i = 0; i < N; i++)
            norm[j] += A[i][j] * A[i][j];
        for (int i = 0; i < N; i++)
            A[i][j] = A[i][j] / norm[j];
    }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_normalise_columns();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
