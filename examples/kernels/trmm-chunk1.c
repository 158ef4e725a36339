// SPDX-License-Identifier: Apache-2.0
//
// Triangular matrix product out of place: C = alpha A^T B, where A is lower triangular with ones on its
// diagonal. The rows of C are parallel and dealt one by one in turn, which evens out their falling lengths.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif

static double A[M][M];
static double B[M][N];
static double C[M][N];

static void init(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((i * 3 + j) % 13 + 1) / 13;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            B[i][j] = (double)((i + j * 2) % 11 + 1) / 11;
}

static void kernel_trmm_chunk1(double alpha)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for schedule(static, 1) private(j, k)
    for (i = 0; i < M; i++) {
        for (j = 0; j < N; j++)
            C[i][j] = alpha * B[i][j];
        for (k = i + 1; k < M; k++)
            for (j = 0; j < N; j++)
                C[i][j] += alpha * A[k][i] * B[k][j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_trmm_chunk1(1.5);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], M * N));
    return 0;
}
