// SPDX-License-Identifier: Apache-2.0
//
// Sums of all that comes before.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static double a[N], s[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (double)(i % 11) / 11;
}

static void kernel(void)
{
    s[0] = a[0];
    for (int i = 1; i < N; i++)
        s[i] = s[i - 1] + a[i];
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel();
        harness_stop();
    }
    harness_report(checksum(s, N));
    return 0;
}
