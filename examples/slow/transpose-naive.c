// SPDX-License-Identifier: Apache-2.0
//
// A matrix transposed without tiles.
// Expert: tiling
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(50, 200, 600, 3000, 5000)
#endif

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
            B[i][j] = 0.0;
        }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += B[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_transpose_naive(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            B[j][i] = A[i][j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_transpose_naive();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
