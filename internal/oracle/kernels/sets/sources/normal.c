// SPDX-License-Identifier: Apache-2.0
//
// A matrix times its transpose, both factors walked down columns.
static double a[N][LD], c[M][LD];

void normal(void)
{
    for (int i = 0; i < M; i++)
        for (int j = i; j < M; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[k][i] * a[k][j];
}
