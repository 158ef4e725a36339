// SPDX-License-Identifier: Apache-2.0
/* heat.c - heat spreads in a cube of cells, larger than inner caches, between two grids. usage: heat [EDGE] */
#include <stdio.h>
#include <stdlib.h>

static void step(const double *restrict from, double *restrict to, long n)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            for (long k = 1; k < n - 1; k++) {
                long c = (i * n + j) * n + k;
                to[c] = 0.4 * from[c] + 0.1 * (from[c - 1] + from[c + 1] + from[c - n] + from[c + n] + from[c - n * n] + from[c + n * n]);
            }
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 90, cells = n * n * n;
    double *a = calloc(cells, sizeof *a), *b = calloc(cells, sizeof *b), sum = 0;
    for (long i = n / 3; i < n / 2; i++)
        a[(i * n + i) * n + i] = 100;
    for (int t = 0; t < 6; t++) {
        step(a, b, n);
        step(b, a, n);
    }
    for (long c = 0; c < cells; c++)
        sum += a[c];
    printf("%.6f\n", sum);
    free(a);
    free(b);
    return 0;
}
