// SPDX-License-Identifier: Apache-2.0
//
// Harris' corner detector: gradients by Sobel's masks, the 3 x 3 sums of their products, then the response det
// - k trace^2. Three parallel loops over rows. The sums call a small inline function that reads the window.
#include "harness.h"

#ifndef H
#define H SIZE(32, 240, 600, 1080, 2160)
#endif
#ifndef W
#define W SIZE(40, 320, 800, 1920, 3840)
#endif

static float image[H][W];
static float gx[H][W];
static float gy[H][W];
static float xx[H][W];
static float yy[H][W];
static float xy[H][W];
static float response[H][W];

static void init(void)
{
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            image[i][j] = ((i / 8 + j / 8) % 2 ? 0.9f : 0.1f) + (float)((i * 3 + j * 5) % 16) / 160.0f;
}

static inline float window(float a[H][W], float b[H][W], int i, int j)
{
    return a[i - 1][j - 1] * b[i - 1][j - 1] + a[i - 1][j] * b[i - 1][j] + a[i - 1][j + 1] * b[i - 1][j + 1] +
           a[i][j - 1] * b[i][j - 1] + a[i][j] * b[i][j] + a[i][j + 1] * b[i][j + 1] +
           a[i + 1][j - 1] * b[i + 1][j - 1] + a[i + 1][j] * b[i + 1][j] + a[i + 1][j + 1] * b[i + 1][j + 1];
}

static void kernel_harris(float k)
{
    int i, j;
#pragma scop
#pragma omp parallel for private(j)
    for (i = 1; i < H - 1; i++)
        for (j = 1; j < W - 1; j++) {
            gx[i][j] = (image[i - 1][j + 1] - image[i - 1][j - 1] + 2.0f * (image[i][j + 1] - image[i][j - 1]) +
                        image[i + 1][j + 1] - image[i + 1][j - 1]) /
                       8.0f;
            gy[i][j] = (image[i + 1][j - 1] - image[i - 1][j - 1] + 2.0f * (image[i + 1][j] - image[i - 1][j]) +
                        image[i + 1][j + 1] - image[i - 1][j + 1]) /
                       8.0f;
        }
#pragma omp parallel for private(j)
    for (i = 2; i < H - 2; i++)
        for (j = 2; j < W - 2; j++) {
            xx[i][j] = window(gx, gx, i, j);
            yy[i][j] = window(gy, gy, i, j);
            xy[i][j] = window(gx, gy, i, j);
        }
#pragma omp parallel for private(j)
    for (i = 2; i < H - 2; i++)
        for (j = 2; j < W - 2; j++) {
            float det = xx[i][j] * yy[i][j] - xy[i][j] * xy[i][j];
            float trace = xx[i][j] + yy[i][j];
            response[i][j] = det - k * trace * trace;
        }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_harris(0.04f);
        harness_stop();
    }
    harness_report(checksum_float(&response[0][0], H * W));
    return 0;
}
