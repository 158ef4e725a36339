// SPDX-License-Identifier: Apache-2.0
//
// Covariance matrix of M variables from N observations: means, centred data, then the dot products of all pairs
// of columns. Three parallel loops, over columns, rows and rows of the result.
#include "harness.h"

#ifndef M
#define M SIZE(28, 80, 240, 1200, 2600)
#endif
#ifndef N
#define N SIZE(32, 100, 260, 1400, 3000)
#endif

static double data[N][M];
static double cov[M][M];
static double mean[M];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (double)((i * 5 + j * j) % 29) / 29 + (double)((i * (j + 2)) % 17) / 17;
}

static void kernel_covariance(int m, int n, double data[n][m], double cov[m][m], double mean[m])
{
    int i, j, k;
#pragma scop
#pragma omp parallel for private(i)
    for (j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= n;
    }
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            data[i][j] -= mean[j];
#pragma omp parallel for private(j, k)
    for (i = 0; i < m; i++)
        for (j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= n - 1.0;
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_covariance(M, N, data, cov, mean);
        harness_stop();
    }
    harness_report(checksum(&cov[0][0], M * M));
    return 0;
}
