// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring sums belong to different threads and lie in one line, which each of them writes in each
// iteration.
// Expert: temporary for a sum, schedule, unroll-and-jam
#include "../kernels/harness.h"

#ifndef M
#define M SIZE(16, 16, 16, 16, 16)
#endif
#ifndef N
#define N SIZE(500, 2000, 10000, 200000, 400000)
#endif

static double x[N];
static double y[M];
static double sums[M];

static void init(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (double)(i % 11 + 1) / 11;
    for (int m = 0; m < M; m++) {
        y[m] = (double)(m % 5 + 1) / 5;
        sums[m] = 0.0;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < M; i++)
        sum += sums[i] * (i % 7 + 1);
    return sum;
}

__attribute__((noinline)) void kernel_false_sharing(int n, double *sums, double *x, double *y)
{
#pragma omp parallel for schedule(static, 1)
    for (int m = 0; m < M; m++)
        for (int i = 0; i < n; i++)
            sums[m] += x[i] * y[m];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_false_sharing(N, sums, x, y);
        harness_stop();
    }
    harness_report(total());
    return 0;
}
