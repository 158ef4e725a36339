// SPDX-License-Identifier: Apache-2.0
//
// Levinson-Durbin recursion: the solution y of the Yule-Walker equations T y = -r, where T is the symmetric
// Toeplitz matrix of 1, r[0], r[1], ... In step k a dot product is a reduction; the new elements are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(40, 500, 1000, 2000, 4000)
#endif

static double r[N];
static double y[N];
static double z[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        r[i] = (i % 2 ? -0.25 : 0.5) / (i + 1);
}

static void kernel_durbin(void)
{
    int i, k;
    double alpha, beta, sum;
#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
#pragma omp parallel for
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
#pragma omp parallel for
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_durbin();
        harness_stop();
    }
    harness_report(checksum(y, N));
    return 0;
}
