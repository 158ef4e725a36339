// SPDX-License-Identifier: Apache-2.0
//
// Advection in two dimensions, some steps of time.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static double u[N][N], w[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = (double)((i - j) % 29) / 29;
}

static void kernel(void)
{
    for (int t = 0; t < 10; t++) {
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++)
                w[i][j] = u[i][j] - 0.2 * (u[i][j] - u[i - 1][j]) - 0.3 * (u[i][j] - u[i][j - 1]);
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++)
                u[i][j] = w[i][j];
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
    harness_report(checksum(&u[0][0], N * N));
    return 0;
}
