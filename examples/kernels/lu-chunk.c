// SPDX-License-Identifier: Apache-2.0
//
// LU factorisation in place without pivoting as lu, with the rows below the step dealt in turn in chunks of
// eight. All threads run the sequence of steps in one parallel region.
#include "harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j * 5) % 17 + 1) / 17 + (i == j ? N : 0);
}

static void kernel_lu_chunk(void)
{
    int i, j, k;
#pragma scop
#pragma omp parallel private(i, j, k)
    for (k = 0; k < N; k++) {
#pragma omp for schedule(static, 8)
        for (i = k + 1; i < N; i++) {
            A[i][k] /= A[k][k];
            for (j = k + 1; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_lu_chunk();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
