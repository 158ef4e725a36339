// SPDX-License-Identifier: Apache-2.0
//
// Maxwell's equations in two dimensions by finite differences in time: ey and ex from the differences of hz,
// then hz from theirs; the first row of ey is the source. All threads run the time loop in one parallel region.
// The three updates of ey and ex are independent, so only the last of them ends in a barrier.
#include "harness.h"

#ifndef TMAX
#define TMAX SIZE(8, 40, 100, 500, 1000)
#endif
#ifndef NX
#define NX SIZE(20, 60, 200, 1000, 2000)
#endif
#ifndef NY
#define NY SIZE(30, 80, 240, 1200, 2600)
#endif

static double ex[NX][NY];
static double ey[NX][NY];
static double hz[NX][NY];
static double source[TMAX];

static void init(void)
{
    for (int t = 0; t < TMAX; t++)
        source[t] = (double)(t % 10 + 1) / 10;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            ex[i][j] = (double)((i + j) % 13) / 13;
            ey[i][j] = (double)((i + j * 2) % 11) / 11;
            hz[i][j] = (double)((i * 3 + j) % 7) / 7;
        }
}

static void kernel_fdtd_2d(void)
{
    int t, i, j;
#pragma scop
#pragma omp parallel private(t, i, j)
    for (t = 0; t < TMAX; t++) {
#pragma omp for nowait
        for (j = 0; j < NY; j++)
            ey[0][j] = source[t];
#pragma omp for nowait
        for (i = 1; i < NX; i++)
            for (j = 0; j < NY; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
#pragma omp for
        for (i = 0; i < NX; i++)
            for (j = 1; j < NY; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
#pragma omp for
        for (i = 0; i < NX - 1; i++)
            for (j = 0; j < NY - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_fdtd_2d();
        harness_stop();
    }
    harness_report(checksum(&hz[0][0], NX * NY));
    return 0;
}
