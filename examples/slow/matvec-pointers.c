// SPDX-License-Identifier: Apache-2.0
//
// A matrix times a vector through pointers: the compiler must take y as one with A and x, and stores it in each
// iteration.
// Expert: temporary for a sum, unroll-and-jam
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N * N];
static double x[N];
static double y[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i % 11 + 1) / 11;
        y[i] = 0.0;
    }
    for (int i = 0; i < N * N; i++)
        A[i] = (double)(i % 13 + 1) / 13;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += y[i] * (i % 7 + 1);
    return sum;
}

__attribute__((noinline)) void kernel_matvec_pointers(int n, double *y, double *a, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_matvec_pointers(N, y, A, x);
        harness_stop();
    }
    harness_report(total());
    return 0;
}
