// SPDX-License-Identifier: Apache-2.0
//
// The parallel loop has fewer iterations than there are cores.
// Expert: collapse, parallel loop
#include "../kernels/harness.h"

#ifndef P
#define P SIZE(2, 2, 3, 3, 3)
#endif
#ifndef N
#define N SIZE(40, 120, 300, 1500, 2500)
#endif

static double A[P][N][N];
static double x[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (double)(i % 11 + 1) / 11;
    for (int p = 0; p < P; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[p][i][j] = (double)((p + i * 3 + j) % 17) / 17;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += A[P - 1][i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_few_planes(void)
{
#pragma omp parallel for
    for (int p = 0; p < P; p++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[p][i][j] = A[p][i][j] / (1.5 + x[j]);
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_few_planes();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
