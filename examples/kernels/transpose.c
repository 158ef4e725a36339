// SPDX-License-Identifier: Apache-2.0
//
// Out-of-place transposition, B = A^T. The rows of A are parallel: they are read along rows and written down
// columns.
#include "harness.h"

#ifndef N
#define N SIZE(160, 1000, 2000, 4000, 8000)
#endif

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j * 5) % 101) / 101;
}

static void kernel_transpose(void)
{
    int i, j;
#pragma scop
#pragma omp parallel for private(j)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            B[j][i] = A[i][j];
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_transpose();
        harness_stop();
    }
    harness_report(checksum(&B[0][0], N * N));
    return 0;
}
