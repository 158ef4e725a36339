// SPDX-License-Identifier: Apache-2.0
/* cholesky.c - a symmetric matrix into triangular factors, and a system solved with them. usage: cholesky [ROWS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void factor(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        double d = a[j * n + j];
        for (int k = 0; k < j; k++)
            d -= a[j * n + k] * a[j * n + k];
        d = sqrt(d);
        a[j * n + j] = d;
        for (int i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++)
                s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = s / d;
        }
    }
}

static void solve(const double *a, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 320;
    double *a = malloc(sizeof *a * n * n), *x = malloc(sizeof *x * n), sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i * n + j] = 1.0 / (1 + abs(i - j)) + (i == j ? 4 : 0);
        x[i] = i % 7;
    }
    factor(a, n);
    for (int t = 0; t < 8; t++)
        solve(a, x, n);
    for (int i = 0; i < n; i++)
        sum += x[i];
    printf("%.9g\n", sum);
    free(a);
    free(x);
    return 0;
}
