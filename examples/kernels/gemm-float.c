// SPDX-License-Identifier: Apache-2.0
//
// Matrix product in single precision: C = alpha A B + beta C. The rows of C are parallel.
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

static float A[NI][NK];
static float B[NK][NJ];
static float C[NI][NJ];

static void init(void)
{
    for (int i = 0; i < NI; i++)
        for (int k = 0; k < NK; k++)
            A[i][k] = (float)((i + 2 * k) % 11 + 1) / 11.0f;
    for (int k = 0; k < NK; k++)
        for (int j = 0; j < NJ; j++)
            B[k][j] = (float)((3 * k + j) % 13 + 1) / 13.0f;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (float)((i + j) % 7 + 1) / 7.0f;
}

static void kernel_gemm_float(float alpha, float beta)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < NI; i++) {
        for (j = 0; j < NJ; j++)
            C[i][j] *= beta;
        for (k = 0; k < NK; k++)
            for (j = 0; j < NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gemm_float(1.5f, 1.2f);
        harness_stop();
    }
    harness_report(checksum_float(&C[0][0], NI * NJ));
    return 0;
}
