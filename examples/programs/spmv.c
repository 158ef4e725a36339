// SPDX-License-Identifier: Apache-2.0
/* spmv.c - power iteration with a sparse matrix whose columns lie at random. usage: spmv [ROWS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PER_ROW = 12 };

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000;
    int *column = malloc(n * PER_ROW * sizeof *column);
    double *value = malloc(n * PER_ROW * sizeof *value), *x = malloc(n * 8), *y = malloc(n * 8);
    unsigned seed = 11;
    for (long i = 0; i < n * PER_ROW; i++) {
        seed = seed * 1664525 + 1013904223;
        column[i] = (seed >> 8) % n;
        value[i] = (seed >> 20) / 4096.0;
    }
    for (long i = 0; i < n; i++)
        x[i] = 1;
    for (int it = 0; it < 20; it++) {
        double norm = 0;
        for (long i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < PER_ROW; k++)
                s += value[i * PER_ROW + k] * x[column[i * PER_ROW + k]];
            y[i] = s;
            norm += s * s;
        }
        norm = 1 / sqrt(norm);
        for (long i = 0; i < n; i++)
            x[i] = y[i] * norm;
    }
    printf("%.10g\n", x[n / 2]);
    return 0;
}
