// SPDX-License-Identifier: Apache-2.0
//
// Solves A x = b: LU factorisation in place, then L y = b forwards and U x = y backwards. In step k the column
// is scaled and the rows are updated in parallel; in each step of the substitutions a dot product is a
// reduction.
#include "harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double b[N];
static double x[N];
static double y[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = (double)(i % 11 + 1) * N / 11;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 2 + j * 3) % 19 + 1) / 19 + (i == j ? N : 0);
    }
}

static void kernel_ludcmp(void)
{
    int i, j, k;
    double s;
#pragma scop
    for (k = 0; k < N; k++) {
#pragma omp parallel for
        for (i = k + 1; i < N; i++)
            A[i][k] = A[i][k] / A[k][k];
#pragma omp parallel for private(j)
        for (i = k + 1; i < N; i++)
            for (j = k + 1; j < N; j++)
                A[i][j] = A[i][j] - A[i][k] * A[k][j];
    }
    for (i = 0; i < N; i++) {
        s = 0.0;
#pragma omp parallel for reduction(+ : s)
        for (j = 0; j < i; j++)
            s += A[i][j] * y[j];
        y[i] = b[i] - s;
    }
    for (i = N - 1; i >= 0; i--) {
        s = 0.0;
#pragma omp parallel for reduction(+ : s)
        for (j = i + 1; j < N; j++)
            s += A[i][j] * x[j];
        x[i] = (y[i] - s) / A[i][i];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_ludcmp();
        harness_stop();
    }
    harness_report(checksum(x, N));
    return 0;
}
