/* run: ./settle 40 */
/* Loops that end when the numbers do not change any more: a grid that is relaxed, and the largest eigenvalue of its matrix by the power method. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int relax(double *a, double *b, int n, double tolerance)
{
    double change = 1;
    int sweeps = 0;
    while (change > tolerance && sweeps < 100000) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i * n + j] = (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]) / 4;
                change = fmax(change, fabs(b[i * n + j] - a[i * n + j]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
        sweeps++;
    }
    return sweeps;
}

static double power(const double *m, double *x, double *y, int n)
{
    double before = 0, value = 0;
    for (int step = 0; step < 10000; step++) {
        double length = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += m[i * n + j] * x[j];
            y[i] = sum;
            length += sum * sum;
        }
        value = sqrt(length);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / value;
        if (fabs(value - before) < 1e-6)
            break;
        before = value;
    }
    return value;
}

static void settle(double *a, double *b, double *x, double *y, int n)
{
    printf("%d sweeps\n", relax(a, b, n, 1e-3));
    printf("%g\n", power(b, x, y, n));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *a = calloc(n * n, 8), *b = calloc(n * n, 8), *x = calloc(n, 8), *y = calloc(n, 8);
    for (int i = 0; i < n; i++)
        a[i] = x[i] = 1;
    settle(a, b, x, y, n); /* region */
    return 0;
}
