// SPDX-License-Identifier: Apache-2.0
//
// Streaming and collision on a lattice of one dimension with three speeds.
#include "harness.h"

#define N SIZE(200, 6000, 60000, 1000000, 4000000)

static double left[N], rest[N], right[N], l2[N], r2[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        left[i] = 0.2;
        rest[i] = 0.5 + (double)(i % 5) / 50;
        right[i] = 0.3;
    }
}

static void kernel(void)
{
    for (int i = 1; i < N - 1; i++) {
        double rho = left[i + 1] + rest[i] + right[i - 1];
        double u = (right[i - 1] - left[i + 1]) / rho;
        l2[i] = left[i + 1] + 0.6 * (rho * (1 - 3 * u + 3 * u * u) / 6 - left[i + 1]);
        r2[i] = right[i - 1] + 0.6 * (rho * (1 + 3 * u + 3 * u * u) / 6 - right[i - 1]);
        rest[i] += 0.6 * (rho * (4 - 6 * u * u) / 6 - rest[i]);
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
    harness_report(checksum(rest, N) + checksum(l2, N) + checksum(r2, N));
    return 0;
}
