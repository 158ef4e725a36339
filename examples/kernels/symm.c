// SPDX-License-Identifier: Apache-2.0
//
// Product with a symmetric matrix: C = alpha A B + beta C, where only the lower triangle of A is stored. Row i
// of C also adds to the rows above it, so the rows are in sequence and the columns are parallel.
#include "harness.h"

#ifndef M
#define M SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef N
#define N SIZE(30, 80, 240, 1200, 2600)
#endif

static double A[M][M];
static double B[M][N];
static double C[M][N];

static void init(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((i + j * 2) % 23 + 1) / 23;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            B[i][j] = (double)((i * 2 + j) % 17 + 1) / 17;
            C[i][j] = (double)((i + j) % 5 + 1) / 5;
        }
}

static void kernel_symm(double alpha, double beta)
{
    int i, j, k;
#pragma scop
    for (i = 0; i < M; i++) {
#pragma omp parallel for private(k)
        for (j = 0; j < N; j++) {
            double above = 0.0;
            for (k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                above += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * above;
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_symm(1.5, 1.2);
        harness_stop();
    }
    harness_report(checksum(&C[0][0], M * N));
    return 0;
}
