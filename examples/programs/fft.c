// SPDX-License-Identifier: Apache-2.0
/* fft.c - fast Fourier transforms of a power of two, in place. usage: fft [LOG2 OF THE LENGTH] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void transform(double *re, double *im, const double *wr, const double *wi, long n)
{
    for (long i = 1, j = 0; i < n; i++) {
        long bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j], re[j] = t;
            t = im[i];
            im[i] = im[j], im[j] = t;
        }
    }
    for (long half = 1; half < n; half *= 2)
        for (long i = 0; i < n; i += 2 * half)
            for (long k = 0; k < half; k++) {
                double c = wr[k * (n / 2 / half)], s = wi[k * (n / 2 / half)];
                double tr = c * re[i + k + half] - s * im[i + k + half], ti = c * im[i + k + half] + s * re[i + k + half];
                re[i + k + half] = re[i + k] - tr, im[i + k + half] = im[i + k] - ti;
                re[i + k] += tr, im[i + k] += ti;
            }
}

int main(int argc, char **argv)
{
    long n = 1L << (argc > 1 ? atol(argv[1]) : 16);
    double *re = malloc(n * 8), *im = malloc(n * 8), *wr = malloc(n * 8), *wi = malloc(n * 8);
    for (long i = 0; i < n; i++) {
        re[i] = (double)(i * 7919 % 1000) / 1000, im[i] = 0;
        wr[i] = cos(-2 * M_PI * i / n), wi[i] = sin(-2 * M_PI * i / n);
    }
    for (int r = 0; r < 8; r++) {
        transform(re, im, wr, wi, n);
        for (long i = 0; i < n; i++)
            re[i] /= n, im[i] /= -n;
    }
    printf("%.8g %.8g\n", re[1], re[n / 3]);
    free(re), free(im), free(wr), free(wi);
    return 0;
}
