// SPDX-License-Identifier: Apache-2.0
//
// Products of complex numbers, real and imaginary parts side by side.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static double a[2 * N], b[2 * N], c[2 * N];

static void init(void)
{
    for (int i = 0; i < 2 * N; i++) {
        a[i] = (double)(i % 13) / 13;
        b[i] = (double)(i % 7) / 7;
        c[i] = 0;
    }
}

static void kernel(void)
{
    for (int i = 0; i < N; i++) {
        c[2 * i] += a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] += a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
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
    harness_report(checksum(c, 2 * N));
    return 0;
}
