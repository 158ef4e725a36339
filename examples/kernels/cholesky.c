// SPDX-License-Identifier: Apache-2.0
//
// Cholesky factorisation in place, right-looking: A = L L^T, the lower triangle only. All threads run the
// sequence of steps k in one parallel region: one thread takes the root, then the column is scaled and the rows
// are updated in parallel.
#include "harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i + j) % 13 + 1) / 13 + (i == j ? N : 0);
}

static void kernel_cholesky(void)
{
    int i, j, k;
#pragma scop
#pragma omp parallel private(i, j, k)
    for (k = 0; k < N; k++) {
#pragma omp single
        A[k][k] = sqrt(A[k][k]);
#pragma omp for
        for (i = k + 1; i < N; i++)
            A[i][k] = A[i][k] / A[k][k];
#pragma omp for
        for (i = k + 1; i < N; i++)
            for (j = k + 1; j <= i; j++)
                A[i][j] = A[i][j] - A[i][k] * A[j][k];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_cholesky();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
