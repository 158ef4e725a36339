// SPDX-License-Identifier: Apache-2.0
//
// Symmetric rank-k update C = alpha A A^T + beta C of the lower triangle in square tiles of TILE by TILE. One
// parallel region: the scaling is parallel over rows, the update over bands of tiles, of which later ones are
// longer.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))

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

static void kernel_syrk_tiled(double alpha, double beta)
{
    int ii, jj, kk, i, j, k;
#pragma scop
#pragma omp parallel private(ii, jj, kk, i, j, k)
    {
#pragma omp for
        for (i = 0; i < N; i++)
            for (j = 0; j <= i; j++)
                C[i][j] *= beta;
#pragma omp for
        for (ii = 0; ii < N; ii += TILE)
            for (jj = 0; jj <= ii; jj += TILE)
                for (kk = 0; kk < M; kk += TILE)
                    for (i = ii; i < min(ii + TILE, N); i++)
                        for (j = jj; j <= min(jj + TILE - 1, i); j++)
                            for (k = kk; k < min(kk + TILE, M); k++)
                                C[i][j] += alpha * A[i][k] * A[j][k];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_syrk_tiled(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], N * N));
    return 0;
}
