// SPDX-License-Identifier: Apache-2.0
//
// Prices of European call and put options by the formula of Black and Scholes, with the normal distribution
// from the complementary error function in a small inline function. The options are parallel.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(5, 20, 50, 100, 100)
#endif
#ifndef N
#define N SIZE(2000, 30000, 100000, 1000000, 4000000)
#endif

static double spot[N];
static double strike[N];
static double years[N];
static double call[N];
static double put[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        spot[i] = 50.0 + i % 101;
        strike[i] = 60.0 + i % 83;
        years[i] = 0.25 + (double)(i % 17) / 8;
    }
}

static inline double normal(double x)
{
    return 0.5 * erfc(-x / 1.4142135623730951);
}

static void kernel_black_scholes(double rate, double sigma)
{
    int t, i;
#pragma scop
    for (t = 0; t < TSTEPS; t++) {
#pragma omp parallel for
        for (i = 0; i < N; i++) {
            double s = spot[i];
            double k = strike[i];
            double y = years[i];
            double d1 = (log(s / k) + (rate + 0.5 * sigma * sigma) * y) / (sigma * sqrt(y));
            double d2 = d1 - sigma * sqrt(y);
            double discounted = k * exp(-rate * y);
            call[i] = s * normal(d1) - discounted * normal(d2);
            put[i] = discounted * normal(-d2) - s * normal(-d1);
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_black_scholes(0.03, 0.25);
        harness_stop();
    }
    harness_report(checksum(call, N) + checksum(put, N));
    return 0;
}
