// SPDX-License-Identifier: Apache-2.0
//
// Out-of-place transposition, B = A^T, in square blocks of TILE by TILE, which both matrices keep in cache. The
// blocks are parallel in both directions together (collapse). The matrices come from malloc.
#include "harness.h"

#ifndef N
#define N SIZE(150, 1000, 2000, 4000, 8000)
#endif
#ifndef TILE
#define TILE SIZE(16, 32, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))

static void init(int n, double A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (double)((i * 3 + j * 5) % 101) / 101;
}

static void kernel_transpose_blocked(int n, double A[n][n], double B[n][n])
{
    int ii, jj, i, j;
#pragma scop
#pragma omp parallel for collapse(2) private(i, j)
    for (ii = 0; ii < n; ii += TILE)
        for (jj = 0; jj < n; jj += TILE)
            for (i = ii; i < min(ii + TILE, n); i++)
                for (j = jj; j < min(jj + TILE, n); j++)
                    B[j][i] = A[i][j];
#pragma endscop
}

int main(void)
{
    double (*A)[N] = malloc(sizeof(double[N][N]));
    double (*B)[N] = malloc(sizeof(double[N][N]));
    for (int run = 0; run < REPEAT; run++) {
        init(N, A);
        harness_start();
        kernel_transpose_blocked(N, A, B);
        harness_stop();
    }
    harness_report(checksum(&B[0][0], N * N));
    free(A);
    free(B);
    return 0;
}
