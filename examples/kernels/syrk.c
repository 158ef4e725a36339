// SPDX-License-Identifier: Apache-2.0
//
// Symmetric rank-k update: C = alpha A A^T + beta C, the lower triangle only. The rows of C are parallel; row i
// has i + 1 elements, so equal shares of rows are unequal shares of work.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif

static double A[N][M];
static double C[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < M; k++)
            A[i][k] = (double)((i * 2 + k * 3) % 17 + 1) / 17;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            C[i][j] = (double)((i + j) % 11 + 1) / 11;
}

static void kernel_syrk(int n, int m, double alpha, double beta, double C[n][n], double A[n][m])
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < m; k++)
            for (j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_syrk(N, M, 1.5, 1.2, C, A);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], N * N));
    return 0;
}
