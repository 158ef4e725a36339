// SPDX-License-Identifier: Apache-2.0
//
// Tridiagonal systems, one for each row.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static double lower[N][N], diagonal[N][N], upper[N][N], x[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            lower[i][j] = 0.3;
            diagonal[i][j] = 2.0 + (double)((i + j) % 5) / 5;
            upper[i][j] = 0.4;
            x[i][j] = (double)(i * j % 9) / 9;
        }
}

static void kernel(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 1; j < N; j++) {
            double w = lower[i][j] / diagonal[i][j - 1];
            diagonal[i][j] -= w * upper[i][j - 1];
            x[i][j] -= w * x[i][j - 1];
        }
        x[i][N - 1] /= diagonal[i][N - 1];
        for (int j = N - 2; j >= 0; j--)
            x[i][j] = (x[i][j] - upper[i][j] * x[i][j + 1]) / diagonal[i][j];
    }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel();
        harness_stop();
    }
    harness_report(checksum(&x[0][0], N * N));
    return 0;
}
