// SPDX-License-Identifier: Apache-2.0
//
// Correlation matrix of M variables from N observations: means, standard deviations, standardised data, then
// the dot products of all pairs of columns. One parallel region with four parallel loops; the last has rows of
// falling length.
#include "harness.h"

#ifndef M
#define M SIZE(28, 80, 240, 1200, 2600)
#endif
#ifndef N
#define N SIZE(32, 100, 260, 1400, 3000)
#endif

static double data[N][M];
static double corr[M][M];
static double mean[M];
static double stddev[M];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (double)((i * 7 + j * j) % 31) / 31 + (double)((i * (j + 3)) % 13) / 13;
}

static void kernel_correlation(void)
{
    int i, j, k;
#pragma scop
#pragma omp parallel private(i, j, k)
    {
#pragma omp for nowait schedule(static)
        for (j = 0; j < M; j++) {
            mean[j] = 0.0;
            for (i = 0; i < N; i++)
                mean[j] += data[i][j];
            mean[j] /= N;
        }
#pragma omp for schedule(static)
        for (j = 0; j < M; j++) {
            stddev[j] = 0.0;
            for (i = 0; i < N; i++)
                stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
            stddev[j] = sqrt(stddev[j] / N);
        }
#pragma omp for
        for (i = 0; i < N; i++)
            for (j = 0; j < M; j++)
                data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)N) * stddev[j]);
#pragma omp for
        for (i = 0; i < M; i++) {
            corr[i][i] = 1.0;
            for (j = i + 1; j < M; j++) {
                corr[i][j] = 0.0;
                for (k = 0; k < N; k++)
                    corr[i][j] += data[k][i] * data[k][j];
                corr[j][i] = corr[i][j];
            }
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_correlation();
        harness_stop();
    }
    harness_report(checksum(&corr[0][0], M * M));
    return 0;
}
