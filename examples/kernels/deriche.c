// SPDX-License-Identifier: Apache-2.0
//
// Deriche's recursive edge detector (smoothing form): a causal and an anticausal second-order filter along the
// rows, their sum, then the same along the columns. The rows, then the columns, are parallel; the column
// filters walk with a stride of a whole row.
#include "harness.h"

#ifndef W
#define W SIZE(64, 480, 1280, 4096, 7680)
#endif
#ifndef H
#define H SIZE(48, 320, 720, 2160, 4320)
#endif

static float image[W][H];
static float out[W][H];
static float forth[W][H];
static float back[W][H];

static void init(void)
{
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            image[i][j] = (float)((313 * i + 991 * j) % 65536) / 65535.0f;
}

static void kernel_deriche(float alpha)
{
    int i, j;
    float e = expf(-alpha);
    float k = (1.0f - e) * (1.0f - e) / (1.0f + 2.0f * alpha * e - e * e);
    float a1 = k;
    float a2 = k * e * (alpha - 1.0f);
    float a3 = k * e * (alpha + 1.0f);
    float a4 = -k * e * e;
    float b1 = 2.0f * e;
    float b2 = -e * e;
    float x1, x2, o1, o2;
#pragma scop
#pragma omp parallel private(i, j, x1, x2, o1, o2)
    {
#pragma omp for nowait
        for (i = 0; i < W; i++) {
            x1 = 0.0f;
            o1 = 0.0f;
            o2 = 0.0f;
            for (j = 0; j < H; j++) {
                forth[i][j] = a1 * image[i][j] + a2 * x1 + b1 * o1 + b2 * o2;
                x1 = image[i][j];
                o2 = o1;
                o1 = forth[i][j];
            }
        }
#pragma omp for
        for (i = 0; i < W; i++) {
            x1 = 0.0f;
            x2 = 0.0f;
            o1 = 0.0f;
            o2 = 0.0f;
            for (j = H - 1; j >= 0; j--) {
                back[i][j] = a3 * x1 + a4 * x2 + b1 * o1 + b2 * o2;
                x2 = x1;
                x1 = image[i][j];
                o2 = o1;
                o1 = back[i][j];
            }
        }
#pragma omp for
        for (i = 0; i < W; i++)
            for (j = 0; j < H; j++)
                out[i][j] = forth[i][j] + back[i][j];
#pragma omp for nowait
        for (j = 0; j < H; j++) {
            x1 = 0.0f;
            o1 = 0.0f;
            o2 = 0.0f;
            for (i = 0; i < W; i++) {
                forth[i][j] = a1 * out[i][j] + a2 * x1 + b1 * o1 + b2 * o2;
                x1 = out[i][j];
                o2 = o1;
                o1 = forth[i][j];
            }
        }
#pragma omp for
        for (j = 0; j < H; j++) {
            x1 = 0.0f;
            x2 = 0.0f;
            o1 = 0.0f;
            o2 = 0.0f;
            for (i = W - 1; i >= 0; i--) {
                back[i][j] = a3 * x1 + a4 * x2 + b1 * o1 + b2 * o2;
                x2 = x1;
                x1 = out[i][j];
                o2 = o1;
                o1 = back[i][j];
            }
        }
#pragma omp for
        for (i = 0; i < W; i++)
            for (j = 0; j < H; j++)
                out[i][j] = forth[i][j] + back[i][j];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_deriche(0.25f);
        harness_stop();
    }
    harness_report(checksum_float(&out[0][0], W * H));
    return 0;
}
