// SPDX-License-Identifier: Apache-2.0
//
// Vectors of LD numbers each, whose beginnings are as far apart as they are long, swept together again and again.
static double x[S][LD], y[LD];

void vectors(void)
{
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < LD; i++)
            for (int s = 0; s < S; s++)
                y[i] += x[s][i];
}
