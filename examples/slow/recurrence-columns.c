// SPDX-License-Identifier: Apache-2.0
//
// A recurrence along each column, held in a variable: the loops cannot be exchanged, but the matrix can be
// stored otherwise.
// Expert: transposed array
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double x[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 0.0;
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 7 + 1);
    return sum;
}

static void kernel_recurrence_columns(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double s = 0.0;
        for (int j = 0; j < N; j++)
            s = s * 0.5 + A[j][i];
        x[i] = s;
    }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_recurrence_columns();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
