// SPDX-License-Identifier: Apache-2.0
//
// LU factorisation in place without pivoting: A = L U, with ones on the diagonal of L. The steps k are in
// sequence; the rows below k are parallel.
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

static void kernel_lu(void)
{
    int i, j, k;
#pragma scop
    for (k = 0; k < N; k++) {
#pragma omp parallel for private(j)
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
        kernel_lu();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
