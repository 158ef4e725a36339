// SPDX-License-Identifier: Apache-2.0
//
// Diagonal neighbours in rows of 8 KiB: what a column needs lies in few sets of the caches, and the order of the
// loops cannot be changed.
// Expert: padding, transposed array, skewing
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(64, 128, 512, 1024, 2048)
#endif

static double A[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += A[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_power_of_two(void)
{
    for (int j = 0; j < N - 1; j++)
        for (int i = 1; i < N; i++)
            A[i][j] = A[i][j] + 0.5 * A[i - 1][j + 1];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_power_of_two();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
