// SPDX-License-Identifier: Apache-2.0
//
// A sum of products of floats in a double.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static float a[N], b[N];
static double out[1];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 37) / 37;
        b[i] = (float)(i % 41) / 41;
    }
}

static void kernel(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += (double)a[i] * b[i];
    out[0] = sum;
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel();
        harness_stop();
    }
    harness_report(checksum(out, 1));
    return 0;
}
