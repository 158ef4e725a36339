// SPDX-License-Identifier: Apache-2.0
//
// Rows divided by their length.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static double a[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (double)((i + 3 * j) % 23 + 1) / 23;
}

static void kernel(void)
{
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += a[i][j] * a[i][j];
        sum = sqrt(sum);
        for (int j = 0; j < N; j++)
            a[i][j] /= sum;
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
    harness_report(checksum(&a[0][0], N * N));
    return 0;
}
