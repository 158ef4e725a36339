// SPDX-License-Identifier: Apache-2.0
//
// A picture of floats, blurred along rows and then down columns.
#include "harness.h"

#define N SIZE(20, 100, 400, 1500, 3000)

static float a[N][N], b[N][N], c[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (float)((i * j) % 31) / 31;
}

static void kernel(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 2; j < N - 2; j++)
            b[i][j] = 0.1f * a[i][j - 2] + 0.2f * a[i][j - 1] + 0.4f * a[i][j] + 0.2f * a[i][j + 1] + 0.1f * a[i][j + 2];
    for (int i = 2; i < N - 2; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = 0.1f * b[i - 2][j] + 0.2f * b[i - 1][j] + 0.4f * b[i][j] + 0.2f * b[i + 1][j] + 0.1f * b[i + 2][j];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel();
        harness_stop();
    }
    harness_report(checksum_float(&c[0][0], N * N));
    return 0;
}
