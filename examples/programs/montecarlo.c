// SPDX-License-Identifier: Apache-2.0
/* montecarlo.c - prices of a barrier option by paths at random. usage: montecarlo [PATHS] */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 42;

static double uniform(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return ((state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    double u, v, s;
    do {
        u = 2 * uniform() - 1, v = 2 * uniform() - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * log(s) / s);
}

int main(int argc, char **argv)
{
    long paths = argc > 1 ? atol(argv[1]) : 20000, in = 0;
    double sum = 0, drift = (0.03 - 0.5 * 0.04) / 50, vol = 0.2 * sqrt(1.0 / 50);
    for (long p = 0; p < paths; p++) {
        double s = 100;
        int t = 0;
        for (; t < 50; t++) {
            s *= exp(drift + vol * normal());
            if (s > 140)
                break;
        }
        if (t == 50 && s > 100)
            sum += s - 100, in++;
    }
    printf("%.6f %ld\n", sum / paths, in);
    return 0;
}
