// SPDX-License-Identifier: Apache-2.0
//
// A polynomial of degree eight, by Horner.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static double x[N], y[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (double)(i % 17) / 17;
}

static void kernel(void)
{
    for (int i = 0; i < N; i++) {
        double p = 0.3;
        for (int k = 0; k < 8; k++)
            p = p * x[i] + 0.5;
        y[i] = p;
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
    harness_report(checksum(y, N));
    return 0;
}
