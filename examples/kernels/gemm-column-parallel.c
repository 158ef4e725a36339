// SPDX-License-Identifier: Apache-2.0
//
// Matrix product C = alpha A B + beta C with the columns of C parallel, not the rows: every thread reads all of
// A, and its part of B and C by columns.
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

static void kernel_gemm_column_parallel(double alpha, double beta)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(i, k)
    for (j = 0; j < NJ; j++)
        for (i = 0; i < NI; i++) {
            C[i][j] *= beta;
            for (k = 0; k < NK; k++)
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gemm_column_parallel(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], NI * NJ));
    return 0;
}
