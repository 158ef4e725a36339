// SPDX-License-Identifier: Apache-2.0
//
// A triangle in equal blocks of rows: the thread with the longest rows works longest.
// Expert: schedule
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double x[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i % 11 + 1) / 11;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += A[i][j] * (i % 7 + 1);
    return sum;
}

static void kernel_triangle_blocks(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = A[i][j] / (1.5 + x[i] * x[j]);
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_triangle_blocks();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
