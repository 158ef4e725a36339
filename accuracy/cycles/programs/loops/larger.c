// SPDX-License-Identifier: Apache-2.0
//
// The larger of two integers, and their difference.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static int a[N], b[N], c[N], d[N];
static double out[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 101;
        b[i] = i * 5 % 103;
    }
}

static void kernel(void)
{
    for (int i = 0; i < N; i++) {
        c[i] = a[i] > b[i] ? a[i] : b[i];
        d[i] = a[i] - b[i];
    }
    for (int i = 0; i < N; i++)
        out[i] = c[i] + 0.5 * d[i];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel();
        harness_stop();
    }
    harness_report(checksum(out, N));
    return 0;
}
