// SPDX-License-Identifier: Apache-2.0
//
// The forward pass of a small network in the manner of VGG: two 3 x 3 convolutions with rectifiers, 2 x 2
// maximum pooling, a third convolution, pooling again, and two fully connected layers. Seven parallel loops,
// over channels or over neurons. S is the side of the input, C0 to C2 are channels, F and G neurons.
#include "harness.h"

#ifndef S
#define S SIZE(8, 16, 32, 64, 96)
#endif
#ifndef C0
#define C0 SIZE(2, 3, 3, 3, 3)
#endif
#ifndef C1
#define C1 SIZE(4, 8, 16, 32, 64)
#endif
#ifndef C2
#define C2 SIZE(4, 12, 32, 64, 128)
#endif
#ifndef F
#define F SIZE(16, 64, 256, 1024, 2048)
#endif
#ifndef G
#define G SIZE(10, 10, 10, 100, 100)
#endif

#define max(a, b) ((a) > (b) ? (a) : (b))
#define FLAT (C2 * (S / 4) * (S / 4))

static float in[C0][S + 2][S + 2];
static float w1[C1][C0][3][3];
static float a1[C1][S + 2][S + 2];
static float w2[C1][C1][3][3];
static float a2[C1][S][S];
static float p1[C1][S / 2 + 2][S / 2 + 2];
static float w3[C2][C1][3][3];
static float a3[C2][S / 2][S / 2];
static float p2[C2][S / 4][S / 4];
static float w4[F][C2][S / 4][S / 4];
static float f1[F];
static float w5[G][F];
static float f2[G];

static void init(void)
{
    for (int c = 0; c < C0; c++)
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++)
                in[c][i + 1][j + 1] = (float)((c * 5 + i * 3 + j * 7) % 17) / 17.0f;
    for (int k = 0; k < C1; k++)
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
                for (int c = 0; c < C0; c++)
                    w1[k][c][r][s] = (float)((k * 3 + c + r * 2 + s) % 11 - 4) / (11.0f * C0);
                for (int c = 0; c < C1; c++)
                    w2[k][c][r][s] = (float)((k + c * 5 + r + s * 3) % 13 - 5) / (13.0f * C1);
            }
    for (int k = 0; k < C2; k++)
        for (int c = 0; c < C1; c++)
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    w3[k][c][r][s] = (float)((k * 2 + c + r * 3 + s) % 7 - 2) / (7.0f * C1);
    for (int f = 0; f < F; f++)
        for (int c = 0; c < C2; c++)
            for (int i = 0; i < S / 4; i++)
                for (int j = 0; j < S / 4; j++)
                    w4[f][c][i][j] = (float)((f * 3 + c * 7 + i + j * 2) % 19 - 8) / (float)FLAT;
    for (int g = 0; g < G; g++)
        for (int f = 0; f < F; f++)
            w5[g][f] = (float)((g * 5 + f * 3) % 23 - 10) / (float)F;
}

static void kernel_vgg_stack(void)
{
    int k, c, i, j, r, s, f, g;
#pragma scop
#pragma omp parallel for private(c, i, j, r, s)
    for (k = 0; k < C1; k++)
        for (i = 0; i < S; i++)
            for (j = 0; j < S; j++) {
                float sum = 0.0f;
                for (c = 0; c < C0; c++)
                    for (r = 0; r < 3; r++)
                        for (s = 0; s < 3; s++)
                            sum += in[c][i + r][j + s] * w1[k][c][r][s];
                a1[k][i + 1][j + 1] = max(sum, 0.0f);
            }
#pragma omp parallel for private(c, i, j, r, s)
    for (k = 0; k < C1; k++)
        for (i = 0; i < S; i++)
            for (j = 0; j < S; j++) {
                float sum = 0.0f;
                for (c = 0; c < C1; c++)
                    for (r = 0; r < 3; r++)
                        for (s = 0; s < 3; s++)
                            sum += a1[c][i + r][j + s] * w2[k][c][r][s];
                a2[k][i][j] = max(sum, 0.0f);
            }
#pragma omp parallel for collapse(2) private(j)
    for (k = 0; k < C1; k++)
        for (i = 0; i < S / 2; i++)
            for (j = 0; j < S / 2; j++) {
                float top = fmaxf(a2[k][2 * i][2 * j], a2[k][2 * i][2 * j + 1]);
                float low = fmaxf(a2[k][2 * i + 1][2 * j], a2[k][2 * i + 1][2 * j + 1]);
                p1[k][i + 1][j + 1] = max(top, low);
            }
#pragma omp parallel for private(c, i, j, r, s)
    for (k = 0; k < C2; k++)
        for (i = 0; i < S / 2; i++)
            for (j = 0; j < S / 2; j++) {
                float sum = 0.0f;
                for (c = 0; c < C1; c++)
                    for (r = 0; r < 3; r++)
                        for (s = 0; s < 3; s++)
                            sum += p1[c][i + r][j + s] * w3[k][c][r][s];
                a3[k][i][j] = max(sum, 0.0f);
            }
#pragma omp parallel for collapse(2) private(j)
    for (k = 0; k < C2; k++)
        for (i = 0; i < S / 4; i++)
            for (j = 0; j < S / 4; j++) {
                float top = fmaxf(a3[k][2 * i][2 * j], a3[k][2 * i][2 * j + 1]);
                float low = fmaxf(a3[k][2 * i + 1][2 * j], a3[k][2 * i + 1][2 * j + 1]);
                p2[k][i][j] = max(top, low);
            }
#pragma omp parallel for private(c, i, j)
    for (f = 0; f < F; f++) {
        float sum = 0.0f;
        for (c = 0; c < C2; c++)
            for (i = 0; i < S / 4; i++)
                for (j = 0; j < S / 4; j++)
                    sum += w4[f][c][i][j] * p2[c][i][j];
        f1[f] = max(sum, 0.0f);
    }
#pragma omp parallel for private(f)
    for (g = 0; g < G; g++) {
        float sum = 0.0f;
        for (f = 0; f < F; f++)
            sum += w5[g][f] * f1[f];
        f2[g] = sum;
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_vgg_stack();
        harness_stop();
    }
    harness_report(checksum_float(f2, G) + checksum_float(f1, F));
    return 0;
}
