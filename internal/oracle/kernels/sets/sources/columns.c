// SPDX-License-Identifier: Apache-2.0
//
// Sums of the columns of a matrix whose rows are LD numbers apart, then of its rows.
static double a[N][LD], down[LD], across[N];

void columns(void)
{
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            down[j] += a[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            across[i] += a[i][j];
}
