// SPDX-License-Identifier: Apache-2.0
//
// The product of two matrices, each element a dot product that is added up in a variable: the loops are not
// perfectly nested.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(20, 60, 150, 500, 1000)
#endif

static double A[N][N];
static double B[N][N];
static double C[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (double)((i + 2 * j) % 11 + 1) / 11;
            B[i][j] = (double)((3 * i + j) % 13 + 1) / 13;
            C[i][j] = (double)((i + j) % 7 + 1) / 7;
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

static void kernel_matmul_dot(void)
{
    int i, j, k;
#pragma omp parallel for private(j, k)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            double sum = 0.0;
            for (k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_matmul_dot();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
