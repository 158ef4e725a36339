// SPDX-License-Identifier: Apache-2.0
//
// Sums of the rows of a matrix, taken column by column, so that each access takes another line.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double b[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = 0.0;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += b[i] * (i % 7 + 1);
    return sum;
}

static void kernel_row_sums(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            b[i] += A[i][j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_row_sums();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
