// SPDX-License-Identifier: Apache-2.0
/* nbody.c - forces between all pairs of bodies, with a cutoff. usage: nbody [BODIES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 3000;
    double(*x)[3] = malloc(n * sizeof *x), (*f)[3] = calloc(n, sizeof *f);
    unsigned seed = 5;
    for (long i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            x[i][d] = (seed = seed * 1664525 + 1013904223) / 4294967296.0;
    for (int t = 0; t < 3; t++) {
        for (long i = 0; i < n; i++)
            for (long j = i + 1; j < n; j++) {
                double r[3], s = 0;
                for (int d = 0; d < 3; d++) {
                    r[d] = x[i][d] - x[j][d];
                    s += r[d] * r[d];
                }
                if (s > 0.1)
                    continue;
                double w = 1e-9 / (s * sqrt(s) + 1e-6);
                for (int d = 0; d < 3; d++) {
                    f[i][d] += w * r[d];
                    f[j][d] -= w * r[d];
                }
            }
        for (long i = 0; i < n; i++)
            for (int d = 0; d < 3; d++)
                x[i][d] += f[i][d];
    }
    printf("%.12f\n", x[0][0] + x[n - 1][2]);
    return 0;
}
