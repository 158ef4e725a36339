// SPDX-License-Identifier: Apache-2.0
//
// A triangular system solved for many right sides, column by column of the triangle.
static double l[N][LD], x[N][LD];

void forward(void)
{
    for (int k = 0; k < R; k++)
        for (int j = 0; j < N; j++) {
            x[j][k] = x[j][k] / l[j][j];
            for (int i = j + 1; i < N; i++)
                x[i][k] -= l[i][j] * x[j][k];
        }
}
