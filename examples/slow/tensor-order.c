// SPDX-License-Identifier: Apache-2.0
//
// A contraction over two indices with the longest steps in the innermost loop.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(6, 14, 28, 60, 90)
#endif

static double A[N][N][N];
static double B[N][N][N];
static double C[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < N; k++) {
                A[i][j][k] = (double)((i + j * 2 + k) % 19) / 19;
                B[i][j][k] = (double)((i * 2 + j + k) % 23) / 23;
            }
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

static void kernel_tensor_order(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                for (int l = 0; l < N; l++)
                    C[i][j] += A[i][k][l] * B[l][k][j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_tensor_order();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
