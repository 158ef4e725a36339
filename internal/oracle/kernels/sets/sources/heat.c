// SPDX-License-Identifier: Apache-2.0
//
// A stencil of seven points in a cube whose planes and rows are powers of two apart, or beside them.
static double u[P][P][LD], v[P][P][LD];

void heat(void)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < P - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    v[i][j][k] = u[i][j][k] + u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1];
        for (int i = 1; i < P - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    u[i][j][k] = v[i][j][k];
    }
}
