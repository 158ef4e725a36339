// SPDX-License-Identifier: Apache-2.0
//
// Sum of two matrix-vector products: y = alpha A x + beta B x. The rows are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(30, 600, 900, 1300, 2800)
#endif

static double A[N][N];
static double B[N][N];
static double x[N];
static double y[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i % 9 + 1) / 9;
        for (int j = 0; j < N; j++) {
            A[i][j] = (double)((i * 2 + j) % 13 + 1) / 13;
            B[i][j] = (double)((i + j * 3) % 11 + 1) / 11;
        }
    }
}

static void kernel_gesummv(double alpha, double beta)
{
    int i, j;
#pragma scop
#pragma omp parallel for private(j)
    for (i = 0; i < N; i++) {
        double a = 0.0;
        double b = 0.0;
        for (j = 0; j < N; j++) {
            a += A[i][j] * x[j];
            b += B[i][j] * x[j];
        }
        y[i] = alpha * a + beta * b;
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gesummv(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(y, N));
    return 0;
}
