// SPDX-License-Identifier: Apache-2.0
//
// Multiresolution product: A[r][q][p] = sum over s of A[r][q][s] C4[s][p], in place by way of one row of sums
// for each r. The planes r are parallel.
#include "harness.h"

#ifndef NR
#define NR SIZE(10, 25, 50, 150, 220)
#endif
#ifndef NQ
#define NQ SIZE(8, 20, 40, 140, 200)
#endif
#ifndef NP
#define NP SIZE(12, 30, 60, 160, 250)
#endif

static double A[NR][NQ][NP];
static double C4[NP][NP];
static double sum[NR][NP];

static void init(void)
{
    for (int i = 0; i < NR; i++)
        for (int j = 0; j < NQ; j++)
            for (int k = 0; k < NP; k++)
                A[i][j][k] = (double)((i * 5 + j * 3 + k) % 17 + 1) / 17;
    for (int i = 0; i < NP; i++)
        for (int j = 0; j < NP; j++)
            C4[i][j] = (double)((i + j * 2) % 13 + 1) / 13;
}

static void kernel_doitgen(void)
{
    int r, q, p, s;
#pragma scop
#pragma omp parallel for private(q, p, s)
    for (r = 0; r < NR; r++)
        for (q = 0; q < NQ; q++) {
            for (p = 0; p < NP; p++) {
                sum[r][p] = 0.0;
                for (s = 0; s < NP; s++)
                    sum[r][p] += A[r][q][s] * C4[s][p];
            }
            for (p = 0; p < NP; p++)
                A[r][q][p] = sum[r][p];
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_doitgen();
        harness_stop();
    }
    harness_report(checksum(&A[0][0][0], NR * NQ * NP));
    return 0;
}
