// SPDX-License-Identifier: Apache-2.0
//
// One loop does two things: a sum along the rows of A and one along the columns of B. In no order are both good.
// Expert: interchange, distribution
#include "../kernels/harness.h"

#ifndef N
#define N SIZE(40, 120, 400, 2000, 4000)
#endif

static double A[N][N];
static double B[N][N];
static double x[N];
static double y[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = 0.0;
        for (int j = 0; j < N; j++) {
            A[i][j] = (double)((i * 3 + j) % 17) / 17;
            B[i][j] = (double)((i + j * 5) % 23) / 23;
        }
    }
}

static double total(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += (x[i] + 2 * y[i]) * (i % 7 + 1);
    return sum;
}

static void kernel_mixed_walks(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            x[i] += A[i][j];
            y[i] += B[j][i];
        }
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_mixed_walks();
        harness_stop();
    }
    harness_report(total());
    return 0;
}
