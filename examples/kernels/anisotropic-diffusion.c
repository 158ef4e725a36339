// SPDX-License-Identifier: Apache-2.0
//
// Perona-Malik diffusion, which smooths an image but keeps its edges: the coefficient of each pixel falls with
// its gradient, c = exp(-|grad u|^2 / kappa^2), then u = u + lambda div(c grad u). The rows are parallel in
// both halves of every step.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(4, 20, 50, 100, 200)
#endif
#ifndef H
#define H SIZE(36, 90, 300, 1080, 2160)
#endif
#ifndef W
#define W SIZE(40, 120, 400, 1920, 3840)
#endif

static double u[H][W];
static double c[H][W];
static double next[H][W];

static void init(void)
{
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            u[i][j] = next[i][j] = (double)((i * 7 + j * 11) % 32) / 320 + (i + j > (H + W) / 2 ? 0.8 : 0.1);
}

static void kernel_anisotropic_diffusion(double kappa, double lambda)
{
    int t, i, j;
    double north, south, west, east;
#pragma scop
#pragma omp parallel private(t, i, j, north, south, west, east)
    for (t = 0; t < TSTEPS; t++) {
#pragma omp for
        for (i = 1; i < H - 1; i++)
            for (j = 1; j < W - 1; j++) {
                north = u[i - 1][j] - u[i][j];
                south = u[i + 1][j] - u[i][j];
                west = u[i][j - 1] - u[i][j];
                east = u[i][j + 1] - u[i][j];
                c[i][j] = exp(-(north * north + south * south + west * west + east * east) / (kappa * kappa));
            }
#pragma omp for
        for (i = 1; i < H - 1; i++)
            for (j = 1; j < W - 1; j++) {
                north = c[i][j] * (u[i - 1][j] - u[i][j]);
                south = c[i + 1][j] * (u[i + 1][j] - u[i][j]);
                west = c[i][j] * (u[i][j - 1] - u[i][j]);
                east = c[i][j + 1] * (u[i][j + 1] - u[i][j]);
                next[i][j] = u[i][j] + 0.25 * lambda * (north + south + west + east);
            }
#pragma omp for
        for (i = 1; i < H - 1; i++)
            for (j = 1; j < W - 1; j++)
                u[i][j] = next[i][j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_anisotropic_diffusion(0.4, 0.8);
        harness_stop();
    }
    harness_report(checksum(&u[0][0], H * W));
    return 0;
}
