// SPDX-License-Identifier: Apache-2.0
//
// QR factorisation by modified Gram-Schmidt: A = Q R, A of M rows and N <= M columns. The columns k are in
// sequence; the norm is a reduction, the normalisation is parallel over rows, and the projection is parallel
// over the columns after k.
#include "harness.h"

#ifndef M
#define M SIZE(30, 80, 240, 1200, 2600)
#endif
#ifndef N
#define N SIZE(20, 60, 200, 1000, 2000)
#endif

static double A[M][N];
static double Q[M][N];
static double R[N][N];

static void init(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * 3 + j * 7) % 23 + 1) / 23 + (i == j ? 10.0 : 0.0);
}

static void kernel_gramschmidt(void)
{
    int i, j, k;
    double norm;
#pragma scop
    for (k = 0; k < N; k++) {
        norm = 0.0;
#pragma omp parallel for reduction(+ : norm)
        for (i = 0; i < M; i++)
            norm += A[i][k] * A[i][k];
        R[k][k] = sqrt(norm);
#pragma omp parallel for
        for (i = 0; i < M; i++)
            Q[i][k] = A[i][k] / R[k][k];
#pragma omp parallel for private(i)
        for (j = k + 1; j < N; j++) {
            R[k][j] = 0.0;
            for (i = 0; i < M; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (i = 0; i < M; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_gramschmidt();
        harness_stop();
    }
    harness_report(checksum(&Q[0][0], M * N) + checksum(&R[0][0], N * N));
    return 0;
}
