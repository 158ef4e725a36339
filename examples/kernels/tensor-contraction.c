// SPDX-License-Identifier: Apache-2.0
//
// Contraction of two tensors over two indices: C[i][j][k] = sum over l and m of A[i][l][m] B[m][j][l][k]. The
// slices i are parallel; the innermost loop is along k, in vectors.
#include "harness.h"

#ifndef NI
#define NI SIZE(8, 16, 32, 64, 96)
#endif
#ifndef NJ
#define NJ SIZE(8, 16, 32, 64, 96)
#endif
#ifndef NK
#define NK SIZE(8, 16, 32, 64, 96)
#endif
#ifndef NL
#define NL SIZE(7, 12, 24, 48, 64)
#endif
#ifndef NM
#define NM SIZE(7, 12, 24, 48, 64)
#endif

static double A[NI][NL][NM];
static double B[NM][NJ][NL][NK];
static double C[NI][NJ][NK];

static void init(void)
{
    for (int i = 0; i < NI; i++)
        for (int l = 0; l < NL; l++)
            for (int m = 0; m < NM; m++)
                A[i][l][m] = (double)((i + l * 3 + m * 5) % 17 + 1) / 17;
    for (int m = 0; m < NM; m++)
        for (int j = 0; j < NJ; j++)
            for (int l = 0; l < NL; l++)
                for (int k = 0; k < NK; k++)
                    B[m][j][l][k] = (double)((m * 7 + j * 3 + l + k * 2) % 23 + 1) / 23;
}

static void kernel_tensor_contraction(void)
{
    int i, j, k, l, m;
#pragma scop
#pragma omp parallel for private(j, k, l, m)
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++) {
            for (k = 0; k < NK; k++)
                C[i][j][k] = 0.0;
            for (l = 0; l < NL; l++)
                for (m = 0; m < NM; m++) {
#pragma omp simd
                    for (k = 0; k < NK; k++)
                        C[i][j][k] += A[i][l][m] * B[m][j][l][k];
                }
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_tensor_contraction();
        harness_stop();
    }
    harness_report(checksum(&C[0][0][0], NI * NJ * NK));
    return 0;
}
