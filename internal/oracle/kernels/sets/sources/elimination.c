// SPDX-License-Identifier: Apache-2.0
//
// A matrix split into triangles, the inner loop down a column.
static double a[N][LD];

void elimination(void)
{
    for (int k = 0; k < N; k++)
        for (int j = k + 1; j < N; j++) {
            a[k][j] /= a[k][k];
            for (int i = k + 1; i < N; i++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}
