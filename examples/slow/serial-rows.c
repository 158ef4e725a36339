// SPDX-License-Identifier: Apache-2.0
//
// Work enough for all cores, in a loop that nobody dealt to them.
// Expert: parallel loop
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(100, 1000, 4000, 20000, 40000)
#endif

static double x[N];
static double y[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (double)(i % 11 + 1) / 11;
        y[i] = 0.0;
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += y[i] * (i % 7 + 1);
    return sum;
}

static void kernel_serial_rows(void)
{
    for (int i = 0; i < N; i++) {
        double s = 0.0;
        for (int k = 0; k < 200; k++)
            s = s * 0.5 + x[i] / (k + 1.5);
        y[i] = s;
    }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_serial_rows();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
