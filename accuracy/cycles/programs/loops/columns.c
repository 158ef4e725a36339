// SPDX-License-Identifier: Apache-2.0
//
// The largest of each column, which walks down columns.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static double a[N][N], most[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (double)((i * 13 + j * 7) % 41) / 41;
}

static void kernel(void)
{
    for (int j = 0; j < N; j++) {
        double m = a[0][j];
        for (int i = 1; i < N; i++)
            m = m > a[i][j] ? m : a[i][j];
        most[j] = m;
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
    harness_report(checksum(most, N));
    return 0;
}
