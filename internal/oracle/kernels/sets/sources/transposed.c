// SPDX-License-Identifier: Apache-2.0
//
// A matrix transposed, rows read and columns written.
static double a[N][LD], b[M][LD];

void transposed(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[j][i] = a[i][j];
}
