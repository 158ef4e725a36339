// SPDX-License-Identifier: Apache-2.0
//
// Symmetric rank-2k update: C = alpha (A B^T + B A^T) + beta C, the lower triangle only. The rows of C are
// parallel.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif

static double A[N][M];
static double B[N][M];
static double C[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++) {
            A[i][k] = (double)((i + k * 2) % 13 + 1) / 13;
            B[i][k] = (double)((i * 3 + k) % 19 + 1) / 19;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = (double)((i + j) % 7 + 1) / 7;
}

static void kernel_syr2k(double alpha, double beta)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < N; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < M; k++)
            for (j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_syr2k(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], N * N));
    return 0;
}
