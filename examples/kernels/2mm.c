// SPDX-License-Identifier: Apache-2.0
//
// Two matrix products in a row: D = alpha A B C + beta D, by way of tmp = alpha A B. The rows of tmp, then the
// rows of D, are parallel.
#include "harness.h"

#ifndef NI
#define NI SIZE(16, 40, 180, 800, 1600)
#endif
#ifndef NJ
#define NJ SIZE(18, 50, 190, 900, 1800)
#endif
#ifndef NK
#define NK SIZE(22, 70, 210, 1100, 2200)
#endif
#ifndef NL
#define NL SIZE(24, 80, 220, 1200, 2400)
#endif

static double tmp[NI][NJ];
static double A[NI][NK];
static double B[NK][NJ];
static double C[NJ][NL];
static double D[NI][NL];

static void init(void)
{
    for (int i = 0; i < NI; i++)
        for (int k = 0; k < NK; k++)
            A[i][k] = (double)((i * 3 + k) % 17 + 1) / 17;
    for (int k = 0; k < NK; k++)
        for (int j = 0; j < NJ; j++)
            B[k][j] = (double)((k + j * 5) % 19 + 1) / 19;
    for (int j = 0; j < NJ; j++)
        for (int l = 0; l < NL; l++)
            C[j][l] = (double)((j * 2 + l) % 13 + 1) / 13;
    for (int i = 0; i < NI; i++)
        for (int l = 0; l < NL; l++)
            D[i][l] = (double)((i + l) % 5 + 1) / 5;
}

static void kernel_2mm(double alpha, double beta)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < NI; i++)
        for (j = 0; j < NJ; j++) {
            tmp[i][j] = 0.0;
            for (k = 0; k < NK; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
#pragma omp parallel for private(j, k)
    for (i = 0; i < NI; i++)
        for (j = 0; j < NL; j++) {
            D[i][j] *= beta;
            for (k = 0; k < NJ; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_2mm(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&D[0][0], NI * NL));
    return 0;
}
