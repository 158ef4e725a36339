// SPDX-License-Identifier: Apache-2.0
//
// A matrix product in tiles of T.
static double a[N][LD], b[N][LD], c[N][LD];

void tiles(void)
{
    for (int ii = 0; ii < N; ii += T)
        for (int kk = 0; kk < N; kk += T)
            for (int jj = 0; jj < N; jj += T)
                for (int i = ii; i < ii + T && i < N; i++)
                    for (int k = kk; k < kk + T && k < N; k++)
                        for (int j = jj; j < jj + T && j < N; j++)
                            c[i][j] += a[i][k] * b[k][j];
}
