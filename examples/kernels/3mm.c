// SPDX-License-Identifier: Apache-2.0
//
// Three matrix products: G = (A B)(C D), by way of E = A B and F = C D. One parallel region holds three
// parallel loops over rows; E and F do not depend on each other, so no barrier stands between them.
#include "harness.h"

#ifndef NI
#define NI SIZE(16, 40, 180, 800, 1600)
#endif
#ifndef NJ
#define NJ SIZE(18, 50, 190, 900, 1800)
#endif
#ifndef NK
#define NK SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef NL
#define NL SIZE(22, 70, 210, 1100, 2200)
#endif
#ifndef NM
#define NM SIZE(24, 80, 220, 1200, 2400)
#endif

static double A[NI][NK];
static double B[NK][NJ];
static double C[NJ][NM];
static double D[NM][NL];
static double E[NI][NJ];
static double F[NJ][NL];
static double G[NI][NL];

static void init(void)
{
    for (int i = 0; i < NI; i++)
        for (int k = 0; k < NK; k++)
            A[i][k] = (double)((i + k * 2) % 9 + 1) / (5 * 9);
    for (int k = 0; k < NK; k++)
        for (int j = 0; j < NJ; j++)
            B[k][j] = (double)((k * 3 + j) % 11 + 1) / (5 * 11);
    for (int j = 0; j < NJ; j++)
        for (int m = 0; m < NM; m++)
            C[j][m] = (double)((j + m) % 7 + 1) / (5 * 7);
    for (int m = 0; m < NM; m++)
        for (int l = 0; l < NL; l++)
            D[m][l] = (double)((m + l * 4) % 13 + 1) / (5 * 13);
}

static void kernel_3mm(void)
{
    int i, j, k;
#pragma scop
#pragma omp parallel private(i, j, k)
    {
#pragma omp for nowait
        for (i = 0; i < NI; i++)
            for (j = 0; j < NJ; j++) {
                E[i][j] = 0.0;
                for (k = 0; k < NK; k++)
                    E[i][j] += A[i][k] * B[k][j];
            }
#pragma omp for
        for (i = 0; i < NJ; i++)
            for (j = 0; j < NL; j++) {
                F[i][j] = 0.0;
                for (k = 0; k < NM; k++)
                    F[i][j] += C[i][k] * D[k][j];
            }
#pragma omp for
        for (i = 0; i < NI; i++)
            for (j = 0; j < NL; j++) {
                G[i][j] = 0.0;
                for (k = 0; k < NJ; k++)
                    G[i][j] += E[i][k] * F[k][j];
            }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_3mm();
        harness_stop();
    }
    harness_report(checksum(&G[0][0], NI * NL));
    return 0;
}
