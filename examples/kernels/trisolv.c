// SPDX-License-Identifier: Apache-2.0
//
// Forward substitution by columns: L x = b. The unknowns are in sequence; as soon as one is known, the elements
// below it in its column are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(40, 500, 1000, 2000, 4000)
#endif

static double L[N][N];
static double b[N];
static double x[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = (double)(i % 7 + 1) * N / 7;
        for (int j = 0; j < N; j++)
            L[i][j] = (double)((i * 2 + j) % 11 + 1) / 11 + (i == j ? N : 0);
    }
}

static void kernel_trisolv(void)
{
    int i, j;
#pragma scop
#pragma omp parallel for
    for (i = 0; i < N; i++)
        x[i] = b[i];
    for (j = 0; j < N; j++) {
        x[j] = x[j] / L[j][j];
#pragma omp parallel for
        for (i = j + 1; i < N; i++)
            x[i] = x[i] - L[i][j] * x[j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_trisolv();
        harness_stop();
    }
    harness_report(checksum(x, N));
    return 0;
}
