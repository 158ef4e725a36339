// SPDX-License-Identifier: Apache-2.0
//
// The product of two matrices on flat arrays, with the element of C set to zero before each sum.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(20, 60, 150, 500, 1000)
#endif

static double A[N * N];
static double B[N * N];
static double C[N * N];

static void init(void)
{
    for (int i = 0; i < N * N; i++) {
        A[i] = (double)(i % 11 + 1) / 11;
        B[i] = (double)(i % 13 + 1) / 13;
        C[i] = 0.0;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N * N; i++)
        sum += C[i] * (i % 7 + 1);
    return sum;
}

static void kernel_matmul_flat(int n, double *restrict c, const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_matmul_flat(N, C, A, B);
        harness_stop();
    }
    harness_report(total());
    return 0;
}
