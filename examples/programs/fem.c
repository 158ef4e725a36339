// SPDX-License-Identifier: Apache-2.0
/* fem.c - a matrix-free operator: stiffness of bilinear elements on an unstructured numbering, and conjugate gradients with it. usage: fem [CELLS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double stiffness[4][4] = {
    {2.0 / 3, -1.0 / 6, -1.0 / 3, -1.0 / 6}, {-1.0 / 6, 2.0 / 3, -1.0 / 6, -1.0 / 3},
    {-1.0 / 3, -1.0 / 6, 2.0 / 3, -1.0 / 6}, {-1.0 / 6, -1.0 / 3, -1.0 / 6, 2.0 / 3}};

static void apply(long elements, const int (*of)[4], long n, const double *x, double *y)
{
    for (long i = 0; i < n; i++)
        y[i] = 0.01 * x[i];
    for (long e = 0; e < elements; e++)
        for (int i = 0; i < 4; i++) {
            double s = 0;
            for (int j = 0; j < 4; j++)
                s += stiffness[i][j] * x[of[e][j]];
            y[of[e][i]] += s;
        }
}

static double dot(long n, const double *a, const double *b)
{
    double s = 0;
    for (long i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

int main(int argc, char **argv)
{
    long m = argc > 1 ? atol(argv[1]) : 300, n = (m + 1) * (m + 1), elements = m * m;
    int(*of)[4] = malloc(elements * sizeof *of);
    for (long r = 0; r < m; r++)
        for (long c = 0; c < m; c++) {
            int first = r * (m + 1) + c;
            int all[4] = {first, first + 1, first + (int)m + 2, first + (int)m + 1};
            for (int k = 0; k < 4; k++)
                of[r * m + c][k] = all[k];
        }
    double *x = calloc(n, 8), *r = malloc(n * 8), *p = malloc(n * 8), *q = malloc(n * 8);
    for (long i = 0; i < n; i++)
        p[i] = r[i] = sin(i * 0.01);
    double rr = dot(n, r, r);
    for (int it = 0; it < 30; it++) {
        apply(elements, (const int(*)[4])of, n, p, q);
        double alpha = rr / dot(n, p, q);
        for (long i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(n, r, r), beta = next / rr;
        rr = next;
        for (long i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
    }
    printf("%.10g %.10g\n", rr, x[n / 2]);
    free(of), free(x), free(r), free(p), free(q);
    return 0;
}
