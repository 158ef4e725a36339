// SPDX-License-Identifier: Apache-2.0
//
// Matrix product C = alpha A B + beta C on plain pointers from malloc, with the two subscripts folded into one:
// element (i, j) of n columns is x[i * n + j]. The rows of C are parallel.
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

static void init(int ni, int nj, int nk, double *C, double *A, double *B)
{
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i * nk + k] = (double)((i + 2 * k) % 11 + 1) / 11;
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k * nj + j] = (double)((3 * k + j) % 13 + 1) / 13;
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            C[i * nj + j] = (double)((i + j) % 7 + 1) / 7;
}

static void kernel_gemm_flat(int ni, int nj, int nk, double alpha, double beta, double *C, double *A, double *B)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < ni; i++) {
        for (j = 0; j < nj; j++)
            C[i * nj + j] *= beta;
        for (k = 0; k < nk; k++)
            for (j = 0; j < nj; j++)
                C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
#pragma endscop
}

int main(void)
{
    int ni = NI;
    int nj = NJ;
    int nk = NK;
    double *A = malloc(sizeof(double) * ni * nk);
    double *B = malloc(sizeof(double) * nk * nj);
    double *C = malloc(sizeof(double) * ni * nj);
    for (int run = 0; run < REPEAT; run++) {
        init(ni, nj, nk, C, A, B);
        harness_start();
        kernel_gemm_flat(ni, nj, nk, 1.5, 1.2, C, A, B);
        harness_stop();
    }
    harness_report(checksum(C, ni * nj));
    free(A);
    free(B);
    free(C);
    return 0;
}
