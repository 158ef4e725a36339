// SPDX-License-Identifier: Apache-2.0
//
// Edges of an image: a 3 x 3 Gaussian blur, the magnitude of Sobel's gradient, and the sign-free Laplacian
// where the gradient is above a threshold. Three parallel loops over rows in one parallel region.
#include "harness.h"

#ifndef H
#define H SIZE(48, 300, 600, 1080, 2160)
#endif
#ifndef W
#define W SIZE(64, 400, 800, 1920, 3840)
#endif

static double image[H][W];
static double blur[H][W];
static double sobel[H][W];
static double edge[H][W];

static void init(void)
{
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            image[i][j] = (i * i + j * j < H * W / 4 ? 0.8 : 0.2) + (double)((i * 13 + j * 7) % 10) / 100;
}

static void kernel_edge_detection(double threshold)
{
    int i, j;
#pragma scop
#pragma omp parallel private(i, j)
    {
#pragma omp for
        for (i = 1; i < H - 1; i++)
            for (j = 1; j < W - 1; j++)
                blur[i][j] = (image[i - 1][j - 1] + 2.0 * image[i - 1][j] + image[i - 1][j + 1] +
                              2.0 * image[i][j - 1] + 4.0 * image[i][j] + 2.0 * image[i][j + 1] +
                              image[i + 1][j - 1] + 2.0 * image[i + 1][j] + image[i + 1][j + 1]) /
                             16.0;
#pragma omp for
        for (i = 2; i < H - 2; i++)
            for (j = 2; j < W - 2; j++) {
                double x = blur[i - 1][j + 1] - blur[i - 1][j - 1] + 2.0 * blur[i][j + 1] - 2.0 * blur[i][j - 1] +
                           blur[i + 1][j + 1] - blur[i + 1][j - 1];
                double y = blur[i + 1][j - 1] - blur[i - 1][j - 1] + 2.0 * blur[i + 1][j] - 2.0 * blur[i - 1][j] +
                           blur[i + 1][j + 1] - blur[i - 1][j + 1];
                sobel[i][j] = sqrt(x * x + y * y);
            }
#pragma omp for
        for (i = 2; i < H - 2; i++)
            for (j = 2; j < W - 2; j++) {
                double s = sobel[i][j];
                double l = blur[i - 1][j] + blur[i + 1][j] + blur[i][j - 1] + blur[i][j + 1] - 4.0 * blur[i][j];
                edge[i][j] = s > threshold ? fabs(l) : 0.0;
            }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_edge_detection(0.1);
        harness_stop();
    }
    harness_report(checksum(&edge[0][0], H * W) + checksum(&sobel[0][0], H * W));
    return 0;
}
