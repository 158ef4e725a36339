// SPDX-License-Identifier: Apache-2.0
//
// Triangular matrix product in place: B = alpha A^T B, where A is lower triangular with ones on its diagonal.
// Row i of B needs the rows below it, so the columns of B are parallel.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif

static double A[M][M];
static double B[M][N];

static void init(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((i * 3 + j) % 13 + 1) / 13;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((i + j * 2) % 11 + 1) / 11;
}

static void kernel_trmm(double alpha)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(i, k)
    for (j = 0; j < N; j++)
        for (i = 0; i < M; i++) {
            for (k = i + 1; k < M; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_trmm(1.5);
        harness_stop();
    }
    harness_report(checksum(&B[0][0], M * N));
    return 0;
}
