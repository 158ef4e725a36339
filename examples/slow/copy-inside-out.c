// SPDX-License-Identifier: Apache-2.0
//
// A copy of a cube with the loops inside out: the innermost index is the outermost loop.
// Expert: interchange
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(10, 30, 80, 250, 400)
#endif

static double A[N][N][N];
static double B[N][N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                A[i][j][k] = (double)((i + j * 2 + k) % 19) / 19;
                B[i][j][k] = 0.0;
            }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
        sum += B[i][j][(i + j) % N] * (i % 7 + 1);
    return sum;
}

static void kernel_copy_inside_out(void)
{
#pragma omp parallel for
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                B[i][j][k] = 2.0 * A[i][j][k];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_copy_inside_out();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
