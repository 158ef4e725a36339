// SPDX-License-Identifier: Apache-2.0
//
// Squares of the distances between all pairs of points.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static double p[N][3], d[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = (double)((i * 7 + k) % 19) / 19;
}

static void kernel(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = p[i][0] - p[j][0], y = p[i][1] - p[j][1], z = p[i][2] - p[j][2];
            d[i][j] = x * x + y * y + z * z;
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
    harness_report(checksum(&d[0][0], N * N));
    return 0;
}
