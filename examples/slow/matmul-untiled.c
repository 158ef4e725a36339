// SPDX-License-Identifier: Apache-2.0
//
// A product of matrices in the order i, k, j: B comes from outer caches again for each row.
// Expert: tiling, unroll-and-jam
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(20, 60, 150, 800, 1500)
#endif

static float A[N][N];
static float B[N][N];
static float C[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (float)((i + 2 * j) % 11 + 1) / 11;
            B[i][j] = (float)((3 * i + j) % 13 + 1) / 13;
            C[i][j] = (float)((i + j) % 7 + 1) / 7;
        }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += C[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_matmul_untiled(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                C[i][j] += A[i][k] * B[k][j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_matmul_untiled();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
