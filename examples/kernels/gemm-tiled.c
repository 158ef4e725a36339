// SPDX-License-Identifier: Apache-2.0
//
// Matrix product C = alpha A B + beta C in square tiles of TILE by TILE. The scaling is parallel over rows; the
// product is parallel over bands of tiles.
#include "harness.h"

#ifndef NI
#define NI SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef NJ
#define NJ SIZE(25, 70, 220, 1100, 2300)
#endif
#ifndef NK
#define NK SIZE(30, 80, 240, 1200, 2600)
#endif
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))

static double A[NI][NK];
static double B[NK][NJ];
static double C[NI][NJ];

static void init(void)
{
    for (int i = 0; i < NI; i++)
        for (int k = 0; k < NK; k++)
            A[i][k] = (double)((i + 2 * k) % 11 + 1) / 11;
    for (int k = 0; k < NK; k++)
        for (int j = 0; j < NJ; j++)
            B[k][j] = (double)((3 * k + j) % 13 + 1) / 13;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (double)((i + j) % 7 + 1) / 7;
}

static void kernel_gemm_tiled(double alpha, double beta)
{
    int ii, jj, kk, i, j, k;
#pragma scop
#pragma omp parallel for private(j)
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++)
            C[i][j] *= beta;
#pragma omp parallel for private(jj, kk, i, j, k)
    for (ii = 0; ii < NI; ii += TILE)
        for (kk = 0; kk < NK; kk += TILE)
            for (jj = 0; jj < NJ; jj += TILE)
                for (i = ii; i < min(ii + TILE, NI); i++)
                    for (k = kk; k < min(kk + TILE, NK); k++)
                        for (j = jj; j < min(jj + TILE, NJ); j++)
                            C[i][j] += alpha * A[i][k] * B[k][j];
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gemm_tiled(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], NI * NJ));
    return 0;
}
