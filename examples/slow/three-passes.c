// SPDX-License-Identifier: Apache-2.0
//
// Three passes over vectors that no cache holds.
// Expert: fusion
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(1000, 10000, 100000, 4000000, 8000000)
#endif

static double a[N];
static double b[N];
static double c[N];
static double d[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = (double)(i % 11 + 1) / 11;
        c[i] = (double)(i % 7 + 1) / 7;
        a[i] = d[i] = 0.0;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += (b[i] + d[i]) * (i % 7 + 1);
    return sum;
}

static void kernel_three_passes(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i] + c[i];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        d[i] = a[i] * b[i];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] = d[i] - a[i];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_three_passes();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
