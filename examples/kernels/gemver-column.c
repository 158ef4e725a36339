// SPDX-License-Identifier: Apache-2.0
//
// The operations of gemver by columns: A = A + u1 v1^T + u2 v2^T; x = x + beta A^T y + z; w = w + alpha A x.
// The columns are parallel but in the last product, where they are in sequence and their elements are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(40, 400, 800, 2000, 4000)
#endif

static double A[N][N];
static double u1[N];
static double v1[N];
static double u2[N];
static double v2[N];
static double w[N];
static double x[N];
static double y[N];
static double z[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        u1[i] = (double)(i % 9 + 1) / 9;
        u2[i] = (double)(i % 11 + 1) / 11;
        v1[i] = (double)(i % 13 + 1) / 26;
        v2[i] = (double)(i % 7 + 1) / 28;
        y[i] = (double)(i % 5 + 1) / N;
        z[i] = (double)(i % 17 + 1) / 17;
        x[i] = 0.0;
        w[i] = 0.0;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i + j * 3) % 19 + 1) / 19;
    }
}

static void kernel_gemver_column(double alpha, double beta)
{
    int i, j;
#pragma scop
#pragma omp parallel for private(i)
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
#pragma omp parallel for private(i)
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++)
            x[j] = x[j] + beta * A[i][j] * y[i];
#pragma omp parallel for simd
    for (j = 0; j < N; j++)
        x[j] = x[j] + z[j];
    for (j = 0; j < N; j++) {
#pragma omp parallel for
        for (i = 0; i < N; i++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gemver_column(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(w, N));
    return 0;
}
