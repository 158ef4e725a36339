// SPDX-License-Identifier: Apache-2.0
//
// A convolution layer of a neural network, seven loops deep: out[n][k][p][q] = bias[k] + sum over c, r, s of
// in[n][c][p + r][q + s] weight[k][c][r][s]. Images and output channels are parallel together (collapse).
#include "harness.h"

#ifndef NN
#define NN SIZE(1, 2, 4, 8, 16)
#endif
#ifndef NK
#define NK SIZE(6, 16, 32, 64, 128)
#endif
#ifndef NC
#define NC SIZE(3, 8, 16, 64, 128)
#endif
#ifndef NP
#define NP SIZE(14, 16, 32, 56, 56)
#endif
#ifndef NQ
#define NQ SIZE(14, 16, 32, 56, 56)
#endif
#ifndef NR
#define NR SIZE(3, 3, 3, 3, 3)
#endif
#ifndef NS
#define NS SIZE(3, 3, 3, 3, 3)
#endif

static float in[NN][NC][NP + NR - 1][NQ + NS - 1];
static float weight[NK][NC][NR][NS];
static float bias[NK];
static float out[NN][NK][NP][NQ];

static void init(void)
{
    for (int n = 0; n < NN; n++)
        for (int c = 0; c < NC; c++)
            for (int h = 0; h < NP + NR - 1; h++)
                for (int w = 0; w < NQ + NS - 1; w++)
                    in[n][c][h][w] = (float)((n * 3 + c * 5 + h * 7 + w) % 19) / 19.0f;
    for (int k = 0; k < NK; k++) {
        bias[k] = (float)(k % 5) / 5.0f;
        for (int c = 0; c < NC; c++)
            for (int r = 0; r < NR; r++)
                for (int s = 0; s < NS; s++)
                    weight[k][c][r][s] = (float)((k + c * 3 + r * 5 + s * 2) % 13 - 4) / 13.0f;
    }
}

static void kernel_conv_layer(void)
{
    int n, k, c, p, q, r, s;
#pragma scop
#pragma omp parallel for collapse(2) private(c, p, q, r, s)
    for (n = 0; n < NN; n++)
        for (k = 0; k < NK; k++)
            for (p = 0; p < NP; p++)
                for (q = 0; q < NQ; q++) {
                    float sum = bias[k];
                    for (c = 0; c < NC; c++)
                        for (r = 0; r < NR; r++)
                            for (s = 0; s < NS; s++)
                                sum += in[n][c][p + r][q + s] * weight[k][c][r][s];
                    out[n][k][p][q] = sum;
                }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_conv_layer();
        harness_stop();
    }
    harness_report(checksum_float(&out[0][0][0][0], NN * NK * NP * NQ));
    return 0;
}
