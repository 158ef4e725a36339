// SPDX-License-Identifier: Apache-2.0
//
// Power iteration with a band matrix of BW diagonals on each side, stored by rows: y[i] = sum over k of
// band[i][k] x[i + k - BW], then x = y / |y|. All threads run the iterations in one parallel region: product,
// norm (a reduction) and scaling are parallel; one thread clears the norm, the master thread records it.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(4, 8, 10, 20, 20)
#endif
#ifndef N
#define N SIZE(500, 6000, 40000, 400000, 1000000)
#endif
#ifndef BW
#define BW SIZE(8, 12, 16, 16, 24)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

static double band[N][2 * BW + 1];
static double x[N];
static double y[N];
static double history[TSTEPS];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 + (double)(i % 5) / 5;
        for (int k = 0; k <= 2 * BW; k++)
            band[i][k] = (double)((i + k * 3) % 23 + 1) / 23 + (k == BW ? 4.0 : 0.0);
    }
}

static void kernel_spmv_banded(void)
{
    int t, i, k;
    double norm = 0.0;
#pragma scop
#pragma omp parallel private(t, i, k) shared(norm)
    for (t = 0; t < TSTEPS; t++) {
#pragma omp single
        norm = 0.0;
#pragma omp for
        for (i = 0; i < N; i++) {
            double sum = 0.0;
            for (k = max(0, BW - i); k <= min(2 * BW, N - 1 + BW - i); k++)
                sum += band[i][k] * x[i + k - BW];
            y[i] = sum;
        }
#pragma omp for reduction(+ : norm)
        for (i = 0; i < N; i++)
            norm += y[i] * y[i];
#pragma omp master
        history[t] = sqrt(norm);
#pragma omp for
        for (i = 0; i < N; i++)
            x[i] = y[i] / sqrt(norm);
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_spmv_banded();
        harness_stop();
    }
    harness_report(checksum(x, N) + checksum(history, TSTEPS));
    return 0;
}
