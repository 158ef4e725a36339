// SPDX-License-Identifier: Apache-2.0
//
// Steps in time of a plane, of which nothing is parallel.
// Expert: parallel loop
#include "../kernels/harness.h"

#ifndef T
#define T SIZE(4, 6, 8, 20, 20)
#endif
#ifndef N
#define N SIZE(40, 120, 300, 1000, 2000)
#endif

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = B[i][j] = (double)((i * (j + 2)) % 41 + 2) / 41;
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += A[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_time_serial(void)
{
    int t, i, j;
    for (t = 0; t < T; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                A[i][j] = B[i][j];
    }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_time_serial();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
