// SPDX-License-Identifier: Apache-2.0
//
// Maxwell's equations in two dimensions by finite differences in time, every update in square tiles of TILE by
// TILE with loops in the style of the PPCG compiler. The bands of tiles are parallel in each of the updates of
// a time step.
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
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define ppcg_min(x, y) ((x) < (y) ? (x) : (y))
#define ppcg_max(x, y) ((x) > (y) ? (x) : (y))

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

static void kernel_fdtd_2d_ppcg(void)
{
#pragma scop
    for (int c0 = 0; c0 < TMAX; c0 += 1) {
#pragma omp parallel for
        for (int c1 = 0; c1 < NX; c1 += TILE)
            for (int c2 = 0; c2 < NY; c2 += TILE) {
                if (c1 == 0)
                    for (int c4 = c2; c4 <= ppcg_min(c2 + TILE - 1, NY - 1); c4 += 1)
                        ey[0][c4] = source[c0];
                for (int c3 = ppcg_max(1, c1); c3 <= ppcg_min(c1 + TILE - 1, NX - 1); c3 += 1)
                    for (int c4 = c2; c4 <= ppcg_min(c2 + TILE - 1, NY - 1); c4 += 1)
                        ey[c3][c4] = ey[c3][c4] - 0.5 * (hz[c3][c4] - hz[c3 - 1][c4]);
            }
#pragma omp parallel for
        for (int c1 = 0; c1 < NX; c1 += TILE)
            for (int c2 = 0; c2 < NY; c2 += TILE)
                for (int c3 = c1; c3 <= ppcg_min(c1 + TILE - 1, NX - 1); c3 += 1)
                    for (int c4 = ppcg_max(1, c2); c4 <= ppcg_min(c2 + TILE - 1, NY - 1); c4 += 1)
                        ex[c3][c4] = ex[c3][c4] - 0.5 * (hz[c3][c4] - hz[c3][c4 - 1]);
#pragma omp parallel for
        for (int c1 = 0; c1 < NX - 1; c1 += TILE)
            for (int c2 = 0; c2 < NY - 1; c2 += TILE)
                for (int c3 = c1; c3 <= ppcg_min(c1 + TILE - 1, NX - 2); c3 += 1)
                    for (int c4 = c2; c4 <= ppcg_min(c2 + TILE - 1, NY - 2); c4 += 1)
                        hz[c3][c4] = hz[c3][c4] - 0.7 * (ex[c3][c4 + 1] - ex[c3][c4] + ey[c3 + 1][c4] - ey[c3][c4]);
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_fdtd_2d_ppcg();
        harness_stop();
    }
    harness_report(checksum(&hz[0][0], NX * NY));
    return 0;
}
