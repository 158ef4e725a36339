// SPDX-License-Identifier: Apache-2.0
//
// Discrete cosine transform of a square block as two matrix products: Y = C X C^T, by way of T = C X, where row
// u of C holds the cosines of frequency u. The rows of T, then of Y, are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(24, 80, 240, 1000, 2000)
#endif

static double C[N][N];
static double X[N][N];
static double T[N][N];
static double Y[N][N];

static void init(void)
{
    for (int u = 0; u < N; u++)
        for (int j = 0; j < N; j++) {
            C[u][j] = sqrt((u == 0 ? 1.0 : 2.0) / N) * cos(3.14159265358979323846 * (2 * j + 1) * u / (2.0 * N));
            X[u][j] = (double)((u * 5 + j * 3) % 29) / 29;
        }
}

static void kernel_dct(void)
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(j, k)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            double sum = 0.0;
            for (k = 0; k < N; k++)
                sum += C[i][k] * X[k][j];
            T[i][j] = sum;
        }
#pragma omp parallel for private(j, k)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            double sum = 0.0;
            for (k = 0; k < N; k++)
                sum += T[i][k] * C[j][k];
            Y[i][j] = sum;
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_dct();
        harness_stop();
    }
    harness_report(checksum(&Y[0][0], N * N));
    return 0;
}
